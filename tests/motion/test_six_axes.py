"""Closed forms over sampled geometries: every class of six revolute axes that has one, all branches, no arm by name."""

from __future__ import annotations

import math

import numpy as np
import pytest

import taut
from taut.algorithms.inverse_kinematics import all_branches
from taut.algorithms.inverse_kinematics.conics import common_points

RIGHT = math.pi / 2

Rows = list[list[float]]
"""(a, alpha, d) of a modified Denavit-Hartenberg table: row i has the way from axis i - 1 to axis i."""


def meet(rows: Rows, *joints: int) -> None:
    """Let axes meet their predecessors."""
    for k in joints:
        rows[k - 1][0] = 0.0


def triple(rows: Rows, first: int) -> None:
    """Let three axes meet in one point."""
    meet(rows, first + 1, first + 2)
    rows[first][2] = 0.0


def parallel(rows: Rows, *joints: int) -> None:
    """Make axes parallel to their predecessors, every other one opposite."""
    for k in joints:
        rows[k - 1][1] = math.pi * (k % 2)


CLASSES = {
    "spherical wrist, first three axes in general position": lambda r: triple(r, 4),
    "spherical wrist, first three axes in general position, counted from the frame": lambda r: triple(r, 1),
    "axes 2, 3 and 4 meet": lambda r: triple(r, 2),
    "axes 2, 3 and 4 meet, counted from the frame": lambda r: triple(r, 3),
    "axes 2, 3 and 4 meet; 5 and 6 meet": lambda r: (triple(r, 2), meet(r, 6)),
    "axes 2, 3 and 4 meet; 5 and 6 parallel": lambda r: (triple(r, 2), parallel(r, 6)),
    "axes 2, 3 and 4 parallel": lambda r: parallel(r, 3, 4),
    "axes 2, 3 and 4 parallel, counted from the frame": lambda r: parallel(r, 4, 5),
    "axes 2, 3 and 4 parallel; 5 and 6 parallel": lambda r: parallel(r, 3, 4, 6),
    "axes 2, 3 and 4 parallel, axes 5 and 6 meet": lambda r: (parallel(r, 3, 4), meet(r, 6)),
    "axes 1, 2 and 3 parallel, axes 5 and 6 meet": lambda r: (parallel(r, 2, 3), meet(r, 6)),
    "axes 1, 2 and 3 parallel, axes 4 and 5 meet": lambda r: (parallel(r, 2, 3), meet(r, 5)),
    "axes 1, 2 and 3 parallel, axes 5 and 6 parallel": lambda r: parallel(r, 2, 3, 6),
    "axes 1, 2 and 3 parallel, axes 4 and 5 parallel": lambda r: parallel(r, 2, 3, 5),
    "axes 1, 2 and 3 parallel, axes 4 and 5 parallel, counted from the frame": lambda r: parallel(r, 5, 6, 3),
}
"""{title of the closed form, then what else is special: what makes a geometry of it}"""


def sampled(name: str, seed: int) -> taut.Robot:
    rng = np.random.default_rng([seed, list(CLASSES).index(name)])
    twists = [RIGHT, -RIGHT, *rng.uniform(0.4, 2.7, 2)]
    rows = [[rng.uniform(0.05, 0.5), rng.choice(twists), rng.uniform(-0.3, 0.4)] for _ in range(6)]
    rows[0][:2] = [0.0, 0.0]
    CLASSES[name](rows)
    table = [{"a": float(a), "alpha": float(alpha), "d": float(d)} for a, alpha, d in rows]
    return taut.from_dh("modified", table, name="sampled")


@pytest.mark.parametrize("name", CLASSES)
@pytest.mark.parametrize("seed", [0, 1])
def test_every_branch_has_the_pose_and_none_is_lost(name: str, seed: int) -> None:
    robot = sampled(name, seed)
    q = np.random.default_rng(seed).uniform(-np.pi, np.pi, (400, 6))
    pose = robot.forward_kinematics(q)
    title, branches = all_branches(robot.numeric, list(pose[:, :3].reshape(-1, 12).T))
    assert title == name.partition(";")[0]
    rows = np.array([[np.broadcast_to(x, len(q)) for x in branch] for branch in branches]).transpose(2, 0, 1)
    exists = rows[..., 6] <= 1e-12
    error = np.abs(robot.forward_kinematics(rows[..., :6]) - pose[:, None]).max(axis=(-1, -2))
    assert error[exists].max() < 1e-10
    apart = np.abs(np.remainder(rows[..., :6] - q[:, None] + np.pi, 2 * np.pi) - np.pi).max(axis=-1)
    assert (np.where(exists, apart, np.inf).min(axis=1) < 1e-5).all()
    assert set(exists.sum(axis=1).tolist()) <= {2, 4, 6, 8}


@pytest.mark.slow
def test_a_quartic_is_generated_and_solved_through_the_api() -> None:
    robot = sampled("spherical wrist, first three axes in general position", 3)
    q = robot.random_position(200, seed=5)
    pose = robot.forward_kinematics(q)
    found = robot.inverse_kinematics(pose, start=q)
    assert found.reached.all() and (found.starts == 0).all() and np.abs(found.q - q).max() < 1e-6
    function = robot.derive("inverse_kinematics", effort="none")
    assert function.shape == (8, 7) and "atan2(" in function.to_c()
    assert np.abs(function.compile()(pose[:, :3].reshape(-1, 12)) - function(pose[:, :3].reshape(-1, 12))).max() < 1e-6


def test_common_points_at_a_double_point() -> None:
    """Where two points coincide, rounding makes them real or not: both have y of length 1."""
    rng = np.random.default_rng(8)
    G = rng.normal(size=(500, 2, 2))
    theta = rng.uniform(-np.pi, np.pi, 500)
    x = np.stack([np.cos(theta), np.sin(theta)], -1)
    tangent = np.stack([-np.sin(theta), np.cos(theta)], -1)
    side = np.einsum("nij,nj->ni", G, tangent)
    y = np.stack([-side[:, 1], side[:, 0]], -1) / np.linalg.norm(side, axis=-1, keepdims=True)  # no change of |y|
    d = y + np.einsum("nij,nj->ni", G, x)
    found = list(common_points([[G[:, i, j] for j in range(2)] for i in range(2)], list(d.T)))
    lack = np.array([one[2] for one in found])
    off = np.abs(np.remainder(np.array([one[0] for one in found]) - theta + np.pi, 2 * np.pi) - np.pi)
    assert (np.where(lack < 1e-12, off, np.inf).min(axis=0) < 1e-5).all()
