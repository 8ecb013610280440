"""The operation count of an explicit model: by function, as printed, and tightened."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from taut.analysis.opcount import Operations, count
from taut.derive.tightening.efforts import ALONE
from taut.derive.tightening.tighten import Progress, tighten
from taut.explicit.model import Element, ExplicitModel
from taut.explicit.torque_program import explicit_program
from taut.graph.node import Node
from taut.graph.program import Program

FUNCTIONS = ("M", "b", "c", "g", "explicit", "torque")
"""What is counted: the elements of each kind alone, all of them, and all of them with the torque."""


def by_function(model: ExplicitModel) -> dict[str, Operations]:
    """Return the operations of the readable form; ``torque`` has all elements and the torque."""
    nodes = model.outputs()
    kinds = [element.kind for element in model.elements.values()]
    parts: dict[str, list[Node]] = {
        kind: [node for node, k in zip(nodes, kinds, strict=True) if k == kind] for kind in "Mbcg"
    }
    counted = {name: count(inside) for name, inside in (parts | {"explicit": nodes}).items()}
    return counted | {"torque": count(explicit_program(model, torque=True))}


def tightened(
    model: ExplicitModel, torque: bool = True, effort: str = "normal", progress: Progress | None = None
) -> Program:
    """Return the model's own program, searched for fewer operations: the same numbers, another order.

    The lumped constants are its parameters; see :func:`with_named_constants`.

    Args:
        model: the equations.
        torque: also the torque.
        effort: how hard to search, a name of :data:`taut.derive.tightening.efforts.ALONE`.
        progress: called while the count falls.
    """
    named = with_named_constants(model)
    program = explicit_program(named, torque)
    budget = ALONE[effort]
    if budget is None:
        return program
    return tighten(program, budget, values=named.values, progress=progress).program


def with_named_constants(model: ExplicitModel) -> ExplicitModel:
    """Return the model with each lumped constant a symbol of its own: how it came about is forgotten."""
    constants = {
        name: replace(constant, formula=model.graph.symbol(name)) for name, constant in model.constants.items()
    }
    values = {name: constant.value for name, constant in model.constants.items() if constant.value is not None}
    return replace(model, constants=constants, values=values)


def as_printed(elements: Iterable[Element], model: ExplicitModel) -> Operations:
    """Return the operations of sums written out one by one, products of one angle such as CC2 or SC23 given.

    This is how Armstrong counts his kinetic energy matrix: every product and every sum of the text, nothing shared
    between elements but those that are printed as another one.
    """
    mul = add = 0
    for element in elements:
        if element.relation is not None and element.relation.exact_alias:
            continue
        add += max(0, len(element.terms) - 1)
        for term in element.terms:
            mul += max(0, _factors(term.monomial, model) - (term.constant is None and abs(term.factor) == 1))
    return Operations(mul, add)


def _factors(monomial: tuple[tuple[str, int], ...], model: ExplicitModel) -> int:
    """Return how many angles and slides a product has: each counts once, its squares are given."""
    return len({model.angles[name] for name, _ in monomial})
