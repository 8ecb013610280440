"""Arc tangents: odd, folded at zero, differentiated, and known to the proof as the angle of (1, t)."""

from __future__ import annotations

import math

import pytest

from taut.graph import Graph, Stage
from taut.graph.derivative import gradient
from taut.graph.evaluate import evaluate
from taut.graph.lower import lower
from taut.graph.prove import equal
from taut.graph.text import dump, parse


def test_folds_and_is_odd() -> None:
    g = Graph()
    x = g.symbol("x")
    assert g.constant(0).atan().is_zero
    assert (-x).atan() is -(x.atan())


@pytest.mark.parametrize("value", [-3.0, -0.2, 0.0, 0.7, 1e6])
def test_value_and_slope(value: float) -> None:
    g = Graph()
    x = g.symbol("x")
    assert evaluate([x.atan()], {"x": value}) == [math.atan(value)]
    assert evaluate(gradient(x.atan(), [x]), {"x": value})[0] == pytest.approx(1 / (1 + value**2), rel=1e-15)


def test_turn_onto_a_direction_is_proved() -> None:
    """(x, y) turned by its own angle lies along the first axis; a wrong sign is not proved."""
    g = Graph()
    x, y = g.symbol("x"), g.symbol("y")
    angle, length = (y / x).atan(), x * (1 + (y / x) * (y / x)).sqrt()
    assert equal([x * angle.cos() + y * angle.sin(), y * angle.cos() - x * angle.sin()], [length, g.constant(0)])
    assert not equal([x * angle.cos() - y * angle.sin()], [length])


def test_adds_to_other_angles() -> None:
    g = Graph()
    t, q = g.symbol("t"), g.symbol("q", Stage.CONFIGURATION)
    root = (1 + t * t).sqrt()
    assert equal([(q + t.atan()).sin() * root], [q.sin() + t * q.cos()])
    assert equal([(q - t.atan()).cos() * root], [q.cos() + t * q.sin()])


def test_text_and_program_keep_it() -> None:
    g = Graph()
    t, q = g.symbol("t"), g.symbol("q", Stage.CONFIGURATION)
    node = (q + t.atan()).cos()
    assert dump(parse(dump([node]))[1]) == dump([node])
    program = lower([node])
    assert program.evaluate({"t": 0.3, "q": 1.1})[0] == math.cos(1.1 + math.atan(0.3))
    assert not any(line.counted for line in program.lines)
