"""What the drives add to the rigid bodies: friction, offsets, springs, and their regressor."""

from __future__ import annotations

from functools import partial
from typing import Any

from taut.algorithms import drives, rotors
from taut.errors import InputError
from taut.questions.machine import Matrix, Vector, transposed
from taut.questions.quantity import TORQUE, Quantity
from taut.questions.question import Addition, Question, Space, Way, per_joint
from taut.questions.rigid_body import inverse_dynamics
from taut.robot import Tree


def friction(robot: Tree, qd: Vector) -> Vector:
    """Return the torque of Coulomb and viscous friction and drive offsets, through the gear coupling."""
    at = robot.at()
    return at.gather(drives.friction(robot, at.rates(qd)))


def joint_torque(robot: Tree, q: Vector, qd: Vector, qdd: Vector, **options: Any) -> Vector:
    """Return what the drives must supply: inverse dynamics with its options, friction, springs, spinning rotors."""
    rigid = inverse_dynamics(robot, q, qd, qdd, **options)
    return [a + b for a, b in zip(rigid, drive_terms(robot, rigid, q, qd, qdd), strict=True)]


def drive_terms(robot: Tree, rigid: Vector | None, q: Vector, qd: Vector, qdd: Vector) -> Vector:
    """Return what the drives supply besides inverse dynamics: friction, springs, spinning rotors.

    Args:
        robot: the tree.
        rigid: the torque of inverse dynamics, None where it is not known yet.
        q: positions.
        qd: rates.
        qdd: accelerations.
    """
    at = robot.at(q)
    springs = at.gather(drives.spring_torque(robot, at.positions))
    rubbed = at.gather(drives.friction(robot, at.rates(qd), at.positions))
    torques = [a + b for a, b in zip(rubbed, springs, strict=True)]
    if drives.has_load_friction(robot):
        if rigid is None:
            message = "load_friction needs the torque of the rigid robot"
            raise InputError(message, f"robot '{robot.name}'", "set it to 0, or ask for joint_torque as a whole")
        loads = [a + b for a, b in zip(rigid, springs, strict=True)]
        pressed = drives.load_friction(robot, at.rates(qd), loads)
        torques = [a + b for a, b in zip(torques, pressed, strict=True)]
    if any(joint.formulas for joint in robot.joints):
        stated = at.gather(drives.formula_torque(robot, at.positions, at.rates(qd)))
        torques = [a + b for a, b in zip(torques, stated, strict=True)]
    if not rotors.spinning(robot):
        return torques
    return [a + b for a, b in zip(torques, rotor_torque(robot, q, qd, qdd), strict=True)]


def rotor_torque(robot: Tree, q: Vector, qd: Vector, qdd: Vector) -> Vector:
    """Return the torques that rotors as spinning bodies add: gyroscopic ones, and those of the links' accelerations."""
    at = robot.at(q)
    return at.gather(rotors.spinning_torque(robot, at.positions, at.rates(qd), at.accelerations(qd, qdd)))


def rotor_regressor(robot: Tree, q: Vector, qd: Vector, qdd: Vector) -> Matrix:
    """Return the columns of spinning rotors: spin_x, spin_y, spin_z for each joint."""
    at = robot.at(q)
    columns = rotors.spin_regressor(robot, at.positions, at.rates(qd), at.accelerations(qd, qdd))
    return transposed([at.gather(column) for column in columns])


def drive_regressor(robot: Tree, qd: Vector, qdd: Vector) -> Matrix:
    """Return the columns of the drives: rotor inertia, Coulomb, viscous, offset for each joint."""
    at = robot.at()
    columns = drives.drive_regressor(robot, at.rates(qd), at.accelerations(qd, qdd))
    return transposed([at.gather(column) for column in columns])


QUESTIONS = (
    Question(
        "friction",
        friction,
        ("qd",),
        per_joint,
        Quantity("tau", "torques of friction and drive offsets", TORQUE),
        Space.JOINT,
        drive_numbers=True,
    ),
    Question(
        "joint_torque",
        joint_torque,
        ("q", "qd", "qdd"),
        per_joint,
        Quantity("tau", "torques of the drives", TORQUE),
        Space.JOINT,
        on_wrenches=True,
        drive_numbers=True,
        aliases=("drive_torque",),
        ways=(Way("", lambda r: partial(joint_torque, torque=r.torque)),),
        addition=Addition("inverse_dynamics", drive_terms),
        on_loops=True,
    ),
    Question(
        "rotor_torque",
        rotor_torque,
        ("q", "qd", "qdd"),
        per_joint,
        Quantity("tau", "torques that spinning rotors add", TORQUE),
        Space.LINK,
        drive_numbers=True,
        on_loops=True,
    ),
    Question(
        "rotor_regressor",
        rotor_regressor,
        ("q", "qd", "qdd"),
        lambda robot: (robot.nv, len(rotors.AXES) * len(robot.joints)),
        Quantity("Y", "regressor of spin_x, spin_y and spin_z of every drive"),
        Space.LINK,
        on_loops=True,
    ),
    Question(
        "drive_regressor",
        drive_regressor,
        ("qd", "qdd"),
        lambda robot: (robot.nv, 4 * len(robot.joints)),
        Quantity("Y", "regressor of rotor inertia, Coulomb, viscous friction and offset of every drive"),
        Space.LINK,
    ),
)
