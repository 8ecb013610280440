"""Programs and code of robots with ball, planar, universal, cylindrical and helical joints are the numeric answers."""

from __future__ import annotations

import subprocess
from pathlib import Path

import mujoco
import numpy as np
import pytest

from oracle.agreement import TOLERANCE
from oracle.joint_kinds import random_parts, taut_robot
from taut.api import Robot
from taut.formats.mjcf import read_mjcf
from taut.formats.mjcf_writer import write_mjcf
from taut.formats.toml import read_toml
from taut.formats.toml_writer import write_toml
from taut.formats.urdf import read_urdf
from taut.formats.urdf_writer import write_urdf
from taut.identify.base_parameters import base_parameters
from taut.robot.states import difference, random_states, step

FUNCTIONS = ("inverse_dynamics", "mass_matrix", "forward_dynamics", "coriolis_matrix", "jacobian", "regressor")


@pytest.mark.parametrize(
    ("kinds", "free"), [(["ball", "helical"], False), (["revolute", "ball"], True), (["universal", "planar"], False)]
)
def test_derived_functions_are_the_plain_ones(kinds: list[str], free: bool) -> None:
    robot = taut_robot(random_parts(4, kinds, free))
    q, qd, x = random_states(robot.tree, np.random.default_rng(5), (3,), limited=False)
    for name in FUNCTIONS[:2] if free else FUNCTIONS:
        function = robot.derive(name, effort="none")
        given = {"q": q, "qd": qd, "qdd": x, "tau": x}
        found = function(*(given[argument] for argument in function.arguments))
        expected = getattr(robot, name)(*(given[argument] for argument in function.arguments))
        assert np.abs(found - expected).max() <= 1e-11 * np.abs(expected).max()


@pytest.mark.parametrize("parameters", ["symbolic", "base"])
def test_run_time_parameters_of_a_ball_joint(parameters: str) -> None:
    robot = taut_robot(random_parts(4, ["revolute", "ball"], False))
    q, qd, qdd = random_states(robot.tree, np.random.default_rng(5), (3,), limited=False)
    function = robot.derive("inverse_dynamics", parameters=parameters, effort="none")
    expected = robot.inverse_dynamics(q, qd, qdd)
    assert np.abs(function(q, qd, qdd) - expected).max() <= 1e-11 * np.abs(expected).max()


def test_a_ball_joint_costs_no_more_than_a_free_one() -> None:
    """The same link on a free joint has three more rates and three more torques."""
    on_ball, on_free = (taut_robot(random_parts(4, kinds, free)) for kinds, free in ((["ball"], False), ([], True)))
    counts = [robot.derive("inverse_dynamics", effort="none").operations.total for robot in (on_ball, on_free)]
    assert counts[0] < counts[1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kinds", "free"),
    [
        (["ball", "helical"], True),
        (["universal", "planar"], True),
        (["cylindrical", "ball"], False),
        (["planar", "helical"], False),
    ],
)
def test_generated_code_passes_its_own_tests(kinds: list[str], free: bool, tmp_path: Path) -> None:
    """Code is compared with the textbook algorithm and proved before it is written, and its self-test is run."""
    robot, folder = taut_robot(random_parts(4, kinds, free)), tmp_path / "code"
    robot.generate(folder, ["inverse_dynamics", "mass_matrix", "jacobian"], effort="none", name="tree")
    assert list(folder.glob("*.proof.json"))
    subprocess.run(["cc", "-o", "selftest", "selftest.c", "tree.c", "-lm"], cwd=folder, check=True)
    assert "passed" in subprocess.run([folder / "selftest"], check=True, capture_output=True, text=True).stdout


def test_base_parameters_are_as_many_as_the_rank() -> None:
    robot = taut_robot(random_parts(6, ["ball", "helical", "universal"], False))
    base = base_parameters(robot.tree)
    q, qd, qdd = random_states(robot.tree, np.random.default_rng(2), (200,), limited=False)
    Y = robot.regressor(q, qd, qdd).reshape(-1, 10 * len(robot.tree.joints))
    assert len(base.names) == np.linalg.matrix_rank(Y / np.linalg.norm(Y))


def test_toml_and_urdf_give_the_same_robot_back() -> None:
    tree = taut_robot(random_parts(1, ["ball", "planar", "universal", "helical", "cylindrical"], True)).tree
    assert read_toml(write_toml(tree)) == tree
    tree = taut_robot(random_parts(1, ["ball", "planar", "universal", "cylindrical"], False)).tree
    again = read_urdf(write_urdf(tree), "again.urdf")
    assert [joint.motion for joint in again.joints] == [joint.motion for joint in tree.joints]
    _same_torques(Robot(tree), Robot(again))


@pytest.mark.parametrize("free", [False, True])
def test_mjcf_is_read_alike_by_mujoco_and_back(free: bool) -> None:
    robot = taut_robot(random_parts(1, ["ball", "planar", "universal", "cylindrical"], free))
    text = write_mjcf(robot.tree)
    assert mujoco.MjModel.from_xml_string(text).nv == robot.nv
    _same_torques(robot, Robot(read_mjcf(text, "again.xml")))


def _same_torques(one: Robot, other: Robot) -> None:
    q, qd, qdd = random_states(one.tree, np.random.default_rng(3), limited=False)
    expected = one.inverse_dynamics(q, qd, qdd)
    assert np.abs(other.inverse_dynamics(q, qd, qdd) - expected).max() <= TOLERANCE * np.abs(expected).max()


def test_planar_joints_of_urdf_lie_as_mujoco_has_them() -> None:
    text = """<robot name="plane"><link name="world"/><link name="disc"><inertial><origin xyz="0.1 -0.2 0.3"/>
    <mass value="2"/><inertia ixx="0.3" iyy="0.4" izz="0.5" ixy="0.01" ixz="0.02" iyz="0.03"/></inertial></link>
    <joint name="j" type="planar"><origin xyz="1 2 3" rpy="0.3 0.4 0.5"/><axis xyz="1 2 -3"/><parent link="world"/>
    <child link="disc"/></joint></robot>"""
    model, robot = mujoco.MjModel.from_xml_string(text), Robot(read_urdf(text, "plane.urdf"))
    assert robot.joint_names == ("j_x", "j_y", "j_turn")
    data = mujoco.MjData(model)
    q, qd, qdd = random_states(robot.tree, np.random.default_rng(3))
    data.qpos[:], data.qvel[:], data.qacc[:] = q, qd, qdd
    mujoco.mj_inverse(model, data)
    assert robot.inverse_dynamics(q, qd, qdd) == pytest.approx(data.qfrc_inverse, rel=1e-9)


def test_steps_and_differences_of_a_ball_joint_undo_each_other() -> None:
    tree = taut_robot(random_parts(1, ["ball", "helical"], False)).tree
    q, qd, _ = random_states(tree, np.random.default_rng(4), (5,))
    assert difference(tree, q, step(tree, q, qd)) == pytest.approx(qd, rel=1e-12, abs=1e-12)


def test_motion_of_a_ball_joint_keeps_its_energy() -> None:
    robot = taut_robot(random_parts(1, ["ball", "helical"], False))
    q, qd, _ = random_states(robot.tree, np.random.default_rng(4))
    run = robot.simulate(q, qd, t=0.5, method="rk4", step=1e-3)
    energy = robot.energy(run.q, run.qd).sum(axis=-1)
    assert np.ptp(energy) <= 1e-7 * np.abs(robot.energy(q, qd)).max()
    assert np.abs(np.linalg.norm(run.q[:, robot.tree.quaternions[0] :][:, :4], axis=1) - 1).max() < 1e-12
