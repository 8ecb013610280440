"""Solve small symmetric positive definite systems over any scalar.

.. math:: A = L D L^T

No pivoting: the matrices are inertias, positive definite by physics.
"""

from __future__ import annotations

from collections.abc import Sequence

from taut.spatial import Scalar, is_exactly


def solve_symmetric(A: Sequence[Sequence[Scalar]], b: Sequence[Scalar]) -> list[Scalar]:
    """Return x with A x = b by LDL^T, eliminating the last unknown first.

    Entries that are zero by structure are skipped, so a tree's mass matrix keeps the
    branch-induced sparsity of [RBDA, 6.5].
    """
    n = len(b)
    a = [list(row) for row in A]
    L: list[dict[int, Scalar]] = [{} for _ in range(n)]
    for k in reversed(range(n)):
        coupled = [i for i in range(k) if not is_exactly(a[k][i], 0)]
        L[k] = {i: a[k][i] / a[k][k] for i in coupled}
        for i in coupled:
            for j in coupled:
                if j <= i:
                    a[i][j] = a[i][j] - L[k][i] * a[k][j]
    x = list(b)
    for k in reversed(range(n)):
        for i, factor in L[k].items():
            x[i] = x[i] - factor * x[k]
    x = [x[k] / a[k][k] for k in range(n)]
    for k in range(n):
        for i, factor in L[k].items():
            x[k] = x[k] - factor * x[i]
    return x
