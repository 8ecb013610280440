"""Expressions as formulas that the readers of files read back to the same value."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction

from taut.errors import InputError
from taut.formats.formula_grammar import LONGEST, LONGEST_NUMBER, NAME, NOT_NUMBERS, RESERVED, TOKEN
from taut.graph.mapper import Mapper
from taut.graph.node import Node, Rational
from taut.graph.stage import Stage
from taut.spatial import Scalar

_SUM, _PRODUCT, _ATOM = 1, 2, 3

Bound = tuple[str, int]
"""A text, and how tightly it binds."""


def to_formula(value: Scalar) -> str:
    """Return a node or a number as a formula that :func:`taut.formats.formula.parse` reads back to the same value.

    >>> from taut.graph import Graph
    >>> g = Graph()
    >>> to_formula(g.symbol("a2") * g.symbol("beta").cos() - g.symbol("d3") / 2)
    'a2*cos(beta)-0.5*d3'
    """
    return _Formula()([value])[0][0] if isinstance(value, Node) else _rational(Fraction(float(value)))[0]


class _Formula(Mapper[Bound]):
    def visit(self, node: Node, args: list[Bound]) -> Bound:
        found = super().visit(node, args)
        if len(found[0]) > LONGEST:
            raise InputError(
                f"an expression is longer than {LONGEST} characters as a formula",
                advice="give the symbols their values first (numeric) and write the numbers",
            )
        return found

    def constant(self, value: Rational) -> Bound:
        return _rational(Fraction(value))

    def symbol(self, name: str, stage: Stage) -> Bound:
        return _symbol(name), _ATOM

    def sum(self, constant: Rational, terms: Iterable[tuple[Rational, Bound]]) -> Bound:
        texts = [_term(c, _within(term, _PRODUCT)) for c, term in terms]
        if constant:
            texts.append(_rational(Fraction(constant))[0])
        return texts[0] + "".join(t if t.startswith("-") else f"+{t}" for t in texts[1:]), _SUM

    def product(self, coefficient: Rational, factors: Iterable[tuple[Bound, int]]) -> Bound:
        powers = [(_within(factor, _ATOM), e) for factor, e in factors]
        above = "*".join(base if e == 1 else f"{base}**{e}" for base, e in powers if e > 0)
        below = "".join(f"/{base}" if e == -1 else f"/{base}**{-e}" for base, e in powers if e < 0)
        text = _term(coefficient, above) if above else _rational(Fraction(coefficient))[0]
        return text + below, _SUM if text.startswith("-") else _PRODUCT

    def function(self, name: str, args: list[Bound]) -> Bound:
        return f"{name}({', '.join(text for text, _ in args)})", _ATOM


def _within(arg: Bound, level: int) -> str:
    text, binds = arg
    return text if binds >= level else f"({text})"


def _term(coefficient: Rational, text: str) -> str:
    if coefficient == 1:
        return text
    if coefficient == -1:
        return f"-{text}"
    top, *below = _rational(Fraction(coefficient))[0].split("/")
    if below and top in ("1", "-1"):
        return f"{top[:-1]}{text}/{below[0]}"
    return f"{top}*{text}" + "".join(f"/{b}" for b in below)


def _rational(value: Fraction) -> Bound:
    """Return an exact number: whole, as the shortest float equal to it, or as a fraction."""
    binds = _SUM if value < 0 else _ATOM
    if value.denominator == 1 and abs(value) < 10**15:
        return str(value.numerator), binds
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if math.isfinite(number) and Fraction(number) == value:
        return repr(number), binds
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > 3 * LONGEST_NUMBER:
        raise InputError(f"an exact number has more than {LONGEST_NUMBER} digits", advice="write it as a float first")
    return f"{value.numerator}/{value.denominator}", min(binds, _PRODUCT)


def _symbol(name: str) -> str:
    if NAME.fullmatch(name) and name not in RESERVED and name.lower() not in NOT_NUMBERS:
        return name
    quoted = f"`{name}`"
    if not TOKEN.fullmatch(quoted):
        advice = "rename it without backquotes and control characters"
        raise InputError(f"symbol {name!r} cannot stand in a formula", advice=advice)
    return quoted
