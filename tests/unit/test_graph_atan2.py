"""atan2, the elementary function of two arguments, in the graph, in proofs, programs and languages."""

from __future__ import annotations

import math

import numpy as np

from taut.derive.function import Function
from taut.emit.sympy import node_from_sympy, node_to_sympy
from taut.graph import Graph
from taut.graph.derivative import gradient
from taut.graph.evaluate import evaluate
from taut.graph.lower import lower
from taut.graph.program_text import parse_program
from taut.graph.prove import equal
from taut.graph.stage import Stage
from taut.graph.text import dump, parse
from taut.runtime.library import compiled
from taut.spatial.array import atan2


def test_signs_constants_and_derivatives() -> None:
    g = Graph()
    y, x = g.symbol("y"), g.symbol("x")
    angle = atan2(y, x)
    assert atan2(-y, x) is -angle
    assert atan2(y, -x) is not angle
    assert g.function("atan2", 0, 3).is_zero
    by_y, by_x = evaluate(gradient(angle, [y, x]), {"y": 0.3, "x": -0.4})
    assert math.isclose(by_y, -0.4 / 0.25) and math.isclose(by_x, -0.3 / 0.25)
    assert evaluate([angle], {"y": 0.3, "x": -0.4}) == [math.atan2(0.3, -0.4)]
    np.testing.assert_array_equal(
        evaluate([angle], {"y": np.array([0.1, -2.0]), "x": -1.0})[0], np.arctan2([0.1, -2.0], -1.0)
    )


def test_its_sine_and_cosine_are_proved_and_nothing_more() -> None:
    g = Graph()
    y, x = g.symbol("y"), g.symbol("x")
    angle, size = atan2(y, x), (x * x + y * y).sqrt()
    assert equal([angle.sin(), angle.cos()], [y / size, x / size])
    assert not equal([angle.sin()], [x / size])
    assert not equal([angle], [atan2(x, y)])


def test_text_forms_read_back() -> None:
    g = Graph()
    y, x = g.symbol("y"), g.symbol("x", Stage.VELOCITY)
    outputs = [atan2(-y * x, x - 2), atan2(y, -x)]
    assert dump(parse(dump(outputs))[1]) == dump(outputs)
    program = lower(outputs)
    assert not program.faults()
    assert parse_program(program.to_text()).to_text() == program.to_text()
    assert node_from_sympy(node_to_sympy(outputs[0]), g, {"x": Stage.VELOCITY}) is outputs[0]


def angle_function() -> Function:
    g = Graph()
    a, b = (g.symbol(name, Stage.CONFIGURATION) for name in ("q1", "q2"))
    outputs = [atan2(a - b, -a * b), atan2(-a, 2), -atan2(1, b)]
    return Function("angles", "none", lower(outputs), {"q": ("q1", "q2")}, (3,), {}, "", "numeric", "none", (), None)


def test_compiled_code_for_one_state_and_for_many() -> None:
    function = angle_function()
    q = np.random.default_rng(1).normal(size=(33, 2))
    a, b = q.T
    expected = np.stack([np.arctan2(a - b, -a * b), np.arctan2(-a, 2), -np.arctan2(1, b)], -1)
    np.testing.assert_array_equal(function(q), expected)
    fast = compiled(function)
    np.testing.assert_allclose(fast(q), expected, rtol=0, atol=1e-15)
    np.testing.assert_allclose(fast(q[0]), expected[0], rtol=0, atol=1e-15)
    assert "atan2(" in function.text()
    assert "atan2(" in function.to_c(batch=True)
