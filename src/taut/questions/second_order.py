"""Second-order derivatives of inverse dynamics, as differential dynamic programming takes them.

The first-order derivatives are computed on dual numbers that move along one coordinate after the other.
"""

from __future__ import annotations

from functools import partial

from taut.algorithms.torque_derivatives import torque_derivatives
from taut.questions.along import moved, slopes, unit
from taut.questions.derivatives import DerivativeAlgorithm, inverse_dynamics_derivatives
from taut.questions.machine import Matrix, Vector
from taut.questions.quantity import Quantity
from taut.questions.question import Question, Space, Way, single_axis
from taut.robot import Tree
from taut.spatial.dual import Dual


def inverse_dynamics_second_derivatives(
    robot: Tree, q: Vector, qd: Vector, qdd: Vector, derivatives: DerivativeAlgorithm = torque_derivatives
) -> list[list[Matrix]]:
    """Return d2tau/dq dq, d2tau/dq dqd, d2tau/dqd dqd and d2tau/dq dqdd, each [torque][first][second]."""
    n = robot.nv
    by_q, by_qd = [], []
    for k in range(n):
        there = moved(robot, q, unit(n, k))
        by_q.append(slopes(inverse_dynamics_derivatives(robot, there, qd, qdd, derivatives)))
        faster = [Dual(x, u) for x, u in zip(qd, unit(n, k), strict=True)]
        by_qd.append(slopes(inverse_dynamics_derivatives(robot, q, faster, qdd, derivatives)))
    rows = range(n)
    return [
        [[[by_q[k][i][j] for k in rows] for j in rows] for i in rows],
        [[[by_q[j][i][n + k] for k in rows] for j in rows] for i in rows],
        [[[by_qd[k][i][n + j] for k in rows] for j in rows] for i in rows],
        [[[by_q[j][i][2 * n + k] for k in rows] for j in rows] for i in rows],
    ]


def _four_cubes(robot: Tree) -> tuple[int, ...]:
    return (4, robot.nv, robot.nv, robot.nv)


NAMED_ONLY = (
    Question(
        "inverse_dynamics_second_derivatives",
        inverse_dynamics_second_derivatives,
        ("q", "qd", "qdd"),
        _four_cubes,
        Quantity("D2", "second derivatives of the torques: by q q, by q qd, by qd qd, by q qdd, one after the other"),
        Space.JOINT,
        ways=(
            Way(
                "",
                lambda r: partial(inverse_dynamics_second_derivatives, derivatives=r.derivatives),
                single_axis,
            ),
        ),
    ),
)
