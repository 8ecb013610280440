"""Derivatives of inverse and forward dynamics agree with Pinocchio's, on robots that others have written."""

from __future__ import annotations

import numpy as np
import pinocchio as pin
import pytest

from oracle.agreement import random_state
from oracle.pinocchio_oracle import PinocchioOracle, load
from oracle.robot_files import urdf_files
from taut.api import Robot
from taut.formats.urdf import read_urdf
from taut.robot.edit import free_base

FILES = {file.path.name: file for file in urdf_files() if file.name.startswith("example-robot-data")}
CASES = [
    *(("ur5_robot.urdf", False), ("panda.urdf", False), ("panda.urdf", True), ("kinova.urdf", False)),
    *(("anymal.urdf", True), ("talos_reduced.urdf", True), ("tiago.urdf", False), ("hyq_no_sensors.urdf", True)),
]
TOLERANCE = 1e-9


def expected(oracle: PinocchioOracle) -> list[np.ndarray]:
    """Return Pinocchio's six matrices in taut's order: derivatives of rnea, then of aba."""
    G, model, data = oracle.G, oracle.model, oracle.data
    inverse = of_torque(oracle, oracle.a)
    if oracle.robot.tree.mimics:  # the accelerations of joints that are tied together are no business of aba
        M_inverse = np.linalg.inv(inverse[2])
        by_q, by_qd, _ = of_torque(oracle, G @ oracle.forward_dynamics())
        return [*inverse, -M_inverse @ by_q, -M_inverse @ by_qd, M_inverse]
    pin.computeABADerivatives(model, data, oracle.q, oracle.v, G @ oracle.state.tau)
    return [*inverse, *(G.T @ x @ G for x in (data.ddq_dq, data.ddq_dv, mirrored(data.Minv)))]


def of_torque(oracle: PinocchioOracle, acceleration: np.ndarray) -> list[np.ndarray]:
    data = oracle.data
    pin.computeRNEADerivatives(oracle.model, data, oracle.q, oracle.v, acceleration)
    return [oracle.G.T @ x @ oracle.G for x in (data.dtau_dq, data.dtau_dv, mirrored(data.M))]


def mirrored(upper: np.ndarray) -> np.ndarray:
    return np.triu(upper) + np.triu(upper, 1).T


@pytest.mark.parametrize(("name", "free"), CASES)
def test_derivatives(name: str, free: bool) -> None:
    text = FILES[name].text
    robot = Robot(free_base(read_urdf(text, name)) if free else read_urdf(text, name))
    state = random_state(robot, seed=3)
    oracle = PinocchioOracle(load(text.decode(), free=free), robot, state)
    found = [
        *robot.inverse_dynamics_derivatives(state.q, state.qd, state.qdd),
        *robot.forward_dynamics_derivatives(state.q, state.qd, state.tau),
    ]
    for ours, theirs in zip(found, expected(oracle), strict=True):
        assert np.abs(ours - theirs).max() <= TOLERANCE * np.abs(theirs).max()
