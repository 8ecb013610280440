"""The worked examples of Angeles, Ma and Rojas, as the scripts in ``examples/angeles`` compute them."""

from __future__ import annotations

import csv
import importlib.util
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import taut

ROOT = Path(__file__).parents[2]
READINGS = ("A", "B", "C", "C extending", "D")


def script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "examples" / "angeles" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("reading", READINGS)
def test_torques_of_example_1(reading: str) -> None:
    example = script("example_1")
    with (ROOT / "tests/data/papers/stanford_angeles.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if row["reading"] == reading]
    expected = np.array([[float(row[f"tau{k}"]) for k in range(1, 7)] for row in rows])
    found = example.stanford(reading).torques(example.motion(reading, 21))
    assert found.trajectory.t == pytest.approx([float(row["t"]) for row in rows])
    assert np.abs(found.tau - expected).max() < 1e-9


def test_inverse_kinematics_converges_along_the_whole_line_of_example_2() -> None:
    example = script("example_2")
    robot = taut.load("sixr_thomas_tesar")
    line, motion = example.joint_motion(robot, 201)
    assert np.abs(robot.forward_kinematics(motion.q) - line.pose).max() < 1e-10
    assert np.abs(np.diff(motion.q, axis=0)).max() < 0.02  # no jump to another branch
    assert np.abs(motion.q[0] - example.INITIAL).max() < 0.05
    middle = slice(1, -1)
    assert np.gradient(motion.q, motion.t, axis=0)[middle] == pytest.approx(motion.qd[middle], abs=2e-3)
    # Axes 2, 3 and 4 are parallel: the closed form agrees.
    closed = robot.inverse_kinematics(line.pose, start=motion.q)
    assert closed.branches is not None and np.abs(closed.q - motion.q).max() < 1e-9


def test_the_scripts_draw_their_figures(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib").use("Agg")
    script("example_1").main(tmp_path)
    script("example_2").main(tmp_path)
    assert {file.name for file in tmp_path.iterdir()} == {
        "angeles_figure_4.svg",
        "angeles_figure_5.svg",
        "angeles_figures_6_7_8.svg",
    }
