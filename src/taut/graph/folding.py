"""Folding of sums: nested sums that share terms are opened, and a common factor is taken out."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from taut.graph.elementary import Rational
from taut.graph.number import exact
from taut.graph.operation import SUM

if TYPE_CHECKING:
    from taut.graph.node import Node


def merge_nested(constant: Rational, terms: dict[Node, Rational]) -> tuple[Rational, dict[Node, Rational]]:
    """Open sums among the terms as long as one of a sum's own terms is also a term of the list."""
    while (nested := _nested_sum(terms)) is not None:
        coefficient = terms.pop(nested)
        constant += coefficient * nested.weights.constant
        for c, arg in nested.terms:
            terms[arg] = terms.get(arg, 0) + coefficient * c
        terms = {node: c for node, c in terms.items() if c != 0}
    return constant, terms


def _nested_sum(terms: dict[Node, Rational]) -> Node | None:
    for node in terms:
        if node.op is SUM and any(arg in terms for arg in node.args):
            return node
    return None


def content_of(coefficients: list[Rational]) -> Rational:
    """Return the factor to take out: the sign of the first, and a size shared by all."""
    first = coefficients[0]
    if all(abs(c) == abs(first) for c in coefficients):
        return first
    return -1 if first < 0 else 1


def without_content(value: Rational, content: Rational) -> Rational:
    """Return a coefficient divided by the common factor."""
    if content in (1, -1):
        return value * content
    return exact(Fraction(value) / Fraction(content))
