"""Energy, momentum and centre of mass."""

from __future__ import annotations

from taut.algorithms import drives, energy
from taut.questions.machine import Vector
from taut.questions.quantity import Quantity
from taut.questions.question import Question, of_size
from taut.robot import Tree
from taut.spatial import is_exactly


def energy_terms(robot: Tree, q: Vector, qd: Vector) -> Vector:
    """Return [kinetic, potential] energy, rotors and springs included."""
    at = robot.at(q)
    Q, QD = at.positions, at.rates(qd)
    kinetic = energy.kinetic_energy(robot, Q, QD)
    potential = energy.potential_energy(robot, Q)
    for joint, rate, part in zip(robot.joints, robot.drive_rates(QD), Q, strict=True):
        kinetic = kinetic + 0.5 * joint.drive.rotor_inertia * (rate * rate)
        if joint.motion.nv == 1 or not is_exactly(joint.drive.stiffness, 0):
            first, *others = (x * x for x in joint.motion.stretch(part, joint.drive.rest))
            potential = potential + 0.5 * joint.drive.stiffness * sum(others, first)
    for i, A in drives.free_rotors(robot):
        v = robot.joints[i].motion.rate(QD[i])
        kinetic = kinetic + 0.5 * v.dot(A @ v)
    return [kinetic, potential]


def momentum(robot: Tree, q: Vector, qd: Vector) -> Vector:
    """Return the momentum [linear; angular] of all links, in world axes about the world's origin."""
    at = robot.at(q)
    h = energy.momentum(robot, at.positions, at.rates(qd))
    return [*h.f, *h.n]


def center_of_mass(robot: Tree, q: Vector) -> Vector:
    """Return the centre of mass of the moving links, in the world."""
    moment = energy.first_moment(robot, robot.at(q).positions)
    mass = energy.moving_mass(robot)
    return [x / mass for x in moment]


QUESTIONS = (
    Question(
        "energy",
        energy_terms,
        ("q", "qd"),
        of_size(2),
        Quantity("E", "kinetic and potential energy", "J"),
        on_loops=True,
    ),
    Question(
        "momentum",
        momentum,
        ("q", "qd"),
        of_size(6),
        Quantity("h", "momentum [linear; angular] about the world's origin", "kg m/s, kg m^2/s"),
        on_loops=True,
    ),
    Question(
        "center_of_mass",
        center_of_mass,
        ("q",),
        of_size(3),
        Quantity("com", "centre of mass in the world", "m"),
        aliases=("com",),
        on_loops=True,
    ),
)
