"""The torque of every joint by physical origin.

.. math:: \\tau = M_r \\ddot q + I_a \\ddot q + \\sum_{j<k} b_{jk} \\dot q_j \\dot q_k + \\sum_j c_j \\dot q_j^2 + g
          + \\tau_f + \\tau_s

with M_r of the rigid bodies and I_a of the rotors. The torque at zero acceleration and without gravity is quadratic in
the rates: with one joint moving alone it is that joint's centrifugal torque, and what all of them leave is Coriolis'.
"""

from __future__ import annotations

from dataclasses import replace

from taut.algorithms import drives, rotors
from taut.algorithms.newton_euler import newton_euler
from taut.questions.drives import rotor_torque
from taut.questions.machine import Matrix, Vector
from taut.questions.quantity import TORQUE, Quantity
from taut.questions.question import Question, Space
from taut.questions.rigid_body import bias, gravity, inverse_dynamics
from taut.robot import Tree
from taut.spatial import Scalar, Vec3

ORIGINS = ("inertial", "rotor", "coriolis", "centrifugal", "gravity", "friction", "spring")
"""The rows of ``contributions``, in order."""


def contributions(robot: Tree, q: Vector, qd: Vector, qdd: Vector) -> Matrix:
    """Return rows that sum to the joint torque: inertial, rotor, Coriolis, centrifugal, gravity, friction, spring.

    Torques that are stated as formulas are part of the last row.
    """
    weightless = replace(robot, gravity_acceleration=Vec3(0, 0, 0))
    at, n = robot.at(q), range(robot.nv)
    rest, accelerations = at.rates([0 for _ in n]), at.accelerations([0 for _ in n], qdd)
    alone = [bias(weightless, q, [rate if k == j else 0 for k in n]) for j, rate in enumerate(qd)]
    centrifugal = [sum(column[1:], start=column[0]) for column in zip(*alone, strict=True)]
    velocity = bias(weightless, q, qd)
    rubbed = at.gather(drives.friction(robot, at.rates(qd), at.positions))
    springs = at.gather(drives.spring_torque(robot, at.positions))
    stated = at.gather(drives.formula_torque(robot, at.positions, at.rates(qd)))
    if drives.has_load_friction(robot):
        loads = [a + b for a, b in zip(inverse_dynamics(robot, q, qd, qdd), springs, strict=True)]
        rubbed = [a + b for a, b in zip(rubbed, drives.load_friction(robot, at.rates(qd), loads), strict=True)]
    return [
        at.gather(newton_euler(weightless, at.positions, rest, accelerations)),
        _of_rotors(robot, q, qd, qdd),
        [both - squares for both, squares in zip(velocity, centrifugal, strict=True)],
        centrifugal,
        [*gravity(robot, q)],
        rubbed,
        [a + b for a, b in zip(springs, stated, strict=True)],
    ]


def _of_rotors(robot: Tree, q: Vector, qd: Vector, qdd: Vector) -> list[Scalar]:
    """Return reflected rotor inertia times acceleration, and what spinning rotors add."""
    at = robot.at(q)
    rest, accelerations = at.rates([0 for _ in range(robot.nv)]), at.accelerations([0 for _ in range(robot.nv)], qdd)
    reflected = at.gather(drives.rotor_torque(robot, rest, accelerations))
    if not rotors.spinning(robot):
        return [*reflected]
    return [a + b for a, b in zip(reflected, rotor_torque(robot, q, qd, qdd), strict=True)]


QUESTIONS = (
    Question(
        "contributions",
        contributions,
        ("q", "qd", "qdd"),
        lambda robot: (len(ORIGINS), robot.nv),
        Quantity("T", f"torques by origin, one row each: {', '.join(ORIGINS)}", TORQUE),
        Space.LINK,
        drive_numbers=True,
        on_loops=True,
    ),
)
