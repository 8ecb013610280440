"""Divisors: what a program may divide by, and what a derivation does where something else is cheaper."""

from __future__ import annotations

import pytest

import taut
from sampled import sampled
from taut.derive import derive
from taut.derive.checks.divisors import Divisors
from taut.graph import Graph, Stage
from taut.graph.lower import lower
from taut.graph.program import Program


def divisions(program: Program) -> int:
    return sum(line.op == "div" and program.lines[line.args[1]].op != "constant" for line in program.lines)


def test_divisors_are_known_by_value() -> None:
    graph = Graph()
    a, b = graph.symbol("a"), graph.symbol("b")
    x, y = graph.symbol("x", Stage.VELOCITY), graph.symbol("y", Stage.VELOCITY)
    known = Divisors.of([lower([x / (a + b), y / (x * a - y * b)])])
    assert known.allow(lower([x * y, x / 3]))
    assert known.allow(lower([1 / (b + a), x / (b * y - a * x), y / (2 * a + 2 * b)]))
    assert not known.allow(lower([x / a]))
    assert not known.allow(lower([x / (a - b)]))
    assert not known.allow(lower([(b / (a * (a + b))) * x]))


@pytest.mark.parametrize("parameters", sampled(["pattern", "symbolic", "base"], 3))
@pytest.mark.parametrize("function", ["inverse_dynamics", "mass_matrix"])
def test_nothing_is_divided_by_unless_asked_for(parameters: str, function: str) -> None:
    robot = taut.load("stanford_rrp")
    safe = derive(robot.tree, function, parameters=parameters, fresh=True)
    assert safe.is_safe and not divisions(safe.program)
    generic = derive(robot.tree, function, parameters=parameters, fresh=True, generic=True)
    assert not generic.is_safe
    assert (
        max(safe.operations.total, generic.operations.total)
        < derive(
            robot.tree,
            function,
            "newton_euler" if function == "inverse_dynamics" else "composite_bodies",
            parameters,
            "none",
        ).operations.total
    )


def test_numbers_get_the_shortest_program() -> None:
    found = derive(taut.load("puma560").tree, "inverse_dynamics", effort="none", fresh=True)
    assert found.parameters == "numeric" and found.generic and found.is_safe


def test_forward_dynamics_keeps_its_pivots() -> None:
    found = derive(taut.load("stanford_rrp").tree, "forward_dynamics", fresh=True)
    assert 0 < divisions(found.program) <= 3 * 3
    assert found.is_safe
