"""The lag between torque and motion: current loops and filters of a controller delay what is recorded.

A torque recorded late by d is tau(t - d): the residual then follows -d dtau/dt of the model. Rotor inertias that come
out negative absorb a lag, so they are left out of the model that finds it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from taut.identify.estimate.selection import Selection

LONGEST = 0.1
"""Seconds; a longer lag is not believed."""


def lag_steps(selection: Selection) -> np.ndarray:
    """Return by how many more seconds each joint's torque seems to be recorded late."""
    chosen, x = selection.chosen(), selection.estimate()
    negative = {k for k, value in zip(chosen, x, strict=True) if value < 0 and selection.model.is_rotor(int(k))}
    if negative:
        kept = [place for place, k in enumerate(chosen) if k not in negative]
        precision = selection.precision()
        inside = [place for place in kept if place < len(precision)]
        chosen = chosen[kept]
        inner = precision[np.ix_(inside, inside)]
        x = selection.products.solve(chosen, selection.weights, inner, selection.mean[inside])
    lags = selection.products.lags
    along, squared = np.zeros(len(lags)), np.full(len(lags), 1e-300)
    for rows, residual in zip(selection.sample, selection.residuals(chosen, x), strict=True):
        predicted = rows.tau + lags * rows.slope - residual
        slope = np.gradient(predicted, axis=0) * rows.rate
        along, squared = along - (residual * slope).sum(0), squared + (slope * slope).sum(0)
    return np.clip(lags + along / squared, -LONGEST, LONGEST) - lags
