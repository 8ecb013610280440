"""Angles as sums of terms, and sines of angles that are known by their sine and cosine."""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from typing import TYPE_CHECKING

from taut.graph.elementary import Rational
from taut.graph.operation import CONSTANT, SUM

if TYPE_CHECKING:
    from taut.graph.node import Node


def angle_terms(angle: Node) -> tuple[Rational, dict[Node, Rational]]:
    """Return (constant, {atom: coefficient}) with ``angle = constant + sum(coefficient * atom)``.

    Sums are opened however deep they are nested; an atom is any node that is not a sum.
    """
    constant: Rational = 0
    atoms: dict[Node, Rational] = {}
    pending: dict[Node, Rational] = {angle: 1}
    queue = [-angle.serial]
    by_serial = {angle.serial: angle}
    while queue:  # latest first, so that a shared sum is opened once, with all its uses added up
        node = by_serial.pop(-heapq.heappop(queue))
        coefficient = pending.pop(node)
        parts: list[tuple[Rational, Node]] = []
        if node.op is SUM:
            constant += coefficient * node.weights.constant
            parts = node.terms
        elif node.is_multiple:
            parts = [(node.powers.coefficient, node.args[0])]
        elif node.op is CONSTANT:
            constant += coefficient * node.value
        else:
            atoms[node] = coefficient
        for c, arg in parts:
            if arg not in pending:
                heapq.heappush(queue, -arg.serial)
                by_serial[arg.serial] = arg
            pending[arg] = pending.get(arg, 0) + coefficient * c
    return constant, {atom: c for atom, c in atoms.items() if c != 0}


def turned(angle: Node, known: Mapping[Node, tuple[Node, Node]]) -> tuple[Node, Node] | None:
    """Return (cosine, sine) of an angle by the addition rule, None where no term of it is known.

    Args:
        angle: a sum of terms.
        known: {term: (its cosine, its sine)}; taken where a term stands once, with either sign.
    """
    constant, terms = angle_terms(angle)
    found = [(atom, int(c)) for atom, c in terms.items() if atom in known and c in (1, -1)]
    if not found:
        return None
    graph = angle.graph
    rest = graph.linear(constant, [(c, atom) for atom, c in terms.items() if (atom, c) not in found])
    c, s = rest.cos(), rest.sin()
    for atom, sign in found:
        cosine, sine = known[atom]
        c, s = c * cosine - s * (sign * sine), s * cosine + c * (sign * sine)
    return c, s
