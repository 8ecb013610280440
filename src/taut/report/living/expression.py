"""Expressions as plain data for the page, which writes them as MathML.

A name is a text, a number a number, anything else a list ``[op, part, ...]`` with ``add``, ``sub``, ``neg``, ``mul``,
``div``, ``pow`` or the name of an elementary function.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from taut.emit.assignments import Tree
from taut.emit.latex_formula import READABLE_DENOMINATOR
from taut.graph.mapper import Mapper
from taut.graph.node import Node, Rational
from taut.graph.stage import Stage


def node_data(node: Node) -> Any:
    """Return an expression of a graph; shared parts are written out wherever they occur.

    >>> from taut.graph import Graph
    >>> g = Graph()
    >>> m, r = g.symbol("m"), g.symbol("r")
    >>> node_data(m * r**2)
    ['mul', 'm', ['pow', 'r', 2]]
    """
    return _Data()([node])[0]


class _Data(Mapper[Any]):
    def constant(self, value: Rational) -> Any:
        return number_data(value)

    def symbol(self, name: str, stage: Stage) -> Any:
        return name

    def sum(self, constant: Rational, terms: Iterable[tuple[Rational, Any]]) -> Any:
        return ["add", *(_scaled(c, term) for c, term in terms), *([number_data(constant)] if constant else [])]

    def product(self, coefficient: Rational, factors: Iterable[tuple[Any, int]]) -> Any:
        above: list[Any] = []
        below: list[Any] = []
        for factor, exponent in factors:
            (above if exponent > 0 else below).append(factor if abs(exponent) == 1 else ["pow", factor, abs(exponent)])
        if abs(coefficient) != 1 or not above:
            above.insert(0, number_data(abs(coefficient)))
        found = _together(above)
        if below:
            found = ["div", found, _together(below)]
        return ["neg", found] if coefficient < 0 else found

    def function(self, name: str, args: list[Any]) -> Any:
        return [name, *args]


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
