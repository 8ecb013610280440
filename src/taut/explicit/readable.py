"""How is an explicit model computed as it is read?  Constants K, then terms T and V, then elements, then torque.

The hierarchy of EMDEG's appendix [Burdick 1986]: T are products that several terms share, V are brackets that
several elements share. Nothing is factored beyond what is printed, so that the count is that of the text.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import groupby
from typing import Any

from taut.analysis.opcount import count
from taut.derive.derive import derive
from taut.derive.function import Function, Step
from taut.explicit.model import Element, ExplicitModel, Monomial, Term
from taut.explicit.torque import torque_of
from taut.graph import Node
from taut.graph.lower import lower

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
        used = [term.monomial for terms in self.printed.values() for term in terms]
        self.products, self._factors = _shared_products(list(dict.fromkeys(used)))
        self.brackets = self._shared_brackets()

    def _shared_brackets(self) -> dict[str, Bracket]:
        seen: Counter[Bracket] = Counter()
        for terms in self.printed.values():
            seen.update({bracket for _, _, bracket in brackets_of(terms) if len(bracket.terms) > 1})
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


def readable_outputs(model: ExplicitModel, torque: bool) -> list[Node]:
    """Return the elements in the model's order, then the torque where asked for."""
    nodes = Hierarchy(model).element_nodes()
    tau = torque_of(nodes, model.graph, model.symbols("qd"), model.symbols("qdd")) if torque else []
    return [*nodes.values(), *tau]


def readable_function(model: ExplicitModel, torque: bool) -> Function:
    """Return the model as it is printed, as a program with its count."""
    started = time.perf_counter()
    program = lower(readable_outputs(model, torque))
    arguments = ("q", "qd", "qdd") if torque else ("q",)
    return Function(
        name="explicit_torque" if torque else "explicit",
        robot=model.robot.name,
        program=program,
        arguments={name: tuple(symbol.data for symbol in model.symbols(name)) for name in arguments},
        shape=(len(program.outputs),),
        values=dict(model.values),
        method="explicit, readable",
        parameters=model.parameters,
        effort="none",
        steps=(Step("explicit, readable", count(program)),),
        proof=model.proof,
        notes=model.notes,
        seconds=model.seconds + time.perf_counter() - started,
    )


def tight_function(model: ExplicitModel, torque: bool, **options: Any) -> Function:
    """Return the same elements with as few operations as the search finds."""
    options = {"parameters": model.parameters, **options}
    return derive(model.robot, "explicit_torque" if torque else "explicit", **options)


def _shared_products(
    monomials: Sequence[Monomial],
) -> tuple[dict[str, tuple[str, str]], Mapping[Monomial, tuple[str, ...]]]:
    """Return T terms, the pair that most products share first, and every product in terms of them."""
    factors = {m: [name for name, power in m for _ in range(power)] for m in monomials}
    products: dict[str, tuple[str, str]] = {}
    if len(monomials) > MANY:
        return products, {m: tuple(found) for m, found in factors.items()}
    while True:
        pairs: Counter[tuple[str, str]] = Counter()
        for found in factors.values():
            pairs.update({(a, b) for k, a in enumerate(found) for b in found[k + 1 :]})
        if not pairs:
            break
        pair, times = max(pairs.items(), key=lambda item: (item[1], _earlier(item[0])))
        if times < 2:
            break
        name = f"T{len(products) + 1}"
        products[name] = pair
        for m, found in factors.items():
            a, b = pair
            if (found.count(a) >= 2) if a == b else (a in found and b in found):
                found.remove(a)
                found.remove(b)
                factors[m] = [name, *found]
    return products, {m: tuple(found) for m, found in factors.items()}


def _earlier(pair: tuple[str, str]) -> tuple[int, str]:
    """Return a key that prefers short names, so that the same model gives the same terms."""
    return -len(pair[0] + pair[1]), "".join(chr(0x10FFFF - ord(c)) for c in "*".join(pair))
