"""Replacing parts of expressions."""

from __future__ import annotations

from hypothesis import assume, given

from taut.graph import Graph
from taut.graph.evaluate import evaluate
from taut.graph.substitute import substitute
from unit.random_expressions import MODULAR, SYMBOLS, Mod, expressions, modular_point


@given(expressions())
def test_substitution_is_evaluation_elsewhere(outputs):
    graph = outputs[0].graph
    q1, q2, m, a = (graph.symbol(name, SYMBOLS[name]) for name in ("q1", "q2", "m", "a"))
    point = modular_point()
    moved = {**point, "q1": point["q2"] + Mod(2), "q2": point["q1"], "m": point["a"] * point["m"]}
    try:
        replaced = substitute(outputs, {q1: q2 + 2, q2: q1, m: a * m})
        expected = evaluate(outputs, moved, MODULAR)
        found = evaluate(replaced, point, MODULAR)
    except (ZeroDivisionError, ValueError):
        assume(False)
    assert found == expected


def test_only_what_changes_is_rebuilt():
    graph = Graph()
    x, y, z = graph.symbol("x"), graph.symbol("y"), graph.symbol("z")
    kept = (x * y).sin()
    outputs = [kept + z, kept]
    before = len(graph.nodes)
    assert substitute(outputs, {}) == outputs
    assert len(graph.nodes) == before
    assert substitute(outputs, {z: 0}) == [kept, kept]
    assert substitute([kept * z], {kept: z, z: x}) == [z * x]


def test_all_at_once():
    graph = Graph()
    x, y = graph.symbol("x"), graph.symbol("y")
    assert substitute([x - y], {x: y, y: x}) == [y - x]


def test_deep_chain():
    graph = Graph()
    x, y = graph.symbol("x"), graph.symbol("y")
    node, other = x, y
    for _ in range(5000):
        node, other = (node + 1).sin(), (other + 1).sin()
    assert substitute([node], {x: y}) == [other]
