"""Quantities read from text: a number, its unit and its tolerance, such as ``17.4 kg +- 0.01 kg + 1 %``.

A unit is a product of names with whole powers: ``kg m^2``, ``N m/rad``, ``1/s``; a slash divides by the next name
alone. A tolerance is a sum of absolute terms, each with a unit of the same dimension, and relative ones in ``%``.
Everything is converted to SI units and radians.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from fractions import Fraction

from taut.errors import InputError

Dimension = tuple[int, int, int, int]
"""Powers of kilogram, metre, second and ampere."""

NONE: Dimension = (0, 0, 0, 0)

UNITS: dict[str, tuple[Fraction, Dimension]] = {
    "kg": (Fraction("1.0"), (1, 0, 0, 0)),
    "g": (Fraction("1e-3"), (1, 0, 0, 0)),
    "lb": (Fraction("0.45359237"), (1, 0, 0, 0)),
    "m": (Fraction("1.0"), (0, 1, 0, 0)),
    "cm": (Fraction("1e-2"), (0, 1, 0, 0)),
    "mm": (Fraction("1e-3"), (0, 1, 0, 0)),
    "in": (Fraction("0.0254"), (0, 1, 0, 0)),
    "s": (Fraction("1.0"), (0, 0, 1, 0)),
    "ms": (Fraction("1e-3"), (0, 0, 1, 0)),
    "min": (Fraction("60.0"), (0, 0, 1, 0)),
    "Hz": (Fraction("1.0"), (0, 0, -1, 0)),
    "rpm": (Fraction(math.pi / 30), (0, 0, -1, 0)),
    "N": (Fraction("1.0"), (1, 1, -2, 0)),
    "mN": (Fraction("1e-3"), (1, 1, -2, 0)),
    "Nm": (Fraction("1.0"), (1, 2, -2, 0)),
    "A": (Fraction("1.0"), (0, 0, 0, 1)),
    "mA": (Fraction("1e-3"), (0, 0, 0, 1)),
    "rad": (Fraction("1.0"), NONE),
    "deg": (Fraction(math.pi / 180), NONE),
    "mrad": (Fraction("1e-3"), NONE),
    "%": (Fraction("1e-2"), NONE),
    "1": (Fraction("1.0"), NONE),
}
"""Factor to SI units, exact for decimal ones, and dimension of every unit name."""

_NUMBER = re.compile(r"\s*([+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)\s*")
_FACTOR = re.compile(r"\s*([/*·]?)\s*(%|1|[A-Za-z]+)(?:\s*(?:\^|\*\*)\s*(-?[0-9]{1,2}))?")
_LONGEST = 200


@dataclass(frozen=True)
class Quantity:
    """A measured number in SI units, with its tolerance where one is given."""

    value: float
    tolerance: float | None = None


def parse_unit(text: str, place: str = "") -> tuple[Fraction, Dimension]:
    """Return the factor to SI units and the dimension of a unit.

    >>> parse_unit("N mm/rad")
    (Fraction(1, 1000), (1, 2, -2, 0))
    """
    factor, powers, at = Fraction(1), [0, 0, 0, 0], 0
    while at < len(text.rstrip()):
        found = _FACTOR.match(text, at)
        if found is None or found[2] not in UNITS:
            known = ", ".join(name for name in UNITS if name != "1")
            raise InputError(f"'{text.strip()}' is not a unit", place, f"known units: {known}")
        sign = (-1 if found[1] == "/" else 1) * int(found[3] or 1)
        size, dimension = UNITS[found[2]]
        factor *= size**sign
        powers = [p + sign * d for p, d in zip(powers, dimension, strict=True)]
        at = found.end()
    return factor, (powers[0], powers[1], powers[2], powers[3])


def parse_quantity(text: object, unit: str, place: str = "") -> Quantity:
    """Return a quantity in SI units.

    Args:
        text: the number with its unit, and its tolerance where it has one.
        unit: an example of the unit that is expected; ``""`` for a plain number.
        place: where the text stands, for errors.

    >>> parse_quantity("20 kg +- 0.5 kg + 1 %", "kg")
    Quantity(value=20.0, tolerance=0.7)
    >>> parse_quantity("-143 mm +- 3 mm", "m").value
    -0.143
    """
    example = f'"{text} {unit}"' if unit else f'"{text}"'
    if isinstance(text, bool) or not isinstance(text, str | int | float):
        raise InputError(
            "found no quantity", place, f'write a number with its unit, e.g. "0.5 {unit}"'.replace(' "', '"')
        )
    if not isinstance(text, str):
        if unit:
            raise InputError(f"{text} has no unit", place, f"write {example}")
        text = repr(text)
    if len(text) > _LONGEST:
        raise InputError("a quantity is longer than 200 characters", place, f'write e.g. "0.5 {unit}"')
    head, *tolerances = re.split(r"\+-|\+/-|±", text)
    value = _measured(head, unit, place)
    if not tolerances:
        return Quantity(value)
    if len(tolerances) > 1:
        raise InputError(f"'{text}' has two tolerances", place, 'add them: "17.4 kg +- 0.01 kg + 1 %"')
    return Quantity(value, sum(_tolerance(term, value, unit, place) for term in tolerances[0].split("+")))


def _measured(text: str, unit: str, place: str) -> float:
    found = _NUMBER.match(text)
    if found is None:
        raise InputError(f"'{text.strip()}' does not begin with a number", place, f'write e.g. "0.5 {unit}"')
    written = text[found.end() :].strip()
    if unit and not written:
        raise InputError(f"{found[1]} has no unit", place, f'write "{found[1]} {unit}"')
    factor, dimension = parse_unit(written, place)
    if dimension != parse_unit(unit)[1]:
        expected = f"a unit like {unit}" if unit else "a plain number"
        raise InputError(f"'{text.strip()}' has the unit '{written}', expected {expected}", place, "correct the unit")
    if not math.isfinite(float(found[1])):
        raise InputError(f"'{text.strip()}' is too large", place, "give a finite number")
    return float(Fraction(found[1]) * factor)


def _tolerance(term: str, value: float, unit: str, place: str) -> float:
    if term.strip().endswith("%"):
        size = abs(value) * _measured(term, "%", place)
    else:
        size = _measured(term, unit, place)
    if size < 0:
        raise InputError(f"the tolerance '{term.strip()}' is negative", place, "give its size")
    return size
