"""Positions as arrays: steps, differences, neutral and random ones; joints spread from independent coordinates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest

import taut
from laws.random_robots import random_tree
from taut.api import Robot
from taut.errors import InputError
from taut.robot import DescribedJoint, Limits, Link, Mimic, SingleAxis, assemble
from taut.spatial import Force, Inertia, Motion, Rotation, Scalar, Transform, about

FLOATING = Robot(random_tree(3, 4, free=True))


def test_a_step_and_a_difference_undo_each_other() -> None:
    q = FLOATING.random_position((50,), seed=1)
    v = np.random.default_rng(2).uniform(-1.5, 1.5, (50, FLOATING.nv))
    v[0, 3:6], v[1, 3:6], v[2] = 0, 1e-9, 0
    moved = FLOATING.step(q, v, 0.7)
    assert np.abs(np.linalg.norm(moved[:, 3:7], axis=1) - 1).max() < 1e-15
    assert np.abs(FLOATING.difference(q, moved) - 0.7 * v).max() < 1e-13


def test_two_half_steps_are_one() -> None:
    """A constant twist in the body's axes is a one-parameter subgroup; a sum of position and turn is not."""
    q, v = FLOATING.random_position(seed=4), np.random.default_rng(5).normal(size=FLOATING.nv)
    halves = FLOATING.step(FLOATING.step(q, v, 0.5), v, 0.5)
    assert np.abs(halves - FLOATING.step(q, v)).max() < 1e-14


def test_a_step_has_the_velocity_it_was_given() -> None:
    """Pose velocities by central differences against J qd."""
    q, v, h = FLOATING.random_position(seed=6), np.random.default_rng(7).normal(size=FLOATING.nv), 1e-6
    ahead, behind = (FLOATING.forward_kinematics(FLOATING.step(q, v, t))[:3, 3] for t in (h, -h))
    assert np.abs((ahead - behind) / (2 * h) - FLOATING.jacobian(q)[:3] @ v).max() < 1e-8


def test_half_a_turn_is_the_largest_difference() -> None:
    there = FLOATING.step(FLOATING.neutral, [0, 0, 0, 0, 0, 4.0, 0, 0, 0, 0])
    assert FLOATING.difference(FLOATING.neutral, there)[5] == pytest.approx(4.0 - 2 * np.pi)


def test_leading_axes_broadcast() -> None:
    robot = taut.load("puma560")
    assert robot.step(np.zeros((5, 1, 6)), np.ones(6), 0.1).shape == (5, 1, 6)
    assert FLOATING.difference(FLOATING.neutral, FLOATING.random_position((2, 3))).shape == (2, 3, FLOATING.nv)
    with pytest.raises(InputError, match=r"expected \(\.\.\., 6\)"):
        robot.step(np.zeros(5), np.zeros(6))
    with pytest.raises(InputError, match="not of length 1"):
        FLOATING.difference(FLOATING.neutral, 2 * FLOATING.neutral)


def test_limits_and_random_positions() -> None:
    robot = taut.load("panda")
    limits = robot.limits
    assert limits.lower.shape == limits.upper.shape == (robot.nq,)
    q = robot.random_position(1000, seed=3)
    assert np.all(q >= limits.lower) and np.all(q <= limits.upper)
    assert np.all(q.max(axis=0) - q.min(axis=0) > 0.9 * (limits.upper - limits.lower))
    assert np.array_equal(q, robot.random_position(1000, seed=3))
    first = replace(robot.tree.joints[0], limits=Limits(upper=1.0))
    opened = Robot(replace(robot.tree, joints=(first, *robot.tree.joints[1:])))
    q = opened.random_position(1000)[:, 0]
    assert opened.limits.lower[0] == -np.inf and q.max() <= 1.0 and q.min() >= 1.0 - 2 * np.pi


def test_a_follower_moves_with_its_leader() -> None:
    """G qd is the derivative of the positions, and gathered torques do the work of the joints' torques."""
    tree = replace(random_tree(8, 3, chain=True), mimics=(Mimic(2, 0, -0.5, 0.1),))
    q, qd, tau = np.random.default_rng(1).normal(size=(3, 3))
    at = tree.at(q[:2])
    assert at.positions == [[q[0]], [q[1]], [-0.5 * q[0] + 0.1]]
    assert at.accelerations(qd[:2], q[:2]) == at.rates(q[:2])
    spread = np.array(at.rates(qd[:2])).ravel()
    assert np.dot(at.gather([[x] for x in tau]), qd[:2]) == pytest.approx(np.dot(tau, spread))
    G = np.array([np.ravel(at.rates(unit)) for unit in np.eye(2)]).T
    A = np.arange(9.0).reshape(3, 3)
    assert np.allclose(at.reduced(A.tolist()), G.T @ A @ G)


@dataclass(frozen=True)
class Helical(SingleAxis):
    """A screw of 0.1 m/rad: a joint kind that taut does not have."""

    kind = "helical"

    def transform(self, q: Sequence[Scalar]) -> Transform:
        return Transform(Rotation((about(self.axis, q[0]),)), self.axis * (0.1 * q[0]))

    def rate(self, qd: Sequence[Scalar]) -> Motion:
        return Motion(self.axis * qd[0], self.axis * (0.1 * qd[0]))

    def project(self, f: Force) -> list[Scalar]:
        return [self.axis.dot(f.n) + 0.1 * self.axis.dot(f.f)]

    @property
    def columns(self) -> list[Motion]:
        return [Motion(self.axis, self.axis * 0.1)]


def test_a_new_joint_kind_is_one_class() -> None:
    """A nut of 2 kg on a vertical screw: torque = (Izz + m h^2) qdd + m g h."""
    nut = Link("nut", Inertia.from_parameters((2.0, 0, 0, 0, 0.3, 0, 0.3, 0, 0, 0.4)))
    tree = assemble("screw", [Link("base"), nut], [DescribedJoint("thread", "base", "nut", motion=Helical())])
    robot = Robot(tree)
    q = robot.random_position(3)
    expected = (0.4 + 2 * 0.01) * 1.5 + 2 * 9.81 * 0.1
    assert np.allclose(robot.inverse_dynamics(q, np.ones(1), [1.5]), expected)
    assert np.allclose(robot.forward_dynamics(q, np.ones(1), [expected]), 1.5)
    assert np.allclose(robot.inverse_dynamics_derivatives(q, np.ones(1), [1.5])[2], 0.42)
    f = robot.derive("inverse_dynamics", effort="none")
    assert np.allclose(f(q, np.ones((3, 1)), np.full((3, 1), 1.5)), expected)
    assert "helical" in robot.to_toml()
