"""Exciting trajectories keep limits, rest at both ends and tell parameters apart."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import taut
from taut.cli import main
from taut.identify import excite as module
from taut.identify.excite import Score, Series, excite


@pytest.fixture(autouse=True)
def short_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ROUNDS", 4)
    monkeypatch.setattr(module, "POLISH", 1)


def test_limits_and_rest_and_condition() -> None:
    robot = taut.load("puma560").lock({"joint4": 0.0, "joint5": 0.0, "joint6": 0.0})
    found = excite(robot, rate=1000.0)
    limits = [robot.joints[i].limits for i in robot.independent]
    assert (found.q <= [x.upper for x in limits]).all() and (found.q >= [x.lower for x in limits]).all()
    assert (np.abs(found.qd) <= [x.velocity for x in limits]).all()
    assert np.abs(found.qd[0]).max() < 1e-9 and np.abs(found.qdd[0]).max() < 1e-9
    assert np.allclose(np.gradient(found.q, 1e-3, axis=0)[1:-1], found.qd[1:-1], atol=1e-3)
    series, score = Series(robot, 10.0), Score(robot)
    draws = np.random.default_rng(3).normal(size=(10, series.size))
    assert found.condition < np.median([score.condition(*series.motion(x, 1000)) for x in draws])


def test_command_writes_csv(tmp_path: Path) -> None:
    out = tmp_path / "e.csv"
    locked = [x for k in (4, 5, 6) for x in ("--lock", f"joint{k}=0")]
    assert main(["excite", "puma560", *locked, "-o", str(out), "--period", "5"]) == 0
    head, *rows = out.read_text().splitlines()
    assert head.startswith("t,q_joint1") and len(rows) == 500
