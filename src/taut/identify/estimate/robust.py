"""Iteratively reweighted least squares: rows with large residuals weigh less.

.. math:: w(r) = \\min(1, k / |r|) \\;\\text{(Huber)}, \\qquad w(r) = (1 - (r/k)^2)^2 \\;\\text{(Tukey, 0 beyond } k)

with r in units of the joint's standard deviation, estimated from the median of |r| [Huber 1981; Beaton, Tukey 1974].
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from taut.errors import InputError
from taut.identify.estimate.selection import Selection
from taut.recordings.conditioning import Rows

TURNING = {"huber": 1.345, "tukey": 4.685}
"""k, at which 95 % of the efficiency for normal residuals is kept."""

NORMAL_MEDIAN = 0.6745
"""Median of |r| of normal residuals of unit standard deviation."""


def row_weights(selection: Selection, loss: str) -> Callable[[Rows], np.ndarray]:
    """Return what gives the weights of rows, (samples, joints), at the current estimate."""
    if loss not in TURNING:
        raise InputError(f"unknown loss '{loss}'", "--loss", f"choose one of squares, {', '.join(TURNING)}")
    k, chosen, x = TURNING[loss], selection.chosen(), selection.estimate()
    sizes = np.abs(np.concatenate(selection.residuals(chosen, x)))
    spread = np.maximum(np.median(sizes, axis=0) / NORMAL_MEDIAN, 1e-12)

    def weights(rows: Rows) -> np.ndarray:
        r = np.abs(selection.residual(rows, chosen, x)) / spread
        if loss == "huber":
            return k / np.maximum(r, k)
        weight: np.ndarray = np.clip(1 - (r / k) ** 2, 0, None) ** 2
        return weight

    return weights
