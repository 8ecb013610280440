"""What the elements share: terms T, products of several terms, and V, brackets of several elements.

The hierarchy of EMDEG's appendix [Burdick 1986]: constants K, terms T and V, elements. Nothing is factored beyond
what is printed, so that the count of the program is that of the text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import groupby

from taut.explicit.model import Element, ExplicitModel, Monomial, Term
from taut.graph import Node

MANY = 4_000
"""Products beyond which shared pairs are no longer searched for one by one."""


@dataclass(frozen=True)
class Bracket:
    """A sum of products with numbers, its first number 1."""

    terms: tuple[tuple[Fraction, Monomial], ...]


class Hierarchy:
    """The terms T and V of a model.

    Attributes:
        products: {T name: (factor, factor)}; a factor is a generator or another T.
        brackets: {V name: bracket} of brackets that several elements share.
    """

    def __init__(self, model: ExplicitModel) -> None:
        self.model = model
        self.printed = {name: printed_terms(element) for name, element in model.elements.items()}
        self.brackets = self._shared_brackets()
        found = [bracket for terms in self.printed.values() for _, _, bracket in brackets_of(terms)]
        shared = set(self.brackets.values())
        once = [*self.brackets.values(), *(bracket for bracket in found if bracket not in shared)]
        used = [monomial for bracket in once for _, monomial in bracket.terms]
        self.products, self._factors = _shared_products(used)

    def _shared_brackets(self) -> dict[str, Bracket]:
        seen: Counter[Bracket] = Counter()
        for terms in self.printed.values():
            several = dict.fromkeys(bracket for _, _, bracket in brackets_of(terms) if len(bracket.terms) > 1)
            seen.update([*several])  # each once, in the order of the text
        shared = [bracket for bracket, times in seen.items() if times > 1]
        return {f"V{k + 1}": bracket for k, bracket in enumerate(shared)}

    def factors(self, monomial: Monomial) -> tuple[str, ...]:
        """Return a product as T terms and generators."""
        return self._factors[monomial]

    # -- as expressions -----------------------------------------------------------

    @cached_property
    def _nodes(self) -> dict[str, Node]:
        nodes = dict(self.model.generators)
        for name, (a, b) in self.products.items():
            nodes[name] = nodes[a] * nodes[b]
        return nodes

    def product_node(self, monomial: Monomial) -> Node:
        """Return a product, built of T terms."""
        node = self.model.graph.constant(1)
        for name in self._factors[monomial]:
            node = node * self._nodes[name]
        return node

    def sum_node(self, terms: Sequence[Term]) -> Node:
        """Return a sum of terms, those of one constant in one bracket."""
        graph = self.model.graph
        parts = []
        for constant, factor, bracket in brackets_of(terms):
            inner = graph.linear(0, [(number, self.product_node(monomial)) for number, monomial in bracket.terms])
            parts.append((factor, inner if constant is None else self.model.constants[constant].formula * inner))
        return graph.linear(0, parts)

    def element_nodes(self) -> dict[str, Node]:
        """Return every element; those that follow from others by their relations."""
        nodes: dict[str, Node] = {}

        def node(name: str) -> Node:
            if name not in nodes:
                relation = self.model.elements[name].relation
                own = self.sum_node(self.printed[name])
                parts = relation.parts if relation is not None else ()
                nodes[name] = self.model.graph.linear(0, [*((f, node(part)) for f, part in parts), (1, own)])
            return nodes[name]

        return {name: node(name) for name in self.model.elements}


def printed_terms(element: Element) -> tuple[Term, ...]:
    """Return the terms that the text of an element shows: those its relation adds, or its own."""
    return element.terms if element.relation is None else element.relation.extra


def brackets_of(terms: Sequence[Term]) -> list[tuple[str | None, Fraction, Bracket]]:
    """Return a sum as (constant, factor, bracket), one for every constant."""
    found = []
    for constant, group in groupby(terms, key=lambda term: term.constant):
        together = list(group)
        factor = together[0].factor
        found.append((constant, factor, Bracket(tuple((t.factor / factor, t.monomial) for t in together))))
    return found


def _shared_products(
    used: Sequence[Monomial],
) -> tuple[dict[str, tuple[str, str]], Mapping[Monomial, tuple[str, ...]]]:
    """Return T terms, and every product in terms of them.

    The pair that most products share comes first; then what is left of products that several terms have.
    """
    uses = Counter(used)
    factors = {m: [name for name, power in m for _ in range(power)] for m in uses}
    products: dict[str, tuple[str, str]] = {}

    def name_pair(a: str, b: str) -> None:
        name = f"T{len(products) + 1}"
        products[name] = (a, b)
        for m, found in factors.items():
            if (found.count(a) >= 2) if a == b else (a in found and b in found):
                found.remove(a)
                found.remove(b)
                factors[m] = [name, *found]

    while len(uses) <= MANY and (pair := _most_shared(factors.values())) is not None:
        name_pair(*pair)
    for m, times in uses.items():
        while times > 1 and len(uses) <= MANY and len(factors[m]) > 1:
            name_pair(*factors[m][:2])
    return products, {m: tuple(found) for m, found in factors.items()}


def _most_shared(products: Iterable[Sequence[str]]) -> tuple[str, str] | None:
    """Return the pair of factors that most products have, None where no two have one."""
    pairs: Counter[tuple[str, str]] = Counter()
    for found in products:
        pairs.update({(a, b) for k, a in enumerate(found) for b in found[k + 1 :]})
    if not pairs:
        return None
    pair, times = max(pairs.items(), key=lambda item: (item[1], _earlier(item[0])))
    return pair if times > 1 else None


def _earlier(pair: tuple[str, str]) -> tuple[int, str]:
    """Return a key that prefers short names, so that the same model gives the same terms."""
    return -len(pair[0] + pair[1]), "".join(chr(0x10FFFF - ord(c)) for c in "*".join(pair))
