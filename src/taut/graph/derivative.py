"""Exact derivatives of expressions by their symbols, as nodes of the same graph."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any

from taut.errors import InputError
from taut.graph.elementary import FUNCTIONS
from taut.graph.node import Node, Rational, topological
from taut.graph.operation import PRODUCT, SUM, SYMBOL


def tangent(outputs: Sequence[Node], rates: Mapping[Node, Any]) -> list[Node]:
    """Return the derivative of each output along ``rates``, by forward accumulation.

    .. math:: \\dot y = \\sum_x \\frac{\\partial y}{\\partial x} \\dot x

    Args:
        outputs: expressions y.
        rates: how fast each symbol x moves, a node or a number; the others stand still.

    >>> from taut.graph import Graph
    >>> g = Graph()
    >>> q, qd = g.symbol("q"), g.symbol("qd")
    >>> tangent([q.sin()], {q: qd})[0] is q.cos() * qd
    True
    """
    _expect_symbols(rates)
    rates = {output.graph.lift(symbol): rate for output in outputs[:1] for symbol, rate in rates.items()}
    moving: dict[Node, Node] = {}
    for node in topological(outputs):
        if node in rates:
            moving[node] = node.graph.lift(rates[node])
        elif any(arg in moving for arg in node.args):
            slopes = _slopes(node)
            terms = [
                (c, slope * moving[arg]) for arg, (c, slope) in zip(node.args, slopes, strict=True) if arg in moving
            ]
            if not (rate := node.graph.linear(0, terms)).is_zero:
                moving[node] = rate
    return [moving[node] if node in moving else node.graph.constant(0) for node in outputs]


def gradient(output: Node, symbols: Sequence[Node], constant: Container[Node] = ()) -> list[Node]:
    """Return the derivative of one output by each symbol, by reverse accumulation: one walk for all of them.

    Args:
        output: the expression.
        symbols: of the derivatives.
        constant: nodes known to contain none of the symbols; they are not looked at.
    """
    _expect_symbols(symbols)
    graph = output.graph
    symbols = [graph.lift(symbol) for symbol in symbols]
    order = topological([output], constant)
    dependent = _dependent(order, symbols)
    terms: dict[Node, list[tuple[Rational, Node]]] = {output: [(1, graph.constant(1))]}
    adjoint: dict[Node, Node] = {}
    for node in reversed(order):
        if node not in dependent or node not in terms:
            continue
        adjoint[node] = weight = graph.linear(0, terms.pop(node))
        if weight.is_zero:
            continue
        for arg, (c, slope) in zip(node.args, _slopes(node), strict=True):
            if arg in dependent:
                terms.setdefault(arg, []).append((c, weight * slope))
    return [adjoint.get(symbol, graph.constant(0)) for symbol in symbols]


def jacobian(outputs: Sequence[Node], symbols: Sequence[Node]) -> list[list[Node]]:
    """Return the derivatives, a row for each output and a column for each symbol.

    Accumulates in whichever direction needs fewer walks.
    """
    if len(outputs) <= len(symbols):
        return [gradient(output, symbols) for output in outputs]
    columns = [tangent(outputs, {symbol: 1}) for symbol in symbols]
    return [list(row) for row in zip(*columns, strict=True)] if columns else [[] for _ in outputs]


def _expect_symbols(nodes: Iterable[Node]) -> None:
    for node in nodes:
        if node.op is not SYMBOL:
            raise InputError(f"cannot differentiate by {node!r}", advice="give a symbol; substitute one for it first")


def _dependent(order: Sequence[Node], symbols: Iterable[Node]) -> set[Node]:
    found = set(symbols)
    for node in order:
        if any(arg in found for arg in node.args):
            found.add(node)
    return found


def _slopes(node: Node) -> list[tuple[Rational, Node]]:
    """Return (coefficient, factor) of the derivative of a node by each of its arguments."""
    if not node.args:
        return []
    if node.op is SUM:
        one = node.graph.constant(1)
        return [(coefficient, one) for coefficient in node.weights.coefficients]
    if node.op is PRODUCT:
        return _product_slopes(node)
    slopes = FUNCTIONS[node.name].derivative(*node.args, node)
    return [slopes] if len(node.args) == 1 else list(slopes)


def _product_slopes(node: Node) -> list[tuple[Rational, Node]]:
    """Return ``c e_i f_i^(e_i - 1)`` times the other factors, from products before and behind each."""
    graph = node.graph
    coefficient, exponents = node.powers
    powers = [graph.power(f, e) for f, e in zip(node.args, exponents, strict=True)]
    before, behind = [graph.constant(1)], [graph.constant(1)]
    for ahead, back in zip(powers[:-1], reversed(powers[1:]), strict=True):
        before.append(before[-1] * ahead)
        behind.append(back * behind[-1])
    return [
        (coefficient * e, graph.power(f, e - 1) * (a * b))
        for f, e, a, b in zip(node.args, exponents, before, reversed(behind), strict=True)
    ]
