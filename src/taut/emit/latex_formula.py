r"""An expression as a LaTeX formula: the same reading as the plain text form, with indices and fractions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from taut.emit.latex_words import call, number, symbol
from taut.graph.node import Node, Rational, topological

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
    done: dict[Node, tuple[str, int]] = {}
    for part in topological([node]):
        done[part] = _formula(part, done)
    if node.op == "product" and node.data[1] == (1,) and node.args[0].op == "sum":
        return _sum(node.args[0], done, node.data[0])  # a sum in one bracket could not be broken over lines
    return done[node][0]


def _formula(node: Node, done: dict[Node, tuple[str, int]]) -> tuple[str, int]:
    if node.op == "constant":
        text = rational_latex(abs(node.data))
        return (f"-{text}", _SUM) if node.data < 0 else (text, _ATOM)
    if node.op == "symbol":
        return symbol(node.data), _ATOM
    if node.op == "sum":
        return _sum(node, done), _SUM
    if node.op == "product":
        return _product(node, done)
    return call(node.op, *(done[arg][0] for arg in node.args)), _ATOM


def _sum(node: Node, done: dict[Node, tuple[str, int]], times: Rational = 1) -> str:
    constant, coefficients = node.data[0] * times, [c * times for c in node.data[1]]
    terms = []
    for arg, coefficient in zip(node.args, coefficients, strict=True):
        scale = "" if abs(coefficient) == 1 else rational_latex(abs(coefficient)) + r"\,"
        terms.append((coefficient, scale + _wrapped(done[arg], _PRODUCT)))
    if constant:
        terms.append((constant, rational_latex(abs(constant))))
    text = "".join((" - " if sign < 0 else " + ") + term for sign, term in terms)
    return "-" + text[3:] if text.startswith(" - ") else text[3:]


def _product(node: Node, done: dict[Node, tuple[str, int]]) -> tuple[str, int]:
    coefficient, exponents = node.data
    above: list[str] = []
    below: list[str] = []
    for arg, exponent in zip(node.args, exponents, strict=True):
        size = abs(exponent)
        text = _wrapped(done[arg], _PRODUCT if size == 1 else _ATOM)
        (above if exponent > 0 else below).append(f"{text}^{{{size}}}" if size > 1 else text)
    if abs(coefficient) != 1 or not above:
        above.insert(0, rational_latex(abs(coefficient)))
    text = joined(above)
    if below:
        text = rf"\frac{{{text}}}{{{joined(below)}}}"
    if coefficient < 0:
        return f"-{text}", _SUM
    return text, _POWER if len(above) + len(below) == 1 else _PRODUCT


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
