"""A program cut at a stage: both parts together compute what the whole computes."""

from __future__ import annotations

import numpy as np
import pytest

import taut
from taut.derive import Function
from taut.graph.program import Program
from taut.graph.split import split
from taut.graph.stage import Stage


@pytest.fixture(scope="module")
def torque() -> Function:
    return taut.load("puma560").derive("inverse_dynamics", parameters="symbolic", effort="none")


def given(program: Program) -> dict[str, float]:
    names = [line.data for line in program.lines if line.op == "input"]
    return dict(zip(names, np.random.default_rng(3).uniform(0.5, 1.5, len(names)), strict=True))


@pytest.mark.parametrize("stage", list(Stage))
def test_two_parts_are_the_whole(torque: Function, stage: Stage) -> None:
    program, symbols = torque.program, given(torque.program)
    before, carried, after = split(program, stage)
    assert before.faults() == after.faults() == []
    assert all(line.stage <= stage for line in before.lines)
    handed = dict(zip((value.name for value in carried), before.evaluate(symbols), strict=True))
    later = {line.data: symbols[line.data] for line in program.lines if line.op == "input" and line.stage > stage}
    assert not handed.keys() & later.keys()
    assert after.evaluate({**handed, **later}) == program.evaluate(symbols)
    read = {arg for line in after.lines for arg in line.args} | {i for _, i in after.outputs}
    waiting = {i for i, line in enumerate(after.lines) if line.stage > stage}
    assert read | waiting == set(range(len(after.lines))), "nothing is carried for nothing"
    computed = sum(line.op not in ("input", "constant") for line in (*before.lines, *after.lines))
    assert computed <= sum(line.op not in ("input", "constant") for line in program.lines), "nothing computed twice"


def test_a_later_part_can_be_cut_again(torque: Function) -> None:
    program, symbols = torque.program, given(torque.program)
    expected, known = program.evaluate(symbols), dict(symbols)
    for stage in (Stage.PARAMETER, Stage.CONFIGURATION, Stage.VELOCITY):
        before, carried, program = split(program, stage)
        known |= dict(zip((value.name for value in carried), before.evaluate(known), strict=True))
    assert len(carried) > 0 and program.evaluate(known) == expected
