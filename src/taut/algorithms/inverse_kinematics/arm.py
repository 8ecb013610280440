"""The axes of an arm with six revolute joints at its zero position: all that its closed form depends on.

The pose of the frame is a product of exponentials [Murray, Li and Sastry 1994, section 3.2]

.. math:: T(q) = e^{\\xi_1 q_1} \\cdots e^{\\xi_6 q_6}\\, T(0)

in which joint i turns about the axis through the point p_i with the direction h_i.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from taut.algorithms.kinematics import body_poses
from taut.errors import UnsupportedError
from taut.robot import Frame, Tree

SAME = 1e-9
"""Sine of an angle, and part of the arm's reach, that count as zero where a geometry is recognised."""

ROUNDING = 1e-12
"""The same for a number that is taken for 0, 1 or -1 in the formulas."""


@dataclass(frozen=True)
class Arm:
    """Six axes in the order from base to frame.

    Attributes:
        h: directions (6, 3), of length 1.
        p: a point of each axis (6, 3) [m].
        R: orientation of the frame at zero (3, 3).
        t: origin of the frame at zero (3) [m].
    """

    h: np.ndarray
    p: np.ndarray
    R: np.ndarray
    t: np.ndarray

    @property
    def reach(self) -> float:
        """The largest distance between points of the arm, along which lengths are judged [m]."""
        points = np.vstack([self.p, self.t])
        return float(np.linalg.norm(points - points[0], axis=1).max()) or 1.0

    @property
    def reversed(self) -> Arm:
        """The arm as its frame sees it: T^-1 as a function of the angles in reversed order."""
        R, t = self.R.T, -self.R.T @ self.t
        return Arm(-(self.h[::-1] @ self.R), self.p[::-1] @ self.R + t, R, t)

    def parallel(self, *joints: int) -> bool:
        """Whether axes are parallel or opposite; joints count from 1."""
        first, *others = (self.h[k - 1] for k in joints)
        return all(np.linalg.norm(np.cross(first, other)) < SAME for other in others)

    def common_point(self, *joints: int) -> np.ndarray | None:
        """Return the point that axes share, None where they share none or are parallel."""
        first, *others = (k - 1 for k in joints)
        if any(self.parallel(a, b) for a, b in pairwise(joints)):
            return None
        rows = [np.eye(3) - np.outer(self.h[k], self.h[k]) for k in (first, *others)]
        right = np.concatenate([row @ self.p[k] for row, k in zip(rows, (first, *others), strict=True)])
        found = np.linalg.lstsq(np.vstack(rows), right, rcond=None)[0]
        off = np.abs(np.vstack(rows) @ found - right).max()
        return np.asarray(found) if off < SAME * self.reach else None

    def orthogonal(self, a: int, b: int) -> bool:
        """Whether two axes are at right angles."""
        return bool(abs(self.h[a - 1] @ self.h[b - 1]) < SAME)

    def apart(self, k: int, point: np.ndarray) -> bool:
        """Whether a point is not on axis k."""
        return bool(np.linalg.norm(point - self.level(k, point)) > SAME * self.reach)

    def level(self, k: int, point: np.ndarray) -> np.ndarray:
        """Return the point of axis k at the height of another point along the axis; joints count from 1."""
        h, p = self.h[k - 1], self.p[k - 1]
        return np.asarray(p + h * (h @ (point - p)))

    def sense(self, a: int, b: int) -> int:
        """Return 1 where parallel axes point the same way, else -1."""
        return 1 if self.h[a - 1] @ self.h[b - 1] > 0 else -1

    @property
    def upright(self) -> tuple[Arm, np.ndarray, np.ndarray]:
        """The arm seen from a frame on its first axis, with that frame's axes (rows) and origin.

        z runs along the first axis, x at right angles to it in the direction of the second, and the origin is where the
        first axis is nearest to the second: most coordinates of most arms vanish there.
        """
        z = self.h[0]
        other = next((h for h in self.h[1:] if np.linalg.norm(np.cross(z, h)) > SAME), np.roll(z, 1))
        x = other - z * (z @ other)
        x /= np.linalg.norm(x)
        Q = np.array([x, np.cross(z, x), z])
        if np.abs(self.h - np.round(self.h)).max() < ROUNDING:
            Q = np.eye(3)  # coordinates are simple already
        normal = np.cross(z, self.h[1])
        if normal @ normal > SAME**2:
            along = np.linalg.lstsq(np.column_stack([z, -self.h[1], normal]), self.p[1] - self.p[0], rcond=None)[0][0]
        else:
            along = z @ (self.p[1] - self.p[0])
        origin = self.p[0] + along * z
        seen = Arm(self.h @ Q.T, (self.p - origin) @ Q.T, Q @ self.R, Q @ (self.t - origin))
        return seen, Q, origin


def across(k: np.ndarray, h: np.ndarray) -> np.ndarray:
    """Return a unit vector at right angles to k, along h as far as it can be."""
    rest = h - k * (k @ h)
    return np.asarray(rest / np.linalg.norm(rest))


def six_joints(tree: Tree, frame: Frame) -> list[int]:
    """Return the joints that carry a frame, base first; refuse all but six revolute ones with coordinates of their own.

    Args:
        tree: the robot.
        frame: of it.
    """
    path = list(tree.support(frame.body))[::-1]
    followers = {mimic.joint for mimic in tree.mimics} | {mimic.leader for mimic in tree.mimics}
    for i in path:
        joint = tree.joints[i]
        if not joint.motion.pure_turn or i in followers:
            what = "is coupled to another" if i in followers else f"is {joint.motion.kind}"
            raise UnsupportedError(f"joint '{joint.name}' {what}", "closed form", "solve numerically")
    if len(path) != 6:
        raise UnsupportedError(f"{len(path)} joints carry frame '{frame.name}'", "closed form", "solve numerically")
    return path


def arm_of(tree: Tree, frame: Frame) -> Arm:
    """Return the axes of a robot without symbols that carry a frame."""
    path = six_joints(tree, frame)
    rest = [[0.0] * joint.motion.nq if joint.motion.nq == 1 else joint.motion.neutral for joint in tree.joints]
    X = body_poses(tree, rest)
    T = X[frame.body] @ frame.transform

    def numbers(v: object) -> np.ndarray:
        return np.array([float(x) for x in v])  # type: ignore[attr-defined]

    h = np.array([numbers(X[i].R @ tree.joints[i].motion.columns[0].w) for i in path])
    p = np.array([numbers(X[i].p) for i in path])
    R = np.array([numbers(row) for row in T.R.matrix.rows])
    return Arm(h / np.linalg.norm(h, axis=1, keepdims=True), p, R, numbers(T.p))
