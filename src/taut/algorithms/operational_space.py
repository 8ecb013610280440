"""Inertia and bias force of the robot as felt at a frame.

.. math:: \\Lambda = (J M^{-1} J^T)^{-1}, \\qquad
          \\mu = \\Lambda (J M^{-1} (C \\dot q + g) - \\dot J \\dot q)

Source: Khatib 1987; ``F = Lambda a + mu`` is the force that gives the frame the acceleration a.
Serves trees and free joints where J has full row rank.
"""

from __future__ import annotations

from collections.abc import Sequence

from taut.algorithms.linear_solve import solve_symmetric
from taut.spatial import Scalar

Matrix = Sequence[Sequence[Scalar]]

IMMOBILE = (
    "the frame cannot move in direction {k} of {n}, so its inertia is infinite there",
    "ask for a frame that six joints or more move, away from singular positions",
)
"""What a vanishing pivot of the mobility J M^-1 J^T means, and what to do about it."""


def inverse_operational_inertia(M: Matrix, J: Matrix) -> list[list[Scalar]]:
    """Return J M^-1 J^T, the mobility felt at the frame."""
    columns = [solve_symmetric(M, row) for row in J]  # M^-1 J^T
    return [[_dot(row, column) for column in columns] for row in J]


def operational_inertia(M: Matrix, J: Matrix) -> list[list[Scalar]]:
    """Return Lambda."""
    mobility = inverse_operational_inertia(M, J)
    size = range(len(mobility))
    return [solve_symmetric(mobility, [1 if i == k else 0 for i in size], IMMOBILE) for k in size]


def operational_bias(M: Matrix, J: Matrix, bias: Sequence[Scalar], Jd_qd: Sequence[Scalar]) -> list[Scalar]:
    """Return mu; ``bias`` is C qd + g and ``Jd_qd`` the frame's acceleration at qdd = 0."""
    free = solve_symmetric(M, bias)
    wanted = [_dot(row, free) - a for row, a in zip(J, Jd_qd, strict=True)]
    return solve_symmetric(inverse_operational_inertia(M, J), wanted, IMMOBILE)


def _dot(a: Sequence[Scalar], b: Sequence[Scalar]) -> Scalar:
    total = a[0] * b[0]
    for x, y in zip(a[1:], b[1:], strict=True):
        total = total + x * y
    return total
