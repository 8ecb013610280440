"""Solve small symmetric positive definite systems over any scalar.

.. math:: A = L D L^T

No pivoting: the matrices are inertias, positive definite by physics.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from taut.errors import InputError
from taut.spatial import Scalar, is_exactly

Matrix = Sequence[Sequence[Scalar]]

NO_INERTIA = (
    "the inertia matrix is singular: coordinate {k} of {n} has no inertia of its own",
    "give its link mass and inertia, or lock its joint",
)
"""What a vanishing pivot of an inertia matrix means, and what to do about it."""


def solve_symmetric(A: Matrix, b: Sequence[Scalar], singular: tuple[str, str] = NO_INERTIA) -> list[Scalar]:
    """Return x with A x = b by LDL^T, eliminating the last unknown first.

    Entries that are zero by structure are skipped, so a tree's mass matrix keeps the
    branch-induced sparsity of [RBDA, 6.5].

    Args:
        A: the matrix.
        b: the right-hand side.
        singular: what a vanishing pivot ``k`` of ``n`` means, and the advice to the user.
    """
    L, D = _factors(A, singular)
    n = len(b)
    x = list(b)
    for k in reversed(range(n)):
        for i, factor in L[k].items():
            x[i] = x[i] - factor * x[k]
    x = [x[k] / D[k] for k in range(n)]
    for k in range(n):
        for i, factor in L[k].items():
            x[k] = x[k] - factor * x[i]
    return x


def inverse_symmetric(A: Matrix) -> list[list[Scalar]]:
    """Return A^-1, of which only one triangle is computed.

    With L's rows found from the last unknown to the first, column j of the inverse follows from the rows before it:

    .. math:: L^T D L X = 1: \\quad X_{kj} = [k = j]/D_k - \\sum_{i<k} L_{ki} X_{ij} \\quad (j \\le k)
    """
    L, D = _factors(A, NO_INERTIA)
    X: list[list[Scalar]] = []
    for k, factors in enumerate(L):
        for j in range(k):
            X[j].append(_less(0, [(factor, X[i][j]) for i, factor in factors.items()]))
        X.append([X[j][k] for j in range(k)])
        X[k].append(_less(1 / D[k], [(factor, X[k][i]) for i, factor in factors.items()]))
    return X


def is_zero(x: Scalar) -> bool:
    """Whether a pivot is exactly zero: by structure, or at some state of a batch."""
    return bool((x == 0).any()) if isinstance(x, np.ndarray) else is_exactly(x, 0)


def _less(total: Scalar, products: Sequence[tuple[Scalar, Scalar]]) -> Scalar:
    for a, b in products:
        total = total - a * b
    return total


def _factors(A: Matrix, singular: tuple[str, str]) -> tuple[list[dict[int, Scalar]], list[Scalar]]:
    """Return L, row by row without its unit diagonal, and D with A = L^T D L, eliminating the last unknown first."""
    n = len(A)
    a = [list(row) for row in A]
    L: list[dict[int, Scalar]] = [{} for _ in range(n)]
    for k in reversed(range(n)):
        if is_zero(a[k][k]):
            raise InputError(singular[0].format(k=k + 1, n=n), advice=singular[1])
        coupled = [i for i in range(k) if not is_exactly(a[k][i], 0)]
        L[k] = {i: a[k][i] / a[k][k] for i in coupled}
        for i in coupled:
            for j in coupled:
                if j <= i:
                    a[i][j] = a[i][j] - L[k][i] * a[k][j]
    return L, [a[k][k] for k in range(n)]
