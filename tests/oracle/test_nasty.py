"""Derived double code keeps its digits on nasty robots: within 1e-10 of 200 bits, or ten times Newton-Euler's error."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from unittest.mock import patch

import numpy as np
import pytest

from oracle.agreement import Verdict
from oracle.nasty_robots import exact_torques, nasty_robot
from oracle.table import PROPERTY
from taut.derive import derive
from taut.derive.truth import BESIDE, file_states, plain
from taut.emit.c import Module
from taut.emit.c.run import run_c
from taut.emit.routine import Routine
from taut.robot.meaning import decided

STATES = 20
ENOUGH, TIMES = 1e-10, 10.0
FUSED, PLAIN = ("-O2", "-march=native"), ("-O2", "-ffp-contract=off")
COMPILERS = [name for name in ("gcc", "clang") if shutil.which(name)]


def judged(seed: int, compilers: list[str]) -> Verdict:
    """Compare the C of one robot, compiled in several ways, with the textbook algorithm in 200 bits."""
    verdict = Verdict(f"nasty robot {seed}", "200 bits", "agreed")
    robot = decided(nasty_robot(seed)).tree
    verdict.dof = robot.nv
    states = {name: file_states(robot, STATES)[name] for name in ("q", "qd", "qdd")}
    exact = np.array(exact_torques(robot, list(zip(*(x.tolist() for x in states.values()), strict=True))))
    scale = np.abs(exact).max(axis=0)
    scale = np.maximum(scale, BESIDE * 1e-3 * scale.max())
    textbook = (np.abs(plain(robot, "inverse_dynamics", states) - exact) / scale).max(axis=0)
    routine = Routine.of(derive(robot, "inverse_dynamics", effort="quick"))
    module = Module(robot.name, [routine], robot.joint_names, batch=False)
    for compiler in compilers:
        for flags in (FUSED, PLAIN):
            with patch.dict(os.environ, {"CC": compiler}):
                found = run_c(module, routine, states, [], flags, False)
            error = (np.abs(found - exact) / scale).max(axis=0)
            verdict.worst = max(verdict.worst, float(error.max()))
            beyond = error > np.maximum(ENOUGH, TIMES * textbook)
            if not np.isfinite(error).all() or beyond.any():
                joint = int(np.argmax(np.where(beyond, error, -1)))
                told = f"{compiler} {flags[1]}: joint {joint + 1} {error[joint]:.1e}, textbook {textbook[joint]:.1e}"
                verdict.disagreements.append(told)
    verdict.where = "inverse dynamics"
    if verdict.disagreements:
        verdict.result, verdict.reason = "DISAGREES", "; ".join(verdict.disagreements)
    return verdict


@pytest.mark.parametrize("seed", [2, 17, 33, 58])
def test_a_few_nasty_robots(seed: int, record_property: Callable[[str, object], None]) -> None:
    verdict = judged(seed, COMPILERS[:1])
    record_property(PROPERTY, verdict.told)
    assert verdict.result == "agreed", verdict.reason


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(100))
def test_nasty_robots(seed: int, record_property: Callable[[str, object], None]) -> None:
    verdict = judged(seed, COMPILERS)
    record_property(PROPERTY, verdict.told)
    assert verdict.result == "agreed", verdict.reason
