"""Plain numbers that enter an expression, as exact rationals."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, TypeGuard

from taut.errors import InputError
from taut.graph.elementary import Rational


def is_number(value: object) -> TypeGuard[int | float | Fraction]:
    """Whether ``value`` is a plain real number (NumPy's scalars included, arrays not)."""
    if isinstance(value, (int, float, Fraction)):
        return True
    return hasattr(value, "dtype") and getattr(value, "ndim", 1) == 0


def exact(value: Any) -> Rational:
    """Return ``value`` as an exact rational, an ``int`` where it is whole."""
    if isinstance(value, int):
        return int(value)
    try:
        fraction = Fraction(value) if isinstance(value, Fraction) else Fraction(float(value))
    except (OverflowError, ValueError):
        raise InputError(f"{value!r} is not a finite number and cannot enter an expression") from None
    return fraction.numerator if fraction.denominator == 1 else fraction


def magnitude(value: Rational) -> Rational:
    """Return the absolute value."""
    return -value if value < 0 else value
