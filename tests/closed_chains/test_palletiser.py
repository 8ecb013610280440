"""A palletiser with two parallelograms: solved exactly, about as cheap as the serial arm, base parameters by rank."""

from __future__ import annotations

import numpy as np
import pytest

import taut
from taut.formats.toml import read_toml

AXES = ("", "xyz = [0.2, 0, 0.4]\naxis = [0, 1, 0]", "xyz = [0, 0, 1]\naxis = [0, 1, 0]", "xyz = [1.2, 0, 0]")
LINK = """
[joint.link]
mass = "m{i}"
moment = ["mx{i}", "my{i}", "mz{i}"]
inertia = ["Ixx{i}", "Ixy{i}", "Iyy{i}", "Ixz{i}", "Iyz{i}", "Izz{i}"]
about = "origin"
"""
SERIAL = 'name = "serial"\n' + "".join(f"[[joint]]\n{at}{LINK.format(i=i + 1)}" for i, at in enumerate(AXES))


def test_parallelograms_leave_four_coordinates_and_close():
    robot = taut.load("palletiser")
    assert robot.joint_names == ("turret", "arm", "hand", "lever")
    assert robot.nq == robot.nv == 4
    q = robot.random_position(20)
    level = robot.forward_kinematics(q, "plate")[..., :3, 2]
    assert np.max(np.abs(level - [0, 0, 1])) < 1e-12
    ends = (robot.with_tool(at, name="end", frame=link) for link, at in (("rod", [0, 0, 1]), ("forearm", [-0.3, 0, 0])))
    first, second = (one.forward_kinematics(q, "end")[..., :3, 3] for one in ends)
    assert np.max(np.abs(first - second)) < 1e-12


def test_base_parameters_are_the_rank():
    robot = taut.load("palletiser")
    found = robot.base_parameters()
    rng = np.random.default_rng(0)
    states = [robot.random_position(60, 3), *(rng.uniform(-2, 2, (60, 4)) for _ in range(2))]
    stacked = robot.regressor(*states).reshape(-1, 100)
    assert found.proved
    assert found.count == np.linalg.matrix_rank(stacked, tol=1e-9 * np.linalg.norm(stacked))


@pytest.mark.slow
@pytest.mark.parametrize(("effort", "most"), [("none", 230), ("quick", 200)])
def test_its_torque_costs_no_more_than_a_tenth_above_the_serial_arms(effort, most):
    count, serial = (
        robot.derive("torque", parameters="symbolic", effort=effort, fresh=True).operations.total
        for robot in (taut.load("palletiser"), taut.Robot(read_toml(SERIAL)))
    )
    assert count <= 1.1 * serial
    assert count <= most
