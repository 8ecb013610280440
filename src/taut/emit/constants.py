"""What are the off-line numbers of a program?  Evaluated once, in more than double precision, then rounded."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction

import numpy as np

from taut.errors import InputError
from taut.graph.evaluate import Arithmetic
from taut.graph.node import Rational
from taut.graph.program import Program, Signed


def _extended(value: Rational) -> np.longdouble:
    exact = Fraction(value)
    return np.longdouble(exact.numerator) / np.longdouble(exact.denominator)


EXTENDED = Arithmetic(
    _extended,
    lambda x, exponent: x**exponent,
    {"sin": np.sin, "cos": np.cos, "sign": np.sign, "sqrt": np.sqrt, "atan": np.arctan},
)
"""Long double: where it has more bits than a double, the constants are right to the last bit but one in a thousand."""


def folded(program: Program, values: Mapping[str, float]) -> list[float]:
    """Return the values of the lines that wait for no state, each rounded once.

    Args:
        program: whose first ``program.start`` lines are evaluated.
        values: of the parameter symbols.
    """
    found = [float(x) for x in off_line(program, values)]
    if not all(map(math.isfinite, found)):
        raise InputError("an off-line constant is infinite or undefined", "constants", "correct the parameters")
    return found


def off_line(program: Program, values: Mapping[str, float]) -> list[np.longdouble]:
    """Return the values of the lines that wait for no state, in long double."""
    part = Program(program.lines[: program.start], tuple(Signed(1, i) for i in range(program.start)))
    with np.errstate(all="ignore"):
        return part.evaluate({name: np.longdouble(value) for name, value in values.items()}, EXTENDED)


def has_values(program: Program, values: Mapping[str, float]) -> bool:
    """Whether every parameter symbol of the program has a value."""
    return all(line.data in values for line in program.lines[: program.start] if line.op == "input")
