"""Elastic joints agree with MuJoCo's model of motors and springs, and with differences of its torques in time."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from taut.api import Robot
from taut.errors import InputError
from taut.formats.mjcf import read_mjcf
from taut.formats.toml import read_toml
from taut.formats.toml_writer import write_toml
from taut.robot.parts import Drive

STIFFNESS, ROTOR = (40.0, 25.0, 900.0), (0.3, 0.2, 1.5)
AXES = ("0.2 1 0.3", "1 0 0", "0.1 0.2 1")
KINDS = ("hinge", "hinge", "slide")
INERTIALS = (
    '<inertial pos="0.1 0.03 0.05" mass="1.8" fullinertia="0.06 0.09 0.08 0.01 0.002 0.001"/>',
    '<inertial pos="-0.1 0.2 0.1" mass="0.8" fullinertia="0.016 0.019 0.018 0.001 0.002 0.003"/>',
    '<inertial pos="0.05 0.1 0.2" mass="0.5" fullinertia="0.006 0.009 0.008 0.001 0 0.001"/>',
)


def text(elastic: bool) -> str:
    """Return the arm with a motor hinge and a spring hinge a joint, or with rigid joints and no rotors."""
    bodies = ""
    for k in reversed(range(3)):
        joint = f'type="{KINDS[k]}" axis="{AXES[k]}"'
        rigid = f'<joint name="j{k}" {joint}/>'
        parts = f'<joint name="j{k}_motor" {joint} armature="{ROTOR[k]}"/>'
        parts += f'<joint name="j{k}_spring" {joint} stiffness="{STIFFNESS[k]}"/>'
        bodies = (
            f'<body pos="0.1 0.2 0.3" euler="{20 * k} 10 30">{parts if elastic else rigid}{INERTIALS[k]}{bodies}</body>'
        )
    return f'<mujoco><option gravity="1 -2 -9"/><worldbody>{bodies}</worldbody></mujoco>'


RIGID_MODEL = mujoco.MjModel.from_xml_string(text(False))
ELASTIC_MODEL = mujoco.MjModel.from_xml_string(text(True))


def robot() -> Robot:
    tree = read_mjcf(text(False), "arm.xml")
    drives = [Drive(rotor_inertia=b, gear_stiffness=k) for b, k in zip(ROTOR, STIFFNESS, strict=True)]
    lines = write_toml(tree).split("[[joint]]")
    given = [f"drive = {{ rotor_inertia = {d.rotor_inertia}, gear_stiffness = {d.gear_stiffness} }}" for d in drives]
    joined = [lines[0], *(f"\n{drive}{part}" for drive, part in zip(given, lines[1:], strict=True))]
    return Robot(read_toml("[[joint]]".join(joined)))


ARM = robot()
COEFFICIENTS = np.random.default_rng(3).normal(size=(5, 3))
"""Of a motion q(t) = sum of coefficient t^k / k!, so that its derivatives at 0 are these."""


def link_torque(t: float) -> np.ndarray:
    """Return the torques that MuJoCo asks of the rigid links at time t."""
    data = mujoco.MjData(RIGID_MODEL)
    for order, place in enumerate((data.qpos, data.qvel, data.qacc)):
        powers = [t**k / float(np.prod(range(1, k + 1))) for k in range(5 - order)]
        place[:] = powers @ COEFFICIENTS[order:]
    mujoco.mj_inverse(RIGID_MODEL, data)
    return data.qfrc_inverse.copy()


def motor_motion() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return link torque and position, rate and acceleration of the motors at t = 0, by differences of order eight."""
    step, offsets = 0.02, np.arange(-4, 5)
    values = np.array([link_torque(step * k) for k in offsets])
    powers = np.vander(offsets * step, increasing=True)
    series = np.linalg.solve(powers, values)
    tau, first, second = series[0], series[1], 2 * series[2]
    q, qd, qdd = COEFFICIENTS[:3]
    K = np.array(STIFFNESS)
    return tau, q + tau / K, qd + first / K, qdd + second / K


def test_motor_torques_along_a_motion() -> None:
    tau, _, _, acceleration = motor_motion()
    expected = tau + np.array(ROTOR) * acceleration
    found = ARM.evaluate("elastic_torque", *COEFFICIENTS)
    assert np.abs(found - expected).max() <= 1e-8 * np.abs(expected).max()


def test_regressor_times_parameters_are_motor_torques() -> None:
    Y = ARM.evaluate("elastic_regressor", *COEFFICIENTS)
    expected = ARM.evaluate("elastic_torque", *COEFFICIENTS) - np.array(ROTOR) * COEFFICIENTS[2]
    assert np.abs(Y @ ARM.parameters - expected).max() <= 1e-11 * np.abs(expected).max()


def test_motor_coordinates_are_mujocos_model() -> None:
    """Forward dynamics of motors and springs; the given motor torques give back the motion of links and motors."""
    both = ARM.with_motor_coordinates()
    assert both.joint_names == tuple(f"j{k}_{part}" for k in range(3) for part in ("motor", "spring"))
    _, theta, rate, acceleration = motor_motion()
    q, qd, qdd = COEFFICIENTS[:3]
    Q, QD, QDD = (
        np.column_stack(x).ravel() for x in ((theta, q - theta), (rate, qd - rate), (acceleration, qdd - acceleration))
    )
    data = mujoco.MjData(ELASTIC_MODEL)
    data.qpos[:], data.qvel[:] = Q, QD
    data.qfrc_applied[::2] = ARM.evaluate("elastic_torque", *COEFFICIENTS)
    mujoco.mj_forward(ELASTIC_MODEL, data)
    springs = -np.array(STIFFNESS) * (q - theta)
    tau = np.column_stack([data.qfrc_applied[::2], springs]).ravel()
    found = both.forward_dynamics(Q, QD, tau)
    assert np.abs(found - data.qacc).max() <= 1e-9 * np.abs(data.qacc).max()
    assert np.abs(found - QDD).max() <= 1e-7 * np.abs(QDD).max()


def test_derived_program_and_stages() -> None:
    function = ARM.derive("elastic_torque", effort="none")
    expected = ARM.evaluate("elastic_torque", *COEFFICIENTS)
    assert np.abs(function(*COEFFICIENTS) - expected).max() <= 1e-11 * np.abs(expected).max()
    assert {"jerk", "snap"} <= set(function.operations.by_stage)


def test_robots_without_springs_are_told() -> None:
    with pytest.raises(InputError, match="has no elastic joint"):
        Robot(read_mjcf(text(False), "arm.xml")).with_motor_coordinates()
