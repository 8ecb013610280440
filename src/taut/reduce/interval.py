"""Bounds of an expression while its symbols range: interval arithmetic on batches of boxes.

Every operation rounds outward, so the bounds hold for real numbers, not only for floats. Where a symbol occurs twice
the bounds are too wide; cutting the ranges into boxes (:func:`boxes`) mends that.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

LIBRARY_ERROR = 1e-15
"""How far a sine or cosine may be off: the library's last places and the rounding of pi/2, generously."""

TURN_SLACK = 1e-9
"""Radians by which an extreme of the sine is taken to lie inside an interval; far more than rounding of k pi."""


class Interval:
    """Numbers between ``low`` and ``high``, one interval a box; arrays of one shape or scalars."""

    __slots__ = ("high", "low")
    __array_ufunc__ = None
    """An array on the left leaves the operation to this class."""

    def __init__(self, low: Any, high: Any) -> None:
        self.low, self.high = np.asarray(low, dtype=float), np.asarray(high, dtype=float)

    @classmethod
    def exactly(cls, value: Any) -> Interval:
        """Return the interval of one number."""
        return value if isinstance(value, cls) else cls(value, value)

    @property
    def size(self) -> np.ndarray:
        """Greatest absolute value inside."""
        return np.maximum(np.abs(self.low), np.abs(self.high))

    def __add__(self, other: Any) -> Interval:
        other = Interval.exactly(other)
        return _outward(self.low + other.low, self.high + other.high)

    def __neg__(self) -> Interval:
        return Interval(-self.high, -self.low)

    def __sub__(self, other: Any) -> Interval:
        return self + -Interval.exactly(other)

    def __rsub__(self, other: Any) -> Interval:
        return Interval.exactly(other) + -self

    def __mul__(self, other: Any) -> Interval:
        other = Interval.exactly(other)
        ends = [a * b for a in (self.low, self.high) for b in (other.low, other.high)]
        return _outward(np.minimum.reduce(ends), np.maximum.reduce(ends))

    __radd__ = __add__
    __rmul__ = __mul__

    def __pow__(self, exponent: int) -> Interval:
        """Return a whole power, 1 or more; an even one is never negative."""
        low, high = self.low**exponent, self.high**exponent
        if exponent % 2:
            return _outward(low, high, exponent)
        inside = (self.low <= 0) & (self.high >= 0)
        least = np.where(inside, 0.0, np.minimum(low, high))
        wide = _outward(least, np.maximum(low, high), exponent)
        return Interval(np.maximum(wide.low, 0.0), wide.high)

    def sin(self) -> Interval:
        """Return the sines of all angles inside."""
        return (self - math.pi / 2).cos()

    def cos(self) -> Interval:
        """Return the cosines of all angles inside: those of the ends, and 1 or -1 where a multiple of pi is inside."""
        ends = np.cos(self.low), np.cos(self.high)
        high = np.where(self._holds_turn(0.0), 1.0, np.minimum(np.maximum(*ends) + LIBRARY_ERROR, 1.0))
        low = np.where(self._holds_turn(math.pi), -1.0, np.maximum(np.minimum(*ends) - LIBRARY_ERROR, -1.0))
        return Interval(low, high)

    def _holds_turn(self, phase: float) -> np.ndarray:
        """Whether ``phase + 2 pi k`` is inside for some whole k, or nearly so."""
        low, high = self.low - phase - TURN_SLACK, self.high - phase + TURN_SLACK
        return np.floor(high / (2 * math.pi)) > np.ceil(low / (2 * math.pi)) - 1


def _outward(low: Any, high: Any, ulps: int = 1) -> Interval:
    for _ in range(ulps):
        low, high = np.nextafter(low, -np.inf), np.nextafter(high, np.inf)
    return Interval(low, high)


def boxes(ranges: Sequence[tuple[float, float]], wanted: Sequence[bool], most: int) -> list[Interval]:
    """Return a box cut into equal boxes, at most ``most`` of them.

    Args:
        ranges: lower and upper bound a coordinate.
        wanted: which coordinates to cut.
        most: boxes allowed.

    Returns:
        For each coordinate its interval in every box.

    >>> [x.low.tolist() for x in boxes([(0, 1), (0, 4)], [False, True], 2)]
    [[0.0, 0.0], [0.0, 2.0]]
    """
    cut = [high > low and use for (low, high), use in zip(ranges, wanted, strict=True)]
    pieces = max(1, int(most ** (1 / max(1, sum(cut))) + 1e-9))
    edges = [np.linspace(low, high, (pieces if c else 1) + 1) for (low, high), c in zip(ranges, cut, strict=True)]
    lows = np.meshgrid(*(e[:-1] for e in edges), indexing="ij")
    highs = np.meshgrid(*(e[1:] for e in edges), indexing="ij")
    return [Interval(low.ravel(), high.ravel()) for low, high in zip(lows, highs, strict=True)]
