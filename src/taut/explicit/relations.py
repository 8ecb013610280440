"""Finds the elements that follow from others, by comparing canonical forms.

Two elements are one but for a number where their polynomials are: this finds the symmetries of the Christoffel
symbols, ``b413 = -b314`` and ``c21 = -1/2*b112``, and those of parallel joints, ``b124 = b134``, of any
geometry [Burdick 1986, eqs. (26)-(29), (34)-(35)]. Where the difference of two is short, the longer is the
shorter one and that difference: ``M23 = M33 + ...``. Both are seen with numbers modulo a prime for the parameters.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from taut.explicit.notation import Notation
from taut.explicit.shorten import Form, Known, shortest
from taut.polynomials.algebra import Polynomial
from taut.polynomials.torque_ring import WORD_PRIME, Ring

FAMILY = {"M": "M", "b": "Christoffel", "c": "Christoffel", "g": "g"}
"""Elements are related within a family: b and c are both Christoffel symbols."""

MULTIPLES = tuple(Fraction(*x) for x in ((1, 1), (-1, 1), (2, 1), (-2, 1), (1, 2), (-1, 2)))
"""Numbers tried between an element and one that differs by some terms."""

MOST_EXTRA = 12
"""Terms that a relation may add."""

CANONICAL = 4
"""How many times longer than a short difference its canonical form may be."""

MOST_WORK = 20_000_000
"""Terms subtracted in search of short differences, in all."""


@dataclass(frozen=True)
class Alias:
    """An element is ``factor`` times ``base``."""

    factor: Fraction
    base: str


@dataclass(frozen=True)
class Difference:
    """An element is ``factor`` times ``base`` and ``extra``, a form of the canonical difference."""

    factor: Fraction
    base: str
    extra: Form


def aliases(marks: Mapping[str, Polynomial]) -> dict[str, Alias]:
    """Return the elements that are another one but for a number; the first of each kind stays."""
    known: dict[Any, list[tuple[str, Polynomial, int]]] = {}
    found = {}
    for name, polynomial in marks.items():
        if not len(polynomial):
            continue
        lead = int(polynomial.leading_coefficient())
        scaled = polynomial * pow(lead, -1, WORD_PRIME)
        same = known.setdefault((FAMILY[name[0]], len(scaled), scaled.degrees()), [])
        for base, other, base_lead in same:
            ratio = _small_fraction(lead * pow(base_lead, -1, WORD_PRIME) % WORD_PRIME)
            if ratio is not None and scaled == other:
                found[name] = Alias(ratio, base)
                break
        else:
            same.append((name, scaled, lead))
    return found


def _small_fraction(x: int) -> Fraction | None:
    """Return the fraction of small numbers that a number modulo the prime is, if it is one."""
    for denominator in range(1, 17):
        numerator = x * denominator % WORD_PRIME
        for value in (numerator, numerator - WORD_PRIME):
            if abs(value) < 1000:
                return Fraction(value, denominator)
    return None


def differences(
    marks: Mapping[str, Polynomial],
    forms: Mapping[str, Form],
    ring: Ring,
    notation: Notation,
    known: Known,
    progress: Callable[[str], None] | None = None,
) -> dict[str, Difference]:
    """Return the elements that are another one and a few terms: a text of at most two thirds of their own.

    Args:
        marks: canonical forms, with numbers for parameters.
        forms: shortest forms of the elements that are no aliases.
        ring: of the marks.
        notation: of the forms.
        known: constants there are already.
        progress: called with the name of every element.
    """
    order = sorted(forms, key=lambda name: len(forms[name]))
    work, found = 0, {}
    for k, name in enumerate(order):
        if len(forms[name]) < 3:
            continue
        if progress is not None:
            progress(name)
        most = min(MOST_EXTRA, 2 * len(forms[name]) // 3 - 1)
        best: Difference | None = None
        for base in order[:k]:
            if FAMILY[base[0]] != FAMILY[name[0]] or 3 * len(forms[base]) < len(forms[name]):
                continue
            work += len(MULTIPLES) * (len(marks[name]) + len(marks[base]))
            for factor in MULTIPLES:
                rest = marks[name] - marks[base] * ring.rational(factor)
                if len(rest) >= len(marks[name]) or len(rest) > CANONICAL * most:
                    continue
                extra = shortest(notation.packed(ring.marks(rest)), notation, known)
                if 0 < len(extra) <= most and (best is None or len(extra) < len(best.extra)):
                    best = Difference(factor, base, extra)
        if best is not None:
            found[name] = best
            known.add(best.extra)
        if work > MOST_WORK:
            break
    return found
