"""Replaces parts of an expression by other expressions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from taut.graph.node import Node, topological


def substitute(outputs: Sequence[Node], replacements: Mapping[Node, Any]) -> list[Node]:
    """Return the outputs with nodes replaced, all at once; what does not change is kept as it is.

    Replacements are not searched for further replacements, so ``{x: y, y: x}`` swaps.

    Args:
        outputs: expressions.
        replacements: what stands for a node: a node or a number.

    >>> from taut.graph import Graph
    >>> g = Graph()
    >>> x, y = g.symbol("x"), g.symbol("y")
    >>> substitute([x + y.sin()], {y: 0})
    [x]
    """
    new = {node: node.graph.lift(value) for node, value in replacements.items()}
    for node in topological(outputs, replacements):
        args = [new[arg] for arg in node.args]
        changed = any(a is not b for a, b in zip(args, node.args, strict=True))
        new[node] = node.graph.rebuild(node, args) if changed else node
    return [new[node] for node in outputs]
