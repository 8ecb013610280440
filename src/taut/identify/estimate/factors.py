"""All that least squares needs to know of any number of samples: triangular factors, one a fold and joint.

.. math:: [\\,W_j \\;\\; \\tau_j \\;\\; \\tau^{raw}_j \\;\\; \\dot\\tau_j\\,] = Q R

The derivative of the torque stands for a lag: the torque measured a little later is tau + lag * dtau/dt.

Blocks of rows are folded in one after the other (tall-skinny QR [Demmel et al. 2012]), so that recordings need not fit
into memory and parts can be factored anywhere and stacked. Errors of any parameters on any folds, and the solution
without any of them, follow from the factors alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from taut.recordings.conditioning import Rows

HELD_OUT = -1
"""The fold of samples that are not fitted."""


@dataclass
class Factors:
    """Triangular factors of the active columns, the filtered torque, the raw one and its slope.

    Attributes:
        active: for each joint the indices of its columns.
        width: stored columns a joint, before the torques.
        fitted: {(fold, joint): R} of rows weighted for fitting.
        plain: {(fold, joint): R} of rows as they are, for errors.
        samples: {fold: number of rows}.
    """

    active: Sequence[np.ndarray]
    width: int
    fitted: dict[tuple[int, int], np.ndarray] = field(default_factory=dict)
    plain: dict[tuple[int, int], np.ndarray] = field(default_factory=dict)
    samples: dict[int, int] = field(default_factory=dict)

    def add(self, fold: int, rows_: Rows, at: np.ndarray, weights: np.ndarray) -> None:
        """Fold in some of the rows, with weights (samples, joints)."""
        count = int(at.sum())
        if not count:
            return
        self.samples[fold] = self.samples.get(fold, 0) + count
        torques = (rows_.tau, rows_.raw, rows_.slope)
        for j in range(len(self.active)):
            rows = np.column_stack([rows_.columns[at, j], *(x[at, j] for x in torques)])
            _fold_in(self.plain, (fold, j), rows)
            if fold != HELD_OUT:
                _fold_in(self.fitted, (fold, j), rows * np.sqrt(weights[at, j : j + 1]))

    def merge(self, other: Factors) -> None:
        """Fold in the factors of other samples."""
        for mine, theirs in ((self.fitted, other.fitted), (self.plain, other.plain)):
            for key, R in theirs.items():
                _fold_in(mine, key, R)
        for fold, count in other.samples.items():
            self.samples[fold] = self.samples.get(fold, 0) + count

    @property
    def folds(self) -> list[int]:
        """The folds that are fitted."""
        return sorted(fold for fold in self.samples if fold != HELD_OUT)

    @property
    def joints(self) -> int:
        """Number of joints."""
        return len(self.active)


def _fold_in(store: dict[tuple[int, int], np.ndarray], key: tuple[int, int], rows: np.ndarray) -> None:
    stacked = np.vstack([store[key], rows]) if key in store else rows
    store[key] = np.asarray(np.linalg.qr(stacked, mode="r")) if len(stacked) > stacked.shape[1] else stacked


class Products:
    """Normal equations of the folds, formed once from the factors: what cross-validation solves again and again.

    Args:
        factors: of all folds.
        lags: by how many seconds each joint's torque was recorded late.
    """

    def __init__(self, factors: Factors, lags: np.ndarray | None = None) -> None:
        self.factors = factors
        self.lags = np.zeros(factors.joints) if lags is None else lags
        self.fitted = self._products(factors.fitted)
        self.plain = self._products(factors.plain)
        self.total: dict[int, np.ndarray] = {
            j: np.sum([self.fitted[f, j] for f in factors.folds], axis=0) for j in range(factors.joints)
        }
        self.count = sum(factors.samples[f] for f in factors.folds)

    def _products(self, store: dict[tuple[int, int], np.ndarray]) -> dict[tuple[int, int], np.ndarray]:
        products = {}
        for (fold, j), R in store.items():
            advanced = R.copy()
            advanced[:, -3:-1] += self.lags[j] * R[:, -1:]
            products[fold, j] = advanced.T @ advanced
        return products

    @cached_property
    def power(self) -> np.ndarray:
        """Sum of squared torques of the fitted folds, by joint."""
        t = self.factors.width
        return np.array([sum(self.plain[f, j][t, t] for f in self.factors.folds) for j in range(self.factors.joints)])

    def places(self, chosen: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
        """Return for each joint where the chosen columns stand in the answer and among its active columns."""
        where = np.full(1 + max(int(ids.max()) for ids in self.factors.active), -1)
        where[chosen] = np.arange(len(chosen))
        return [(where[ids][where[ids] >= 0], np.flatnonzero(where[ids] >= 0)) for ids in self.factors.active]

    @cached_property
    def _by_fold(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """For each joint its products for fitting and for errors, shape (folds, columns, columns)."""
        zero = np.zeros_like(self.total[0])
        return [
            (
                np.stack([self.fitted.get((f, j), zero) for f in self.factors.folds]),
                np.stack([self.plain.get((f, j), zero) for f in self.factors.folds]),
            )
            for j in range(self.factors.joints)
        ]

    def validated(self, chosen: np.ndarray, weights: np.ndarray, precision: np.ndarray, mean: np.ndarray) -> np.ndarray:
        """Return squared errors on each fold of what fits all others, with a prior, shape (folds, joints)."""
        t, count, m = self.factors.width, len(chosen), len(precision)
        folds = len(self.factors.folds)
        H, c = np.zeros((folds, count, count)), np.zeros((folds, count))
        places = self.places(chosen)
        for j, (to, at) in enumerate(places):
            without = weights[j] * (self.total[j][at] - self._by_fold[j][0][:, at])[:, :, [*at, t]]
            H[:, to[:, None], to] += without[:, :, :-1]
            c[:, to] += without[:, :, -1]
        diagonal = np.arange(count)
        H[:, diagonal, diagonal] = H[:, diagonal, diagonal] * (1 + RIDGE) + 1e-30 + self._of_drives(places, count, m)
        H[:, :m, :m] += precision
        c[:, :m] += precision @ mean
        scale = np.sqrt(H[:, diagonal, diagonal])
        scaled = H / scale[:, :, None] / scale[:, None, :]
        x = np.linalg.solve(scaled, (c / scale)[:, :, None])[:, :, 0] / scale
        squares = np.empty((folds, len(places)))
        for j, (to, at) in enumerate(places):
            G = self._by_fold[j][1]
            both = np.concatenate([x[:, to], np.full((folds, 1), -1.0)], 1)
            ends = np.array([*at, t])
            squares[:, j] = np.einsum("fa,fab,fb->f", both, G[:, ends[:, None], ends], both, optimize=True)
        return np.maximum(squares, 0.0)

    def solve(
        self, chosen: np.ndarray, weights: np.ndarray, precision: np.ndarray, mean: np.ndarray | None = None
    ) -> np.ndarray:
        """Return the parameters of the chosen columns that fit all folds, with a prior around zero or a mean."""
        H, c = self.normal(chosen, weights, precision)
        if mean is not None:
            c[: len(mean)] += precision @ mean
        scale = np.sqrt(np.diag(H))
        scaled: np.ndarray = np.linalg.solve(H / scale[:, None] / scale, c / scale) / scale
        return scaled

    def normal(self, chosen: np.ndarray, weights: np.ndarray, precision: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the normal equations H x = c."""
        t = self.factors.width
        H, c = np.zeros((len(chosen), len(chosen))), np.zeros(len(chosen))
        places, m = self.places(chosen), len(precision)
        for j, (to, at) in enumerate(places):
            G = self.total[j]
            H[np.ix_(to, to)] += weights[j] * G[np.ix_(at, at)]
            c[to] += weights[j] * G[at, t]
        H[np.diag_indices_from(H)] *= 1 + RIDGE
        H[np.diag_indices_from(H)] += 1e-30 + self._of_drives(places, len(chosen), m)
        H[:m, :m] += precision
        return H, c

    def _of_drives(self, places: Sequence[tuple[np.ndarray, np.ndarray]], count: int, links: int) -> np.ndarray:
        """Return the precision of a weak prior on terms of drives, a few times the joint's torque each.

        Where a joint moves one way only, its dry friction and its offset are the same column: without the prior two
        large numbers cancel there, and add up where the joint turns back.
        """
        found = np.zeros(count)
        for j, (to, at) in enumerate(places):
            G, t = self.total[j], self.factors.width
            if G[t, t] > 0:
                found[to] += np.diag(G)[at] / G[t, t] / LARGEST_TERM**2
        found[:links] = 0
        return found

    def squares(self, fold: int, chosen: np.ndarray, x: np.ndarray, raw: bool = False) -> np.ndarray:
        """Return the sum of squared torque errors on a fold, by joint; against the raw torque where asked."""
        t = self.factors.width + raw
        sums = []
        for j, (to, at) in enumerate(self.places(chosen)):
            G = self.plain[fold, j]
            part = x[to]
            sums.append(part @ G[np.ix_(at, at)] @ part - 2 * part @ G[at, t] + G[t, t])
        return np.maximum(sums, 0.0)

    def relative_error(self, folds: Sequence[int], chosen: np.ndarray, x: np.ndarray, raw: bool = False) -> np.ndarray:
        """Return 100 RMSE / RMS of the torque over some folds, by joint."""
        t = self.factors.width + raw
        squares = sum(self.squares(f, chosen, x, raw) for f in folds)
        power = np.array([sum(self.plain[f, j][t, t] for f in folds) for j in range(self.factors.joints)])
        error: np.ndarray = 100 * np.sqrt(squares / np.where(power > 0, power, np.inf))
        return error


RIDGE = 1e-9
"""Relative ridge on every column, so that columns of zeros do no harm."""

LARGEST_TERM = 2.0
"""RMS torque of one term of a drive that the prior expects, in units of the RMS torque of its joint."""
