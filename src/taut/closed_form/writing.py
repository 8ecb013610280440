"""Polynomials of an arm as text, ``a2*C2 + d4*S23``, and the same with indices in LaTeX."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from taut.closed_form.factor import Factored
from taut.closed_form.inverse import Inverse, Quotient
from taut.emit.latex_words import symbol
from taut.explicit.latex import letter_latex
from taut.polynomials.algebra import Polynomial, fraction
from taut.polynomials.chain_ring import Ring

_TRIGONOMETRIC = re.compile(r"[CS][0-9m_]+")


@dataclass(frozen=True)
class Notation:
    """What differs between text and LaTeX: times, powers, quotients, brackets, letters."""

    latex: bool

    def letter(self, name: str) -> str:
        """Return one generator."""
        if not self.latex:
            return name
        return letter_latex(name) if _TRIGONOMETRIC.fullmatch(name) else symbol(name)

    def power(self, base: str, exponent: int) -> str:
        """Return base ** exponent."""
        if exponent == 1:
            return base
        return f"{base}^{{{exponent}}}" if self.latex else f"{base}^{exponent}"

    def product(self, parts: Sequence[str]) -> str:
        """Return factors side by side."""
        return (r"\," if self.latex else "*").join(parts)

    def number(self, x: Fraction) -> str:
        """Return a positive rational."""
        if x.denominator == 1:
            return str(x.numerator)
        return rf"\frac{{{x.numerator}}}{{{x.denominator}}}" if self.latex else f"{x.numerator}/{x.denominator}"

    def bracketed(self, text: str) -> str:
        """Return text in brackets."""
        return rf"\left({text}\right)" if self.latex else f"({text})"

    def quotient(self, above: str, below: Sequence[str]) -> str:
        """Return above / product of below."""
        if self.latex:
            return rf"\frac{{{above}}}{{{self.product(below)}}}"
        return f"{above}/{below[0]}" if len(below) == 1 else f"{above}/({self.product(below)})"


TEXT, LATEX = Notation(latex=False), Notation(latex=True)


def written(ring: Ring, p: Polynomial, notation: Notation = TEXT) -> str:
    """Return a polynomial as a sum of products, lengths first, as it reads shortest."""
    terms = _ordered(ring, ring.shortest(p))
    if not terms:
        return "0"
    text = "".join((" - " if c < 0 else " + ") + _term(ring, powers, abs(c), notation) for powers, c in terms)
    return "-" + text[3:] if text.startswith(" - ") else text[3:]


def factors_written(
    ring: Ring, product: Factored, notation: Notation = TEXT, names: Mapping[str, str] | None = None
) -> str:
    """Return a product of factors, those that have a name by it.

    Args:
        ring: of the factors.
        product: number and factors.
        notation: text or LaTeX.
        names: {formula: name}.
    """
    size, names = abs(product.number), names or {}
    alone = size == 1 and product.number > 0 and sum(power for _, power in product.factors) == 1
    parts = [] if size == 1 and product.factors else [notation.number(size)]
    for f, power in product.factors:
        text = written(ring, f, notation)
        named = names.get(text, text)
        if named is text and len(f) > 1 and not alone:
            named = notation.bracketed(text)
        parts.append(notation.power(named, power))
    return ("-" if product.number < 0 else "") + notation.product(parts)


def quotient_written(inverse: Inverse, entry: Quotient, notation: Notation = TEXT) -> str:
    """Return an entry of an inverse: its numerator over factors of the determinant, long ones by their names."""
    if entry.numerator == 0:
        return "0"
    factored = inverse.factored(entry.numerator)
    names = {formula: name for name, formula in pivots(inverse, notation)}
    positive = factors_written(inverse.ring, Factored(abs(factored.number), factored.factors), notation, names)
    is_sum = " + " in positive or " - " in positive
    is_sum = is_sum and abs(factored.number) == 1 and sum(power for _, power in factored.factors) == 1
    sign = "-" if factored.number < 0 else ""
    below = [
        notation.power(name, power)
        for name, power in zip(pivot_names(inverse, notation), entry.powers, strict=True)
        if power
    ]
    if not below:
        return sign + (notation.bracketed(positive) if sign and is_sum else positive)
    return sign + notation.quotient(notation.bracketed(positive) if is_sum and not notation.latex else positive, below)


def pivot_names(inverse: Inverse, notation: Notation = TEXT) -> list[str]:
    """Return a name for every factor of the determinant: itself where it is one letter, else D1, D2, ..."""
    names, count = [], 0
    for f in inverse.determinant.factors:
        if len(f) == 1:
            names.append(written(inverse.ring, f, notation))
        else:
            count += 1
            names.append(f"D_{{{count}}}" if notation.latex else f"D{count}")
    return names


def pivots(inverse: Inverse, notation: Notation = TEXT) -> list[tuple[str, str]]:
    """Return (name, formula) of the factors that have a name of their own."""
    named = zip(pivot_names(inverse, notation), inverse.determinant.factors, strict=True)
    return [(name, written(inverse.ring, f, notation)) for name, f in named if len(f) > 1]


def determinant_written(inverse: Inverse, notation: Notation = TEXT) -> str:
    """Return the determinant as a product of its factors."""
    determinant = inverse.determinant
    pairs = tuple(zip(determinant.factors, determinant.powers, strict=True))
    return factors_written(inverse.ring, Factored(determinant.number, pairs), notation)


def _ordered(ring: Ring, p: Polynomial) -> list[tuple[tuple[int, ...], Fraction]]:
    first = 2 * len(ring.angles)
    terms = [(tuple(int(e) for e in powers), fraction(c)) for powers, c in p.terms()]
    return sorted(terms, key=lambda t: ([-e for e in t[0][first:]], sum(t[0]), [-e for e in t[0][:first]]))


def _term(ring: Ring, powers: Sequence[int], number: Fraction, notation: Notation) -> str:
    first = 2 * len(ring.angles)
    order = [*range(first, len(powers)), *sorted(range(first), key=lambda k: (k % len(ring.angles), k))]
    parts = [notation.power(notation.letter(ring.generators[k].name), powers[k]) for k in order if powers[k]]
    if number != 1 or not parts:
        parts.insert(0, notation.number(number))
    return notation.product(parts)
