"""Sums and products in the order their terms get ready: the same answers, no more operations, shorter chains."""

from __future__ import annotations

import pytest
from hypothesis import assume, given

import taut
from taut.analysis.opcount import count
from taut.derive import derive
from taut.graph import Graph, Node, Stage
from taut.graph.assembly import Assembly
from taut.graph.lower import lower
from taut.graph.program import Program
from taut.graph.prove import equal
from taut.passes.balance import balanced
from unit.random_expressions import defined, expressions


def symbols(graph: Graph, names: str, stage: Stage = Stage.CONFIGURATION) -> list[Node]:
    return [graph.symbol(name, stage) for name in names]


def chained(graph: Graph, terms: list[Node]) -> Node:
    total = terms[0]
    for term in terms[1:]:
        total = graph.linear(0, [(1, total), (1, term)])
    return total


def test_a_chain_becomes_a_tree() -> None:
    graph = Graph()
    total = chained(graph, symbols(graph, "abcdefgh"))
    program = lower([total])
    assert (count(program).total, count(program).depth) == (7, 7)
    found = balanced(program)
    assert (count(found).total, count(found).depth) == (7, 3)
    assert equal(found.trace(graph), [total])


def test_what_is_ready_last_comes_last() -> None:
    graph = Graph()
    a, b, c, d = symbols(graph, "abcd")
    late = ((a * b) * c) * d
    found = balanced(lower([((late + a) + b) - c]))
    assert count(found).depth == 3 + 1 - 1  # the product as a tree is two deep, then one addition
    assert equal(found.trace(graph), [late + a + b - c])


def test_constants_meet_off_line() -> None:
    graph = Graph()
    k, m = symbols(graph, "km", Stage.PARAMETER)
    x, y = symbols(graph, "xy")
    program = lower([(k + x) + (m - y)])
    found = balanced(program)
    assert (count(program).total, count(found).total) == (3, 2)
    assert equal(found.trace(graph), [k + x + m - y])


def in_a_row(graph: Graph, *terms: Node) -> Program:
    """Return a program that adds the terms one after the other, as they stand."""
    assembly = Assembly()
    first, *others = assembly.copied(lower(list(terms)))
    total = first
    for term in others:
        total = assembly.add(total, term)
    return assembly.program([total, others[0]])


def test_opposite_terms_are_left_out() -> None:
    graph = Graph()
    a, b, c, d = symbols(graph, "abcd")
    program = in_a_row(graph, a, b * c, d, -(b * c))
    found = balanced(program)
    assert equal(found.trace(graph), [a + d, b * c])
    assert (count(program).total, count(found).total) == (4, 2)


def test_a_sum_that_is_zero_stays_a_sum() -> None:
    graph = Graph()
    a, b = symbols(graph, "ab")
    assert equal(balanced(in_a_row(graph, a, b, -a, -b)).trace(graph), [graph.constant(0), b])


def test_shared_parts_stay_shared() -> None:
    graph = Graph()
    a, b, c = symbols(graph, "abc")
    shared = a + b
    found = balanced(lower([shared + c, shared * c]))
    assert count(found).total == 3


def test_early_stages_stay_together() -> None:
    graph = Graph()
    a, b, c = symbols(graph, "abc")
    slow = symbols(graph, "xyz", Stage.ACCELERATION)
    found = balanced(lower([chained(graph, [slow[0], a, slow[1], b, slow[2], c])]))
    parts = {stage: part.total for stage, part in count(found).by_stage.items()}
    assert parts == {"configuration": 2, "acceleration": 3}


@given(expressions())
def test_random_programs(outputs: list[Node]) -> None:
    assume(defined(outputs))
    program = lower(outputs)
    found = balanced(program)
    assert found.faults() == []
    assert equal(found.trace(outputs[0].graph), outputs)
    assert count(found).total <= count(program).total


@pytest.mark.parametrize("function", ["inverse_dynamics", "mass_matrix", "forward_dynamics"])
def test_robots(function: str) -> None:
    program = derive(taut.load("puma560_burdick").tree, function, effort="none", fresh=True).program
    again = balanced(program)
    assert count(again).total <= count(program).total
    graph = Graph()
    assert equal(again.trace(graph), program.trace(graph))
