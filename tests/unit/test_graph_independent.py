"""Which expressions are independent: against the rank of all derivatives, and for constants of a long chain."""

from __future__ import annotations

import random

from flint import nmod_mat

from taut.graph import Graph, Node
from taut.graph.derivative import gradient
from taut.graph.field import PRIME, FieldPoint
from taut.graph.independent import independent


def by_rank(nodes: list[Node], symbols: list[Node]) -> list[Node]:
    point = FieldPoint(seed=5)
    found: list[Node] = []
    rows: list[list[int]] = []
    for node in nodes:
        rows.append(point.evaluate(gradient(node, symbols)))
        if nmod_mat(rows, PRIME).rank() > len(found):
            found.append(node)
        else:
            rows.pop()
    return found


def test_same_as_the_rank_of_all_derivatives() -> None:
    draw = random.Random(4)
    for _ in range(20):
        graph = Graph()
        symbols = [graph.symbol(f"x{k}") for k in range(6)]
        nodes = list(symbols[:2])
        for _ in range(9):
            a, b, c = (draw.choice([*symbols, *nodes]) for _ in range(3))
            nodes.append(draw.choice([a * b + c, a - 2 * b, a * a, (a + b).sin() * c]))
        assert list(independent(nodes)) == by_rank(nodes, symbols)


def test_what_follows_from_others_is_left_out() -> None:
    graph = Graph()
    x, y, z = (graph.symbol(name) for name in "xyz")
    total = x + y
    assert list(independent([total, x - y, x * y, z + x, z])) == [total, x - y, z + x]
    zero = (x + y) * (x - y) - (x * x - y * y)  # contains symbols but does not change with them
    assert list(independent([zero, x])) == [x]
    assert list(independent([graph.constant(3)])) == []


def test_a_symbol_of_its_own_is_enough_in_a_chain() -> None:
    graph = Graph()
    carried: Node = graph.symbol("m300")
    nodes = [carried]
    for k in reversed(range(300)):
        carried = graph.symbol(f"m{k}") + carried * graph.symbol(f"a{k}")
        nodes.append(carried)
    assert list(independent(nodes)) == nodes
