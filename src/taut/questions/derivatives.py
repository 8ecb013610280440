"""Derivatives of inverse and forward dynamics."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from taut.algorithms import drives
from taut.algorithms.linear_solve import inverse_symmetric, solve_symmetric
from taut.algorithms.torque_derivatives import torque_derivatives
from taut.questions.acceleration import forward_dynamics, solved
from taut.questions.machine import Matrix, Vector, plus, transposed
from taut.questions.quantity import Quantity
from taut.questions.question import Question, Space, Way, free_or_single_axis
from taut.robot import Tree

DerivativeAlgorithm = Callable[..., tuple[Matrix, Matrix, Matrix]]
"""(robot, q, qd, qdd) -> the derivatives of the joint forces by q, qd and qdd over all rates of the tree."""


def inverse_dynamics_derivatives(
    robot: Tree, q: Vector, qd: Vector, qdd: Vector, derivatives: DerivativeAlgorithm = torque_derivatives
) -> Matrix:
    """Return [dtau/dq, dtau/dqd, dtau/dqdd = M] of inverse dynamics, side by side."""
    by_q, by_qd, M = _derivatives(robot, q, qd, qdd, derivatives)
    return [[*a, *b, *c] for a, b, c in zip(by_q, by_qd, M, strict=True)]


def forward_dynamics_derivatives(
    robot: Tree,
    q: Vector,
    qd: Vector,
    tau: Vector,
    derivatives: DerivativeAlgorithm = torque_derivatives,
    acceleration: Callable[..., Vector] = forward_dynamics,
) -> Matrix:
    """Return [dqdd/dq, dqdd/dqd, dqdd/dtau = M^-1] of forward dynamics, side by side: -M^-1 dtau/dq at that qdd."""
    qdd = acceleration(robot, q, qd, tau)
    by_q, by_qd, M = _derivatives(robot, q, qd, qdd, derivatives)
    columns = [[-x for x in solve_symmetric(M, column)] for part in (by_q, by_qd) for column in zip(*part, strict=True)]
    return transposed([*columns, *inverse_symmetric(M)])


def _derivatives(
    robot: Tree, q: Vector, qd: Vector, qdd: Vector, derivatives: DerivativeAlgorithm
) -> tuple[Matrix, Matrix, Matrix]:
    at = robot.at(q)
    QD = at.rates(qd)
    by_q, by_qd, M = derivatives(robot, at.positions, QD, at.accelerations(qd, qdd))
    by_qd = plus(by_qd, drives.rotor_derivative(robot, QD))
    M = plus(M, drives.rotor_matrix(robot))
    return at.reduced(by_q), at.reduced(by_qd), at.reduced(M)


def _three_squares(robot: Tree) -> tuple[int, ...]:
    return (robot.nv, 3 * robot.nv)


QUESTIONS = (
    Question(
        "inverse_dynamics_derivatives",
        inverse_dynamics_derivatives,
        ("q", "qd", "qdd"),
        _three_squares,
        Quantity("D", "derivatives of the torques: by q, by qd, by qdd (M), side by side"),
        Space.JOINT,
        ways=(
            Way("", lambda r: partial(inverse_dynamics_derivatives, derivatives=r.derivatives), free_or_single_axis),
        ),
    ),
    Question(
        "forward_dynamics_derivatives",
        forward_dynamics_derivatives,
        ("q", "qd", "tau"),
        _three_squares,
        Quantity("D", "derivatives of the accelerations: by q, by qd, by tau (the inverse of M), side by side"),
        Space.JOINT,
        ways=(
            Way(
                "",
                lambda r: partial(
                    forward_dynamics_derivatives, derivatives=r.derivatives, acceleration=partial(solved, r)
                ),
                free_or_single_axis,
            ),
        ),
    ),
)
