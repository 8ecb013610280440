"""Contributions sum to the torque and are what their names say."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import taut
from laws.random_robots import random_state, random_tree
from taut.api import Robot
from taut.errors import InputError


def states(robot: Robot, count: int = 20) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    draw = np.random.default_rng(3)
    q = draw.uniform(-2, 2, (count, robot.nq))
    return q, draw.uniform(-2, 2, (count, robot.nv)), draw.uniform(-5, 5, (count, robot.nv))


@pytest.mark.parametrize("name", ["puma560", "panda", "ur5e", "puma260"])
def test_they_sum_to_the_torque(name: str) -> None:
    robot = taut.load(name)
    q, qd, qdd = states(robot)
    parts = robot.contributions(q, qd, qdd)
    torque = robot.joint_torque(q, qd, qdd)
    assert np.abs(parts.torque - torque).max() <= 1e-12 * np.abs(torque).max()


@pytest.mark.parametrize("free", [False, True], ids=["fixed", "free"])
def test_they_sum_to_the_torque_of_random_trees(free: bool) -> None:
    robot = Robot(random_tree(4, 6, free=free))
    q, qd, qdd, *_ = (np.concatenate(part) for part in random_state(robot.tree, seed=1))
    parts = robot.contributions(q, qd, qdd)
    torque = robot.joint_torque(q, qd, qdd)
    assert np.abs(parts.torque - torque).max() <= 1e-12 * np.abs(torque).max()


def test_each_is_what_its_name_says() -> None:
    robot = taut.load("puma560")
    q, qd, qdd = states(robot)
    parts = robot.contributions(q, qd, qdd)
    G = robot.christoffel(q)
    squares = np.einsum("sijj,sj->si", G, qd**2)
    products = np.einsum("sijk,sj,sk->si", G, qd, qd) - squares
    np.testing.assert_allclose(parts.centrifugal, squares, atol=1e-13)
    np.testing.assert_allclose(parts.coriolis, products, atol=1e-13)
    np.testing.assert_allclose(parts.inertial + parts.rotor, np.einsum("sij,sj->si", robot.mass_matrix(q), qdd))
    np.testing.assert_array_equal(parts.gravity, robot.gravity(q))
    np.testing.assert_array_equal(parts.friction, robot.friction(qd))
    rotors = [float(joint.drive.rotor_inertia) for joint in robot.numeric.joints]
    np.testing.assert_allclose(parts.rotor, np.array(rotors) * qdd, rtol=1e-14)
    assert parts.greatest()["gravity"].shape == (6,)


def test_the_derived_program_is_the_same() -> None:
    robot = taut.load("puma260")
    given = states(robot)
    derived = robot.derive("contributions", effort="none")
    assert derived.proof is not None
    np.testing.assert_allclose(derived(*given), robot.evaluate("contributions", *given), atol=1e-11)


def test_a_trajectory_is_drawn(tmp_path: Path) -> None:
    robot = taut.load("puma560")
    parts = robot.contributions(*states(robot))
    parts.plot(tmp_path / "shares.svg", np.linspace(0, 1, 20))
    assert (tmp_path / "shares.svg").stat().st_size > 1000
    with pytest.raises(InputError, match="give 20 times"):
        parts.plot(tmp_path / "shares.svg", [0, 1])
    with pytest.raises(InputError, match="one axis of states"):
        robot.contributions([0] * 6, [0] * 6, [0] * 6).plot(tmp_path / "shares.svg")
