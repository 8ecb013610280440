"""Bandwidth of positions, rates and accelerations along motions.

The bandwidth of a signal is taken as the frequency below which 95 % of its energy about the mean lies, from the
discrete Fourier transform of eight periods under a Hann window. Izaguirre et al. (1992) report accelerations
five times as wide as positions and rates; their abstract states an order of magnitude.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from taut.tasks.motion import Motion

SHARE = 0.95
SAMPLES = 8192
PERIODS = 8
"""Resolves neighbouring harmonics."""


class Bandwidth(NamedTuple):
    """Bandwidths [Hz], the median over joints and motions, and how much wider accelerations are.

    Attributes:
        q: of positions.
        qd: of rates.
        qdd: of accelerations.
        over_q: median of the ratio of accelerations to positions, joint by joint.
        over_qd: the same to rates.
    """

    q: float
    qd: float
    qdd: float
    over_q: float
    over_qd: float


def bandwidth(motions: Sequence[Motion]) -> Bandwidth:
    """Return the bandwidths along motions."""
    rows = []
    for motion in motions:
        t = np.linspace(0, PERIODS * motion.period, SAMPLES, endpoint=False)
        frequencies = np.fft.rfftfreq(SAMPLES, t[1])
        rows.append([_width(signal, frequencies) for signal in motion.repeated(t)])
    widths = np.concatenate([np.stack(row, axis=1) for row in rows])  # (joints of all motions, 3)
    moving = widths[np.all(widths > 0, axis=1)]
    if not len(moving):
        return Bandwidth(0.0, 0.0, 0.0, 1.0, 1.0)
    q, qd, qdd = np.median(moving, axis=0)
    over_q, over_qd = np.median(moving[:, 2:] / moving[:, :2], axis=0)
    return Bandwidth(float(q), float(qd), float(qdd), float(over_q), float(over_qd))


def _width(signal: np.ndarray, frequencies: np.ndarray) -> np.ndarray:
    """Return the bandwidth of every column; 0 where it stands still."""
    window = np.hanning(len(signal))[:, None]
    energy = np.abs(np.fft.rfft((signal - signal.mean(axis=0)) * window, axis=0)) ** 2
    energy[0] = 0
    total = energy.sum(axis=0)
    found = np.argmax(np.cumsum(energy, axis=0) >= SHARE * total, axis=0)
    return np.where(total > 1e-24, frequencies[found], 0.0)
