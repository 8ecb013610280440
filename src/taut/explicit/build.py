"""From a robot to its explicit equations: named, traced, multiplied out, shortened, lumped, related, proved."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from taut.algorithms.coefficients import explicit_terms
from taut.derive.naming.parameters import SNAP
from taut.explicit.compared import compared
from taut.explicit.elements import Expansion, Size, size_of, too_long
from taut.explicit.lump import Constants, Families, Lumped, lumped
from taut.explicit.measured import measured
from taut.explicit.model import Element, ExplicitModel, Relation, Term, element_name
from taut.explicit.notation import Notation
from taut.explicit.parameters import Progress, named_robot
from taut.explicit.relations import Alias, Difference, aliases, differences
from taut.explicit.shorten import Form, Known, shortest
from taut.explicit.text import relation_text
from taut.polynomials.algebra import Polynomial
from taut.robot import Tree

LIMIT = 200_000
"""Terms beyond which a readable form is refused unless asked for: too many to read."""


def explicit(
    tree: Tree,
    parameters: str = "pattern",
    limit: int = LIMIT,
    *,
    relations: bool = True,
    snap: float | None = SNAP,
    accept: float | None = None,
    verify: bool = True,
    progress: Progress | None = None,
    made: type[ExplicitModel] = ExplicitModel,
) -> ExplicitModel:
    """Return the explicit equations of a robot.

    Args:
        tree: the robot; joints are revolute or prismatic.
        parameters: ``pattern`` keeps zeros and ties of the robot file, ``symbolic`` frees ten parameters a link.
        limit: most terms; the size is known before anything is multiplied out.
        relations: look for elements that follow from others and a few terms.
        snap: what written angles mean, see :func:`taut.robot.meaning.decided`.
        accept: largest difference from the file's digits, see :func:`taut.derive.derive.derive`.
        verify: prove every element against the Newton-Euler torque.
        progress: called with the name of each step and the number of terms.
        made: the class of the result.
    """
    started = time.perf_counter()
    named = named_robot(tree, parameters, snap)
    expansion = Expansion(named)
    numbers = expansion.ring(numbers=True)
    marks = expansion.marks(numbers, limit)
    size = size_of(marks)
    if progress is not None:
        progress(f"canonical form of {size}", size.terms)
    if size.terms > limit:
        raise too_long(tree.name, f"{size}", limit)
    notation = Notation(numbers, expansion.q)
    same = aliases(marks)
    known, forms = Known(), dict[str, Form]()
    for name, polynomial in marks.items():
        if name not in same:
            forms[name] = shortest(notation.packed(numbers.marks(polynomial)), notation, known)
            known.add(forms[name])
            if progress is not None:
                progress(f"shortened {name}", size.terms)
    near: dict[str, Difference] = {}
    if relations:
        reported = None if progress is None else lambda name: progress(f"relations of {name}", size.terms)
        near = differences(marks, forms, numbers, notation, known, reported)
    ring = expansion.ring()
    polynomials = expansion.elements(ring, forms, limit, progress)
    families = Families()

    def written(form: Form, polynomial: Polynomial) -> Lumped:
        return lumped(form.applied(notation.packed(ring.collected(polynomial))), notation, families)

    sums = {name: written(form, polynomials[name]) for name, form in forms.items()}
    extras = {
        name: written(found.extra, polynomials[name] - polynomials[found.base] * ring.rational(found.factor))
        for name, found in near.items()
    }
    constants = Constants([*sums.values(), *extras.values()], families, ring, named, progress)
    elements = _elements(expansion.n, sums, same, near, extras, constants)
    used = {name for e in elements.values() for t in _all_terms(e) for name, _ in t.monomial}
    generators = [name for name in notation.reading_order if name in used]
    model = made(
        robot=tree,
        named=named.tree,
        graph=named.graph,
        generators={name: notation.node(name, named.graph) for name in generators},
        angles={name: notation.joints(name) for name in generators},
        constants=measured(constants.table, named.naming.values, named.tolerances),
        elements=elements,
        values=dict(named.naming.values),
        tolerances=named.tolerances,
        parameters=parameters,
        size=size,
        notes=tuple(named.naming.notes),
        seconds=time.perf_counter() - started,
    )
    if verify:
        if progress is not None:
            progress("proof", size.terms)
        model = replace(model, proof=model.prove())
    model = compared(model, named, snap, accept)  # last: formulas are shared in the order in which they are asked for
    return replace(model, seconds=time.perf_counter() - started)


def explicit_size(tree: Tree, parameters: str = "pattern", snap: float | None = SNAP, limit: int = LIMIT) -> Size:
    """Return how long the readable form of a robot would be, without writing it."""
    expansion = Expansion(named_robot(tree, parameters, snap))
    return size_of(expansion.marks(expansion.ring(numbers=True), limit))


def _elements(
    n: int,
    sums: Mapping[str, Lumped],
    same: Mapping[str, Alias],
    near: Mapping[str, Difference],
    extras: Mapping[str, Lumped],
    constants: Constants,
) -> dict[str, Element]:
    elements = {}
    for kind, at in explicit_terms(n):
        name = element_name(kind, at)
        relation = None
        if name in same:
            factor, base = same[name].factor, same[name].base
            terms = tuple(term.times(factor) for term in constants.terms(sums[base]))
            relation = _alias(name, same[name])
        else:
            terms = constants.terms(sums[name])
            if not terms:
                relation = Relation(f"{name} = 0", "zero")
            elif name in near:
                parts = ((near[name].factor, near[name].base),)
                extra = constants.terms(extras[name])
                kindly = "plus a term" if len(extra) == 1 else "plus terms"
                relation = Relation(relation_text(name, parts, extra), kindly, parts, extra)
        elements[name] = Element(name, kind, at, terms, relation)
    return elements


def _alias(name: str, alias: Alias) -> Relation:
    kind = {Fraction(1): "equal", Fraction(-1): "negated"}.get(alias.factor, "multiple")
    parts = ((alias.factor, alias.base),)
    return Relation(relation_text(name, parts, ()), kind, parts)


def _all_terms(element: Element) -> tuple[Term, ...]:
    return (*element.terms, *(element.relation.extra if element.relation else ()))
