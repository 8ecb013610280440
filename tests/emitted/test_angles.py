"""Sines of sums of angles follow from those of the angles, where that is less work, and the numbers stay the same."""

from __future__ import annotations

import subprocess
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from emitted.recount import operations
from taut.emit.c import Module
from taut.emit.c.angles import Angles, angle_levels
from taut.emit.c.run import run_c
from taut.emit.routine import Routine
from taut.graph import Graph, Node, Stage
from taut.graph.lower import lower
from taut.graph.program import Program
from taut.spatial import cos, sin

WARNINGS = ("-Wall", "-Wextra", "-Wconversion", "-Werror", "-pedantic", "-std=c99")
TOLERANCE = {"double": 1e-15, "float": 5e-7}


def of_sums() -> Program:
    """Sines and cosines of four angles, of sums and differences, of one shifted by a constant, and of a sum of sums."""
    graph = Graph()
    q = [graph.symbol(f"q{k}", Stage.CONFIGURATION) for k in range(4)]
    tilt = graph.symbol("tilt", Stage.PARAMETER)
    both = q[0] + q[1]
    angles: list[Node] = [*q, both, q[2] - q[1], both + q[3], q[3] + tilt]
    sines = [sin(x) for x in angles]
    cosines = [cos(x) for x in angles[:-2]]
    return lower([*sines, *cosines, *(a * b for a, b in pairwise(sines))])


def routine(baked: bool) -> Routine:
    program = of_sums()
    arguments = {"q": tuple(f"q{k}" for k in range(4))}
    return Routine("sines", program, arguments, (len(program.outputs),), values={"tilt": 0.4}, baked=baked)


def test_which_sines_follow_from_others() -> None:
    program = of_sums()
    assert [len(x) for x in angle_levels(program, constant=True)[0]] == [4, 4]
    assert [len(x) for x in angle_levels(program, constant=False)[0]] == [5, 3]


def test_places_left_in_a_group_are_used() -> None:
    assert Angles((1, 2, 3, 4), (7, 8)).grouped(4) == Angles((1, 2, 3, 4), (7, 8))
    assert Angles((1, 2, 3), (7, 8)).grouped(4) == Angles((1, 2, 3, 7), (8,))
    assert Angles((1, 2, 9), (7,)).grouped(4) == Angles((1, 2, 7, 9), ())


@pytest.mark.parametrize("baked", [True, False])
@pytest.mark.parametrize("trig", ["poly", "libm"])
@pytest.mark.parametrize("precision", ["double", "float"])
@pytest.mark.parametrize("flags", [("-O1",), ("-O2", "-march=native")])
def test_numbers(baked: bool, trig: str, precision: str, flags: tuple[str, ...]) -> None:
    one = routine(baked)
    module = Module("angles", [one], precision=precision, trig=trig)
    q = np.random.default_rng(1).uniform(-3, 3, (9, 4)).astype(precision if precision == "double" else np.float32)
    symbols = {f"q{k}": q[:, k].astype(float) for k in range(4)} | {"tilt": 0.4}
    expected = np.stack(one.program.evaluate(symbols), axis=1)
    for batch in (False, True):
        found = run_c(module, one, {"q": q}, [] if baked else [0.4], flags, batch)
        assert np.abs(found - expected).max() < TOLERANCE[precision]


@pytest.mark.parametrize("trig", ["poly", "libm"])
def test_text(trig: str, tmp_path: Path) -> None:
    module = Module("angles", [routine(baked=True)], trig=trig)
    text = module.source()
    assert "angles_SIN_SUM(" in text and "angles_COS_DIFFERENCE(" in text
    assert "/* angle */" not in text  # none has to be formed
    assert set(operations(text).values()) == {7}
    (tmp_path / "angles.h").write_text(module.header())
    (tmp_path / "angles.c").write_text(text)
    subprocess.run(["cc", *WARNINGS, "-O1", "-c", "angles.c"], cwd=tmp_path, check=True)
