"""The equations of the page: explicit elements where they are short enough to read, else the torque as it is computed.

Both have the same form: symbols with stage, formula, value and tolerance, and groups of equations written in them.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from taut.derive import Function
from taut.derive.function import Proof
from taut.emit.assignments import Assignments
from taut.emit.equations import answers
from taut.explicit.model import Element, ExplicitModel, Term
from taut.explicit.text import SECTIONS, element_text
from taut.graph.stage import Stage
from taut.report.living.expression import node_data, number_data, tree_data


def explicit_data(model: ExplicitModel) -> dict[str, Any]:
    """Return the explicit equations: elements as sums of terms over constants, sines and cosines."""
    symbols: dict[str, Any] = {
        name: _symbol("parameter", node_data(constant.formula), constant.value, constant.tolerance)
        for name, constant in model.constants.items()
    }
    used = {name for e in model.elements.values() for term in e.terms for name, _ in term.monomial}
    symbols |= {
        name: _symbol("configuration", node_data(node)) for name, node in model.generators.items() if name in used
    }
    symbols |= {
        name: _symbol("parameter", None, value, model.tolerances.get(name)) for name, value in model.values.items()
    }
    groups = []
    for kind, title in SECTIONS:
        elements = [e for e in model.elements.values() if e.kind == kind]
        groups.append(
            {
                "title": title,
                "kind": kind,
                "items": [_element(e) for e in elements if not e.is_zero],
                "zero": [e.name for e in elements if e.is_zero],
            }
        )
    proof = _agreement(model.proof)
    return {"form": "explicit", "symbols": symbols, "groups": groups, "proof": proof, "why": ""}


def program_data(function: Function, why: str) -> dict[str, Any]:
    """Return a derived function as assignments by stage.

    Args:
        function: the torque.
        why: it stands here instead of the explicit equations.
    """
    written = Assignments(function.program)
    symbols: dict[str, Any] = {
        name: _symbol("parameter", None, function.values.get(name)) for name in function.parameter_names
    }
    groups = []
    for stage in Stage:
        items = []
        for at, name, tree in written.lines:
            if at is stage:
                symbols[name] = _symbol(stage.label, tree_data(tree))
                items.append({"name": name, "formula": tree_data(tree), "text": ""})
        if items:
            title = "Once" if stage <= Stage.PARAMETER else f"With the {stage.label}"
            groups.append({"title": title, "kind": stage.label, "items": items, "zero": []})
    items = [{"name": name, "formula": tree_data(tree), "text": ""} for name, tree in answers(function, written)]
    groups.append({"title": "Torques", "kind": "answer", "items": items, "zero": []})
    proof = _agreement(function.proof)
    return {"form": "program", "symbols": symbols, "groups": groups, "proof": proof, "why": why}


def _symbol(stage: str, formula: Any, value: float | None = None, tolerance: float | None = None) -> dict[str, Any]:
    known = {"stage": stage, "formula": formula, "value": value, "tolerance": tolerance}
    return {key: x for key, x in known.items() if x is not None}


def _element(element: Element) -> dict[str, Any]:
    found: dict[str, Any] = {"name": element.name, "terms": _terms(element.terms), "text": element_text(element)}
    if element.relation is not None:
        found["relation"] = {
            "parts": [[_factor(factor), name] for factor, name in element.relation.parts],
            "extra": _terms(element.relation.extra),
        }
    return found


def _terms(terms: Sequence[Term]) -> list[Any]:
    return [[_factor(t.factor), t.constant or 0, [list(power) for power in t.monomial]] for t in terms]


def _factor(x: Fraction) -> Any:
    return number_data(x)


def _agreement(proof: Proof | None) -> str:
    """Return what was proved, in words."""
    if proof is None:
        return ""
    algorithm = proof.reference.partition(",")[0].partition(" ")[0]
    return f"equal to the textbook algorithm {algorithm} at {proof.points} random points, exactly, modulo 2^61 - 1"
