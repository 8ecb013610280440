"""A robot leaves taut as text and comes back the same, and can be given as a table."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import taut
from taut.derive.naming.model import FORMS, ONE_NAMING


@pytest.mark.parametrize("suffix", [".toml", ".urdf"])
def test_a_written_robot_reads_back(suffix: str, tmp_path: Path) -> None:
    robot = taut.load("ur5e").with_load(2.0, com=[0.01, 0.02, 0.05])
    path = tmp_path / f"again{suffix}"
    path.write_text(robot.to_toml() if suffix == ".toml" else robot.to_urdf(), encoding="utf-8")
    again = taut.load(path)
    q, qd, qdd = np.random.default_rng(0).normal(size=(3, 5, 6))
    expected = robot.inverse_dynamics(q, qd, qdd)
    assert np.abs(again.inverse_dynamics(q, qd, qdd) - expected).max() <= 1e-12 * np.abs(expected).max()


def test_a_table_is_a_robot() -> None:
    arm = taut.from_dh("standard", [{"a": 0.4}, {"a": 0.3, "link": {"mass": 2.0, "com": [-0.15, 0, 0]}}])
    assert np.allclose(arm.forward_kinematics([0.0, 0.0])[:3, 3], [0.7, 0, 0])
    with pytest.raises(taut.InputError, match="convention"):
        taut.from_dh("craig's", [{"a": 0.4}])


@pytest.mark.parametrize("forms", [FORMS, ONE_NAMING])
def test_joint_torque_is_the_best_inverse_dynamics_and_the_drives(forms: tuple[str, ...]) -> None:
    robot = taut.load("puma560")
    rigid = robot.derive("inverse_dynamics", effort="none", forms=forms)
    driven = robot.derive("joint_torque", effort="none", forms=forms)
    assert driven.method.startswith("second_moments") and driven.proof is not None and driven.form == rigid.form
    assert driven.operations.total == rigid.operations.total + 2 * robot.dof  # viscous friction of every drive
    q, qd, qdd = np.random.default_rng(1).normal(size=(3, 4, 6))
    expected = robot.joint_torque(q, qd, qdd)
    assert np.abs(driven(q, qd, qdd) - expected).max() <= 1e-12 * np.abs(expected).max()
