"""Dual numbers a + b e with e^2 = 0: a function of them has its derivative as the second part [Clifford 1873].

Parts are floats, batches or symbols, so that every algorithm also computes its derivative along a direction, exactly.

>>> x = Dual(3.0, 1.0)
>>> (x * x + 2 * x).slope
8.0
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from taut.spatial.array import Scalar, cos, elementary, sin, sqrt

SLOPES: dict[str, Callable[[Scalar], Scalar]] = {
    "sin": cos,
    "cos": lambda x: -sin(x),
    "sqrt": lambda x: 0.5 / sqrt(x),
    "sign": lambda x: 0 * x,
    "atan": lambda x: 1 / (1 + x * x),
}
"""Derivatives of elementary functions of one argument."""


class Dual:
    """A number and its derivative along one direction.

    A dual number of dual numbers has a second direction. Its level is above theirs, and what has a lower level is a
    constant for it: directions are not mixed up.
    """

    __slots__ = ("level", "slope", "value")
    __array_ufunc__ = None  # arrays leave products with dual numbers to them

    def __init__(self, value: Scalar, slope: Scalar = 0, level: int | None = None) -> None:
        self.value, self.slope = value, slope
        self.level: int = 1 + max(level_of(value), level_of(slope)) if level is None else level

    def __add__(self, other: Any) -> Dual:
        if level_of(other) > self.level:
            return other + self
        b = self._alike(other)
        return Dual(self.value + b.value, self.slope + b.slope, self.level)

    __radd__ = __add__

    def __neg__(self) -> Dual:
        return Dual(-self.value, -self.slope, self.level)

    def __sub__(self, other: Any) -> Dual:
        return self + -other

    def __rsub__(self, other: Any) -> Dual:
        return -self + other

    def __mul__(self, other: Any) -> Dual:
        if level_of(other) > self.level:
            return other * self
        b = self._alike(other)
        return Dual(self.value * b.value, self.slope * b.value + self.value * b.slope, self.level)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Dual:
        if level_of(other) > self.level:
            return Dual(self, 0, other.level) / other
        b = self._alike(other)
        quotient = self.value / b.value
        return Dual(quotient, (self.slope - quotient * b.slope) / b.value, self.level)

    def __rtruediv__(self, other: Any) -> Dual:
        return self._alike(other) / self

    def __pow__(self, exponent: int) -> Dual:
        return Dual(self.value**exponent, exponent * self.value ** (exponent - 1) * self.slope, self.level)

    def elementary(self, name: str) -> Dual:
        """Return an elementary function of this number."""
        return Dual(elementary(name, self.value), SLOPES[name](self.value) * self.slope, self.level)

    def _alike(self, x: Any) -> Dual:
        return x if level_of(x) == self.level else Dual(x, 0, self.level)


def level_of(x: Any) -> int:
    """Return how many directions are nested in a number; 0 for a plain one."""
    return x.level if isinstance(x, Dual) else 0


def slope_of(x: Any, level: int | None = None) -> Scalar:
    """Return the derivative of a result; what has a lower level than the direction does not change.

    Args:
        x: the result.
        level: of the direction; that of the result by default.
    """
    return x.slope if isinstance(x, Dual) and level in (None, x.level) else 0


def value_of(x: Any, level: int) -> Scalar:
    """Return a result without its part along a direction of a level."""
    return x.value if level_of(x) == level else x
