"""Expressions as plain data for the page, which writes them as MathML.

A name is a text, a number a number, anything else a list ``[op, part, ...]`` with ``add``, ``sub``, ``neg``, ``mul``,
``div``, ``pow`` or the name of an elementary function.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from taut.emit.assignments import Tree
from taut.emit.latex_formula import READABLE_DENOMINATOR
from taut.graph.node import Node, topological


def node_data(node: Node) -> Any:
    """Return an expression of a graph; shared parts are written out wherever they occur.

    >>> from taut.graph import Graph
    >>> g = Graph()
    >>> m, r = g.symbol("m"), g.symbol("r")
    >>> node_data(m * r**2)
    ['mul', 'm', ['pow', 'r', 2]]
    """
    done: dict[Node, Any] = {}
    for part in topological([node]):
        done[part] = _node(part, done)
    return done[node]


def _node(node: Node, done: dict[Node, Any]) -> Any:
    if node.op == "constant":
        return number_data(node.data)
    if node.op == "symbol":
        return node.data
    if node.op == "sum":
        constant, coefficients = node.data
        addends = [_scaled(c, done[arg]) for c, arg in zip(coefficients, node.args, strict=True)]
        return ["add", *addends, *([number_data(constant)] if constant else [])]
    if node.op == "product":
        return _product(node, done)
    return [node.op, *(done[arg] for arg in node.args)]


def _product(node: Node, done: dict[Node, Any]) -> Any:
    coefficient, exponents = node.data
    above: list[Any] = []
    below: list[Any] = []
    for arg, exponent in zip(node.args, exponents, strict=True):
        factor = done[arg] if abs(exponent) == 1 else ["pow", done[arg], abs(exponent)]
        (above if exponent > 0 else below).append(factor)
    if abs(coefficient) != 1 or not above:
        above.insert(0, number_data(abs(coefficient)))
    found = _together(above)
    if below:
        found = ["div", found, _together(below)]
    return ["neg", found] if coefficient < 0 else found


def _together(factors: list[Any]) -> Any:
    return factors[0] if len(factors) == 1 else ["mul", *factors]


def _scaled(coefficient: Any, data: Any) -> Any:
    size = abs(coefficient)
    found = data if size == 1 else ["mul", number_data(size), data]
    return ["neg", found] if coefficient < 0 else found


def tree_data(tree: Tree) -> Any:
    """Return a formula of :mod:`taut.emit.assignments`."""
    op, *parts = tree
    if op == "name":
        return parts[0]
    if op == "number":
        return number_data(parts[0])
    return tree_data(parts[0]) if op == "bracket" else [op, *map(tree_data, parts)]


def number_data(x: Any) -> Any:
    """Return a number: whole, a fraction that can be read, or a double.

    >>> number_data(Fraction(-1, 2)), number_data(Fraction(4)), number_data(Fraction(12345, 100000000))
    (['neg', ['div', 1, 2]], 4, 0.00012345)
    """
    value = Fraction(x)
    if value < 0:
        return ["neg", number_data(-value)]
    if value.denominator == 1:
        return value.numerator if value.numerator < 1 << 53 else float(value)
    small = value.denominator <= READABLE_DENOMINATOR
    return ["div", value.numerator, value.denominator] if small else float(value)
