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
    """A number and its derivative along one direction."""

    __slots__ = ("slope", "value")
    __array_ufunc__ = None  # arrays leave products with dual numbers to them

    def __init__(self, value: Scalar, slope: Scalar = 0) -> None:
        self.value, self.slope = value, slope

    def __add__(self, other: Any) -> Dual:
        b = _dual(other)
        return Dual(self.value + b.value, self.slope + b.slope)

    __radd__ = __add__

    def __neg__(self) -> Dual:
        return Dual(-self.value, -self.slope)

    def __sub__(self, other: Any) -> Dual:
        return self + -_dual(other)

    def __rsub__(self, other: Any) -> Dual:
        return _dual(other) + -self

    def __mul__(self, other: Any) -> Dual:
        b = _dual(other)
        return Dual(self.value * b.value, self.slope * b.value + self.value * b.slope)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Dual:
        b = _dual(other)
        quotient = self.value / b.value
        return Dual(quotient, (self.slope - quotient * b.slope) / b.value)

    def __rtruediv__(self, other: Any) -> Dual:
        return _dual(other) / self

    def __pow__(self, exponent: int) -> Dual:
        return Dual(self.value**exponent, exponent * self.value ** (exponent - 1) * self.slope)

    def elementary(self, name: str) -> Dual:
        """Return an elementary function of this number."""
        return Dual(elementary(name, self.value), SLOPES[name](self.value) * self.slope)


def _dual(x: Any) -> Dual:
    return x if isinstance(x, Dual) else Dual(x)


def slope_of(x: Any) -> Scalar:
    """Return the derivative of a result; a plain number does not change."""
    return x.slope if isinstance(x, Dual) else 0
