"""Puts terms together to sums: one set of rules for text and for LaTeX."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from taut.explicit.model import Monomial, Term

Piece = tuple[bool, str]
"""Whether an addend is subtracted, and its text without a sign."""


@dataclass(frozen=True)
class Script:
    """What differs between notations.

    Attributes:
        monomial: a product of sines, cosines and slides; empty for 1.
        name: a constant or an element.
        number: a positive number, and whether something follows it.
        times: between factors.
        bracket: around a sum.
    """

    monomial: Callable[[Monomial], str]
    name: Callable[[str], str]
    number: Callable[[Fraction, bool], str]
    times: str
    bracket: Callable[[str], str]

    def terms(self, terms: Sequence[Term]) -> str:
        """Return a sum of terms, those of one constant in one bracket."""
        pieces: list[Piece] = []
        for constant, group in groupby(terms, key=lambda term: term.constant):
            together = list(group)
            if constant is None or len(together) == 1:
                pieces += [self.product(term.factor, constant, self.monomial(term.monomial)) for term in together]
            else:
                pieces.append(self._bracket(constant, together))
        return self.joined(pieces) or "0"

    def relation(self, parts: Sequence[tuple[Fraction, str]], extra: Sequence[Term]) -> str:
        """Return how an element follows from others: a sum of multiples of them and of more terms."""
        text = self.joined([self.product(factor, part, "") for factor, part in parts])
        if extra:
            more = self.terms(extra)
            text += f" - {more[1:]}" if more.startswith("-") else f" + {more}" if text else more
        return text or "0"

    def product(self, factor: Fraction, name: str | None, product: str) -> Piece:
        """Return factor * name * product."""
        parts = [part for part in (self.name(name) if name else "", product) if part]
        if abs(factor) != 1 or not parts:
            parts.insert(0, self.number(abs(factor), bool(parts)))
        return factor < 0, self.times.join(parts)

    @staticmethod
    def joined(pieces: Sequence[Piece]) -> str:
        """Return a sum; empty for none."""
        text = "".join((" - " if negative else " + ") + piece for negative, piece in pieces)
        return "-" + text[3:] if text.startswith(" - ") else text[3:]

    def _bracket(self, constant: str, terms: Sequence[Term]) -> Piece:
        outer = terms[0].factor
        if not all((term.factor / outer).denominator == 1 for term in terms):
            outer = Fraction(1 if outer > 0 else -1)
        inner = self.joined([self.product(term.factor / outer, None, self.monomial(term.monomial)) for term in terms])
        return self.product(outer, constant, self.bracket(inner))
