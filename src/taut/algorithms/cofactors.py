"""Inverse and determinant of a small square matrix over any scalar, by cofactors.

.. math:: A^{-1} = \\operatorname{adj} A / \\det A

Minors are expanded along their first column and shared; entries that are zero by structure cost nothing. The only
division is by the determinant, so that the inverse exists wherever the matrix has one.
"""

from __future__ import annotations

from collections.abc import Sequence

from taut.spatial import Scalar, is_exactly

Matrix = Sequence[Sequence[Scalar]]


def determinant(A: Matrix) -> Scalar:
    """Return det A."""
    everything = tuple(range(len(A)))
    return _Minors(A)(everything, everything)


def inverse(A: Matrix) -> list[list[Scalar]]:
    """Return A^-1; where det A is zero by structure, ZeroDivisionError is raised."""
    n = range(len(A))
    minors = _Minors(A)
    det = minors(tuple(n), tuple(n))
    if is_exactly(det, 0):
        raise ZeroDivisionError("the determinant is zero whatever the numbers are")
    one_over = 1 / det
    found: list[list[Scalar]] = []
    for i in n:
        columns = tuple(k for k in n if k != i)
        found.append([])
        for j in n:
            minor = minors(tuple(k for k in n if k != j), columns)
            found[i].append(one_over * (minor if (i + j) % 2 == 0 else -minor))
    return found


class _Minors:
    """Determinants of the parts of a matrix, each computed once."""

    def __init__(self, A: Matrix) -> None:
        self.A = A
        self.known: dict[tuple[tuple[int, ...], tuple[int, ...]], Scalar] = {}

    def __call__(self, rows: tuple[int, ...], columns: tuple[int, ...]) -> Scalar:
        if not rows:
            return 1
        if (rows, columns) not in self.known:
            total: Scalar = 0
            for k, row in enumerate(rows):
                x = self.A[row][columns[0]]
                if not is_exactly(x, 0):
                    term = x * self(rows[:k] + rows[k + 1 :], columns[1:])
                    total = total + term if k % 2 == 0 else total - term
            self.known[rows, columns] = total
        return self.known[rows, columns]
