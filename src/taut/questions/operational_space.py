"""Inertia and bias force seen at a frame: dynamics in operational space."""

from __future__ import annotations

from taut.algorithms import operational_space
from taut.questions.kinematics import jacobian, jacobian_derivative_times_velocity
from taut.questions.machine import Matrix, Vector
from taut.questions.quantity import Quantity
from taut.questions.question import Question, of_size
from taut.questions.rigid_body import bias, mass_matrix
from taut.robot import Tree


def operational_inertia(robot: Tree, q: Vector, frame: str | None = None) -> Matrix:
    """Return Lambda = (J M^-1 J^T)^-1 at a frame, [linear; angular]."""
    return operational_space.operational_inertia(mass_matrix(robot, q), jacobian(robot, q, frame))


def operational_bias(robot: Tree, q: Vector, qd: Vector, frame: str | None = None) -> Vector:
    """Return mu with F = Lambda a + mu at a frame, [linear; angular]."""
    M, J = mass_matrix(robot, q), jacobian(robot, q, frame)
    Jd_qd = jacobian_derivative_times_velocity(robot, q, qd, frame)
    return operational_space.operational_bias(M, J, bias(robot, q, qd), Jd_qd)


QUESTIONS = (
    Question(
        "operational_inertia",
        operational_inertia,
        ("q",),
        of_size(6, 6),
        Quantity("L", "inertia seen at the frame [linear; angular]"),
        on_frame=True,
    ),
    Question(
        "operational_bias",
        operational_bias,
        ("q", "qd"),
        of_size(6),
        Quantity("mu", "wrench at the frame at zero acceleration", "N, N m"),
        on_frame=True,
    ),
)
