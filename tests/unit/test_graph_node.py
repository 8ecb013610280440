"""The folding constructors: what becomes one node, and that depth is no limit."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from taut.errors import InputError
from taut.graph import Graph, Stage, topological
from taut.graph.evaluate import evaluate
from taut.graph.operation import Op
from unit.random_expressions import MODULAR, OPERATIONS, SYMBOLS, Mod, expressions, modular, modular_point


@pytest.fixture
def g():
    return Graph()


def test_equal_expressions_are_one_node(g):
    x, y = g.symbol("x"), g.symbol("y")
    assert x * y is y * x
    assert (x - y) is -(y - x)
    assert 2 * x + 2 * y is 2 * (x + y)
    assert x * x**2 is x**3
    assert x / x is g.constant(1)
    assert (x + y) - y is x
    assert g.linear(3, [(1, x), (2, y)]) - 2 * y is x + 3
    assert (2 * x) / (4 * y) is x / y / 2
    assert (-x).sin() is -(x.sin())
    assert (y - x).cos() is (x - y).cos()
    assert g.constant(Fraction(9, 4)).sqrt() is g.constant(1.5)
    assert g.constant(0.5) is g.constant(Fraction(1, 2))
    assert x * np.float64(0.5) is x / 2


def test_every_argument_comes_before_its_node(g):
    x, y = g.symbol("x"), g.symbol("y", Stage.VELOCITY)
    node = ((x + y) * x).sin() / (y - 1)
    order = topological([node])
    place = {n: i for i, n in enumerate(order)}
    assert all(place[arg] < place[n] for n in order for arg in n.args)
    assert all(n.stage == max(arg.stage for arg in n.args) for n in order if n.args)
    assert topological([node], done=node.args) == [node]


def test_opening_a_long_chain_of_sums_needs_no_recursion(g):
    chain = g.symbol("x0")
    others = [g.symbol(f"x{i}") for i in range(1, 1500)]
    for other in others:
        chain = chain + other
    assert g.linear(0, [(1, chain), *((-1, other) for other in others)]) is g.symbol("x0")


def test_nodes_of_another_graph_are_rebuilt(g):
    other = Graph()
    node = other.symbol("x").sin()
    for _ in range(5000):
        node = node * other.symbol("x") + 1
    assert g.lift(node) is g.lift(node)
    mixed = g.symbol("y") + node
    assert mixed.graph is g


@given(expressions())
def test_stages_are_those_of_the_symbols(outputs):
    for output in outputs:
        stages = [n.stage for n in topological([output]) if n.op is Op.SYMBOL]
        assert output.stage == max(stages, default=Stage.CONSTANT)


@pytest.mark.parametrize("seed", range(200))
def test_folding_keeps_the_value(seed):
    """Build the same expression on nodes and on numbers, step by step."""
    rng = np.random.default_rng(seed)
    graph, point = Graph(), modular_point(seed)
    nodes = [graph.symbol(name, stage) for name, stage in SYMBOLS.items()]
    numbers = list(point.values())
    operations = ("+", "-", "*", "/", "scale", "square", "cube")
    for op in rng.choice(operations, 15):
        i, j = rng.integers(len(nodes), size=2)
        c = Fraction(int(rng.integers(-3, 4)), int(rng.integers(1, 4)))
        if op == "/" and nodes[j].is_zero:
            continue
        try:
            number = OPERATIONS[op](numbers[i], numbers[j], modular(c))
        except ValueError:  # zero by value though not by structure
            continue
        nodes.append(OPERATIONS[op](nodes[i], nodes[j], c))
        numbers.append(number)
    found = [x if isinstance(x, Mod) else Mod(x) for x in evaluate(nodes, point, MODULAR)]
    assert found == numbers


def test_refusals(g):
    x = g.symbol("x")
    with pytest.raises(TypeError, match="neither true nor false"):
        bool(x)
    with pytest.raises(ZeroDivisionError):
        1 / (x - x)
    with pytest.raises(InputError, match="not a finite number"):
        x * float("nan")
    with pytest.raises(InputError, match="is used as parameter and as velocity"):
        g.symbol("x", Stage.VELOCITY)
    with pytest.raises(InputError, match="symbol 'x' has no value"):
        evaluate([x], {})
