"""Writes the formula of a constant: factored, masses with one factor collected, squares of sums completed.

``m4*a2^2 + m5*a2^2 + m5*d2^2 + 2*m5*d2*d3 + m5*d3^2 + ...`` is nothing to read; ``(m4 + m5)*(a2^2 + (d2 + d3)^2)`` is.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from taut.graph import Graph, Node
from taut.graph.operation import Op
from taut.polynomials.algebra import Polynomial

LONGEST = 80
"""Terms beyond which a formula is left multiplied out."""

Powers = tuple[int, ...]
Terms = dict[Powers, Fraction]


class Writer:
    """Writes polynomials in parameters as expressions.

    Args:
        graph: of the expressions.
        generators: the expression of every generator of the ring; None for those that move.
    """

    def __init__(self, graph: Graph, generators: Sequence[Node | None]) -> None:
        self._graph, self._generators = graph, tuple(generators)

    def written(self, p: Polynomial) -> Node:
        """Return a polynomial as a short expression."""
        if len(p) < 2 or len(p) > LONGEST:
            return self._graph.linear(0, [(1, self._product(*term)) for term in _terms(p).items()])
        content, factors = p.factor()
        if len(factors) == 1 and factors[0][1] == 1:
            return self._graph.scale(_fraction(content), self._grouped(factors[0][0]))
        parts = [(self.written(factor), int(power)) for factor, power in factors]
        parts.sort(key=lambda part: part[0].op is Op.SUM)  # symbols before brackets
        return self._graph.product(_fraction(content), parts)

    def _grouped(self, p: Polynomial) -> Node:
        """Return an irreducible sum with symbols that have the same factor put together."""
        rest, parts = p, []
        while (group := self._largest_group(rest)) is not None:
            symbols, factor = group
            product = sum(symbols[1:], symbols[0]) * factor
            parts.append(self._graph.multiply(self._sum(_terms(sum(symbols[1:], symbols[0]))), self.written(factor)))
            rest -= product
        plain = self._with_squares(_terms(rest))
        return self._graph.linear(0, [(1, node) for node in [*plain, *parts]])

    def _largest_group(self, p: Polynomial) -> tuple[list[Polynomial], Polynomial] | None:
        """Return generators of first degree with one factor of several terms, those that cover the most terms."""
        if len(p) < 3:
            return None
        found: list[tuple[list[Polynomial], Polynomial]] = []
        for k, (degree, generator) in enumerate(zip(p.degrees(), p.context().gens(), strict=True)):
            if degree != 1:
                continue
            factor = p.derivative(k)
            for symbols, known in found:
                if known == factor:
                    symbols.append(generator)
                    break
            else:
                found.append(([generator], factor))
        shorter = [(symbols, factor) for symbols, factor in found if not factor.is_constant()]
        shorter = [(symbols, factor) for symbols, factor in shorter if len(symbols) + len(factor) > 2]
        return max(shorter, key=lambda group: len(group[0]) * len(group[1]), default=None)

    def _with_squares(self, terms: Terms) -> list[Node]:
        """Return the terms of a sum; x^2 + 2*x*y + y^2 is one, (x + y)^2, also for more than two."""
        left, nodes = dict(terms), []
        for powers in terms:
            squared = [k for k, power in enumerate(powers) if power == 2]
            if sum(powers) != 2 or not squared or powers not in left:
                continue
            size, members = left[powers], {squared[0]: 1}
            for k in range(len(powers)):
                if k not in members and (sign := _sign(k, members, left, size)):
                    members[k] = sign
            if len(members) > 1:
                inner = self._graph.linear(0, [(sign, self._generator(k)) for k, sign in members.items()])
                nodes.append(self._graph.scale(size, self._graph.power(inner, 2)))
                for a in members:
                    for b in members:
                        left.pop(_pair(a, b, powers), None)
        return [*(self._product(powers, number) for powers, number in left.items()), *nodes]

    def _sum(self, terms: Terms) -> Node:
        return self._graph.linear(0, [(1, node) for node in self._with_squares(terms)])

    def _product(self, powers: Powers, number: Fraction) -> Node:
        return self._graph.product(number, [(self._generator(k), power) for k, power in enumerate(powers) if power])

    def _generator(self, k: int) -> Node:
        node = self._generators[k]
        assert node is not None, "a constant does not move"
        return node


def _pair(a: int, b: int, like: Powers) -> Powers:
    """Return the powers of the product of two generators."""
    return tuple((k == a) + (k == b) for k in range(len(like)))


def _sign(k: int, members: dict[int, int], terms: Terms, size: Fraction) -> int:
    """Return the sign with which a generator joins the square of a sum, 0 where it does not."""
    like = next(iter(terms))
    if terms.get(_pair(k, k, like)) == size:
        for sign in (1, -1):
            if all(terms.get(_pair(k, other, like)) == 2 * size * sign * own for other, own in members.items()):
                return sign
    return 0


def _terms(p: Polynomial) -> Terms:
    return {tuple(map(int, powers)): _fraction(number) for powers, number in p.to_dict().items()}


def _fraction(x: Any) -> Fraction:
    return Fraction(int(x.p), int(x.q)) if hasattr(x, "p") else Fraction(int(x))
