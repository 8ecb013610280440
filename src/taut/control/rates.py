"""Joint rates from encoder positions: differences, smoothed by a first-order filter.

.. math:: \\dot q_k = \\dot q_{k-1} + a \\left( \\frac{q_k - q_{k-1}}{h} - \\dot q_{k-1} \\right), \\qquad
          a = 1 - e^{-h / T}

with the sampling time h and the time constant T. A position step of one encoder mark becomes a rate of ``a / h`` marks.
"""

from __future__ import annotations

import math

import numpy as np

from taut.control.terms import time_step


class RateFilter:
    """Filtered differences of positions.

    Args:
        step: sampling time [s].
        time_constant: of the filter [s]; 0 for plain differences.
    """

    def __init__(self, step: float, time_constant: float = 0.0) -> None:
        self.step = time_step(step)
        self._share = 1.0 if time_constant <= 0 else 1.0 - math.exp(-step / time_constant)
        self.reset()

    def reset(self) -> None:
        """Forget the past: the next position is taken to be at rest."""
        self._position: np.ndarray | None = None
        self._rate: np.ndarray | float = 0.0

    def update(self, q: np.ndarray) -> np.ndarray:
        """Return the rates at a new position (..., n)."""
        if self._position is None:
            self._position, self._rate = np.array(q, float), np.zeros(np.shape(q))
        difference = (q - self._position) / self.step
        self._rate = self._rate + self._share * (difference - self._rate)
        self._position = np.array(q, float)
        return np.array(self._rate)
