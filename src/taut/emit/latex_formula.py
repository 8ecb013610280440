r"""An expression as a LaTeX formula: the same reading as the plain text form, with indices and fractions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from taut.emit.latex_words import call, number, symbol
from taut.graph.mapper import Mapper
from taut.graph.node import Node, Rational
from taut.graph.number import magnitude
from taut.graph.operation import Op
from taut.graph.stage import Stage
from taut.graph.text import signed_sum

_SUM, _PRODUCT, _POWER, _ATOM = range(4)
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


class _Formula(Mapper[tuple[str, int]]):
    """Formulas with their precedence."""

    def constant(self, value: Rational) -> tuple[str, int]:
        text = rational_latex(magnitude(value))
        return (f"-{text}", _SUM) if value < 0 else (text, _ATOM)

    def symbol(self, name: str, stage: Stage) -> tuple[str, int]:
        return symbol(name), _ATOM

    def sum(self, constant: Rational, terms: Iterable[tuple[Rational, tuple[str, int]]]) -> tuple[str, int]:
        written = []
        for coefficient, term in terms:
            scale = "" if abs(coefficient) == 1 else rational_latex(magnitude(coefficient)) + r"\,"
            written.append((coefficient, scale + _wrapped(term, _PRODUCT)))
        if constant:
            written.append((constant, rational_latex(magnitude(constant))))
        return signed_sum(written), _SUM

    def product(self, coefficient: Rational, factors: Iterable[tuple[tuple[str, int], int]]) -> tuple[str, int]:
        above: list[str] = []
        below: list[str] = []
        for factor, exponent in factors:
            size = abs(exponent)
            text = _wrapped(factor, _PRODUCT if size == 1 else _ATOM)
            (above if exponent > 0 else below).append(f"{text}^{{{size}}}" if size > 1 else text)
        if abs(coefficient) != 1 or not above:
            above.insert(0, rational_latex(magnitude(coefficient)))
        text = joined(above)
        if below:
            text = rf"\frac{{{text}}}{{{joined(below)}}}"
        if coefficient < 0:
            return f"-{text}", _SUM
        return text, _POWER if len(above) + len(below) == 1 else _PRODUCT

    def function(self, name: str, args: list[tuple[str, int]]) -> tuple[str, int]:
        return call(name, *(text for text, _ in args)), _ATOM


def _wrapped(part: tuple[str, int], least: int) -> str:
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
