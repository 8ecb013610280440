"""Programs: their meaning is that of the graph, their order is sound, their text is stable."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given

from taut.errors import InputError
from taut.graph import Graph, Stage
from taut.graph.evaluate import evaluate
from taut.graph.lower import lower
from taut.graph.program import Line, Program, Signed
from taut.graph.prove import equal
from unit.random_expressions import (
    MODULAR,
    ROUNDING,
    SMOOTH,
    SYMBOLS,
    Rounding,
    defined,
    expressions,
    modular_point,
)


@given(expressions())
def test_a_program_means_its_graph_exactly(outputs):
    program = lower(outputs)
    assert program.faults() == []
    point = modular_point()
    try:
        expected = evaluate(outputs, point, MODULAR)
    except ValueError:  # a division by zero
        assume(False)
    assert program.evaluate(point, MODULAR) == expected


@given(expressions())
def test_the_way_back_is_proved_equal(outputs):
    assume(defined(outputs))
    assert equal(lower(outputs).trace(Graph()), outputs)


@given(expressions(SMOOTH))
def test_floats_and_batches(outputs):
    program = lower(outputs)
    values = dict(zip(SYMBOLS, np.random.default_rng(1).uniform(-1, 1, (len(SYMBOLS), 3)), strict=True))
    bounds = evaluate(outputs, {name: Rounding(1.0) for name in SYMBOLS}, ROUNDING)
    batch = program.evaluate(values)
    for y, expected, bound in zip(batch, evaluate(outputs, values), bounds, strict=True):
        assert np.all(np.abs(y - expected) <= 4 * bound.bound)
    one = program.evaluate({name: float(x[0]) for name, x in values.items()})
    for y, all_states, bound in zip(one, batch, bounds, strict=True):
        assert abs(y - np.broadcast_to(all_states, 3)[0]) <= 4 * bound.bound


@pytest.fixture
def symbols():
    graph = Graph()
    return [graph.symbol(name, SYMBOLS[name]) for name in ("m", "a", "q1", "q2", "qd", "qdd")]


def test_text(symbols):
    m, a, q1, q2, qd, _ = symbols
    text = lower([m * a * 2 * (q1 + q2).sin() - qd, -m, qd - m * a * 2 * (q1 + q2).sin()]).to_text()
    assert text == (
        't0 = input "m"  # parameter\n'
        't1 = input "a"  # parameter\n'
        "t2 = t0 * t1  # parameter\n"
        "t3 = 2  # constant\n"
        "t4 = t2 * t3  # parameter\n"
        't5 = input "q1"  # configuration\n'
        't6 = input "q2"  # configuration\n'
        't7 = input "qd"  # velocity\n'
        "t8 = t5 + t6  # configuration, free\n"
        "t9 = sin(t8)  # configuration\n"
        "t10 = t4 * t9  # configuration\n"
        "t11 = t7 - t10  # velocity\n"
        "output 0 = -t11\n"
        "output 1 = -t0\n"
        "output 2 = t11\n"
    )


def test_parameters_come_first(symbols):
    m, a, q1, q2, qd, qdd = symbols
    program = lower([q1 * qd + m * q2, (m + a) * qdd, m / a])
    stages = [line.stage for line in program.lines]
    assert all(s <= Stage.PARAMETER for s in stages[: program.start])
    assert all(s > Stage.PARAMETER for s in stages[program.start :])


@pytest.mark.parametrize("function", ["sin", "cos", "sign", "sqrt"])
def test_minus_signs_pass_through_functions(function):
    graph = Graph()
    v, a, b = (
        graph.symbol("v", Stage.VELOCITY),
        graph.symbol("a", Stage.CONFIGURATION),
        graph.symbol("b", Stage.CONFIGURATION),
    )
    turned = graph.linear(0, [(1, v), (-1, a), (1, b)])  # computes b - a on its way, so that a - b is its negative
    outputs = [turned * v, (a - b) * v, graph.function(function, a - b)]
    program = lower(outputs)
    assert sum(line.op == "sub" for line in program.lines) == 1
    values = {"v": 0.3, "a": 0.9, "b": 0.2}
    assert np.allclose(program.evaluate(values), evaluate(outputs, values), rtol=1e-15, atol=0)


def test_missing_value(symbols):
    with pytest.raises(InputError, match="symbol 'm' has no value"):
        lower([symbols[0]]).evaluate({})


@pytest.mark.parametrize(
    ("lines", "outputs", "fault"),
    [
        ([("input", (), Stage.VELOCITY, "x"), ("sin", (1,), Stage.VELOCITY)], [(1, 1)], "not defined before its use"),
        ([("input", (), Stage.VELOCITY, "x"), ("sin", (0,), Stage.APPLIED)], [(1, 1)], "is not that of its latest"),
        ([("input", (), Stage.VELOCITY, "x"), ("add", (0,), Stage.VELOCITY)], [(1, 1)], "no such operation on 1"),
        ([("input", (), Stage.VELOCITY, "x"), ("tan", (0,), Stage.VELOCITY)], [(1, 1)], "no such operation"),
        ([("input", (), Stage.VELOCITY, "x")], [(1, 3)], "output 0: 1 * line 3 does not exist"),
        ([("input", (), Stage.VELOCITY, "x")], [(2, 0)], "output 0: 2 * line 0 does not exist"),
        ([("input", (), Stage.VELOCITY, "x"), ("input", (), Stage.VELOCITY, "x")], [], "a second input named 'x'"),
        ([("input", (), Stage.VELOCITY, "x"), ("constant", (), Stage.CONSTANT, 1)], [], "of the other part"),
    ],
)
def test_the_checker_finds_faults(lines, outputs, fault):
    program = Program(tuple(Line(*line) for line in lines), tuple(Signed(*output) for output in outputs))
    assert any(fault in found for found in program.faults())


def test_deep_chain(symbols):
    node = symbols[2]
    for _ in range(5000):
        node = (node * symbols[0] + symbols[4]).sin()
    program = lower([node])
    assert program.faults() == []
    assert sum(line.counted for line in program.lines) == 2 * 5000 - 5000  # the additions only form angles
