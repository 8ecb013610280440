"""Lowers a graph of n-ary nodes to a three-address program.

* A sum of k terms is k - 1 additions; what is known off line is added up first, off line.
* A coefficient of -1 is free; any other costs one multiplication, unless it merges with a
  parameter-stage factor inside its term into one off-line constant.
* The parameter-stage factors of a product are one off-line constant; powers are by repeated squaring.
* A division is one line; a reciprocal that several products need is computed once.
* Sums of angles that only sines and cosines use are formed for free.

Early stages come first inside sums and products, so that as little as possible waits for the late ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from taut.graph.assembly import Assembly
from taut.graph.node import Node, Rational, topological
from taut.graph.operation import CONSTANT, PRODUCT, SUM, SYMBOL
from taut.graph.program import Program, Signed
from taut.graph.stage import Stage


def lower(outputs: Sequence[Node]) -> Program:
    """Return the program that computes the outputs; the same lines for the same graph."""
    lowering = _Lowering(outputs)
    return lowering.program([lowering.ref[node] for node in outputs])


class _Lowering(Assembly):
    def __init__(self, outputs: Sequence[Node]) -> None:
        super().__init__()
        self.ref: dict[Node, Signed] = {}
        order = topological(outputs)
        self.valued, self.angles = _demands(order, outputs)
        live = [node for node in order if node in self.valued or node in self.angles]
        self.uses = _uses(live, outputs)
        self.shared_reciprocals = _shared_reciprocals(live)
        self.scale, self.relieved = self._merged_numbers(live)
        for node in live:
            self.ref[node] = self._node(node)

    def _node(self, node: Node) -> Signed:
        if node.op is CONSTANT:
            return self.constant(node.value)
        if node.op is SYMBOL:
            return Signed(1, self.line("input", (), node.stage, node.name))
        if node.op is SUM:
            return self._sum(node)
        if node.op is PRODUCT:
            return self._product(node)
        return self.function(node.name, *(self.ref[arg] for arg in node.args))

    def _sum(self, node: Node) -> Signed:
        free = node not in self.valued
        constant = node.weights.constant
        terms = [] if constant == 0 else [self.constant(constant)]
        for coefficient, arg in node.terms:
            number = self.constant(_sign(coefficient) if arg in self.relieved else coefficient)
            terms.append(self.multiply(number, self.ref[arg]))
        return self._total(sorted(terms, key=self.stage), free)

    def _product(self, node: Node) -> Signed:
        coefficient = node.powers.coefficient
        number = (_sign(coefficient) if node in self.relieved else coefficient) * self.scale.get(node, 1)
        known: list[Signed] = []
        above: list[Signed] = []
        below: list[Signed] = []
        for arg, exponent in node.factors:
            factor, size = self.ref[arg], abs(exponent)
            if exponent < 0 and (arg.stage <= Stage.PARAMETER or arg in self.shared_reciprocals):
                factor = self.divide(self.one, factor)
                exponent = size
            part = below if exponent < 0 else known if arg.stage <= Stage.PARAMETER else above
            part.append(self.power(factor, size))
        above.sort(key=self.stage)
        constant = self.product([self.constant(number), *known])
        if constant.line == self.one.line or not (known or self._used_once(node)):
            result = self.product([*above, constant])  # others may need the bare product: the number comes last
        else:  # the off-line constant multiplies the earliest factors, so that late stages have less to compute
            early = [x for x in above if self.stage(x) == self.stage(above[0])]
            result = self.product([self.product(early), constant, *above[len(early) :]])
        return self.divide(result, self.product(sorted(below, key=self.stage))) if below else result

    def _merged_numbers(self, live: Iterable[Node]) -> tuple[dict[Node, Rational], set[Node]]:
        """Return the number that each product takes into its off-line constant, and the nodes that give theirs away.

        The graph keeps numbers outermost; here they go back down to a parameter, through products
        that nothing else uses.
        """
        taker: dict[Node, Node] = {}
        scale: dict[Node, Rational] = {}
        relieved: set[Node] = set()

        def hand_down(giver: Node, coefficient: Rational) -> None:
            scale[taker[giver]] = coefficient * _sign(coefficient)
            relieved.add(giver)

        for node in live:
            if node.op is SUM:
                for coefficient, arg in node.terms:
                    if abs(coefficient) != 1 and arg in taker and self._used_once(arg):
                        hand_down(arg, coefficient)
            elif node.op is PRODUCT and node.stage > Stage.PARAMETER:
                coefficient = node.powers.coefficient
                if any(factor.stage <= Stage.PARAMETER for factor in node.args):
                    taker[node] = node
                    continue
                for factor, exponent in node.factors:
                    if exponent == 1 and factor in taker and self._used_once(factor):
                        taker[node] = taker[factor]
                        if abs(coefficient) != 1:
                            hand_down(node, coefficient)
                        break
        return scale, relieved

    def _used_once(self, product: Node) -> bool:
        return self.uses[product.args, product.powers.exponents] == 1

    def _total(self, terms: list[Signed], free: bool) -> Signed:
        total = terms[0]
        for term in terms[1:]:
            total = self.add(total, term, free)
        return total


def _demands(order: Sequence[Node], outputs: Iterable[Node]) -> tuple[set[Node], set[Node]]:
    """Return the nodes needed as values, and those needed as angles of sines and cosines."""
    valued, angles = set(outputs), set[Node]()
    for node in reversed(order):
        if node not in valued and node not in angles:
            continue
        if node.is_turn:
            angles.update(node.args)
        elif node.op is SUM and node not in valued:
            for coefficient, arg in node.terms:
                (angles if abs(coefficient) == 1 else valued).add(arg)
        else:
            valued.update(node.args)
    return valued, angles


def _uses(live: Iterable[Node], outputs: Iterable[Node]) -> Counter[Any]:
    """Count the uses of products, by factors and exponents: a coefficient alone makes no other product."""
    counted: Counter[Any] = Counter()
    for used in [*outputs, *(arg for node in live for arg in node.args)]:
        if used.op is PRODUCT:
            counted[used.args, used.powers.exponents] += 1
    return counted


def _shared_reciprocals(live: Iterable[Node]) -> set[Node]:
    dividing = Counter(arg for node in live if node.op is PRODUCT for arg, e in node.factors if e < 0)
    return {node for node, count in dividing.items() if count > 1}


def _sign(coefficient: Rational) -> int:
    return -1 if coefficient < 0 else 1
