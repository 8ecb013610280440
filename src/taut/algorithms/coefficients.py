"""The coefficients of the explicit equations of motion, and their order.

.. math:: \\tau_i = \\sum_j M_{ij} \\ddot q_j + \\sum_{j<k} b_{ijk} \\dot q_j \\dot q_k
          + \\sum_j c_{ij} \\dot q_j^2 + g_i

b carries the factor 2 of its symbol, b_ijk = 2 G_ijk, and c_ij = G_ijj [Armstrong, Khatib, Burdick 1986].
The order is that of every explicit function: M_ij for i <= j row by row, then b_ijk for each i and
j < k, then c_ij, then g_i.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from taut.spatial import Scalar, is_exactly

Torque = Callable[[Sequence[Scalar], Sequence[Scalar]], Sequence[Scalar]]
"""(qd, qdd) -> tau at one configuration, linear in qdd and quadratic in qd."""


class Term(NamedTuple):
    """Which coefficient: its kind and its indices from 0."""

    kind: str
    indices: tuple[int, ...]

    @property
    def name(self) -> str:
        """Its name with indices from 1, as ``M11``, ``b112``; indices beyond 9 are separated by ``_``.

        >>> Term("b", (0, 0, 1)).name, Term("M", (8, 9)).name
        ('b112', 'M9_10')
        """
        numbers = [str(i + 1) for i in self.indices]
        return self.kind + ("_" if max(self.indices, default=0) > 8 else "").join(numbers)


def explicit_terms(n: int) -> list[Term]:
    """Return what the entries of an explicit function with n rates are, in order.

    >>> " ".join(term.name for term in explicit_terms(2))
    'M11 M12 M22 b112 b212 c11 c12 c21 c22 g1 g2'
    """
    every = range(n)
    terms = [Term("M", (i, j)) for i in every for j in range(i, n)]
    terms += [Term("b", (i, j, k)) for i in every for j in every for k in range(j + 1, n)]
    terms += [Term("c", (i, j)) for i in every for j in every]
    return terms + [Term("g", (i,)) for i in every]


@dataclass(frozen=True)
class Coefficients:
    """The coefficients at one configuration.

    Attributes:
        M: rows of the mass matrix.
        G: Christoffel symbols of the first kind, G[i][j][k] = G[i][k][j].
        g: torque at rest.
    """

    M: Sequence[Sequence[Scalar]]
    G: Sequence[Sequence[Sequence[Scalar]]]
    g: Sequence[Scalar]

    @classmethod
    def of(cls, torque: Torque, g: Sequence[Scalar]) -> Coefficients:
        """Read the coefficients off a torque without gravity, at unit rates and unit accelerations."""
        n = range(len(g))
        rest = [0 for _ in n]
        units = [[int(j == k) for j in n] for k in n]
        columns = [torque(rest, unit) for unit in units]
        squares = [torque(unit, rest) for unit in units]
        G: list[list[list[Scalar]]] = [[[squares[j][i]] * len(g) for j in n] for i in n]
        for j in n:
            for k in range(j):
                both = torque([a + b for a, b in zip(units[j], units[k], strict=True)], rest)
                for i in n:
                    G[i][j][k] = G[i][k][j] = (both[i] - squares[j][i] - squares[k][i]) * 0.5
        return cls([[columns[j][i] for j in n] for i in n], G, g)

    @classmethod
    def listed(cls, flat: Sequence[Scalar], n: int) -> Coefficients:
        """Return the coefficients of a list in the order of :func:`explicit_terms`."""
        given = dict(zip(explicit_terms(n), flat, strict=True))
        every = range(n)

        def symbol(i: int, j: int, k: int) -> Scalar:
            return given[Term("c", (i, j))] if j == k else given[Term("b", (i, min(j, k), max(j, k)))] * 0.5

        return cls(
            [[given[Term("M", (min(i, j), max(i, j)))] for j in every] for i in every],
            [[[symbol(i, j, k) for k in every] for j in every] for i in every],
            [given[Term("g", (i,))] for i in every],
        )

    def b(self, i: int, j: int, k: int) -> Scalar:
        """Return what multiplies qd_j qd_k, j < k, in torque i."""
        return 2 * self.G[i][j][k]

    def c(self, i: int, j: int) -> Scalar:
        """Return what multiplies qd_j^2 in torque i."""
        return self.G[i][j][j]

    @property
    def flat(self) -> list[Scalar]:
        """All coefficients in the order of :func:`explicit_terms`."""
        n = range(len(self.g))
        found: list[Scalar] = [self.M[i][j] for i in n for j in n if i <= j]
        found += [self.b(i, j, k) for i in n for j in n for k in n if j < k]
        found += [self.c(i, j) for i in n for j in n]
        return found + list(self.g)

    def torque(self, qd: Sequence[Scalar], qdd: Sequence[Scalar]) -> list[Scalar]:
        """Return tau, each rate multiplied by its factor: sum_k qd_k (sum_{j<k} b_ijk qd_j + c_ik qd_k).

        In this order the sums over j < i are shared between tau_i and tau_k, since b_kji = -b_ijk for j < i < k.
        """
        n = range(len(self.g))
        tau = []
        for i in n:
            total = self.g[i]
            for k in n:
                met: Scalar = 0
                for j in range(k):
                    met = met + self.b(i, j, k) * qd[j]
                met = met + self.c(i, k) * qd[k]
                if not is_exactly(met, 0):
                    total = total + met * qd[k]
            for j in n:
                total = total + self.M[min(i, j)][max(i, j)] * qdd[j]
            tau.append(total)
        return tau
