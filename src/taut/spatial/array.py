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


def _apply(name: str, x: Scalar) -> Scalar:
    if isinstance(x, (float, int)):
        return getattr(math, name)(x)
    if isinstance(x, (np.ndarray, np.generic)):
        return getattr(np, name)(x)
    if hasattr(x, name):
        return getattr(x, name)()
    return getattr(x.__array_namespace__(), name)(x)


def sin(x: Scalar) -> Scalar:
    """Sine of an angle in radians."""
    return _apply("sin", x)


def cos(x: Scalar) -> Scalar:
    """Cosine of an angle in radians."""
    return _apply("cos", x)


def sqrt(x: Scalar) -> Scalar:
    """Square root."""
    return _apply("sqrt", x)


def atan(x: Scalar) -> Scalar:
    """The angle between right angles whose tangent is ``x``."""
    return np.arctan(x) if isinstance(x, (np.ndarray, np.generic)) else _apply("atan", x)


def sign(x: Scalar) -> Scalar:
    """-1, 0 or 1."""
    if isinstance(x, (float, int)):
        return float((x > 0) - (x < 0)) if x == x else x
    return _apply("sign", x)


def is_exactly(x: Scalar, value: int) -> bool:
    """Whether ``x`` is known to be ``value`` by structure: a plain number, never a batch."""
    if isinstance(x, (float, int)):
        return x == value
    return bool(getattr(x, "op", None) == "constant" and x.data == value)
