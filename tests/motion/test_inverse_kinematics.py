"""Numeric inverse kinematics: poses of random positions are found again, others are said to be out of reach."""

from __future__ import annotations

import numpy as np
import pytest

import taut
from oracle.robot_files import urdf_files
from taut.errors import InputError
from taut.inverse_kinematics.numeric import Solver
from taut.trajectory.orientation import rotation_vector

FILES = {file.path.name: file for file in urdf_files() if file.name.startswith("example-robot-data")}


def success(name: str, count: int) -> float:
    """Return the share of poses of random positions that are reached within the limits, each one checked."""
    robot = taut.load(name)
    goal = robot.forward_kinematics(robot.random_position(count, seed=3))
    found = robot.inverse_kinematics(goal)
    assert ((robot.limits.lower <= found.q) & (found.q <= robot.limits.upper)).all()
    reached = robot.forward_kinematics(found.q)
    assert np.abs(reached - goal)[found.reached].max() < 1e-8
    assert reached == pytest.approx(found.pose, abs=1e-12)
    return float(found.reached.mean())


@pytest.mark.parametrize("name", ["panda", "iiwa14"])
def test_random_poses_are_reached(name: str) -> None:
    assert success(name, 200) >= 0.995


@pytest.mark.slow
@pytest.mark.parametrize("name", ["panda", "iiwa14"])
def test_ten_thousand_poses_are_reached(name: str) -> None:
    assert success(name, 10_000) >= 0.995


def test_the_loop_in_c_and_the_one_in_python_reach_the_same_positions() -> None:
    robot = taut.load("panda")
    goal = robot.forward_kinematics(robot.random_position(60, seed=8))
    solver = Solver(robot.numeric, robot.frame_names[-1], False, 1e-9, 1.0)
    begin = np.broadcast_to((robot.limits.lower + robot.limits.upper) / 2, (60, robot.nq))
    in_c = solver.searched_in_c(begin, solver.rows(goal), 1, np.random.default_rng(0))
    in_python = solver.searched(begin, solver.rows(goal), 1, np.random.default_rng(0))
    assert ((in_c[1] <= 1e-9) == (in_python[1] <= 1e-9)).all() and (in_c[1] <= 1e-9).sum() > 30
    assert np.abs(in_c[0] - in_python[0])[in_c[1] <= 1e-9].max() < 1e-7


def test_a_pose_out_of_reach_is_said_and_the_nearest_found() -> None:
    """A place straight ahead of a stretched planar arm: the nearest point is on the circle of its reach."""
    robot = taut.load("double_pendulum").with_values({"m1": 1.0, "L1": 1.0, "m2": 1.0, "L2": 0.5})
    found = robot.inverse_kinematics([3.0, 4.0, 0.0])
    assert not found.reached
    assert found.pose[:3, 3] == pytest.approx([0.9, 1.2, 0.0], abs=1e-5)
    assert found.place_error == pytest.approx(3.5, abs=1e-9)
    assert "1 of 1 poses are not reached within the joint limits from 100 starts" in str(found)
    assert "3.5 m and 0 rad away" in str(found)


def test_a_frame_of_a_tree_with_a_free_base() -> None:
    held = {"shoulder_pan_joint": 0.3, **{f"wrist_{k}_joint": 0.2 for k in (1, 2, 3)}}
    robot = taut.load(FILES["ur5_robot.urdf"].path, base="free", lock=held)
    goal = robot.forward_kinematics(robot.random_position(seed=4), "forearm_link")
    found = robot.inverse_kinematics(goal, frame="forearm_link")
    assert found.reached
    assert robot.forward_kinematics(found.q, "forearm_link") == pytest.approx(goal, abs=1e-8)
    assert np.linalg.norm(found.q[3:7]) == pytest.approx(1, abs=1e-14)


def test_rotation_vectors_up_to_a_half_turn() -> None:
    axis = np.array([2.0, -1.0, 2.0]) / 3
    cross = np.cross(np.eye(3), -axis)
    angles = np.array([0.0, 1e-9, 0.3, 3.0, np.pi - 1e-5, np.pi - 1e-9, np.pi])
    for angle in angles:
        R = np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross
        found = rotation_vector(R)
        assert min(np.abs(found - angle * axis).max(), np.abs(found + angle * axis).max()) < 1e-8


@pytest.mark.parametrize(
    ("pose", "options", "words"),
    [
        (2 * np.eye(4), {}, "is no rotation and translation"),
        (np.eye(3), {"frame": "nowhere"}, "nowhere"),
        (np.zeros((2, 4)), {}, r"expected \(\.\.\., 4, 4\) or \(\.\.\., 3\)"),
        (np.full(3, np.nan), {}, "holds NaN"),
        (np.zeros(3), {"starts": 0}, "starts is 0"),
        (np.zeros(3), {"start": [0.0]}, "start: shape"),
    ],
)
def test_bad_input_is_one_sentence(pose: np.ndarray, options: dict[str, object], words: str) -> None:
    with pytest.raises(InputError, match=words):
        taut.load("puma560").inverse_kinematics(pose, **options)


def test_redundant_joints_go_towards_a_posture() -> None:
    """At the end no motion that leaves the frame alone brings the arm nearer, unless a limit is in the way."""
    robot = taut.load("iiwa14")
    goal = robot.forward_kinematics(robot.random_position(10, seed=8))
    posture = np.array([0.0, 0.4, 0.0, -1.0, 0.0, 0.8, 0.0])
    plain, near = robot.inverse_kinematics(goal), robot.inverse_kinematics(goal, posture=posture)
    assert near.reached.all()
    away, before = (np.linalg.norm(found.q - posture, axis=1) for found in (near, plain))
    assert (away <= before + 1e-9).all() and (away < before - 0.01).any()
    limits = robot.limits
    free = ((near.q > limits.lower + 1e-9) & (near.q < limits.upper - 1e-9)).all(axis=1)
    assert free.any()
    for q in near.q[free]:
        J = robot.jacobian(q)
        left = (np.eye(7) - np.linalg.pinv(J) @ J) @ (posture - q)
        assert np.linalg.norm(left) < 1e-3


def test_a_path_is_followed_without_a_jump_or_refused() -> None:
    robot = taut.load("puma560")
    start, end = np.array([0.1, -0.8, 0.3, 0.2, 0.9, 0.1]), np.array([0.8, -0.3, 0.1, 0.6, 0.5, 0.4])
    q = start + np.linspace(0, 1, 40)[:, None] * (end - start)
    path = robot.forward_kinematics(q)
    found = robot.inverse_kinematics(path, start=start, method="path", tolerance=1e-11)
    assert np.abs(found.q - q).max() < 1e-9
    path[20:, 0, 3] += 3.0
    with pytest.raises(InputError, match="pose 21 of the path is not reached"):
        robot.inverse_kinematics(path, start=start, method="path")
    with pytest.raises(InputError, match="method 'guess'"):
        robot.inverse_kinematics(path, method="guess")
