"""Tests whether an expression is affine in some of its symbols, and returns the coefficients."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from taut.errors import InputError
from taut.graph.derivative import jacobian
from taut.graph.field import FieldPoint
from taut.graph.node import Node, topological
from taut.graph.substitute import substitute


@dataclass(frozen=True)
class Affine:
    """``output_i = sum_j matrix[i][j] * symbol_j + rest[i]``, matrix and rest free of the symbols."""

    matrix: list[list[Node]]
    rest: list[Node]


def linear_in(outputs: Node | Sequence[Node], symbols: Sequence[Node]) -> Affine | None:
    """Return the coefficients of the outputs in the symbols, None where they are not affine.

    The coefficients are the derivatives. That none of them depends on the symbols is plain where
    the symbols do not occur, and otherwise proved: moving the symbols alone to another random point
    of GF(2^61 - 1) leaves their values unchanged.

    >>> from taut.graph import Graph
    >>> g = Graph()
    >>> m, q = g.symbol("m"), g.symbol("q")
    >>> linear_in(m * q.sin() + q, [m]).matrix[0][0] is q.sin(), linear_in(m * m, [m])
    (True, None)
    """
    outputs = [outputs] if isinstance(outputs, Node) else list(outputs)
    if not outputs:
        return Affine([], [])
    symbols = [outputs[0].graph.lift(symbol) for symbol in symbols]
    matrix = jacobian(outputs, symbols)
    doubtful = [c for row in matrix for c in row if _mentions(c, symbols)]
    if doubtful and not _unmoved(doubtful, symbols):
        return None
    for point in (dict.fromkeys(symbols, 0), {symbol: 2 * j + 3 for j, symbol in enumerate(symbols)}):
        try:
            return _at(point, outputs, matrix)
        except ZeroDivisionError:  # as in (x**2 + x) / x at zero: any other point tells the same
            continue
    raise InputError(
        "the coefficients cannot be evaluated", "linear_in", "cancel common factors of its fractions first"
    )


def _at(point: dict[Node, int], outputs: list[Node], matrix: list[list[Node]]) -> Affine:
    """Return the affine form, knowing that the derivatives do not depend on where they are taken."""
    constant = [substitute(row, point) for row in matrix]
    rest = [
        y.graph.linear(0, [(1, y), *((-x, c) for x, c in zip(point.values(), row, strict=True))])
        for y, row in zip(substitute(outputs, point), constant, strict=True)
    ]
    return Affine(constant, rest)


def _mentions(node: Node, symbols: Sequence[Node]) -> bool:
    wanted = set(symbols)
    return any(other in wanted for other in topological([node]))


def _unmoved(nodes: list[Node], symbols: Sequence[Node]) -> bool:
    """Whether the nodes keep their values when only the symbols move."""
    names = {symbol.name for symbol in symbols}
    return FieldPoint().evaluate(nodes) == FieldPoint(moved=names).evaluate(nodes)
