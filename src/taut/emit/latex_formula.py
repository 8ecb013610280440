r"""An expression as a LaTeX formula: the same reading as the plain text form, with indices and fractions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from taut.emit.latex_words import call, number, symbol
from taut.graph.infix import ATOM, PRODUCT, SUM, Infix, Part
from taut.graph.node import Node, Rational
from taut.graph.number import magnitude
from taut.graph.operation import Op
from taut.graph.stage import Stage

READABLE_DENOMINATOR = 1000
"""Fractions up to this denominator are written as such, others as decimals."""


def node_latex(node: Node) -> str:
    r"""Return one expression; shared parts are written out wherever they occur.

    >>> from taut.graph import Graph
    >>> g = Graph()
    >>> m, r = g.symbol("m2"), g.symbol("rx2")
    >>> print(node_latex(2 * m * r**2 - r / 3))
    -\frac{1}{3}\,r_{x,2} + 2\,m_{2}\,r_{x,2}^{2}
    """
    formula = _Formula()
    [(text, _)] = formula([node])
    if node.is_multiple and node.args[0].op is Op.SUM:  # a sum in one bracket could not be broken over lines
        times, [inner] = node.powers.coefficient, node.args
        terms = [(c * times, formula.done[term]) for c, term in inner.terms]
        return formula.sum(inner.weights.constant * times, terms)[0]
    return text


class _Formula(Infix):
    """Formulas with indices and fractions."""

    def constant(self, value: Rational) -> Part:
        text = rational_latex(magnitude(value))
        return (f"-{text}", SUM) if value < 0 else (text, ATOM)

    def symbol(self, name: str, stage: Stage) -> Part:
        return symbol(name), ATOM

    def number(self, value: Rational) -> str:
        return rational_latex(value)

    def term(self, term: Part, coefficient: Rational) -> str:
        scale = "" if abs(coefficient) == 1 else rational_latex(magnitude(coefficient)) + r"\,"
        return scale + _wrapped(term, PRODUCT)

    def power(self, factor: Part, exponent: int) -> str:
        if abs(exponent) == 1:
            return _wrapped(factor, PRODUCT)
        return f"{_wrapped(factor, ATOM)}^{{{abs(exponent)}}}"

    def fraction(self, above: Sequence[str], below: Sequence[str]) -> str:
        return rf"\frac{{{joined(above)}}}{{{joined(below)}}}" if below else joined(above)

    def function(self, name: str, args: list[Part]) -> Part:
        return call(name, *(text for text, _ in args)), ATOM


def _wrapped(part: Part, least: int) -> str:
    text, precedence = part
    return text if precedence >= least else rf"\left({text}\right)"


def joined(factors: Sequence[str]) -> str:
    """Return factors side by side."""
    return r"\,".join(factors)


def rational_latex(value: Rational) -> str:
    """Return a number that is not negative: whole, a fraction, or the decimal of a double."""
    value = Fraction(value)
    if value.denominator == 1:
        return str(value.numerator)
    if value.denominator <= READABLE_DENOMINATOR:
        return rf"\frac{{{value.numerator}}}{{{value.denominator}}}"
    return number(float(value))
