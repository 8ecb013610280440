"""Reaction wrenches agree with Pinocchio's on robots that others have written, by numbers, derived and as code."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pinocchio as pin
import pytest

from oracle.agreement import random_state
from oracle.pinocchio_oracle import PinocchioOracle, load
from oracle.robot_files import urdf_files
from taut.api import Robot
from taut.api import load as load_robot

FILES = {file.path.name: file for file in urdf_files() if file.name.startswith("example-robot-data")}
NAMES = (
    *("ur3_robot.urdf", "ur5_robot.urdf", "ur10_robot.urdf", "panda.urdf", "kinova.urdf", "solo.urdf"),
    *("anymal.urdf", "solo12.urdf", "hyq_no_sensors.urdf", "bolt.urdf", "b1.urdf", "go1.urdf", "go2.urdf"),
    *("tiago.urdf", "talos_reduced.urdf", "baxter.urdf", "z1.urdf", "laikago.urdf", "finger_edu.urdf", "xarm7.urdf"),
    *("so100.urdf", "double_pendulum.urdf", "allegro_right_hand.urdf", "a1.urdf", "talos_left_arm.urdf"),
)
TOLERANCE = 1e-9


def theirs(robot: Robot, oracle: PinocchioOracle) -> np.ndarray:
    """Return data.f of Pinocchio after rnea: the force on every joint's body, in the body's frame."""
    pin.rnea(oracle.model, oracle.data, oracle.q, oracle.v, oracle.a)
    return np.array([oracle.data.f[i].vector for i in oracle.ids])


@pytest.mark.parametrize("name", NAMES)
def test_reaction_wrenches(name: str) -> None:
    robot = load_robot(FILES[name].path)
    state = random_state(robot, seed=7)
    expected = theirs(robot, PinocchioOracle(load(FILES[name].text.decode()), robot, state))
    found = robot.reaction_wrenches(state.q, state.qd, state.qdd)
    assert found.shape == expected.shape
    assert np.abs(found - expected).max() <= TOLERANCE * np.abs(expected).max()


def test_derived_and_generated(tmp_path: Path) -> None:
    robot = load_robot(FILES["ur5_robot.urdf"].path)
    state = random_state(robot, seed=7)
    expected = theirs(robot, PinocchioOracle(load(FILES["ur5_robot.urdf"].text.decode()), robot, state))
    derived = robot.derive("reaction_wrenches", effort="none")
    assert derived.proof is not None
    for function in (derived, derived.compile()):
        found = function(state.q, state.qd, state.qdd)
        assert np.abs(found - expected).max() <= TOLERANCE * np.abs(expected).max()
    (row,) = robot.generate(tmp_path / "out", ["reaction_wrenches"], effort="none").functions
    assert row.error is not None and row.error < 1e-12


def test_a_wrench_on_the_last_link_reaches_the_base() -> None:
    robot = load_robot("puma560").with_gravity([0, 0, 0])
    q, rest = np.full(6, 0.3), np.zeros(6)
    wrench = np.array([1.0, -2.0, 3.0, 0.4, 0.5, -0.6])
    on_last = {robot.tree.frame(None).name: wrench}
    found = robot.reaction_wrenches(q, rest, rest, wrenches=on_last)
    np.testing.assert_allclose(np.linalg.norm(found[:, :3], axis=1), np.linalg.norm(wrench[:3]), rtol=1e-12)
    np.testing.assert_allclose(found[:, 5], robot.inverse_dynamics(q, rest, rest, on_last), atol=1e-12)
