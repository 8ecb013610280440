"""All branches of arms with a spherical wrist and of arms with three parallel axes, as formulas of the pose.

A spherical wrist leaves three angles for its centre [Pieper 1968]; they have a closed form with square roots alone
where two neighbouring ones of the first three axes are parallel or meet. Three parallel axes in the middle, of which
the UR arms are known, leave the outer three to the orientation and one plane. Geometry decides, never a name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from taut.algorithms.inverse_kinematics.arm import Arm
from taut.algorithms.inverse_kinematics.subproblems import Turn, angle_between, at_distance, meeting, on_plane, undone
from taut.errors import UnsupportedError
from taut.spatial import Mat3, Scalar, Vec3


class Constants(Protocol):
    """Makes numbers of an arm constants of the formulas."""

    def number(self, x: float) -> Scalar:
        """Return a length or the cosine of an angle."""

    def vector(self, v: np.ndarray) -> Vec3:
        """Return a place or a direction."""


@dataclass(frozen=True)
class Branch:
    """One solution.

    Attributes:
        angles: of the joints.
        lack: what its discriminants lack, each over the reach to its power: 0 where the branch exists.
    """

    angles: tuple[Scalar, ...]
    lack: Scalar


@dataclass(frozen=True)
class Solver:
    """A closed form that fits an arm.

    Attributes:
        title: the geometry it is for.
        branches: (arm, constants, R, t of the pose) -> all branches.
        backwards: whether it is for the arm as its frame sees it.
    """

    title: str
    branches: Callable[[Arm, Constants, Mat3, Vec3], list[Branch]]
    backwards: bool = False


@dataclass(frozen=True)
class _Placed:
    """The first three angles with the wrist's centre in place, and the rotations that they make."""

    angles: tuple[Scalar, ...]
    turns: tuple[Turn, ...]
    lack: Scalar


def solver_of(arm: Arm) -> Solver:
    """Return the closed form that fits the geometry of an arm."""
    for backwards, seen in ((False, arm), (True, arm.reversed)):
        if seen.common_point(4, 5, 6) is not None:
            for title, fits, place in POSITIONS:
                if fits(seen):
                    return Solver(_title(f"spherical wrist, {title}", backwards), _spherical(place), backwards)
        if seen.parallel(2, 3, 4) and not seen.parallel(1, 2) and seen.common_point(5, 6) is not None:
            if not seen.parallel(4, 5):
                return Solver(_title("axes 2, 3 and 4 parallel, axes 5 and 6 meet", backwards), _parallel, backwards)
    raise UnsupportedError(
        "no closed form is known for this geometry", "closed form", "it needs a spherical wrist or three parallel axes"
    )


def _title(text: str, backwards: bool) -> str:
    return f"{text}, counted from the frame" if backwards else text


# -- spherical wrists ------------------------------------------------------------


def _spherical(place: Callable[..., Iterator[_Placed]]) -> Callable[[Arm, Constants, Mat3, Vec3], list[Branch]]:
    def branches(arm: Arm, of: Constants, R: Mat3, t: Vec3) -> list[Branch]:
        centre = arm.common_point(4, 5, 6)
        assert centre is not None
        W = t + R @ of.vector(arm.R.T @ (centre - arm.t))
        return [branch for placed in place(arm, of, W, centre) for branch in _wrist(arm, of, R, placed)]

    return branches


def _wrist(arm: Arm, of: Constants, R: Mat3, placed: _Placed) -> Iterator[Branch]:
    """Yield both wrists: rot(h4, q4) rot(h5, q5) rot(h6, q6) is the orientation that is left for them."""
    h4, h5, h6 = (of.vector(h) for h in arm.h[3:])
    across = _across(arm.h[5], arm.h[4])
    z = undone(placed.turns, R @ of.vector(arm.R.T @ arm.h[5]))  # the last axis and a direction across it, turned
    y = undone(placed.turns, R @ of.vector(arm.R.T @ across))
    side = h4.cross(z)
    square = side.dot(side) if arm.orthogonal(4, 5) and arm.orthogonal(5, 6) else None
    pair = on_plane(h4, h5, h6, h4.dot(z), square)
    for q5 in pair.angles:
        bend = Turn(h5, q5)
        q4 = angle_between(h4, bend(h6), z)
        q6 = angle_between(h6, of.vector(across), undone([Turn(h4, q4), bend], y))
        yield Branch((*placed.angles, q4, q5, q6), placed.lack + pair.lack)


def _across(k: np.ndarray, h: np.ndarray) -> np.ndarray:
    """Return a unit vector at right angles to k, along h as far as it can be."""
    rest = h - k * (k @ h)
    return np.asarray(rest / np.linalg.norm(rest))


def _upper_arm_and_forearm(arm: Arm, of: Constants, W: Vec3, centre: np.ndarray) -> Iterator[_Placed]:
    """Axes 2 and 3 parallel: the first joint brings the centre into its plane, the other two are a planar arm."""
    h1, h, h3 = (of.vector(k) for k in arm.h[:3])
    p2, p3 = (_level(arm, k, centre) for k in (1, 2))
    scale = arm.reach
    shoulder = on_plane(h, -h1, W, of.number(arm.h[1] @ centre))
    for q1 in shoulder.angles:
        v = Turn(h1, q1).inverse(W) - of.vector(p2)
        elbow = at_distance(h3, of.vector(centre - p3), of.vector(p2 - p3), v.dot(v))
        for q3 in elbow.angles:
            q2 = angle_between(h, of.vector(p3 - p2) + Turn(h3, q3)(of.vector(centre - p3)), v)
            turns = (Turn(h1, q1), Turn(h, q2 + _sense(arm, 2, 3) * q3))
            yield _Placed((q1, q2, q3), turns, shoulder.lack / of.number(scale**2) + elbow.lack / of.number(scale**4))


def _swivels(arm: Arm, of: Constants, W: Vec3, centre: np.ndarray) -> Iterator[_Placed]:
    """Axes 1 and 2 parallel: the third joint brings the centre to its height, the first two are a planar arm."""
    h, h2, h3 = (of.vector(k) for k in arm.h[:3])
    scale = arm.reach
    p3, second = of.vector(arm.p[2]), of.vector(_level(arm, 1, np.zeros(3)))
    height = on_plane(h, h3, of.vector(centre - arm.p[2]), h.dot(W - p3))
    for q3 in height.angles:
        x = p3 + Turn(h3, q3)(of.vector(centre - arm.p[2])) - of.vector(arm.p[1])
        flat, far = (v - h * h.dot(v) for v in (x, W))
        elbow = at_distance(h2, flat, -second, far.dot(far))
        for q2 in elbow.angles:
            q1 = angle_between(h, second + Turn(h2, q2)(flat), far)
            turns = (Turn(h, q1 + _sense(arm, 1, 2) * q2), Turn(h3, q3))
            yield _Placed((q1, q2, q3), turns, height.lack / of.number(scale**2) + elbow.lack / of.number(scale**4))


def _round_shoulder(arm: Arm, of: Constants, W: Vec3, centre: np.ndarray) -> Iterator[_Placed]:
    """Axes 1 and 2 meet: the third joint sets the distance of the centre from there, the first two its direction."""
    h1, h2, h3 = (of.vector(k) for k in arm.h[:3])
    meet = arm.common_point(1, 2)
    assert meet is not None
    far, scale = W - of.vector(meet), arm.reach
    elbow = at_distance(h3, of.vector(centre - arm.p[2]), of.vector(meet - arm.p[2]), far.dot(far))
    for q3 in elbow.angles:
        near = of.vector(arm.p[2] - meet) + Turn(h3, q3)(of.vector(centre - arm.p[2]))
        pairs, lack = meeting(-h1, far, h2, near)
        for q1, q2 in pairs:
            turns = (Turn(h1, q1), Turn(h2, q2), Turn(h3, q3))
            yield _Placed((q1, q2, q3), turns, elbow.lack / of.number(scale**4) + lack / of.number(scale**2))


def _round_elbow(arm: Arm, of: Constants, W: Vec3, centre: np.ndarray) -> Iterator[_Placed]:
    """Axes 2 and 3 meet: the first joint sets the distance of the centre from there, the other two its direction."""
    h1, h2, h3 = (of.vector(k) for k in arm.h[:3])
    meet = arm.common_point(2, 3)
    assert meet is not None
    arm_length, scale = of.vector(centre - meet), arm.reach
    shoulder = at_distance(-h1, W, of.vector(meet), arm_length.dot(arm_length))
    for q1 in shoulder.angles:
        far = Turn(h1, q1).inverse(W) - of.vector(meet)
        pairs, lack = meeting(-h2, far, h3, arm_length)
        for q2, q3 in pairs:
            turns = (Turn(h1, q1), Turn(h2, q2), Turn(h3, q3))
            yield _Placed((q1, q2, q3), turns, shoulder.lack / of.number(scale**4) + lack / of.number(scale**2))


def _level(arm: Arm, k: int, point: np.ndarray) -> np.ndarray:
    """Return the point of axis k at the height of another point along the axis; k counts from 0."""
    return np.asarray(arm.p[k] + arm.h[k] * (arm.h[k] @ (point - arm.p[k])))


def _sense(arm: Arm, a: int, b: int) -> int:
    """Return 1 where parallel axes point the same way, else -1."""
    return 1 if arm.h[a - 1] @ arm.h[b - 1] > 0 else -1


POSITIONS: Sequence[tuple[str, Callable[[Arm], bool], Callable[..., Iterator[_Placed]]]] = (
    ("axes 2 and 3 parallel", lambda arm: arm.parallel(2, 3) and not arm.parallel(1, 2), _upper_arm_and_forearm),
    ("axes 1 and 2 parallel", lambda arm: arm.parallel(1, 2) and not arm.parallel(2, 3), _swivels),
    ("axes 1 and 2 meet", lambda arm: arm.common_point(1, 2) is not None, _round_shoulder),
    ("axes 2 and 3 meet", lambda arm: arm.common_point(2, 3) is not None, _round_elbow),
)
"""The position problem of the first three joints: title, whether an arm has it, its solutions."""


# -- three parallel axes ---------------------------------------------------------


def _parallel(arm: Arm, of: Constants, R: Mat3, t: Vec3) -> list[Branch]:
    """Axes 2, 3 and 4 parallel along h, axes 5 and 6 meet in P.

    P keeps its height along h whatever joints 2 to 6 do: q1. The last axis has an angle with h that joints 2 to 4 and 6
    leave alone: q5, then q6. What is left is a planar arm of three links with a known orientation.
    """
    h1, h, h3, h4, h5, h6 = (of.vector(k) for k in arm.h)
    centre, scale = arm.common_point(5, 6), arm.reach
    assert centre is not None
    P = t + R @ of.vector(arm.R.T @ (centre - arm.t))
    p2, p3, p4 = (_level(arm, k, centre) for k in (1, 2, 3))
    R0 = Mat3(*(of.vector(row) for row in arm.R))
    hand = _across(arm.h[1], arm.h[4])  # the fifth axis, seen along h: joints 2 to 4 turn it
    tilt, size = arm.h[1] @ arm.h[4], arm.h[4] @ hand
    e, wrist_offset = of.vector(hand), of.vector(centre - p4)
    orthogonal = arm.orthogonal(4, 5) and arm.orthogonal(5, 6)
    found = []
    shoulder = on_plane(h, -h1, P, of.number(arm.h[1] @ centre))
    for q1 in shoulder.angles:
        first = Turn(h1, q1)
        w = R0 @ (R.T @ first(h))  # rot(h6, -q6) rot(h5, -q5) h
        side = h6.cross(w)
        wrist = on_plane(h, h5, h6, h6.dot(w), side.dot(side) if orthogonal else None)
        for q5 in wrist.angles:
            q6 = angle_between(-h6, Turn(h5, q5).inverse(h), w)
            y = first.inverse(R @ (R0.T @ Turn(h6, q6).inverse(h5)))  # the fifth axis turned by joints 2 to 4
            y = (y - h * of.number(tilt)) * of.number(1 / size)
            c, s = e.dot(y), h.dot(e.cross(y))
            hub = first.inverse(P) - of.vector(p2) - wrist_offset * c - h.cross(wrist_offset) * s
            elbow = at_distance(h3, of.vector(p4 - p3), of.vector(p2 - p3), hub.dot(hub))
            for q3 in elbow.angles:
                q2 = angle_between(h, of.vector(p3 - p2) + Turn(h3, q3)(of.vector(p4 - p3)), hub)
                q4 = angle_between(h4, e, Turn(h, q2 + _sense(arm, 2, 3) * q3).inverse(y))
                lack = shoulder.lack / of.number(scale**2) + wrist.lack + elbow.lack / of.number(scale**4)
                found.append(Branch((q1, q2, q3, q4, q5, q6), lack))
    return found
