"""Planned motions: splines at rest, straight lines, limits of torque and of jerk."""

from __future__ import annotations

import numpy as np
import pytest

import taut
from taut.errors import InputError
from taut.simulate.accelerations import compiled_function
from taut.trajectory import jerk_limited, spline_at_rest, straight_line
from taut.trajectory.time_optimal import Limits, best_trapezoid

FIVE = np.array(
    [
        [0.0, -0.8, 0.0, -2.4, 0.0, 1.6, 0.8],
        [0.6, -0.2, 0.3, -1.9, 0.2, 2.0, 0.4],
        [0.9, 0.4, 0.1, -1.4, 0.5, 2.2, 0.1],
        [0.3, 0.6, -0.4, -1.2, 0.3, 1.5, -0.4],
        [-0.6, 0.2, -0.6, -2.0, -0.2, 1.9, 0.3],
    ]
)


def test_a_spline_begins_and_ends_at_rest_and_is_smooth() -> None:
    times, points = [0.0, 0.3, 0.8, 1.0], [[0.0, 1.0], [0.5, -1.0], [0.7, 0.3], [1.0, 0.0]]
    motion = spline_at_rest(times, points, 1001)
    at = [round(1000 * t) for t in times]
    assert motion.q[at] == pytest.approx(np.array(points), abs=1e-12)
    for ends in (motion.qd[[0, -1]], motion.qdd[[0, -1]]):
        assert np.abs(ends).max() < 1e-9
    step = motion.t[1]
    assert np.diff(motion.q, axis=0) / step == pytest.approx((motion.qd[1:] + motion.qd[:-1]) / 2, abs=1e-3)
    assert np.abs(np.diff(motion.qdd, axis=0)).max() < 0.02 * np.abs(motion.qdd).max()  # it does not jump
    with pytest.raises(InputError, match="give increasing times"):
        spline_at_rest([0, 0], [[1.0], [2.0]])


def test_a_straight_line_keeps_its_orientation_and_its_rates_are_exact() -> None:
    robot = taut.load("iiwa14")
    start = np.array([0.1, 0.5, 0.2, -1.2, 0.3, 0.9, 0.1])
    first = robot.forward_kinematics(start)
    line = straight_line(first, first[:3, 3] + [0.1, -0.2, 0.05], 1.0, count=201)
    motion = robot.along(line, start)
    pose = robot.forward_kinematics(motion.q)
    assert np.abs(pose - line.pose).max() < 1e-10
    assert np.abs(pose[:, :3, :3] - first[:3, :3]).max() < 1e-10
    assert (robot.jacobian(motion.q) @ motion.qd[..., None])[..., 0] == pytest.approx(line.velocity, abs=1e-10)
    middle = slice(1, -1)
    assert np.gradient(motion.q, motion.t, axis=0)[middle] == pytest.approx(motion.qd[middle], abs=1e-3)
    assert np.gradient(motion.qd, motion.t, axis=0)[middle] == pytest.approx(motion.qdd[middle], abs=0.05)


def test_a_line_may_turn() -> None:
    end = np.eye(4)
    end[:3, :3], end[:3, 3] = [[0, -1, 0], [1, 0, 0], [0, 0, 1]], [1, 2, 3]
    line = straight_line(np.eye(4), end, 2.0, count=5)
    assert line.pose[-1] == pytest.approx(end, abs=1e-12)
    assert line.pose[2, :3, :3] == pytest.approx(np.array([[1, -1, 0], [1, 1, 0], [0, 0, np.sqrt(2)]]) / np.sqrt(2))


def test_the_time_optimal_motion_holds_torques_and_beats_the_best_trapezoid() -> None:
    """Panda through five points, speeds and torques within its limits on a grid ten times finer than TOPP-RA's."""
    robot = taut.load("panda")
    motion = robot.time_optimal(FIVE, grid=100)
    assert len(motion.t) == 1001
    assert np.abs(robot.inverse_dynamics(motion.q, motion.qd, motion.qdd) / robot.limits.effort).max() <= 1 + 1e-6
    assert np.abs(motion.qd / robot.limits.velocity).max() <= 1 + 1e-6
    for point in FIVE:
        assert np.abs(motion.q - point).max(axis=1).min() < 0.02
    assert np.diff(motion.q, axis=0) == pytest.approx(
        np.diff(motion.t)[:, None] * (motion.qd[1:] + motion.qd[:-1]) / 2, abs=1e-4
    )
    limits = Limits(robot.limits.velocity, np.full(7, np.inf), robot.limits.effort)
    slow = best_trapezoid(FIVE, limits, compiled_function(robot.numeric, "inverse_dynamics"), count=1001)
    assert slow.t[-1] / motion.t[-1] >= 1.15


def test_a_path_that_cannot_be_held_is_refused() -> None:
    robot = taut.load("panda")
    with pytest.raises(InputError, match="cannot be followed within the limits"):
        robot.time_optimal(FIVE, torque=1.0, grid=20)
    with pytest.raises(InputError, match="point 2 repeats"):
        robot.time_optimal([FIVE[0], FIVE[0]])


def test_jerk_stays_within_its_limit() -> None:
    motion = jerk_limited([0.0, 0.0], [1.0, -0.5], 1.0, 2.0, 10.0, count=2001)
    assert motion.q[[0, -1]] == pytest.approx(np.array([[0, 0], [1, -0.5]]), abs=1e-9)
    jerk = np.diff(motion.qdd, axis=0) / np.diff(motion.t)[:, None]
    assert np.abs(motion.qd).max() <= 1 + 1e-9 and np.abs(motion.qdd).max() <= 2 + 1e-9 and np.abs(jerk).max() < 10.001
    with pytest.raises(InputError, match="above 0"):
        jerk_limited([0.0], [1.0], -1.0, 1.0, 1.0)
