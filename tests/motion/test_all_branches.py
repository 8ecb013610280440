"""Closed forms of inverse kinematics: every branch has the pose, and the position it came from is among them."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import taut
from oracle.robot_files import urdf_files
from sampled import sampled
from taut.errors import InputError, UnsupportedError

FILES = {file.path.name: file for file in urdf_files()}

RIGHT = math.pi / 2

ARMS = {
    "axes 2 and 3 parallel": [(0, 0, 0.3), (0.1, -RIGHT, 0.05), (0.4, 0, 0.02), (0.03, -RIGHT, 0.45)],
    "axes 2 and 3 opposite": [(0, 0, 0.3), (0.1, -RIGHT, 0.05), (0.4, math.pi, 0.02), (0.03, -RIGHT, 0.45)],
    "oblique upper arm": [(0, 0, 0.3), (0.1, -1.1, 0.05), (0.4, 0, 0.02), (0.03, 0.7, 0.45)],
    "axes 1 and 2 parallel": [(0, 0, 0.3), (0.25, 0, 0.05), (0.2, -RIGHT, 0.02), (0.03, RIGHT, 0.45)],
    "axes 1 and 2 meet": [(0, 0, 0.3), (0, -RIGHT, 0.05), (0.4, RIGHT, 0.02), (0.03, -RIGHT, 0.45)],
    "axes 1 and 2 meet obliquely": [(0, 0, 0.3), (0, -1.2, 0.05), (0.4, 0.9, 0.02), (0.03, -RIGHT, 0.45)],
    "axes 2 and 3 meet": [(0, 0, 0.3), (0.2, -RIGHT, 0.05), (0, RIGHT, 0.3), (0.03, -RIGHT, 0.45)],
}
"""First four rows (a, alpha, d) of modified Denavit-Hartenberg tables; a spherical wrist follows."""

WRISTS = {"orthogonal": [(0, RIGHT, 0), (0, -RIGHT, 0.08)], "oblique": [(0, 1.2, 0), (0, -0.9, 0.08)]}


def arm(rows: list[tuple[float, float, float]]) -> taut.Robot:
    table = [{"a": a, "alpha": alpha, "d": d} for a, alpha, d in rows]
    return taut.from_dh("modified", table, name="arm")


def turned_apart(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the largest difference of angles (..., n), whole turns left out."""
    return np.asarray(np.abs(np.remainder(a - b + np.pi, 2 * np.pi) - np.pi).max(axis=-1))


def worst_branch(robot: taut.Robot, count: int, limited: bool = False) -> tuple[float, int]:
    """Return the largest error of a branch of the compiled closed form, and at how many poses q is not among them."""
    q = robot.random_position(count, seed=11)
    if not limited:
        q = np.random.default_rng(11).uniform(-np.pi, np.pi, q.shape)
    pose = robot.forward_kinematics(q)
    rows = robot.derive("inverse_kinematics", effort="none").compile()(pose[:, :3].reshape(-1, 12))
    exists = rows[..., 6] <= 1e-12
    error = np.abs(robot.forward_kinematics(rows[..., :6]) - pose[:, None]).max(axis=(-1, -2))
    lost = np.where(exists, turned_apart(rows[..., :6], q[:, None]), np.inf).min(axis=1) > 1e-6
    assert exists.any(axis=1).all()
    return float(error[exists].max()), int(lost.sum())


@pytest.mark.parametrize("name", ["ur5e", "puma560"])
def test_every_branch_has_the_pose(name: str) -> None:
    assert worst_branch(taut.load(name), 500, limited=True) < (1e-10, 1)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ur5e", "puma560"])
def test_every_branch_of_ten_thousand_poses(name: str) -> None:
    error, lost = worst_branch(taut.load(name), 10_000, limited=True)
    assert error < 1e-10 and lost == 0


@pytest.mark.parametrize("wrist", WRISTS)
@pytest.mark.parametrize("name", ARMS)
def test_geometries_are_recognised(name: str, wrist: str) -> None:
    robot = arm(ARMS[name] + WRISTS[wrist])
    function = robot.derive("inverse_kinematics", effort="none")
    assert function.method.startswith("spherical wrist")
    q = np.random.default_rng(2).uniform(-np.pi, np.pi, (50, 6))
    pose = robot.forward_kinematics(q)
    rows = function(pose[:, :3].reshape(-1, 12))
    exists = rows[..., 6] <= 1e-12
    error = np.abs(robot.forward_kinematics(rows[..., :6]) - pose[:, None]).max(axis=(-1, -2))
    assert error[exists].max() < 1e-10
    assert (np.where(exists, turned_apart(rows[..., :6], q[:, None]), np.inf).min(axis=1) < 1e-6).all()


def test_an_arm_seen_from_its_frame() -> None:
    """A spherical shoulder is a spherical wrist of the arm counted backwards."""
    rows = [(0, 0, 0.1), (0, RIGHT, 0), (0, -RIGHT, 0.4), (0.05, RIGHT, 0.1), (0.3, 0, 0.02), (0.1, RIGHT, 0.2)]
    function = arm(rows).derive("inverse_kinematics", effort="none")
    assert function.method == "spherical wrist, axes 2 and 3 parallel, counted from the frame"


def test_a_geometry_without_a_closed_form_is_solved_numerically() -> None:
    robot = arm([(0, 0, 0.3), (0.1, -1, 0.05), (0.4, 0.5, 0.02), (0.03, -1, 0.4), (0.1, 1, 0.1), (0.05, -1, 0.1)])
    with pytest.raises(UnsupportedError, match="no closed form is known"):
        robot.derive("inverse_kinematics")
    found = robot.inverse_kinematics(robot.forward_kinematics([0.3] * 6))
    assert found.reached and found.branches is None
    with pytest.raises(InputError, match="panda"):
        taut.load("panda").inverse_kinematics(np.eye(4), method="closed")


def test_at_the_edge_of_the_workspace_and_at_singular_poses() -> None:
    """Stretched arms and straight wrists, where discriminants vanish and angles are not unique."""
    for name, positions in {
        "ur5e": [[0.3, -0.5, 0, 0.4, 0.7, 0.2], [0.3, -0.5, 0.9, 0.4, 0, 0.2], [0, 0, 0, 0, 0, 0]],
        "puma560": [[0.3, 0.2, 0.3, 0.4, 0, 0.1], [0.2, 0.4, RIGHT - 0.0469, 0, 0.5, 0], [0, 0, 0, 0, 0, 0]],
    }.items():
        robot = taut.load(name)
        pose = robot.forward_kinematics(positions)
        found = robot.inverse_kinematics(pose, start=positions)
        assert found.reached.all(), name
        assert np.abs(robot.forward_kinematics(found.q) - pose).max() < 1e-10
        assert found.singular[1 if name == "ur5e" else 0]
        assert "singular" in str(found)


def test_an_unreachable_pose_is_said_with_the_nearest() -> None:
    robot = taut.load("ur5e")
    pose = np.eye(4)
    pose[:3, 3] = [3.0, 0.0, 0.3]
    found = robot.inverse_kinematics(pose, starts=10)
    assert not found.reached and np.isnan(found.branches).all()
    assert 1.5 < found.place_error < 2.5 and "a radian counted as 1 m" in str(found)


def test_whole_turns_within_the_limits_are_listed() -> None:
    robot = taut.load("ur5e")  # limits of two turns: each angle twice, but for the elbow
    q = robot.random_position(seed=4)
    found = robot.inverse_kinematics(robot.forward_kinematics(q), start=q)
    assert np.abs(found.q - q).max() < 1e-9
    every = found.equivalents()
    assert len(every) > 8 and (np.abs(every - q).max(axis=1) < 1e-9).sum() == 1
    assert ((every >= robot.limits.lower) & (every <= robot.limits.upper)).all()
    assert np.abs(robot.forward_kinematics(every) - found.pose).max() < 1e-10


@pytest.mark.parametrize("name", sampled(["ur5_robot.urdf", "ur3_robot.urdf"], 2))
def test_newton_steps_bring_branches_onto_the_digits_of_a_file(name: str, tmp_path: Path) -> None:
    if name not in FILES:
        pytest.skip(f"{name} is not installed")
    robot = taut.load(FILES[name].path)
    frame = robot.tree.joints[5].link.name
    q = robot.random_position(50, seed=3)
    pose = robot.forward_kinematics(q, frame)
    found = robot.inverse_kinematics(pose, frame, start=q)
    assert found.reached.all() and np.abs(found.q - q).max() < 1e-6
    there = ~np.isnan(found.branches).any(axis=-1)
    assert there.sum() >= 4 * len(q)
    done = robot.generate(tmp_path / "out", [f"inverse_kinematics:{frame}"], effort="none")
    assert done.functions[0].error is not None and done.functions[0].error < 1e-9
    back = robot.forward_kinematics(found.branches[there], frame)
    assert np.abs(back - np.repeat(pose, there.sum(axis=1), axis=0)).max() < 1e-10


@pytest.mark.parametrize("language", ["c", "python", "javascript"])
def test_it_is_generated_like_any_other_function(language: str, tmp_path: Path) -> None:
    done = taut.load("puma560").generate(tmp_path / "out", ["inverse_kinematics"], language=language, effort="none")
    [row] = done.functions
    assert row.operations > 100 and row.error is not None and row.error < 1e-9
