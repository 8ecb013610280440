"""The significance of a term: its size relative to its neighbours.

Elements that are the same but for a number (``b413 = -b314``, ``c21 = -b112/2``) are computed once, so their terms
stay or go together: a :class:`Unit` is one term of such a class of elements.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from taut.explicit.model import Element, ExplicitModel, Monomial, Term
from taut.reduce.scenario import Scenario


@dataclass(frozen=True)
class Unit:
    """One term of all elements that share it.

    Attributes:
        places: ((name of an element, its term), ...), the first one is where it is computed.
    """

    places: tuple[tuple[str, Term], ...]


def units(model: ExplicitModel) -> list[Unit]:
    """Return the terms of the model, those of proportional elements together."""
    classes: dict[object, list[Element]] = {}
    for element in model.elements.values():
        if element.terms:
            family = "bc" if element.kind in "bc" else element.kind
            classes.setdefault((family, _shape(element.terms)), []).append(element)
    return [
        Unit(tuple((element.name, element.terms[at[key]]) for element, at in ordered))
        for members in classes.values()
        for ordered in [[(e, {_key(t): i for i, t in enumerate(e.terms)}) for e in members]]
        for key in ordered[0][1]
    ]


def _key(term: Term) -> tuple[str | None, Monomial]:
    return term.constant, term.monomial


def _shape(terms: Sequence[Term]) -> frozenset[object]:
    """Return what proportional sums have in common: their terms in units of the first."""
    first = min(terms, key=lambda t: (t.constant or "", t.monomial))
    return frozenset((_key(t), t.factor / first.factor) for t in terms)


def amplitude(model: ExplicitModel, monomial: Monomial, scenario: Scenario) -> float:
    """Return the greatest absolute value of a monomial when every angle may turn freely.

    Sine and cosine of one angle are taken together: ``max |S^a C^b| = sqrt(a^a b^b / (a+b)^(a+b))``, so ``SC2`` is at
    most 1/2. Slides are as long as the scenario lets them be.
    """
    turns: dict[object, list[int]] = {}
    size = 1.0
    for name, power in monomial:
        if name[0] in "SC":
            turns.setdefault(model.angles[name], []).append(power)
        else:
            [(joint, _)] = model.angles[name]
            size *= max(abs(x) for x in scenario.q[joint]) ** power
    for powers in turns.values():
        if len(powers) == 2:
            a, b = powers
            size *= math.sqrt(a**a * b**b / (a + b) ** (a + b))
    return size


def sizes(model: ExplicitModel, constants: Mapping[str, float], scenario: Scenario) -> dict[str, list[float]]:
    """Return the greatest absolute value of every term of every element [kg m^2, kg m or kg; gravity N m or N].

    Args:
        model: the equations.
        constants: {name: greatest absolute value}.
        scenario: how far slides go.
    """
    known: dict[Monomial, float] = {}

    def size(term: Term) -> float:
        if term.monomial not in known:
            known[term.monomial] = amplitude(model, term.monomial, scenario)
        constant = 1.0 if term.constant is None else constants[term.constant]
        return abs(float(term.factor)) * constant * known[term.monomial]

    return {name: [size(term) for term in element.terms] for name, element in model.elements.items()}


def kept_terms(model: ExplicitModel, dropped: Iterable[Unit]) -> dict[str, tuple[Term, ...]]:
    """Return the terms that are left of every element when units are dropped."""
    gone: dict[str, set[object]] = {}
    for unit in dropped:
        for name, term in unit.places:
            gone.setdefault(name, set()).add(_key(term))
    return {
        name: tuple(t for t in element.terms if _key(t) not in gone.get(name, ()))
        for name, element in model.elements.items()
    }
