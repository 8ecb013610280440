"""Dependent rates from independent ones by elimination in a fixed order, on any scalars.

.. math:: J_d\\,\\dot q_d + J_i\\,\\dot q_i = r \\quad\\Rightarrow\\quad \\dot q_d = G_d\\,\\dot q_i + J_d^{-1} r,
    \\qquad G_d = -J_d^{-1} J_i

The pivots are chosen once, on numbers; entries that are zero by structure cost nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from taut.spatial import Scalar, is_exactly


class Elimination:
    """Conditions on rates, solved for the dependent ones.

    Args:
        rows: J, a list of coefficients of all rates a row.
        pivots: (row, rate) in the order of elimination; rows that are no pivot follow from the others.
        width: number of all rates.
    """

    def __init__(self, rows: Sequence[Sequence[Scalar]], pivots: Sequence[tuple[int, int]], width: int) -> None:
        self.pivots = pivots
        self.dependent = [c for _, c in pivots]
        self.independent = [c for c in range(width) if c not in set(self.dependent)]
        self._a = {r: list(rows[r]) for r, _ in pivots}
        self._factors: list[list[tuple[int, Scalar]]] = []
        self._inverse: list[Scalar] = []
        for k, (r, c) in enumerate(pivots):
            row = self._a[r]
            inverse = 1 / row[c]
            self._inverse.append(inverse)
            factors = []
            for below, _ in pivots[k + 1 :]:
                other = self._a[below]
                if is_exactly(other[c], 0):
                    continue
                factor = other[c] * inverse
                factors.append((below, factor))
                self._a[below] = [x if is_exactly(y, 0) else x - factor * y for x, y in zip(other, row, strict=True)]
                self._a[below][c] = 0
            self._factors.append(factors)

    @cached_property
    def ratios(self) -> dict[int, list[Scalar]]:
        """G_d: {dependent rate: its ratio to every independent rate}."""
        found: dict[int, list[Scalar]] = {}
        for (r, c), inverse in zip(reversed(self.pivots), reversed(self._inverse), strict=True):
            row = self._a[r]
            total = [row[j] for j in self.independent]
            for d, ratios in found.items():
                if not is_exactly(row[d], 0):
                    total = [x if is_exactly(y, 0) else x + row[d] * y for x, y in zip(total, ratios, strict=True)]
            found[c] = [0 if is_exactly(x, 0) else -(x * inverse) for x in total]
        return {c: found[c] for c in self.dependent}

    def solve(self, right: Sequence[Scalar]) -> dict[int, Scalar]:
        """Return the dependent rates where the independent ones rest and J qd is the right-hand side."""
        b = list(right)
        for (r, _), factors in zip(self.pivots, self._factors, strict=True):
            for below, factor in factors:
                b[below] = b[below] - factor * b[r]
        found: dict[int, Scalar] = {}
        for (r, c), inverse in zip(reversed(self.pivots), reversed(self._inverse), strict=True):
            x, row = b[r], self._a[r]
            for d, value in found.items():
                if not is_exactly(row[d], 0):
                    x = x - row[d] * value
            found[c] = x * inverse
        return found
