"""Instrumental variables: estimates that noise on the measured positions does not bias.

.. math:: x = (Z^T W)^{-1} Z^T \\tau, \\qquad
          \\mathrm{cov}\\,x = (Z^T W)^{-1} \\Big(\\sum_{|l| \\le L} (1 - \\tfrac{|l|}{L+1}) \\sum_t s_t s_{t+l}^T\\Big)
          (Z^T W)^{-T}, \\qquad s_t = Z_t^T e_t

W is the regressor along the measured motion: its noise is correlated with the residuals, which biases least squares
(Z = W). Z is the regressor along a motion without that noise: simulated under the same references (IDIM-IV [Janot,
Vandanjon, Gautier 2014]) or the references themselves. Residuals are correlated over time; the covariance counts it
[Newey, West 1987].
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

CORRELATED = 8
"""Samples over which residuals are taken to be correlated: L."""

ROUNDS = 3
"""Of weighting the joints by their residuals."""


@dataclass(frozen=True)
class Estimate:
    """Parameters with their uncertainty.

    Attributes:
        x: parameters.
        covariance: of x.
        noise: standard deviation of each joint's residual.
        condition: of Z^T W's square root, columns at unit norm.
    """

    x: np.ndarray
    covariance: np.ndarray
    noise: np.ndarray
    condition: float

    @property
    def errors(self) -> np.ndarray:
        """Standard errors."""
        return np.sqrt(np.diag(self.covariance))

    def interval(self, sigmas: float = 1.96) -> tuple[np.ndarray, np.ndarray]:
        """Return the bounds within so many standard errors; 95 % by default."""
        return self.x - sigmas * self.errors, self.x + sigmas * self.errors


def instrumental(
    W: Sequence[np.ndarray],
    tau: Sequence[np.ndarray],
    Z: Sequence[np.ndarray] | None = None,
    use: Sequence[np.ndarray] | None = None,
    precision: np.ndarray | None = None,
    mean: np.ndarray | None = None,
) -> Estimate:
    """Return the estimate from stretches of samples.

    Args:
        W: regressors of the stretches, each (samples, joints, parameters).
        tau: torques, each (samples, joints).
        Z: instruments shaped as W; W itself without them: weighted least squares.
        use: rows that count, each (samples, joints), e.g. those away from standstill; all without it.
        precision: of a prior.
        mean: of the prior, of the first parameters; zeros for the others and where there is none.
    """
    Z = W if Z is None else Z
    use = [np.ones(t.shape) for t in tau] if use is None else [np.asarray(u, float) for u in use]
    noise = np.sqrt(sum((t**2).sum(0) for t in tau) / sum(len(t) for t in tau))
    size = np.sqrt(sum((w**2).sum((0, 1)) for w in W))
    size = np.where(size > 0, size, 1.0)
    rows = sum(u.sum(0) for u in use)
    drawn = np.zeros(len(size))
    if precision is not None and mean is not None:
        drawn = precision[:, : len(mean)] @ mean
    for _ in range(ROUNDS):
        weight = [u / noise**2 for u in use]
        N = sum(
            np.einsum("tjp,tj,tjq->pq", z / size, k, w / size, optimize=True)
            for z, k, w in zip(Z, weight, W, strict=True)
        )
        c = sum(np.einsum("tjp,tj->p", z / size, k * t, optimize=True) for z, k, t in zip(Z, weight, tau, strict=True))
        if precision is not None:
            N = N + precision / size[:, None] / size + 1e-9 * np.diag(np.diag(N)) + 1e-30 * np.eye(len(N))
        inverse = np.linalg.inv(N)
        x = inverse @ (c + drawn / size) / size
        residuals = [t - w @ x for t, w in zip(tau, W, strict=True)]
        noise = np.sqrt(sum((u * e**2).sum(0) for u, e in zip(use, residuals, strict=True)) / np.maximum(rows, 1))
    scores = [
        np.einsum("tjp,tj->tp", z / size, k * e, optimize=True) for z, k, e in zip(Z, weight, residuals, strict=True)
    ]
    middle = sum(_long_run(s) for s in scores)
    covariance = inverse @ middle @ inverse.T / size[:, None] / size
    values = np.linalg.svd(N, compute_uv=False)
    return Estimate(x, covariance, noise, float(np.sqrt(values[0] / max(values[-1], 1e-300))))


def _long_run(s: np.ndarray) -> np.ndarray:
    """Return the sum over lags of a stretch's products of scores, weighted by Bartlett's triangle."""
    total: np.ndarray = s.T @ s
    for lag in range(1, min(CORRELATED, len(s) - 1) + 1):
        cross = s[:-lag].T @ s[lag:]
        total = total + (1 - lag / (CORRELATED + 1)) * (cross + cross.T)
    return total
