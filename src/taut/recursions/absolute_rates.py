"""Angular rates of links on parallel joints as the unknowns: w_j = qd_j + s w_p instead of qd_j.

A link on a run of parallel joints turns at the sum of their rates. In these rates, qd = A w with

.. math:: M' = A^T M A, \\qquad \\tau' = A^T \\tau

and the entries of M' are differences such as M_23 - M_33, which are short: planar arms have
M'_jj constant. Forces go the other way: tau_p = tau'_p + s tau_j.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from taut.algorithms.coefficients import Coefficients
from taut.spatial import Scalar


class AbsoluteRates:
    """The change of rates.

    Args:
        runs: {joint j: (parallel joint p before it, s = 1, or -1 where it is antiparallel)}.
        n: number of rates.
    """

    def __init__(self, runs: Mapping[int, tuple[int, int]], n: int) -> None:
        self._runs, self._n = runs, n

    def of_joints(self, x: Sequence[Scalar]) -> list[Scalar]:
        """Return w of qd, or of accelerations."""
        found: list[Scalar] = []
        for j in range(self._n):
            found.append(x[j] + self._runs[j][1] * found[self._runs[j][0]] if j in self._runs else x[j])
        return found

    def to_joints(self, x: Sequence[Scalar]) -> list[Scalar]:
        """Return qd of w, or accelerations."""
        return [x[j] - self._runs[j][1] * x[self._runs[j][0]] if j in self._runs else x[j] for j in range(self._n)]

    def forces(self, tau: Sequence[Any]) -> list[Any]:
        """Return tau' = A^T tau."""
        found = list(tau)
        for j, (before, sign) in self._runs.items():
            found[before] = found[before] - sign * tau[j]
        return found

    def forces_of_joints(self, tau: Sequence[Scalar]) -> list[Scalar]:
        """Return tau of tau'."""
        found = list(tau)
        for j in sorted(self._runs, reverse=True):
            before, sign = self._runs[j]
            found[before] = found[before] + sign * found[j]
        return found

    def quadratic(self, M: Sequence[Sequence[Scalar]]) -> list[list[Scalar]]:
        """Return A^T M A of a symmetric matrix whose upper half is given."""
        n = range(self._n)
        columns = [self.forces([M[min(i, j)][max(i, j)] for j in n]) for i in n]
        return [list(row) for row in zip(*(self.forces(column) for column in zip(*columns, strict=True)), strict=True)]

    def torque(self, given: Coefficients, qd: Sequence[Scalar], qdd: Sequence[Scalar]) -> list[Scalar]:
        """Return the torque from coefficients, put together in absolute rates."""
        n = range(self._n)
        half = [self.quadratic(slice_) for slice_ in given.G]
        G = [[self.forces([half[i][j][k] for i in n]) for k in n] for j in n]
        changed = Coefficients(
            self.quadratic(given.M), [[[G[j][k][i] for k in n] for j in n] for i in n], self.forces(given.g)
        )
        return self.forces_of_joints(changed.torque(self.of_joints(qd), self.of_joints(qdd)))
