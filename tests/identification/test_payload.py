"""A load is found from a recording and a fitted model, and from two recordings."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import taut
from identification.synthetic import recording
from identification.test_identify import columns_of, write_csv
from taut.cli import main

MASS, COM, INERTIA = 1.5, (0.02, -0.01, 0.08), (0.01, 0, 0.012, 0, 0, 0.008)


def test_a_load_is_found_within_its_confidence() -> None:
    robot = taut.load("panda")
    loaded = robot.with_load(MASS, COM, np.array([[0.01, 0, 0], [0, 0.012, 0], [0, 0, 0.008]]))
    found = taut.payload(robot, [recording(loaded, noise=0.02, seconds=12.0)])
    assert abs(found.mass - MASS) < 4 * found.parameters["m"][1] + 0.01 * MASS
    assert np.allclose(found.com, COM, atol=0.01)
    assert found.after < 0.5 * found.before


@pytest.mark.slow
def test_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    robot = taut.load("ur5e").lock({"wrist_1_joint": 0.0, "wrist_2_joint": 0.0, "wrist_3_joint": 0.0})
    (tmp_path / "arm.toml").write_text(robot.to_toml(), "utf-8")
    logs = [
        write_csv(tmp_path / f"{k}.csv", columns_of(recording(r, seconds=8.0)))
        for k, r in enumerate((robot, robot.with_load(2.0)))
    ]
    assert main(["validate", str(tmp_path / "arm.toml"), logs[1], "--payload", "--json"]) == 0
    assert abs(json.loads(capsys.readouterr().out)["payload"]["mass"] - 2.0) < 0.1
    assert main(["identify", str(tmp_path / "arm.toml"), logs[0], "--payload", logs[1]]) == 0
    assert "load on" in capsys.readouterr().out


def test_a_planar_arm_leaves_most_of_a_load_open() -> None:
    """Two parallel joints show three combinations of the ten parameters; the others have large standard errors."""
    robot = taut.load("puma560").lock({f"joint{k}": 0.0 for k in (1, 4, 5, 6)})
    found = taut.payload(robot, [recording(robot.with_load(MASS, COM, np.eye(3) * 0.01), noise=0.005)])
    assert found.after < 0.5 * found.before
    tensor = [found.parameters[name][1] for name in ("Ixx", "Ixy", "Iyy", "Ixz", "Iyz", "Izz")]
    assert np.isfinite(tensor).all() and sum(error > 0.1 for error in tensor) >= 5
