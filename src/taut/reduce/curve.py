"""The error against the size of the model: the budget rule at one allowance after another."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from taut.derive.tightening.tighten import Progress
from taut.reduce.abbreviate import Abbreviated, ModelInScenario

POINTS = 16


@dataclass(frozen=True)
class Point:
    """One model of the curve.

    Attributes:
        operations: of the model with its torque.
        bound: greatest torque error by intervals over the joint's greatest torque, worst joint.
        worst: the same of the samples.
        rms: the same in the mean.
    """

    operations: int
    bound: float
    worst: float
    rms: float


def point_of(found: Abbreviated) -> Point:
    """Return where a model lies."""
    scales = [1 / error.largest if error.largest else 0.0 for error in found.errors]
    bound, worst, rms = (
        max(getattr(error, kind) * scale for error, scale in zip(found.errors, scales, strict=True))
        for kind in ("bound", "worst", "rms")
    )
    return Point(found.operations, bound, worst, rms)


def curve(ranged: ModelInScenario, points: int = POINTS, progress: Progress | None = None) -> list[Point]:
    """Return models from nearly nothing to nearly everything, by operations.

    Args:
        ranged: of the model.
        points: how many allowances, evenly spread over the logarithm of the operations.
        progress: called with each allowance.
    """
    everything = np.ones(len(ranged.found), dtype=bool)
    least, most = ranged.cost(everything), ranged.cost(~everything)
    steps = np.unique(np.rint(np.geomspace(max(least, most / 60, 1), most, points + 2)[:-1]).astype(int))
    found: dict[int, Point] = {}
    for step in reversed(steps[steps >= least]):
        if progress is not None:
            progress("shorter models", int(step))
        point = point_of(ranged.within(int(step)))
        found[point.operations] = point
    return [found[operations] for operations in sorted(found)]
