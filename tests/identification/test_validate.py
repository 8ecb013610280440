"""A robot beside a recording: its own error, the lag, and another robot's parameters and errors."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import taut
from identification.synthetic import recording
from identification.test_identify import arm, columns_of, write_csv
from taut.api import Robot
from taut.cli import main


@pytest.fixture(scope="module")
def truth() -> Robot:
    return arm()


def test_the_truth_has_the_error_of_the_noise(truth: Robot) -> None:
    found = taut.validate(truth, [recording(truth, noise=0.02)])
    assert 0.05 < max(found.error.values()) < 2.0  # the filter takes most of the 2 % off
    assert 1.0 < min(found.raw.values()) < 2.5
    assert max(abs(lag) for lag in found.lags.values()) < 1e-3


def test_a_late_torque_shows_as_a_lag(truth: Robot) -> None:
    made = recording(truth)
    late = replace(made, tau=np.stack([np.interp(made.t - 0.02, made.t, x) for x in made.tau.T], 1))
    found = taut.validate(truth, [late])
    assert np.allclose(list(found.lags.values()), 0.02, atol=2e-3)
    assert all(found.delayed[j] < 0.7 * found.error[j] for j in found.error)


def test_two_models_side_by_side(truth: Robot, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    joints = tuple(replace(j, drive=replace(j.drive, coulomb=2 * j.drive.coulomb)) for j in truth.tree.joints)
    (tmp_path / "one.toml").write_text(truth.to_toml(), "utf-8")
    (tmp_path / "two.toml").write_text(Robot(replace(truth.tree, joints=joints)).to_toml(), "utf-8")
    log = write_csv(tmp_path / "log.csv", columns_of(recording(truth)))
    command = ["validate", str(tmp_path / "one.toml"), log, "--beside", str(tmp_path / "two.toml")]
    assert main([*command, "--json", "-o", str(tmp_path / "page.html")]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["parameters"]["coulomb of joint2"] == [3.0, 6.0]
    assert data["beside"]["mean"] > 3 * data["mean"]
    text = (tmp_path / "page.html").read_text("utf-8")
    assert "<svg" in text and "://" not in text
    assert main(command) == 0
    assert "coulomb of joint2" in capsys.readouterr().out
    assert main([*command[:4], "puma560"]) == 2
    assert "joint4" in capsys.readouterr().err
