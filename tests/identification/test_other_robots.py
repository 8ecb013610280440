"""Logs of robots with slides and grippers: units of slides, joints that nobody recorded."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import taut
from identification.synthetic import recording
from taut.api import Robot, identify
from taut.errors import InputError
from taut.recordings.mapping import Mapping
from taut.recordings.read import read_recording

JOINTS = ("turn", "slide")
SLIDING = Mapping(slides=(False, True))


def log(folder: Path, names: str, slide: float) -> str:
    """Return a file with a joint that turns by up to 40 and one that slides by up to a length."""
    t = np.arange(0, 3, 0.01)
    table = np.stack([t, 40 * np.sin(t), slide * np.sin(2 * t), np.cos(t), np.sin(t)], 1)
    file = folder / "log.csv"
    file.write_text(f"{names}\n" + "\n".join(",".join(f"{x:.9g}" for x in row) for row in table))
    return str(file)


def test_degrees_are_not_for_slides(tmp_path: Path) -> None:
    file = log(tmp_path, "t,q1,q2,tau1,tau2", 0.2)
    found = read_recording(file, JOINTS, replace(SLIDING, position_unit="deg"))
    assert np.allclose(np.abs(found.q).max(0), [np.radians(40), 0.2], rtol=1e-3)


def test_units_of_each_column(tmp_path: Path) -> None:
    file = log(tmp_path, "t,q1 [deg],q2 [mm],tau1 [Nm],tau2 [N]", 200.0)
    found = read_recording(file, JOINTS, SLIDING)
    assert np.allclose(np.abs(found.q).max(0), [np.radians(40), 0.2], rtol=1e-3)


def test_millimetres_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"position 2 of a joint that slides reaches .* millimetres.*\[mm\]"):
        read_recording(log(tmp_path, "t,q1,q2,tau1,tau2", 200.0), JOINTS, SLIDING)


def arm() -> Robot:
    return taut.load("puma560").lock({"joint4": 0.0, "joint5": 0.0, "joint6": 0.0})


def table(folder: Path, joints: list[int]) -> Path:
    """Return a file with some joints of a motion in which the last joint stands still at zero."""
    held = Robot(arm().lock({"joint3": 0.0}).numeric)
    made = recording(held, seconds=6.0)
    columns = {"t": made.t} | {f"q_joint{k + 1}": made.q[:, k] for k in joints}
    columns |= {f"tau_joint{k + 1}": made.tau[:, k] for k in joints}
    file = folder / "part.csv"
    rows = np.stack(list(columns.values()), 1)
    file.write_text(",".join(columns) + "\n" + "\n".join(",".join(f"{x:.9g}" for x in row) for row in rows))
    return file


def test_a_joint_at_the_end_that_is_not_recorded_is_held(tmp_path: Path) -> None:
    fit = identify(arm(), [table(tmp_path, [0, 1])])
    assert list(fit.held_out) == ["joint1", "joint2"]
    assert any("joint3 is not recorded: held at 0" in text for text in fit.warnings)


def test_a_joint_that_carries_recorded_ones_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no columns of joint 'joint1'.*--lock joint1=0"):
        identify(arm(), [table(tmp_path, [1])])
