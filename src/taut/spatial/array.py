"""The few functions that depend on what a scalar is.

A scalar is anything with ``+ - * /``: a float, a NumPy or JAX array holding one value per
state of a batch, a graph node, a CasADi expression. Algorithms see only these names.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

Scalar = Any
"""A float, a batch of floats, or a symbol."""


def elementary(name: str, x: Scalar, numpy: str = "") -> Scalar:
    """Return the elementary function ``name`` of a scalar.

    Args:
        name: as in ``math`` of Python.
        x: a float, a batch or a symbol.
        numpy: its name in NumPy, where that is another one.
    """
    if isinstance(x, (float, int)):
        return getattr(math, name)(x)
    if isinstance(x, (np.ndarray, np.generic)):
        return getattr(np, numpy or name)(x)
    if hasattr(x, "elementary"):
        return x.elementary(name)
    if hasattr(x, name):
        return getattr(x, name)()
    return getattr(x.__array_namespace__(), name)(x)


def atan2(y: Scalar, x: Scalar) -> Scalar:
    """The angle of the point (x, y), seen from the origin; 0 at the origin."""
    for symbol in (y, x):
        if hasattr(symbol, "graph"):
            return symbol.graph.function("atan2", y, x)
    if all(isinstance(z, (float, int)) for z in (y, x)):
        return math.atan2(y, x)
    if all(isinstance(z, (float, int, np.ndarray, np.generic)) for z in (y, x)):
        return np.arctan2(y, x)
    symbol = y if hasattr(y, "__array_namespace__") else x
    return symbol.__array_namespace__().atan2(y, x)


def angle_of(s: Scalar, c: Scalar) -> Scalar:
    """The angle with this sine and cosine; a symbolic one remembers them, so that its sine is ``s`` again."""
    for symbol in (s, c):
        if hasattr(symbol, "graph"):
            return symbol.graph.angle(s, c)
    return type(s).atan2(s, c) if hasattr(s, "atan2") else atan2(s, c)


def sin(x: Scalar) -> Scalar:
    """Sine of an angle in radians."""
    return elementary("sin", x)


def cos(x: Scalar) -> Scalar:
    """Cosine of an angle in radians."""
    return elementary("cos", x)


def sqrt(x: Scalar) -> Scalar:
    """Square root."""
    return elementary("sqrt", x)


def atan(x: Scalar) -> Scalar:
    """The angle between right angles whose tangent is ``x``."""
    return elementary("atan", x, "arctan")


def sign(x: Scalar) -> Scalar:
    """-1, 0 or 1."""
    if isinstance(x, (float, int)):
        return float((x > 0) - (x < 0)) if x == x else x
    return elementary("sign", x)


def is_exactly(x: Scalar, value: int) -> bool:
    """Whether ``x`` is known to be ``value`` by structure: a plain number, never a batch."""
    if isinstance(x, (float, int)):
        return x == value
    known = getattr(x, "is_exactly", None)  # symbolic values know their constants
    return known is not None and known(value)
