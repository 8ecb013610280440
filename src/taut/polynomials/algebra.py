"""What every ring of polynomials shares: exact numbers, sums and products of nodes, and cos^2 + sin^2 = 1."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from flint import fmpq

from taut.graph import Node
from taut.graph.operation import Op

Polynomial = Any
"""An fmpq_mpoly, or an nmod_mpoly where only the size matters; compared with plain numbers, which its type forbids."""


def rational(x: Any) -> fmpq:
    """Return a number exactly."""
    x = Fraction(x)
    return fmpq(x.numerator, x.denominator)


def fraction(x: fmpq) -> Fraction:
    """Return a FLINT rational as Python's."""
    return Fraction(int(x.p), int(x.q))


def is_quotient(node: Node) -> bool:
    """Return whether a node divides by one of its arguments."""
    return node.op is Op.PRODUCT and min(node.powers.exponents) < 0


def combined(
    node: Node,
    known: Mapping[Node, Polynomial],
    constant: Callable[[Any], Polynomial],
    number: Callable[[Any], Any] = rational,
    reduced: Callable[[Polynomial], Polynomial] = lambda p: p,
) -> Polynomial | None:
    """Return the polynomial of a constant, a sum or a product.

    The result is None for any other node, for a quotient, and where an argument has no polynomial.

    Args:
        node: the node.
        known: polynomials of its arguments.
        constant: makes a polynomial of a number of the ring.
        number: makes a number of the ring of a rational.
        reduced: applied to every product.
    """
    if node.op is Op.CONSTANT:
        return constant(number(node.value))
    if is_quotient(node) or any(arg not in known for arg in node.args):
        return None
    if node.op is Op.SUM:
        result = constant(number(node.weights.constant))
        for coefficient, arg in node.terms:
            result += known[arg] * number(coefficient)
        return result
    if node.op is Op.PRODUCT:
        result = constant(number(node.powers.coefficient))
        for arg, exponent in node.factors:
            for _ in range(exponent):
                result = reduced(result * known[arg])
        return result
    return None


class Circles:
    """The pairs of generators with c^2 + s^2 = 1; the cosines lead in the order of generators, the sines follow.

    Attributes:
        pairs: (cosine, sine) of each angle.
    """

    def __init__(self, generators: Sequence[Polynomial], angles: int) -> None:
        self.pairs = list(zip(generators[:angles], generators[angles : 2 * angles], strict=True))
        self._relations = [c * c + s * s - 1 for c, s in self.pairs]

    def reduced(self, p: Polynomial) -> Polynomial:
        """Return the polynomial with 1 - s^2 for every square of a cosine: the canonical form."""
        if not len(p):
            return p
        for degree, relation in zip(p.degrees(), self._relations, strict=False):
            if degree > 1:
                p = divmod(p, relation)[1]
        return p
