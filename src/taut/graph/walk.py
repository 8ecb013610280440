"""What expressions are made of: every node below them, the symbols among these, and the numbers in a node."""

from __future__ import annotations

from collections.abc import Container, Iterable
from operator import attrgetter
from typing import TYPE_CHECKING

from taut.graph.operation import CONSTANT, PRODUCT, SUM, SYMBOL

if TYPE_CHECKING:
    from taut.graph.elementary import Rational
    from taut.graph.node import Node

_serial = attrgetter("serial")


def topological(outputs: Iterable[Node], done: Container[Node] = ()) -> list[Node]:
    """Return every node the outputs need, arguments first, in creation order.

    Args:
        outputs: where to begin.
        done: nodes to leave out, with what only they need.
    """
    seen: set[Node] = set()
    stack = list(outputs)
    while stack:
        node = stack.pop()
        if node not in seen and node not in done:
            seen.add(node)
            stack.extend(node.args)
    return sorted(seen, key=_serial)


def numbers_of(node: Node) -> tuple[Rational, ...]:
    """Return the exact numbers that stand in one node."""
    if node.op is SUM:
        return (node.weights.constant, *node.weights.coefficients)
    if node.op is PRODUCT:
        return (node.powers.coefficient,)
    return (node.value,) if node.op is CONSTANT else ()


def symbols_of(outputs: Iterable[Node]) -> list[Node]:
    """Return the symbols that the outputs depend on, in creation order."""
    return [node for node in topological(outputs) if node.op is SYMBOL]


def names_of(outputs: Iterable[Node]) -> set[str]:
    """Return the names of the symbols that the outputs depend on."""
    return {node.name for node in symbols_of(outputs)}
