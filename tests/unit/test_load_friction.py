"""Friction that grows with the load of a joint: numbers, derived programs, C, simulation, and what is refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import taut
from taut.api import Robot
from taut.errors import InputError
from taut.formats import read
from taut.robot import Drive
from taut.simulate.parts import losses

MU = (0.15, 0.08, 0.3)
DRIVES = [Drive(coulomb=1.0, viscous=0.5, smoothing=0.05, load_friction=mu, cos1=0.4, stiffness=2.0) for mu in MU]


def arm(drives: list[Drive] = DRIVES) -> Robot:
    robot = taut.load("puma560").lock({"joint4": 0.0, "joint5": 0.0, "joint6": 0.0}).numeric
    joints = [replace(joint, drive=drive) for joint, drive in zip(robot.joints, drives, strict=True)]
    return Robot(replace(robot, joints=tuple(joints)))


def states(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).uniform(-2, 2, (3, 40, 3))


def by_hand(robot: Robot, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> np.ndarray:
    load = robot.inverse_dynamics(q, qd, qdd) + 0.4 * np.cos(q) + 2.0 * q
    s = qd / np.sqrt(qd**2 + 0.05**2)
    return load + np.array(MU) * s * np.abs(load) + 1.0 * s + 0.5 * qd


def test_joint_torque_has_it() -> None:
    robot, (q, qd, qdd) = arm(), states(1)
    assert np.allclose(robot.joint_torque(q, qd, qdd), by_hand(robot, q, qd, qdd), rtol=1e-12)
    assert np.allclose(robot.contributions(q, qd, qdd).torque, robot.joint_torque(q, qd, qdd), rtol=1e-10)


@pytest.mark.parametrize("parameters", ["numeric", "symbolic"])
def test_derived_program_is_proved_and_equal(parameters: str) -> None:
    robot, (q, qd, qdd) = arm(), states(2)
    found = robot.derive("joint_torque", parameters=parameters, effort="none")
    assert np.allclose(found.compile()(q, qd, qdd), by_hand(robot, q, qd, qdd), rtol=1e-10)


def test_drives_leave_what_the_load_takes() -> None:
    """Forward dynamics under the torque of the drives gives the acceleration that the torque was computed for."""
    robot, (q, qd, qdd) = arm(), states(3)
    tau = robot.joint_torque(q, qd, qdd)
    left = tau - losses(robot.tree).compile()(q, qd, tau)
    assert np.allclose(left, robot.inverse_dynamics(q, qd, qdd), rtol=1e-9, atol=1e-9)
    assert np.allclose(robot.forward_dynamics(q, qd, left), qdd, rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("method", ["rk4", "DOP853"])
def test_simulation_follows_the_torque(method: str) -> None:
    robot, t = arm(), np.linspace(0, 0.3, 4)
    q0, slope = np.array([0.2, -0.4, 0.3]), np.array([0.8, -0.6, 1.1])

    def torque(time: float, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        return robot.joint_torque(q, qd, np.zeros(3))  # constant rates

    run = robot.simulate(q0, slope, torque, t, drives=True, method=method)
    assert np.allclose(run.q[-1], q0 + 0.3 * slope, atol=1e-6)


def test_what_is_refused() -> None:
    stiff = arm([Drive(load_friction=0.1)] * 3)
    with pytest.raises(InputError, match="smoothing"):
        stiff.simulate(np.zeros(3), np.zeros(3), np.zeros(3), np.linspace(0, 0.1, 3), drives=True)
    large = arm([Drive(load_friction=1.2, smoothing=0.1)] * 3)
    with pytest.raises(InputError, match="load_friction"):
        large.simulate(np.zeros(3), np.zeros(3), np.zeros(3), np.linspace(0, 0.1, 3), drives=True)


def test_files_keep_it() -> None:
    text = arm().to_toml()
    assert [joint.drive.load_friction for joint in read(text, "arm.toml", "toml").joints] == list(MU)
