"""Rescaling: exact at fresh points, never dearer, no division by what is zero, and it drops what it should."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import assume, given

import taut
from sampled import sampled
from taut.analysis.opcount import count
from taut.graph import Graph, Node, Stage
from taut.graph.lower import lower
from taut.graph.program import Line, Program, Signed
from taut.passes.rescale import rescale
from taut.questions.acceleration import forward_dynamics
from taut.questions.rigid_body import inverse_dynamics
from taut.search import differences, resubstitute
from unit.random_expressions import defined, expressions

FRESH = 20262


@given(expressions(steps=25))
def test_exact_and_never_dearer(outputs: list[Node]) -> None:
    assume(defined(outputs))
    program = lower(outputs)
    result = rescale(program)
    assert differences(program, result, points=3, seed=FRESH) == []
    assert count(result).total <= count(program).total


def symbols() -> tuple[list[Node], list[Node]]:
    graph = Graph()
    return [graph.symbol(n) for n in "abcd"], [graph.symbol(n, Stage.VELOCITY) for n in "xyzw"]


def sum_of_terms(a: Node, b: Node, c: Node, d: Node, x: Node, y: Node, z: Node, w: Node) -> list[Node]:
    shared = a * (x * y) + c * (z * w)
    return [b * (shared * x), d * (shared * y)]


@pytest.mark.parametrize(
    ("build", "before", "after"),
    [
        (lambda a, b, c, d, x, y, z, w: [b * (a * (x * y)) * x, c * (a * (x * y)) * y], 6, 5),
        (sum_of_terms, 9, 8),  # a sum hands its scale to both terms
        # A division carries scales, too: the numerator of the reciprocal takes up a and b.
        (lambda a, b, c, d, x, y, z, w: [b * (x / (a * (y * z))), c * (w / (a * (y * z)))], 7, 5),
        (lambda a, b, c, d, x, y, z, w: [b * (a * (x * y)) * x, a * (x * y)], 4, 4),  # an output stays as it is
        (lambda a, b, c, d, x, y, z, w: [b * (a * (x * y)).sin(), c * (a * (x * y)).cos()], 4, 4),
        (lambda a, b, c, d, x, y, z, w: [c * (b + a * (x * y)) * x, d * (b + a * (x * y)) * y], 7, 6),
        # The square of a scale is b: only its root would do.
        (lambda a, b, c, d, x, y, z, w: [b * ((x + y) * z) ** 2 + w], 5, 5),
    ],
)
def test_it_drops(build, before: int, after: int) -> None:
    constants, variables = symbols()
    program = lower(build(*constants, *variables))
    result = rescale(program)
    assert differences(program, result, seed=FRESH) == []
    assert (count(program).total, count(result).total) == (before, after)


def test_constants_that_are_zero_are_not_divided_by() -> None:
    lines = [
        Line("constant", (), Stage.CONSTANT, 0),
        Line("input", (), Stage.PARAMETER, "a"),
        Line("sub", (1, 1), Stage.PARAMETER),
        Line("input", (), Stage.VELOCITY, "x"),
    ]
    for zero in (0, 2):
        more = [
            Line("mul", (zero, 3), Stage.VELOCITY),
            Line("mul", (3, 4), Stage.VELOCITY),
            Line("mul", (1, 5), Stage.VELOCITY),
        ]
        program = Program((*lines, *more), (Signed(1, 6),))
        result = rescale(program)
        assert result.evaluate({"a": 2.0, "x": 3.0}) == [0.0]
        assert differences(program, result, seed=FRESH) == []


def test_negative_constants_and_floats() -> None:
    constants, variables = symbols()
    a, b, c, _ = constants
    x, y, *_ = variables
    shared = a * (x * y)
    program = lower([b * shared * x, -3 * c * shared * y])
    values = {"a": -2.0, "b": 0.25, "c": -5.0, "x": 1.5, "y": -0.75}
    assert np.allclose(rescale(program).evaluate(values), program.evaluate(values), rtol=1e-14, atol=0)


def states(graph: Graph, n: int, *names: str) -> list[list[Node]]:
    stages = {"q": Stage.CONFIGURATION, "qd": Stage.VELOCITY, "qdd": Stage.ACCELERATION, "tau": Stage.APPLIED}
    return [[graph.symbol(f"{name}{i}", stages[name]) for i in range(n)] for name in names]


@pytest.mark.parametrize("name", sampled(["stanford_full", "general_6r", "puma560_full", "panda"], 4))
def test_torques_of_robots(name: str) -> None:
    robot, graph = taut.load(name), Graph()
    program = lower([graph.lift(x) for x in inverse_dynamics(robot.tree, *states(graph, robot.nv, "q", "qd", "qdd"))])
    result = rescale(program)
    assert differences(program, result, points=3, seed=FRESH) == []
    assert count(result).total <= count(program).total
    again = rescale(resubstitute(result, 500))
    assert differences(program, again, points=3, seed=FRESH) == []
    assert count(again).total < count(program).total


def test_forward_dynamics_and_time() -> None:
    robot, graph = taut.load("puma560_full"), Graph()
    program = lower([graph.lift(x) for x in forward_dynamics(robot.tree, *states(graph, robot.nv, "q", "qd", "tau"))])
    assert count(program).total > 1500
    began = time.process_time()
    result = rescale(program)
    assert time.process_time() - began < 2  # some 0.2 s on the machine it was written on
    assert differences(program, result, seed=FRESH) == []
    assert count(result).total < count(program).total
    assert count(result).div <= count(program).div


def test_nothing_to_do() -> None:
    graph = Graph()
    x = graph.symbol("x", Stage.VELOCITY)
    for outputs in ([], [x], [x * x], [3 * x]):
        program = lower(outputs)
        assert rescale(program) == program


def test_constants_may_only_be_multiplied() -> None:
    """Of two products one is dropped where its constant can go into others, none where it would be divided by."""
    (a, b, c, d), (x, y, z, w) = symbols()
    into = lower([a * (b * (x * y) + c * (z * w)), d * z])
    result = rescale(into, polynomial=True)
    assert count(result).total == count(into).total - 1
    shared = a * (x * y) + c * (z * w)
    out = lower([b * (shared * x), d * (shared * y), shared * z])
    for program in (into, out, lower([b * (x / (a * (y * z))), c * (w / (a * (y * z)))])):
        result = rescale(program, polynomial=True)
        assert differences(program, result, points=3, seed=FRESH) == []
        assert sum(line.op == "div" for line in result.lines) == sum(line.op == "div" for line in program.lines)
