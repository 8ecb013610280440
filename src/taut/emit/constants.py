"""The constants of a program, evaluated once in more than double precision, then rounded."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction

import flint
import numpy as np

from taut.errors import InputError
from taut.graph.assembly import Assembly, negative
from taut.graph.elementary import Column, Elementary
from taut.graph.evaluate import Arithmetic
from taut.graph.node import Rational
from taut.graph.program import Program, Signed


def _extended(value: Rational) -> np.longdouble:
    exact = Fraction(value)
    return np.longdouble(exact.numerator) / np.longdouble(exact.denominator)


EXTENDED = Arithmetic(
    _extended,
    lambda x, exponent: x**exponent,
    Column(lambda function: getattr(np, function.numpy)),
)
"""Long double: where it has more bits than a double, the constants are right to the last bit but one in a thousand."""


BITS = 256
"""Of the numbers that constants are computed with: cancellation leaves more than the 53 of a double."""


def _exact(value: Rational) -> flint.arb:
    exact = Fraction(value)
    return flint.arb(flint.fmpq(exact.numerator, exact.denominator))


def _arb_function(function: Elementary) -> Callable[..., flint.arb]:
    name = {"sign": "sgn"}.get(function.name, function.name)
    return lambda x, *others: getattr(x, name)(*others)


ARB = Arithmetic(_exact, lambda x, exponent: x**exponent, Column(_arb_function))
"""Real numbers of FLINT."""


def folded(program: Program, values: Mapping[str, float]) -> list[float]:
    """Return the values of the lines that wait for no state, each rounded once.

    Args:
        program: whose first ``program.start`` lines are evaluated.
        values: of the parameter symbols.
    """
    found = rounded(program, values)
    if not all(map(math.isfinite, found)):
        raise InputError("an off-line constant is infinite or undefined", "constants", "correct the parameters")
    return found


def rounded(program: Program, values: Mapping[str, float]) -> list[float]:
    """Return the values of the lines that wait for no state, each rounded once; NaN where a parameter is NaN."""
    with _precisely():
        return [float(x) for x in _exactly(program, values)]


def rounded_sines(program: Program, values: Mapping[str, float], line: int) -> tuple[float, float]:
    """Return sine and cosine of a line that waits for no state, each rounded once."""
    with _precisely():
        angle = _exactly(program, values)[line]
        return float(angle.sin()), float(angle.cos())


@contextmanager
def _precisely() -> Iterator[None]:
    """Compute with BITS in FLINT."""
    before, flint.ctx.prec = flint.ctx.prec, BITS
    try:
        yield
    finally:
        flint.ctx.prec = before


def _exactly(program: Program, values: Mapping[str, float]) -> list[flint.arb]:
    part = Program(program.lines[: program.start], tuple(Signed(1, i) for i in range(program.start)))
    return part.evaluate({name: flint.arb(value) for name, value in values.items()}, ARB)


def off_line(program: Program, values: Mapping[str, float]) -> list[np.longdouble]:
    """Return the values of the lines that wait for no state, in long double."""
    part = Program(program.lines[: program.start], tuple(Signed(1, i) for i in range(program.start)))
    with np.errstate(all="ignore"):
        return part.evaluate({name: np.longdouble(value) for name, value in values.items()}, EXTENDED)


def settled(program: Program, values: Mapping[str, float], staying: Collection[str]) -> Program:
    """Return the program with numbers in place of what is known off line and depends on no staying parameter.

    Args:
        program: any.
        values: of the parameter symbols.
        staying: parameter symbols that remain inputs; a symbol without a value remains one, too.
    """
    lines, start = program.lines, program.start
    open_lines: set[int] = set()
    for i, line in enumerate(lines[:start]):
        if (line.op == "input" and (line.data in staying or line.data not in values)) or open_lines & set(line.args):
            open_lines.add(i)
    known = dict(values) | {lines[i].data: math.nan for i in open_lines if lines[i].op == "input"}
    numbers = rounded(program, known)
    assembly = Assembly()
    copied: list[Signed] = []
    for i, line in enumerate(lines):
        if i < start and i not in open_lines:
            value = numbers[i]
            if not math.isfinite(value):
                raise InputError("an off-line constant is infinite or undefined", "constants", "correct the parameters")
            copied.append(assembly.constant(Fraction(value)))
        else:
            copied.append(assembly.copy(line, [copied[arg] for arg in line.args]))
    return assembly.program([copied[i] if sign > 0 else negative(copied[i]) for sign, i in program.outputs])


def has_values(program: Program, values: Mapping[str, float]) -> bool:
    """Whether every parameter symbol of the program has a value."""
    return all(line.data in values for line in program.lines[: program.start] if line.op == "input")
