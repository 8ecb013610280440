"""Models made of a model: with fewer terms, with some kinds of elements only, with other names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from taut.errors import InputError
from taut.explicit.model import Element, ExplicitModel, Monomial, Relation, Term
from taut.explicit.text import relation_text


def with_terms(model: ExplicitModel, kept: Mapping[str, Sequence[Term]]) -> ExplicitModel:
    """Return the model with other sums for some elements; relations stay where they still hold term by term."""
    elements = {
        name: replace(element, terms=tuple(kept[name])) if name in kept else element
        for name, element in model.elements.items()
    }
    changed = {name for name in kept if elements[name].terms != model.elements[name].terms}
    rebuilt = {}
    for name, element in elements.items():
        relation = element.relation
        if relation is not None and changed & {name, *(part for _, part in relation.parts)}:
            if not _still_holds(element, relation, elements):
                element = replace(element, relation=None)
        rebuilt[name] = element
    return replace(_with_elements(model, rebuilt), proof=None)


def only(model: ExplicitModel, kinds: str) -> ExplicitModel:
    """Return the elements of some kinds, such as ``bc``, and the constants they need; to be read, not to be run."""
    chosen = {}
    for name, element in model.elements.items():
        if element.kind in kinds:
            relation = element.relation
            if relation is not None and any(model.elements[part].kind not in kinds for _, part in relation.parts):
                element = replace(element, relation=None)
            chosen[name] = element
    return _with_elements(model, chosen)


def _with_elements(model: ExplicitModel, elements: dict[str, Element]) -> ExplicitModel:
    used = {term.constant for element in elements.values() for term in element.terms}
    used |= {term.constant for element in elements.values() if element.relation for term in element.relation.extra}
    constants = {name: constant for name, constant in model.constants.items() if name in used}
    return replace(model, elements=elements, constants=constants)


def renamed(model: ExplicitModel, names: Mapping[str, str]) -> ExplicitModel:
    """Return the model with other names for some of its constants."""
    taken = [names.get(name, name) for name in model.constants]
    if len(set(taken)) < len(taken):
        raise InputError("two constants would have one name", "explicit", "choose names of their own")

    def term(t: Term) -> Term:
        return t if t.constant is None else replace(t, constant=names.get(t.constant, t.constant))

    def element(e: Element) -> Element:
        relation = e.relation
        if relation is not None and relation.extra:
            extra = tuple(term(t) for t in relation.extra)
            relation = replace(relation, extra=extra, text=relation_text(e.name, relation.parts, extra))
        return replace(e, terms=tuple(term(t) for t in e.terms), relation=relation)

    constants = {
        names.get(name, name): replace(constant, name=names.get(name, name))
        for name, constant in model.constants.items()
    }
    return replace(model, constants=constants, elements={name: element(e) for name, e in model.elements.items()})


def _still_holds(element: Element, relation: Relation, elements: Mapping[str, Element]) -> bool:
    """Whether the terms of an element are those its relation gives, one by one."""
    given = [t.times(factor) for factor, name in relation.parts for t in elements[name].terms] + list(relation.extra)
    return _collected(given) == _collected(element.terms)


def _collected(terms: Sequence[Term]) -> dict[tuple[str | None, Monomial], Fraction]:
    total: dict[tuple[str | None, Monomial], Fraction] = {}
    for term in terms:
        key = (term.constant, term.monomial)
        total[key] = total.get(key, Fraction(0)) + term.factor
    return {key: factor for key, factor in total.items() if factor}
