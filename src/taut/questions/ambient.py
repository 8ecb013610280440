"""Positions as numbers that may leave their manifold: their rates, unit quaternions, and changes along the rates.

A quaternion has four numbers and three rates. A step adds to the numbers, and :func:`normalised` brings the quaternion
back to length 1. With E of dq/dt = E(q) qd, a change dq of a unit quaternion is along the rates 4 E^T dq, and one of
any other position along E^T dq, because the columns of E are orthogonal. Where positions add up, nothing happens here.
"""

from __future__ import annotations

from collections.abc import Callable

from taut.questions.along import moved, slopes, unit
from taut.questions.machine import Matrix, Vector, transposed
from taut.robot import Tree
from taut.spatial import Scalar
from taut.spatial.array import sqrt
from taut.spatial.dual import Dual, level_of


def rates(robot: Tree, q: Vector, qd: Vector) -> list[Scalar]:
    """Return E(q) qd: the derivative of the positions by time (nq)."""
    if not robot.quaternions:
        return list(qd)
    there = moved(robot, q, qd)
    return list(slopes(there, there[0].level))


def normalised(robot: Tree, q: Vector) -> list[Scalar]:
    """Return positions with quaternions of length 1."""
    found = list(q)
    for start in robot.quaternions:
        part = found[start : start + 4]
        length = sqrt(sum((x * x for x in part), 0))
        found[start : start + 4] = [x / length for x in part]
    return found


def columns(robot: Tree, q: Vector) -> Matrix:
    """Return E(q), nq x nv."""
    return transposed([rates(robot, q, unit(robot.nv, k)) for k in range(robot.nv)])


def local(robot: Tree, q: Vector, change: Matrix) -> Matrix:
    """Return changes (nq x m) of a position along its rates (nv x m)."""
    if not robot.quaternions:
        return change
    turning = {start + k for start in robot.quaternions for k in range(4)}
    E = columns(robot, q)
    weighed = [[(4 if i in turning else 1) * x for x in row] for i, row in enumerate(E)]
    return [
        [sum((weighed[i][k] * change[i][j] for i in range(robot.nq)), 0) for j in range(len(change[0]))]
        for k in range(robot.nv)
    ]


def derivative(compute: Callable[[list[Scalar]], list[Scalar]], x: Vector, change: Matrix) -> Matrix:
    """Return the changes of what is computed from x, for changes of x (len(x) x m)."""
    level = 1 + max(level_of(value) for value in (*x, *(entry for row in change for entry in row)))
    found = []
    for column in zip(*change, strict=True):
        there = compute([Dual(value, slope, level) for value, slope in zip(x, column, strict=True)])
        found.append(slopes(there, level))
    return transposed(found)
