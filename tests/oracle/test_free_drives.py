"""Armature, dry friction and damping of free and ball joints are MuJoCo's, in every function that they enter."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from oracle.agreement import State
from oracle.mujoco_oracle import MujocoOracle
from taut.api import Robot
from taut.derive import derive
from taut.derive.checks.truth import file_states, plain
from taut.errors import InputError
from taut.formats.mjcf import read_mjcf
from taut.formats.mjcf_writer import write_mjcf
from taut.formats.toml import read_toml
from taut.formats.toml_writer import write_toml

TEXT = """<mujoco model="floating"><option gravity="0.5 -1 -9"/><worldbody><body name="trunk" pos="0.1 0.2 0.9">
<joint name="root" type="free" armature="0.7" frictionloss="0.31" damping="0.2"/>
<inertial pos="0.05 -0.02 0.03" mass="3" fullinertia="0.05 0.08 0.06 0.01 -0.004 0.006"/>
<body name="arm" pos="0.2 0 0.1" euler="20 0 40">
<joint name="hinge" axis="0.2 1 0.3" armature="0.05" frictionloss="0.1"/>
<inertial pos="0.1 0.03 0" mass="0.8" fullinertia="0.006 0.009 0.008 0.001 0 0.001"/></body>
</body></worldbody></mujoco>"""
MODEL = mujoco.MjModel.from_xml_string(TEXT)
ROBOT = Robot(read_mjcf(TEXT, "floating.xml"))
STATES = {name: x[:6] for name, x in file_states(ROBOT.tree).items()}
STATES["qd"] += 0.5 * np.sign(STATES["qd"])  # MuJoCo's dry friction needs some rate to reach its limit
FUNCTIONS = ("inverse_dynamics", "mass_matrix", "bias", "coriolis_matrix", "energy", "joint_torque", "contributions")


def oracle(k: int) -> MujocoOracle:
    q, qd, qdd = (STATES[name][k] for name in ("q", "qd", "qdd"))
    return MujocoOracle(MODEL, ROBOT, State(q, qd, qdd, np.ones(7), np.zeros(6)))


@pytest.mark.parametrize("k", range(3))
def test_rigid_functions_agree(k: int) -> None:
    theirs, (q, qd, qdd) = oracle(k), (STATES[name][k] for name in ("q", "qd", "qdd"))
    assert ROBOT.inverse_dynamics(q, qd, qdd) == pytest.approx(theirs.inverse_dynamics(), rel=1e-12, abs=1e-11)
    assert ROBOT.mass_matrix(q) == pytest.approx(theirs.mass_matrix(), rel=1e-12, abs=1e-12)
    assert ROBOT.forward_dynamics(q, qd, np.ones(7)) == pytest.approx(theirs.forward_dynamics(), rel=1e-10)
    assert ROBOT.coriolis_matrix(q, qd) @ qd + ROBOT.gravity(q) == pytest.approx(theirs.bias(), rel=1e-11, abs=1e-11)
    assert ROBOT.energy(q, qd)[0] == pytest.approx(qd @ theirs.mass_matrix() @ qd / 2, rel=1e-12)


@pytest.mark.parametrize("k", range(3))
def test_friction_agrees(k: int) -> None:
    """MuJoCo's dry friction is a constraint; at these rates it is at its limit."""
    theirs, (q, qd, qdd) = oracle(k), (STATES[name][k] for name in ("q", "qd", "qdd"))
    mujoco.mj_forward(MODEL, theirs.data)
    expected = -theirs.B.T @ (theirs.data.qfrc_passive + theirs.data.qfrc_constraint)
    found = ROBOT.joint_torque(q, qd, qdd) - ROBOT.inverse_dynamics(q, qd, qdd)
    assert found == pytest.approx(expected, rel=1e-9)


def test_the_drive_of_a_ball_joint_agrees() -> None:
    """Gravity, armature, damping, and dry friction at its limit, on a joint away from the body's origin."""
    text = TEXT.replace('type="free"', 'type="ball" pos="0.03 -0.1 0.2"')
    model, robot = mujoco.MjModel.from_xml_string(text), Robot(read_mjcf(text, "hanging.xml"))
    data = mujoco.MjData(model)
    x, y, z, w = q = np.array([0.1, -0.5, 0.7, 0.5])
    qd, qdd = np.array([1.1, -0.9, 1.4, 0.8]), np.array([0.3, -2.0, 0.7, 1.5])
    data.qpos[:], data.qvel[:], data.qacc[:] = [w, x, y, z, 0.4], qd, qdd
    mujoco.mj_inverse(model, data)
    rigid = data.qfrc_inverse + data.qfrc_passive + data.qfrc_constraint
    assert robot.inverse_dynamics([*q, 0.4], qd, qdd) == pytest.approx(rigid, rel=1e-9)
    dry = np.array([0.31, 0.31, 0.31, 0.1]) * np.sign(qd)
    found = robot.joint_torque([*q, 0.4], qd, qdd) - robot.inverse_dynamics([*q, 0.4], qd, qdd)
    assert found - dry == pytest.approx(-data.qfrc_passive, rel=1e-9)
    mujoco.mj_forward(model, data)
    assert dry == pytest.approx(-data.qfrc_constraint, rel=1e-9)


SPRUNG = TEXT.replace('type="free"', 'type="ball" stiffness="3.7" pos="0.03 -0.1 0.2"')


@pytest.mark.parametrize("q", [(0.1, -0.5, 0.7, 0.5), (0.1, 0.5, -0.7, -0.5), (1e-9, -2e-9, 0.0, 1.0), (0, 0, 0, -1)])
def test_the_spring_of_a_ball_joint_agrees(q: tuple[float, ...]) -> None:
    """MuJoCo's torque is the stiffness times the rotation vector from the reference pose."""
    model, robot = mujoco.MjModel.from_xml_string(SPRUNG), Robot(read_mjcf(SPRUNG, "sprung.xml"))
    model.opt.enableflags |= mujoco.mjtEnableBit.mjENBL_ENERGY
    data = mujoco.MjData(model)
    x, y, z, w = q
    data.qpos[:] = [w, x, y, z, 0.4]
    mujoco.mj_forward(model, data)
    rest = np.zeros(4)
    found = robot.joint_torque([*q, 0.4], rest, rest) - robot.inverse_dynamics([*q, 0.4], rest, rest)
    assert found == pytest.approx(-data.qfrc_passive, rel=1e-9, abs=1e-15)
    slack = robot.energy([0, 0, 0, 1, 0.4], rest)[1]
    stored = robot.energy([*q, 0.4], rest)[1] - slack
    flat = Robot(read_mjcf(SPRUNG.replace("3.7", "0"), "slack.xml"))
    weight = flat.energy([*q, 0.4], rest)[1] - flat.energy([0, 0, 0, 1, 0.4], rest)[1]
    turned = 2 * np.arctan2(np.linalg.norm(q[:3]), abs(w))
    assert stored - weight == pytest.approx(3.7 / 2 * turned**2, rel=1e-9, abs=1e-12)


def test_functions_with_the_spring_of_a_ball_joint_are_derived_and_written() -> None:
    robot = Robot(read_mjcf(SPRUNG, "sprung.xml"))
    for name in ("joint_torque", "energy"):
        found = derive(robot.tree, name, effort="none")
        assert found.proof is not None and found.difference is not None and found.difference.largest < 1e-11
    again = Robot(read_toml(write_toml(robot.tree), "again.toml"))
    q, rate = np.array([0.1, -0.5, 0.7, 0.5, 0.4]), np.full(4, 0.5)
    expected = robot.joint_torque(q, rate, rate)
    assert again.joint_torque(q, rate, rate) == pytest.approx(expected, rel=1e-12)
    rewritten = Robot(read_mjcf(write_mjcf(robot.tree), "rewritten.xml"))
    assert rewritten.joint_torque(q, rate, rate) == pytest.approx(expected, rel=1e-12)


def test_a_sprung_ball_swings_with_its_energy() -> None:
    text = SPRUNG.replace('frictionloss="0.31" damping="0.2"', "").replace('frictionloss="0.1"', "")
    robot = Robot(read_mjcf(text, "swinging.xml"))
    run = robot.simulate(
        [0.1, -0.5, 0.7, 0.5, 0.4], np.full(4, 0.3), t=1.0, method="DOP853", tolerance=1e-11, drives=True
    )
    energies = robot.energy(run.q, run.qd)
    assert np.ptp(energies.sum(axis=-1)) < 1e-8 * energies[:, 0].max()


def test_derived_functions_are_the_plain_ones() -> None:
    for name in ("inverse_dynamics", "mass_matrix", "forward_dynamics", "joint_torque"):
        found = derive(ROBOT.tree, name, effort="none")
        assert found.proof is not None and found.difference is not None and found.difference.largest < 1e-11


def test_derivatives_by_rates_and_accelerations() -> None:
    q, qd, qdd = (STATES[name][0] for name in ("q", "qd", "qdd"))
    _, found, M = ROBOT.inverse_dynamics_derivatives(q, qd, qdd)
    h = 1e-5
    by_qd = [(ROBOT.bias(q, qd + h * e) - ROBOT.bias(q, qd - h * e)) / (2 * h) for e in np.eye(7)]
    assert found == pytest.approx(np.transpose(by_qd), rel=1e-7, abs=1e-7)
    assert M == pytest.approx(ROBOT.mass_matrix(q), rel=1e-12)


def test_the_regressor_of_the_drives_holds_the_rotors() -> None:
    q, qd, qdd = (STATES[name][1] for name in ("q", "qd", "qdd"))
    rotors = np.array([0.7, 0, 0.2, 0, 0.05, 0, 0, 0])
    expected = ROBOT.inverse_dynamics(q, qd, qdd) + 0.2 * np.array([*qd[:6], 0])
    expected -= ROBOT.regressor(q, qd, qdd) @ ROBOT.parameters
    assert ROBOT.drive_regressor(qd, qdd) @ rotors == pytest.approx(expected, rel=1e-10, abs=1e-10)


def test_friction_without_a_position_is_refused() -> None:
    with pytest.raises(
        InputError, match=r"dry friction of the free joint 'root' depends on its orientation.*joint_torque"
    ):
        ROBOT.friction(STATES["qd"][0])


def test_toml_keeps_it() -> None:
    again = Robot(read_toml(write_toml(ROBOT.tree), "again.toml"))
    for name in FUNCTIONS:
        assert plain(again.tree, name, STATES) == pytest.approx(plain(ROBOT.tree, name, STATES), rel=1e-12, abs=1e-12)
