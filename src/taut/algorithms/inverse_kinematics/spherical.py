"""Arms with three neighbouring axes that meet: the place of the common point first, the orientation last."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from taut.algorithms.inverse_kinematics.arm import Arm, across
from taut.algorithms.inverse_kinematics.branch import Branch
from taut.algorithms.inverse_kinematics.constants import Constants
from taut.algorithms.inverse_kinematics.linked import Circle, circle_about, turned_together
from taut.algorithms.inverse_kinematics.subproblems import Turn, angle_between, at_distance, meeting, on_plane, undone
from taut.spatial import Mat3, Scalar, Vec3


@dataclass(frozen=True)
class _Placed:
    """The first three angles with the wrist's centre in place, and the rotations that they make."""

    angles: tuple[Scalar, ...]
    turns: tuple[Turn, ...]
    lack: Scalar


def with_wrist(place: Callable[..., Iterator[_Placed]]) -> Callable[[Arm, Constants, Mat3, Vec3], list[Branch]]:
    """Return the branches of an arm with a spherical wrist whose first three joints are solved by ``place``."""

    def branches(arm: Arm, of: Constants, R: Mat3, t: Vec3) -> list[Branch]:
        centre = arm.common_point(4, 5, 6)
        assert centre is not None
        W = t + R @ of.vector(arm.R.T @ (centre - arm.t))
        found = []
        for placed in place(arm, of, W, centre):

            def turned(v: np.ndarray, turns: Sequence[Turn] = placed.turns) -> Vec3:
                return undone(turns, R @ of.vector(arm.R.T @ v))

            for angles, lack in _orientation(arm, of, (4, 5, 6), turned):
                found.append(Branch((*placed.angles, *angles), placed.lack + lack))
        return found

    return branches


def _orientation(
    arm: Arm, of: Constants, joints: tuple[int, int, int], turned: Callable[[np.ndarray], Vec3]
) -> Iterator[tuple[tuple[Scalar, ...], Scalar]]:
    """Yield both triples of angles whose rotations make ``turned`` of every direction, and what they lack."""
    a, b, c = joints
    h, k, m = (of.vector(arm.h[i - 1]) for i in joints)
    side = across(arm.h[c - 1], arm.h[b - 1])
    z, y = turned(arm.h[c - 1]), turned(side)  # the last axis and a direction across it
    off = h.cross(z)
    square = off.dot(off) if arm.orthogonal(a, b) and arm.orthogonal(b, c) else None
    pair = on_plane(h, k, m, h.dot(z), square)
    for q in pair.angles:
        bend = Turn(k, q)
        first = angle_between(h, bend(m), z)
        yield (first, q, angle_between(m, of.vector(side), undone([Turn(h, first), bend], y))), pair.lack


def _upper_arm_and_forearm(arm: Arm, of: Constants, W: Vec3, centre: np.ndarray) -> Iterator[_Placed]:
    """Axes 2 and 3 parallel: the first joint brings the centre into its plane, the other two are a planar arm."""
    h1, h, h3 = (of.vector(k) for k in arm.h[:3])
    p2, p3 = (arm.level(k, centre) for k in (2, 3))
    scale = arm.reach
    shoulder = on_plane(h, -h1, W, of.number(arm.h[1] @ centre))
    for q1 in shoulder.angles:
        v = Turn(h1, q1).inverse(W) - of.vector(p2)
        elbow = at_distance(h3, of.vector(centre - p3), of.vector(p2 - p3), v.dot(v))
        for q3 in elbow.angles:
            q2 = angle_between(h, of.vector(p3 - p2) + Turn(h3, q3)(of.vector(centre - p3)), v)
            turns = (Turn(h1, q1), Turn(h, q2 + arm.sense(2, 3) * q3))
            yield _Placed((q1, q2, q3), turns, shoulder.lack / of.number(scale**2) + elbow.lack / of.number(scale**4))


def _swivels(arm: Arm, of: Constants, W: Vec3, centre: np.ndarray) -> Iterator[_Placed]:
    """Axes 1 and 2 parallel: the third joint brings the centre to its height, the first two are a planar arm."""
    h, h2, h3 = (of.vector(k) for k in arm.h[:3])
    scale = arm.reach
    p3, second = of.vector(arm.p[2]), of.vector(arm.level(2, np.zeros(3)))
    height = on_plane(h, h3, of.vector(centre - arm.p[2]), h.dot(W - p3))
    for q3 in height.angles:
        x = p3 + Turn(h3, q3)(of.vector(centre - arm.p[2])) - of.vector(arm.p[1])
        flat, far = (v - h * h.dot(v) for v in (x, W))
        elbow = at_distance(h2, flat, -second, far.dot(far))
        for q2 in elbow.angles:
            q1 = angle_between(h, second + Turn(h2, q2)(flat), far)
            turns = (Turn(h, q1 + arm.sense(1, 2) * q2), Turn(h3, q3))
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


POSITIONS: Sequence[tuple[str, Callable[[Arm], bool], Callable[..., Iterator[_Placed]]]] = (
    ("axes 2 and 3 parallel", lambda arm: arm.parallel(2, 3) and not arm.parallel(1, 2), _upper_arm_and_forearm),
    ("axes 1 and 2 parallel", lambda arm: arm.parallel(1, 2) and not arm.parallel(2, 3), _swivels),
    ("axes 1 and 2 meet", lambda arm: arm.common_point(1, 2) is not None, _round_shoulder),
    ("axes 2 and 3 meet", lambda arm: arm.common_point(2, 3) is not None, _round_elbow),
)
"""The position problem of the first three joints: title, whether an arm has it, its solutions."""


# -- two circles and a turn --------------------------------------------------------


def _axes_meet(arm: Arm, a: int, b: int) -> np.ndarray:
    """Return the point of axis a where it meets axis b, any point of it where it does not."""
    found = arm.common_point(a, b)
    return arm.p[a - 1] if found is None else found


def has_general_shoulder(arm: Arm) -> bool:
    """Whether the first three joints place the wrist's centre, none of them without effect."""
    centre = arm.common_point(4, 5, 6)
    return centre is not None and not arm.parallel(1, 2, 3) and arm.apart(3, centre)


def general_shoulder(arm: Arm, of: Constants, W: Vec3, centre: np.ndarray) -> Iterator[_Placed]:
    """Joint 1 turns the centre back on a circle, joint 3 turns it on another; joint 2 brings one onto the other."""
    h1, h2, h3 = (of.vector(k) for k in arm.h[:3])
    back = circle_about(h1, of.vector(arm.p[0]), W, -1)
    known = circle_about(Vec3(*arm.h[2]), Vec3(*arm.p[2]), Vec3(*centre))
    out = _constant(of, known)
    for q1, q2, q3, lack in turned_together(of, arm.h[1], _axes_meet(arm, 2, 3), back, out, known, arm.reach):
        yield _Placed((q1, q2, q3), (Turn(h1, q1), Turn(h2, q2), Turn(h3, q3)), lack)


def has_inner_wrist(arm: Arm) -> bool:
    """Whether joints 1, 5 and 6 place the common point of axes 2 to 4, none of them without effect."""
    centre = arm.common_point(2, 3, 4)
    return centre is not None and arm.apart(1, centre) and arm.apart(5, centre)


def inner_wrist(arm: Arm, of: Constants, R: Mat3, t: Vec3) -> list[Branch]:
    """Axes 2, 3 and 4 meet: joints 1 and 5 turn their point on two circles, joint 6 brings one onto the other.

    Seen from the frame, with the pose at zero M, the point C and T M^-1 = e1 ... e6: M T^-1 e1 C = e6^-1 e5^-1 C.
    """
    centre = arm.common_point(2, 3, 4)
    assert centre is not None
    h1, h5, h6 = (of.vector(arm.h[k]) for k in (0, 4, 5))
    R0, t0 = Mat3(*(of.vector(row) for row in arm.R)), of.vector(arm.t)
    base = circle_about(h1, of.vector(arm.p[0]), of.vector(centre))
    back = Circle(*(R0 @ (R.T @ v) for v in (base.middle - t, base.across, base.beside)))
    back = Circle(back.middle + t0, back.across, back.beside)
    known = circle_about(Vec3(*arm.h[4]), Vec3(*arm.p[4]), Vec3(*centre), -1)
    out = _constant(of, known)
    found = []
    for q1, turn, q5, lack in turned_together(of, arm.h[5], _axes_meet(arm, 6, 5), back, out, known, arm.reach):
        before, after = Turn(h1, q1), (Turn(h5, q5), Turn(h6, -turn))

        def turned(v: np.ndarray, before: Turn = before, after: tuple[Turn, Turn] = after) -> Vec3:
            return before.inverse(R @ (R0.T @ undone(after, of.vector(v))))

        for angles, less in _orientation(arm, of, (2, 3, 4), turned):
            found.append(Branch((q1, *angles, q5, -turn), lack + less))
    return found


def _constant(of: Constants, known: Circle) -> Circle:
    return Circle(*(of.vector(np.array([float(x) for x in v])) for v in (known.middle, known.across, known.beside)))
