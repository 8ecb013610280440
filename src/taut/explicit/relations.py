"""Which elements follow from others?  Found in the canonical forms, not told by rules.

Two elements are one but for a number where their polynomials are: this finds the symmetries of the Christoffel
symbols, ``b413 = -b314`` and ``c21 = -1/2*b112``, and those of parallel joints, ``b124 = b134``, of any
geometry [Burdick 1986, eqs. (26)-(29), (34)-(35)]. Where the difference of two is short, the longer is the
shorter one and that difference: ``M23 = M33 + ...``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from taut.explicit.notation import Notation, Sum
from taut.explicit.polynomial import Polynomial, Ring
from taut.explicit.shorten import shortest

FAMILY = {"M": "M", "b": "Christoffel", "c": "Christoffel", "g": "g"}
"""Elements are related within a family: b and c are both Christoffel symbols."""

MULTIPLES = tuple(Fraction(*x) for x in ((1, 1), (-1, 1), (2, 1), (-2, 1), (1, 2), (-1, 2)))
"""Numbers tried between an element and one that differs by some terms."""

MOST_EXTRA = 12
"""Terms that a relation may add."""

CANONICAL = 4
"""How many times longer than a short difference its canonical form may be."""

MOST_PRODUCTS = 2_000
"""Products of parameters that a short difference may have."""

MOST_WORK = 20_000_000
"""Products of parameters subtracted in search of short differences, in all."""


@dataclass(frozen=True)
class Alias:
    """An element is ``factor`` times ``base``."""

    factor: Fraction
    base: str


@dataclass(frozen=True)
class Difference:
    """An element is ``factor`` times ``base`` and some terms more."""

    factor: Fraction
    base: str
    extra: Sum


def aliases(polynomials: Mapping[str, Polynomial]) -> dict[str, Alias]:
    """Return the elements that are another one but for a number; the first of each family stays."""
    known: dict[Any, list[tuple[str, Polynomial, Any]]] = {}
    found = {}
    for name, polynomial in polynomials.items():
        if not len(polynomial):
            continue
        lead = polynomial.leading_coefficient()
        scaled = polynomial / lead
        same = known.setdefault((FAMILY[name[0]], len(scaled), scaled.degrees()), [])
        for base, other, base_lead in same:
            if scaled == other:
                ratio = lead / base_lead
                found[name] = Alias(Fraction(int(ratio.p), int(ratio.q)), base)
                break
        else:
            same.append((name, scaled, lead))
    return found


def differences(
    polynomials: Mapping[str, Polynomial],
    forms: Mapping[str, Sum],
    ring: Ring,
    notation: Notation,
    known: Callable[[Polynomial], bool],
    told: Callable[[str], None] | None = None,
) -> dict[str, Difference]:
    """Return the elements that are another one and a few terms: a text of at most two thirds of their own.

    Args:
        polynomials: canonical forms.
        forms: shortest forms of the elements that are no aliases.
        ring: of the polynomials.
        notation: of the forms.
        known: whether a coefficient is a constant already.
        told: called with every element that is looked at.
    """
    order = sorted(forms, key=lambda name: len(forms[name]))
    work, found = 0, {}
    for k, name in enumerate(order):
        if len(forms[name]) < 3:
            continue
        if told is not None:
            told(name)
        best: Difference | None = None
        for base in order[:k]:
            if FAMILY[base[0]] != FAMILY[name[0]] or 3 * len(forms[base]) < len(forms[name]):
                continue
            work += len(MULTIPLES) * (len(polynomials[name]) + len(polynomials[base]))
            candidate = _short_difference(polynomials, forms, name, base, ring, notation, known)
            if candidate and (best is None or len(candidate.extra) < len(best.extra)):
                best = candidate
        if best is not None:
            found[name] = best
        if work > MOST_WORK:
            break
    return found


def _short_difference(
    polynomials: Mapping[str, Polynomial],
    forms: Mapping[str, Sum],
    name: str,
    base: str,
    ring: Ring,
    notation: Notation,
    known: Callable[[Polynomial], bool],
) -> Difference | None:
    most = min(MOST_EXTRA, 2 * len(forms[name]) // 3 - 1)
    whole, other = polynomials[name], polynomials[base]
    best: Difference | None = None
    for factor in MULTIPLES:
        rest = whole - other * ring.rational(factor)
        if len(rest) >= min(len(whole), MOST_PRODUCTS):
            continue
        plain = notation.packed(ring.collected(rest))
        if len(plain) > CANONICAL * most:
            continue
        extra = shortest(plain, notation, known)
        if 0 < len(extra) <= most and (best is None or len(extra) < len(best.extra)):
            best = Difference(factor, base, extra)
    return best
