"""Numbers of an arm as constants of its formulas."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from taut.spatial import Scalar, Vec3


@dataclass(frozen=True)
class Constants:
    """Numbers of an arm: zeros and ones as they are, others as ``name`` has them.

    Attributes:
        nothing: difference from 0, 1 or -1 that counts as rounding.
        name: makes a number a scalar of the formulas.
    """

    nothing: float
    name: Callable[[float], Scalar]

    def number(self, x: float) -> Scalar:
        """Return a length or the cosine of an angle."""
        simple = round(x)
        return simple if simple in (0, 1, -1) and abs(x - simple) <= self.nothing else self.name(float(x))

    def vector(self, v: np.ndarray) -> Vec3:
        """Return a place or a direction."""
        return Vec3(*(self.number(float(x)) for x in v))
