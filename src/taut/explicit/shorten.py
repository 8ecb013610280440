"""How is an element written with the fewest terms?

A trigonometric polynomial has many forms, by relations of three products each, whatever stands beside them::

    SS2 + CC2 = 1        C2*C23 + S2*S23 = C3         C2*C23 - S2*S23 = C223
                         C2*S23 - S2*C23 = S3         C2*S23 + S2*C23 = S223

A multiple of a relation may be added to a sum; the multiple that makes one of its three terms vanish is
worth trying wherever it touches a sum. The search takes every such step that leaves fewer terms, then those
that leave as many with fewer factors, and begins once for every choice of sines or cosines for the squares of
each angle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product

from taut.explicit.notation import Identity, Notation, Powers, Sum
from taut.explicit.polynomial import Polynomial

MOST_STARTS = 16
"""Choices of sines and cosines that are all tried; beyond, one angle is changed at a time."""

LONG = 120
"""Terms beyond which a sum begins with the better of few choices."""


def shortest(terms: Sum, notation: Notation, known: Callable[[Polynomial], bool] | None = None) -> Sum:
    """Return the sum in the form with the fewest terms that the search finds.

    Args:
        terms: the sum.
        notation: generators and identities.
        known: whether a coefficient is a constant already; of two forms the one with fewer new ones is taken.
    """
    if len(terms) < 2:
        return terms
    squared = [identity for identity in notation.squares if any(identity[0].divides(powers) for powers in terms)]
    found = [_improved(start, notation) for start in _starts(terms, squared)]
    fewest = min(map(len, found))
    equal = [form for form in found if len(form) == fewest]
    if len(equal) == 1:
        return equal[0]

    def cost(form: Sum) -> tuple[int, int]:
        new = sum(not known(coefficient) for coefficient in form.values()) if known is not None else 0
        return new, sum(notation.length(powers) for powers in form)

    return min(equal, key=cost)


def _starts(terms: Sum, squared: Sequence[Identity]) -> Iterator[Sum]:
    """Yield the sum with cosines instead of sines for the squares of some angles."""
    if 2 ** len(squared) <= MOST_STARTS and len(terms) <= LONG:
        for chosen in product((False, True), repeat=len(squared)):
            flipped = terms
            for identity, flip in zip(squared, chosen, strict=True):
                flipped = _with_cosines(flipped, identity) if flip else flipped
            yield flipped
        return
    for identity in squared:
        flipped = _with_cosines(terms, identity)
        if len(flipped) < len(terms):
            terms = flipped
    yield terms


def _with_cosines(terms: Sum, identity: Identity) -> Sum:
    ss, cc, _ = identity
    result: Sum = {}
    for powers, coefficient in terms.items():
        if ss.divides(powers):
            _add(result, powers - ss.powers, coefficient)
            _add(result, powers - ss.powers + cc.powers, -coefficient)
        else:
            _add(result, powers, coefficient)
    return result


def _improved(start: Sum, notation: Notation) -> Sum:
    """Return the sum after every step that shortens it: fewer terms first, then fewer factors."""
    terms = dict(start)
    while _all_steps(terms, notation, fewer=True) or _all_steps(terms, notation, fewer=False):
        pass
    return terms


def _all_steps(terms: Sum, notation: Notation, fewer: bool) -> bool:
    """Take steps until none is left that makes terms fewer, or as many with fewer factors; tell whether any was."""
    taken = False
    waiting = sorted(terms)
    while waiting:
        powers = waiting.pop()
        if powers not in terms:
            continue
        for identity in notation.identities:
            touched = _step(terms, powers, identity, notation, fewer)
            if touched:
                taken = True
                waiting += [p for p in _neighbours(touched, notation) if p in terms]
                break
    return taken


def _step(terms: Sum, powers: Powers, identity: Identity, notation: Notation, fewer: bool) -> list[Powers]:
    """Take the best step of an identity at a term, if any is good; return the powers it touched."""
    for side in identity[:2]:
        if not side.divides(powers):
            continue
        context = powers - side.powers
        places = [(context + other.powers, other.weight) for other in identity]
        present = [(place, weight) for place, weight in places if place in terms]
        if len(present) < 2:
            continue  # one term would become two
        best, least = None, (len(present), 0 if fewer else sum(notation.length(place) for place, _ in present))
        for place, weight in present:
            multiple = terms[place] * -weight
            after = {p: (terms[p] + multiple * w if p in terms else multiple * w) for p, w in places}
            left = [p for p, coefficient in after.items() if coefficient != 0]
            cost = (len(left), 0 if fewer else sum(notation.length(p) for p in left))
            if cost < least:
                best, least = after, cost
        if best is not None:
            for place, coefficient in best.items():
                if coefficient == 0:
                    terms.pop(place, None)
                else:
                    terms[place] = coefficient
            return [place for place, _ in places]
    return []


def _neighbours(touched: Iterable[Powers], notation: Notation) -> Iterator[Powers]:
    """Yield the products that share an identity with those touched."""
    for powers in touched:
        yield powers
        for identity in notation.identities:
            for side in identity:
                if side.needs and side.divides(powers):
                    yield from (powers - side.powers + other.powers for other in identity)


def _add(terms: Sum, powers: Powers, coefficient: Polynomial) -> None:
    total = terms[powers] + coefficient if powers in terms else coefficient
    if total == 0:
        terms.pop(powers, None)
    else:
        terms[powers] = total
