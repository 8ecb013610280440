"""Programs compared line by line in the field: the same verdict as by their expressions."""

from __future__ import annotations

import random

import pytest

import taut
from taut.graph import Graph
from taut.graph.lower import lower
from taut.graph.program import Program
from taut.graph.prove import disproof
from taut.graph.prove_program import program_disproof


def changed(program: Program, k: int) -> Program:
    """Return the program with another operation in one counted line."""
    other = {"add": "sub", "sub": "add", "mul": "add", "div": "mul"}
    lines = list(program.lines)
    lines[k] = lines[k]._replace(op=other[lines[k].op])
    return Program(tuple(lines), program.outputs)


@pytest.mark.parametrize("function", ["inverse_dynamics", "forward_kinematics", "mass_matrix"])
def test_a_changed_line_is_judged_as_by_expressions(function: str) -> None:
    program = taut.load("scara").derive(function, effort="none").program
    assert program_disproof(program, program) is None
    counted = [i for i, line in enumerate(program.lines) if line.counted]
    seen = 0
    for k in random.Random(1).sample(counted, min(12, len(counted))):
        wrong, graph = changed(program, k), Graph()
        expected = disproof(wrong.trace(graph), program.trace(graph), 2, 1)
        found = program_disproof(wrong, program, 2, 1)
        assert found == expected
        seen += found is not None
    assert seen > 0


def test_functions_follow_the_rules_of_the_field() -> None:
    graph = Graph()
    x, y = graph.symbol("x"), graph.symbol("y")
    left = lower([(x + y).sin(), (x * x).sqrt(), (y / x).atan().cos()])
    right = lower([x.sin() * y.cos() + x.cos() * y.sin(), (x * x).sqrt(), 1 / (1 + (y / x) ** 2).sqrt()])
    assert program_disproof(left, right) is None
    wrong = lower([(x + y).sin(), x, (y / x).atan().cos()])
    found = program_disproof(wrong, right)
    assert found is not None and found.output == 1  # sqrt(x^2) is not x
