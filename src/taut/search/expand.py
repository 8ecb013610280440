"""Constants as polynomials: formulas with quotients are divided where no remainder is left.

The search may be held to constants that are polynomials of the parameters. Their formulas, read off the log of origins,
can still be quotients such as ``(m a + m b) / m``. Written as fractions of polynomials over the rationals, in the
parameters and in cosines and sines modulo ``s**2 + c**2 = 1``, they are divided exactly, and what is left divides by
nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from flint import fmpq, fmpq_mpoly_ctx
from flint.utils.flint_exceptions import DomainError

from taut.graph.angles import angle_terms
from taut.graph.elementary import Rational
from taut.graph.mapper import Mapper
from taut.graph.node import Node, topological
from taut.graph.operation import Op
from taut.graph.stage import Stage

Polynomial = Any
"""``flint.fmpq_mpoly``."""

LARGEST = 20_000
"""Terms of a product, before equal ones are collected, beyond which a formula is given up."""


class NoPolynomial(Exception):
    """A formula is no polynomial, or a huge one."""


class Ratio(NamedTuple):
    """Two polynomials, one over the other."""

    top: Polynomial
    bottom: Polynomial


class Expansion:
    """The ring of the constants of one program.

    Args:
        nodes: all off-line expressions that formulas may use.
    """

    def __init__(self, nodes: Sequence[Node]) -> None:
        symbols: dict[Node, None] = {}
        angles: dict[Node, None] = {}
        for node in topological(nodes):
            if node.op is Op.SYMBOL:
                symbols[node] = None
            elif node.is_turn:
                angles.update(dict.fromkeys(self._atoms(node.args[0])))
        self.letters: list[Node] = [*symbols, *(f for angle in angles for f in (angle.cos(), angle.sin()))]
        self._context = fmpq_mpoly_ctx.get([f"x{k}" for k in range(len(self.letters))])
        generators = self._context.gens()
        self._letter = dict(zip(self.letters, generators, strict=True))
        first = len(symbols)
        self._circles = [(k, k + 1) for k in range(first, len(self.letters), 2)]
        self._one = self._context.constant(1)
        self._values = _Values(self)

    @staticmethod
    def _atoms(angle: Node) -> list[Node]:
        constant, terms = angle_terms(angle)
        whole = not constant and all(x.denominator == 1 and atom.op is Op.SYMBOL for atom, x in terms.items())
        return list(terms) if whole else [angle]

    # -- fractions --------------------------------------------------------------------------

    def number(self, x: Fraction | int) -> Ratio:
        """Return a rational number."""
        exact = Fraction(x)
        return Ratio(self._context.constant(fmpq(exact.numerator, exact.denominator)), self._one)

    def add(self, a: Ratio, b: Ratio) -> Ratio:
        """Return ``a + b``."""
        if a.bottom == b.bottom:
            return self._simple(a.top + b.top, a.bottom)
        top = self._times(a.top, b.bottom) + self._times(b.top, a.bottom)
        return self._simple(top, self._times(a.bottom, b.bottom))

    def multiply(self, a: Ratio, b: Ratio) -> Ratio:
        """Return ``a * b``."""
        return self._simple(self._times(a.top, b.top), self._times(a.bottom, b.bottom))

    def divide(self, a: Ratio, b: Ratio) -> Ratio:
        """Return ``a / b``."""
        return self._simple(self._times(a.top, b.bottom), self._times(a.bottom, b.top))

    def negative(self, a: Ratio) -> Ratio:
        """Return ``-a``."""
        return Ratio(-a.top, a.bottom)

    def letter(self, node: Node) -> Ratio | None:
        """Return what is a generator of the ring; None for any other expression."""
        return Ratio(self._letter[node], self._one) if node in self._letter else None

    def value(self, node: Node) -> Ratio:
        """Return an off-line expression of the program."""
        [found] = self._values([node])
        return found

    def turned(self, angle: Node) -> tuple[Ratio, Ratio]:
        """Return cosine and sine of a sum of whole multiples of angles."""
        c, s = self.number(1), self.number(0)
        for atom, count in angle_terms(angle)[1].items():
            ca, sa = self.value(atom.cos()), self.value(atom.sin())
            if count < 0:
                sa = self.negative(sa)
            for _ in range(abs(int(count))):
                c, s = (
                    self.add(self.multiply(c, ca), self.negative(self.multiply(s, sa))),
                    self.add(self.multiply(c, sa), self.multiply(s, ca)),
                )
        return c, s

    def _times(self, p: Polynomial, q: Polynomial) -> Polynomial:
        if len(p) * len(q) > LARGEST:
            raise NoPolynomial
        return self._reduced(p * q)

    def _simple(self, top: Polynomial, bottom: Polynomial) -> Ratio:
        if not bottom:
            raise NoPolynomial
        if bottom.is_constant():
            return Ratio(top / bottom, self._one)
        common = top.gcd(bottom)
        return Ratio(top / common, bottom / common)

    def _reduced(self, p: Polynomial) -> Polynomial:
        """Return a polynomial with no square of a sine."""
        for c, s in self._circles:
            if p.degrees()[s] < 2:
                continue
            cosine, sine = self._context.gen(c), self._context.gen(s)
            parts: dict[int, dict[tuple[int, ...], Any]] = {}
            for exponents, x in p.to_dict().items():
                e = exponents[s]
                parts.setdefault(e, {})[(*exponents[:s], 0, *exponents[s + 1 :])] = x
            p = sum(
                self._context.from_dict(part) * sine ** (e % 2) * (1 - cosine * cosine) ** (e // 2)
                for e, part in parts.items()
            )
        return p

    # -- back to a program ------------------------------------------------------------------

    def quotient(self, x: Ratio) -> Polynomial:
        """Return a ratio as a polynomial.

        Raises:
            NoPolynomial: where the division leaves a rest.
        """
        top, bottom = x
        for _, s in self._circles:  # times the conjugate, so that no sine is left below
            if bottom.degrees()[s]:
                conjugate = bottom.compose(*(-g if k == s else g for k, g in enumerate(self._context.gens())))
                top, bottom = self._times(top, conjugate), self._times(bottom, conjugate)
        try:
            return top / bottom
        except DomainError:
            raise NoPolynomial from None

    def node(self, p: Polynomial) -> Node:
        """Return a polynomial as an expression, a product of its factors."""
        graph = self.letters[0].graph
        if not p:
            return graph.constant(0)
        content, factors = p.factor()
        result = graph.constant(Fraction(int(content.p), int(content.q)))
        for factor, exponent in factors:
            result = result * self._sum(factor) ** int(exponent)
        return result

    def _sum(self, p: Polynomial) -> Node:
        total = self.letters[0].graph.constant(0)
        for exponents, x in p.to_dict().items():
            term = self.letters[0].graph.constant(Fraction(int(x.p), int(x.q)))
            for letter, exponent in zip(self.letters, exponents, strict=True):
                if exponent:
                    term = term * letter ** int(exponent)
            total = total + term
        return total


class _Values(Mapper[Ratio]):
    """Expressions over the generators of a ring."""

    def __init__(self, ring: Expansion) -> None:
        super().__init__()
        self._ring = ring

    def constant(self, value: Rational) -> Ratio:
        return self._ring.number(value)

    def symbol(self, name: str, stage: Stage) -> Ratio:
        raise NoPolynomial

    def sum(self, constant: Rational, terms: Iterable[tuple[Rational, Ratio]]) -> Ratio:
        ring, total = self._ring, self._ring.number(constant)
        for x, term in terms:
            total = ring.add(total, ring.multiply(ring.number(x), term))
        return total

    def product(self, coefficient: Rational, factors: Iterable[tuple[Ratio, int]]) -> Ratio:
        ring, total = self._ring, self._ring.number(coefficient)
        for factor, exponent in factors:
            for _ in range(abs(exponent)):
                total = (ring.multiply if exponent > 0 else ring.divide)(total, factor)
        return total

    def function(self, name: str, args: list[Ratio]) -> Ratio:
        raise NoPolynomial

    def visit(self, node: Node, args: list[Ratio]) -> Ratio:
        if (letter := self._ring.letter(node)) is not None:
            return letter
        if node.is_turn:
            return self._ring.turned(node.args[0])[node.name == "sin"]
        return super().visit(node, args)
