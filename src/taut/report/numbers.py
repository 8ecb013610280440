"""Numbers of a robot as text: a float, an angle, or the formula of its symbols."""

from __future__ import annotations

import math

from taut.errors import InputError
from taut.formats.formula_writer import to_formula
from taut.graph import Node, topological
from taut.spatial import Scalar


def plain(value: Scalar) -> float | str:
    """Return a number as a float and a symbol as its formula: what JSON holds."""
    if not isinstance(value, Node):
        return float(value)
    try:
        return to_formula(value)
    except InputError:  # sharing makes the text explode
        return f"<{value.function or value.op.name.lower()} of {len(list(topological([value])))} terms>"


def text(value: float | str, digits: int = 6) -> str:
    """Return a number with ``digits`` significant digits; a formula stays as it is.

    >>> text(0.1 + 0.2), text(-0.0), text(12.0), text("m1/2")
    ('0.3', '0', '12', 'm1/2')
    """
    return value if isinstance(value, str) else f"{value + 0.0:.{digits}g}"


def angle_text(value: float | str) -> str:
    """Return an angle in degrees; a formula is in radians and stays as it is.

    >>> angle_text(math.pi / 2)
    '90 deg'
    """
    return value if isinstance(value, str) else f"{text(math.degrees(value))} deg"
