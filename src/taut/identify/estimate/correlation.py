"""How many samples count as one: the correlation time of residuals."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

FADED = 0.05
"""Correlation at which the sum ends."""


def correlation_time(series: Sequence[np.ndarray]) -> np.ndarray:
    """Return 1 + 2 sum of autocorrelations, in samples, for each joint: mean over stretches of residuals.

    A mean of N samples has the variance of N / (this number) independent ones [Sokal 1997].
    """
    times = [[_one(stretch[:, j]) for j in range(stretch.shape[1])] for stretch in series if len(stretch) > 8]
    return np.mean(times, axis=0) if times else np.ones(series[0].shape[1])


def _one(x: np.ndarray) -> float:
    n = len(x)
    spectrum = np.abs(np.fft.rfft(x, 2 * n)) ** 2
    r = np.fft.irfft(spectrum)[:n]
    if r[0] <= 0:
        return 1.0
    r = r / r[0]
    below = np.flatnonzero(r < FADED)
    end = int(below[0]) if len(below) else n // 2
    return float(1 + 2 * r[1:end].sum())
