"""Formulas with brackets where they are needed: what plain text and LaTeX share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from taut.graph.elementary import Rational
from taut.graph.mapper import Mapper
from taut.graph.number import magnitude

SUM, PRODUCT, POWER, ATOM = range(4)
"""How tightly the outermost operation of a formula binds."""

Part: TypeAlias = tuple[str, int]
"""A formula, and how tightly it binds."""


class Infix(Mapper[Part]):
    """Formulas of nodes; a subclass has the spelling of numbers, terms, powers and fractions."""

    @abstractmethod
    def number(self, value: Rational) -> str:
        """Return a number that is not negative."""

    @abstractmethod
    def term(self, term: Part, coefficient: Rational) -> str:
        """Return a term of a sum times the size of its coefficient; the sum has its sign."""

    @abstractmethod
    def power(self, factor: Part, exponent: int) -> str:
        """Return a factor with the size of its exponent; a negative one stands below the line."""

    @abstractmethod
    def fraction(self, above: Sequence[str], below: Sequence[str]) -> str:
        """Return factors over factors, of which there may be none below."""

    def sum(self, constant: Rational, terms: Iterable[tuple[Rational, Part]]) -> Part:
        """Return a sum, its constant last."""
        written = [(coefficient, self.term(term, coefficient)) for coefficient, term in terms]
        if constant:
            written.append((constant, self.number(magnitude(constant))))
        return signed_sum(written), SUM

    def product(self, coefficient: Rational, factors: Iterable[tuple[Part, int]]) -> Part:
        """Return a product, its coefficient first."""
        above: list[str] = []
        below: list[str] = []
        for factor, exponent in factors:
            (above if exponent > 0 else below).append(self.power(factor, exponent))
        if abs(coefficient) != 1 or not above:
            above.insert(0, self.number(magnitude(coefficient)))
        text = self.fraction(above, below)
        if coefficient < 0:
            return f"-{text}", SUM
        return text, POWER if len(above) + len(below) == 1 else PRODUCT


def signed_sum(terms: Iterable[tuple[Rational, str]]) -> str:
    """Return a sum of texts, each with a number of its sign.

    >>> signed_sum([(-1, "x"), (2, "2*y"), (-3, "3")])
    '-x + 2*y - 3'
    """
    text = "".join((" - " if sign < 0 else " + ") + term for sign, term in terms)
    return "-" + text[3:] if text.startswith(" - ") else text[3:]
