"""Writes an element with the fewest terms.

A trigonometric polynomial has many forms, by relations of three products each, whatever they are multiplied by::

    SS2 + CC2 = 1        C2*C23 + S2*S23 = C3         C2*C23 - S2*S23 = C223
                         C2*S23 - S2*C23 = S3         C2*S23 + S2*C23 = S223

A multiple of a relation may be added to a sum; the multiple that makes one of its three terms vanish is
tried wherever it touches a sum. The search takes every such step that leaves fewer terms, then those
that leave as many with fewer factors, and begins once for every choice of sines or cosines for the squares of
each angle.

Coefficients are marks, their values modulo a prime at a random point of the parameters: a mark is zero where its
coefficient is, but for a chance of one in 10^18, and the proof of the model would tell. What becomes of the
coefficients themselves is kept as whole-number combinations.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

from taut.explicit.notation import Identity, Notation, Powers, Sum
from taut.polynomials.torque_ring import WORD_PRIME

Marks = dict[Powers, int]
"""{powers: mark of the coefficient}."""

MOST_STARTS = 16
"""Choices of sines and cosines that are all tried; beyond, one angle is changed at a time."""

LONG = 120
"""Terms beyond which a sum begins with the better of few choices."""


@dataclass
class Form:
    """One way to write a sum.

    Attributes:
        marks: of its coefficients.
        parts: {powers: {powers in the canonical form: how often its coefficient is taken}}.
    """

    marks: Marks
    parts: dict[Powers, dict[Powers, int]]

    def __len__(self) -> int:
        return len(self.marks)

    def applied(self, coefficients: Sum) -> Sum:
        """Return the form with the coefficients of the canonical form."""
        found = {}
        for powers, parts in self.parts.items():
            terms = [coefficients[origin] * times for origin, times in parts.items()]
            found[powers] = sum(terms[1:], terms[0])
        return found

    def add(self, powers: Powers, mark: int, parts: Mapping[Powers, int], times: int) -> None:
        """Add ``times`` a coefficient at a product."""
        total = (self.marks.get(powers, 0) + times * mark) % WORD_PRIME
        if not total:
            self.marks.pop(powers, None)
            self.parts.pop(powers, None)
            return
        self.marks[powers] = total
        own = self.parts.setdefault(powers, {})
        for origin, number in parts.items():
            own[origin] = own.get(origin, 0) + times * number


@dataclass
class Known:
    """Constants that sums have already, up to small factors."""

    marks: set[int] = field(default_factory=set)

    def add(self, form: Form) -> None:
        """Record the coefficients of a form."""
        for mark in form.marks.values():
            for factor in FACTORS:
                self.marks.add(mark * factor % WORD_PRIME)


_HALF = pow(2, -1, WORD_PRIME)
FACTORS = tuple(sign * factor for factor in (1, 2, 4, _HALF, _HALF * _HALF) for sign in (1, -1))
"""Numbers by which a coefficient may differ from a constant and still be it."""


def shortest(marks: Marks, notation: Notation, known: Known) -> Form:
    """Return the form with the fewest terms that the search finds.

    Args:
        marks: the canonical form.
        notation: generators and identities.
        known: constants there are already; of two forms the one with fewer new ones is taken.
    """
    start = Form(dict(marks), {powers: {powers: 1} for powers in marks})
    if len(start) < 2:
        return start
    squared = [identity for identity in notation.squares if any(identity[0].divides(powers) for powers in marks)]
    found = [_improved(form, notation) for form in _starts(start, squared)]
    fewest = min(map(len, found))
    equal = [form for form in found if len(form) == fewest]

    def cost(form: Form) -> tuple[int, int]:
        new = sum(mark not in known.marks for mark in form.marks.values())
        return new, sum(notation.length(powers) for powers in form.marks)

    return min(equal, key=cost)


def _starts(start: Form, squared: Sequence[Identity]) -> Iterator[Form]:
    """Yield the sum with cosines instead of sines for the squares of some angles."""
    if 2 ** len(squared) <= MOST_STARTS and len(start) <= LONG:
        for chosen in product((False, True), repeat=len(squared)):
            flipped = start
            for identity, flip in zip(squared, chosen, strict=True):
                flipped = _with_cosines(flipped, identity) if flip else flipped
            yield _copied(flipped)
        return
    for identity in squared:
        flipped = _with_cosines(start, identity)
        if len(flipped) < len(start):
            start = flipped
    yield start


def _copied(form: Form) -> Form:
    return Form(dict(form.marks), {powers: dict(parts) for powers, parts in form.parts.items()})


def _with_cosines(form: Form, identity: Identity) -> Form:
    ss, cc, _ = identity
    result = Form({}, {})
    for powers, mark in form.marks.items():
        if ss.divides(powers):
            result.add(powers - ss.powers, mark, form.parts[powers], 1)
            result.add(powers - ss.powers + cc.powers, mark, form.parts[powers], -1)
        else:
            result.add(powers, mark, form.parts[powers], 1)
    return result


def _improved(form: Form, notation: Notation) -> Form:
    """Return the sum after every step that shortens it: fewer terms first, then fewer factors."""
    while _all_steps(form, notation, fewer=True) or _all_steps(form, notation, fewer=False):
        pass
    return form


def _all_steps(form: Form, notation: Notation, fewer: bool) -> bool:
    """Take steps until none is left that makes terms fewer, or as many with fewer factors; tell whether any was."""
    taken = False
    waiting = sorted(form.marks)
    while waiting:
        powers = waiting.pop()
        if powers not in form.marks:
            continue
        for identity in notation.identities:
            touched = _step(form, powers, identity, notation, fewer)
            if touched:
                taken = True
                waiting += [p for p in _neighbours(touched, notation) if p in form.marks]
                break
    return taken


def _step(form: Form, powers: Powers, identity: Identity, notation: Notation, fewer: bool) -> list[Powers]:
    """Take the best step of an identity at a term, if any is good; return the powers it touched."""
    marks = form.marks
    for side in identity[:2]:
        if not side.divides(powers):
            continue
        context = powers - side.powers
        places = [(context + other.powers, other.weight) for other in identity]
        present = [(place, weight) for place, weight in places if place in marks]
        if len(present) < 2:
            continue  # one term would become two
        best, least = None, (len(present), 0 if fewer else sum(notation.length(place) for place, _ in present))
        for place, weight in present:
            multiple = marks[place] * -weight
            left = [p for p, w in places if (marks.get(p, 0) + multiple * w) % WORD_PRIME]
            cost = (len(left), 0 if fewer else sum(notation.length(p) for p in left))
            if cost < least:
                best, least = (place, -weight), cost
        if best is not None:
            mark, parts = marks[best[0]], dict(form.parts[best[0]])
            for place, weight in places:
                form.add(place, mark, parts, best[1] * weight)
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
