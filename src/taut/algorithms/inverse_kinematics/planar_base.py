"""Arms whose axes 1, 2 and 3 are parallel, two neighbours of the others parallel or meeting.

With R' = R R_0^T, the common direction h and points a of axis 4, b of axis 5 and c of axis 6 at zero, the first three
joints leave the direction h and the height of a along it:

.. math:: w = R'^T h, \\quad v = rot(h_6, q_6) w = rot(h_5, -q_5) u, \\quad u = rot(h_4, -q_4) h, \\qquad
    v \\cdot h_6 = w \\cdot h_6, \\quad u \\cdot (a - b) + v \\cdot (b - c) = d

Joints 4, 5 and 6 follow in the order that the geometry suggests; then the first three are a planar arm.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from taut.algorithms.inverse_kinematics.arm import Arm, across
from taut.algorithms.inverse_kinematics.branch import Branch
from taut.algorithms.inverse_kinematics.constants import Constants
from taut.algorithms.inverse_kinematics.subproblems import (
    Turn,
    angle_between,
    at_distance,
    meeting,
    on_plane,
    root,
    undone,
)
from taut.spatial import Mat3, Scalar, Vec3


@dataclass(frozen=True)
class _Asked:
    """The two equations of joints 4 to 6.

    Attributes:
        of: makes constants.
        w: h seen from the last link.
        d: of the second equation [m].
        a: point of axis 4, numbers of the arm.
        b: point of axis 5.
        c: point of axis 6.
    """

    of: Constants
    w: Vec3
    d: Scalar
    a: np.ndarray
    b: np.ndarray
    c: np.ndarray


Wrist = tuple[Scalar, Scalar, Scalar, Scalar]
"""Angles 4, 5, 6, and what they lack."""


def fits(arm: Arm) -> bool:
    """Whether axes 1, 2 and 3 are parallel and the fourth is not."""
    return arm.parallel(1, 2, 3) and not arm.parallel(3, 4)


def _fourth_and_fifth_meet(arm: Arm, asked: _Asked) -> Iterator[Wrist]:
    """The points a and b are one: v has two known heights."""
    of, w = asked.of, asked.w
    h, h4, h5, h6 = (of.vector(arm.h[k]) for k in (0, 3, 4, 5))
    side = across(arm.h[5], asked.b - asked.c)
    size = float(side @ (asked.b - asked.c))
    e = of.vector(side)
    along = h6.dot(w)
    height = (asked.d - of.number(float(arm.h[5] @ (asked.b - asked.c))) * along) * of.number(1 / size)
    rest, lack = root(1 - along * along - height * height)
    for sign in (1, -1):
        v = h6 * along + e * height + h6.cross(e) * (sign * rest)
        pairs, less = meeting(h5, v, -h4, h)
        for q5, q4 in pairs:
            yield q4, q5, angle_between(h6, w, v), lack + less


def _fifth_and_sixth_meet(arm: Arm, asked: _Asked) -> Iterator[Wrist]:
    """The points b and c are one: u has a known height, then v."""
    of, w = asked.of, asked.w
    h, h4, h5, h6 = (of.vector(arm.h[k]) for k in (0, 3, 4, 5))
    fourth = on_plane(of.vector(asked.a - asked.b), -h4, h, asked.d)
    for q4 in fourth.angles:
        u = Turn(h4, q4).inverse(h)
        fifth = on_plane(h6, -h5, u, h6.dot(w))
        for q5 in fifth.angles:
            v = Turn(h5, q5).inverse(u)
            yield q4, q5, angle_between(h6, w, v), fourth.lack / of.number(arm.reach**2) + fifth.lack


def _fourth_and_fifth_parallel(arm: Arm, asked: _Asked) -> Iterator[Wrist]:
    """The height of v has the sum of q4 and q5, then that of u has q4."""
    of, w = asked.of, asked.w
    h, h4, h5, h6 = (of.vector(arm.h[k]) for k in (0, 3, 4, 5))
    both = on_plane(h6, -h5, h, h6.dot(w))
    for angle in both.angles:
        v = Turn(h5, angle).inverse(h)
        fourth = on_plane(of.vector(asked.a - asked.b), -h4, h, asked.d - v.dot(of.vector(asked.b - asked.c)))
        for q4 in fourth.angles:
            q5 = angle - arm.sense(4, 5) * q4
            yield q4, q5, angle_between(h6, w, v), both.lack + fourth.lack / of.number(arm.reach**2)


def _fifth_and_sixth_parallel(arm: Arm, asked: _Asked) -> Iterator[Wrist]:
    """The height of v is that of u: q4, then the second equation has q5."""
    of, w = asked.of, asked.w
    h, h4, h5, h6 = (of.vector(arm.h[k]) for k in (0, 3, 4, 5))
    fourth = on_plane(h6, -h4, h, h6.dot(w))
    for q4 in fourth.angles:
        u = Turn(h4, q4).inverse(h)
        rest = asked.d - u.dot(of.vector(asked.a - asked.b))
        fifth = on_plane(of.vector(asked.b - asked.c), -h5, u, rest)
        for q5 in fifth.angles:
            v = Turn(h5, q5).inverse(u)
            yield q4, q5, angle_between(h6, w, v), fourth.lack + fifth.lack / of.number(arm.reach**2)


TURNS: Sequence[tuple[str, Callable[[Arm], bool], Callable[[Arm, _Asked], Iterator[Wrist]]]] = (
    ("axes 5 and 6 parallel", lambda arm: arm.parallel(5, 6) and not arm.parallel(4, 5), _fifth_and_sixth_parallel),
    ("axes 4 and 5 parallel", lambda arm: arm.parallel(4, 5) and not arm.parallel(5, 6), _fourth_and_fifth_parallel),
    ("axes 5 and 6 meet", lambda arm: arm.common_point(5, 6) is not None, _fifth_and_sixth_meet),
    ("axes 4 and 5 meet", lambda arm: arm.common_point(4, 5) is not None, _fourth_and_fifth_meet),
)
"""The problem of joints 4 to 6: title, whether an arm has it, its solutions."""


def with_base(
    turns: Callable[[Arm, _Asked], Iterator[Wrist]],
) -> Callable[[Arm, Constants, Mat3, Vec3], list[Branch]]:
    """Return the branches of an arm whose joints 4 to 6 are solved by ``turns``."""

    def branches(arm: Arm, of: Constants, R: Mat3, t: Vec3) -> list[Branch]:
        meet45, meet56 = arm.common_point(4, 5), arm.common_point(5, 6)
        a = arm.p[3] if meet45 is None else meet45
        b = meet56 if meet56 is not None else (arm.p[4] if meet45 is None else meet45)
        c = arm.p[5] if meet56 is None else meet56
        h, h2, h4, h5, h6 = (of.vector(arm.h[k]) for k in (0, 1, 3, 4, 5))
        R0 = Mat3(*(of.vector(row) for row in arm.R))
        w = R0 @ (R.T @ h)
        shift = h.dot(t) - w.dot(of.vector(arm.t - c))  # the height of c, after all joints
        d = of.number(float(arm.h[0] @ a)) - shift
        p1, p2, p3 = (arm.level(k, arm.p[2]) for k in (1, 2, 3))
        hand = across(arm.h[0], arm.h[3])
        e, h3 = of.vector(hand), of.vector(arm.h[2])
        found = []
        for q4, q5, q6, lack in turns(arm, _Asked(of, w, d, a, b, c)):
            back = [Turn(h4, q4), Turn(h5, q5), Turn(h6, q6)]
            place = of.vector(p3)
            for turn, point in zip(back, (a, b, c), strict=True):
                place = of.vector(point) + turn.inverse(place - of.vector(point))
            hub = t + R @ (R0.T @ (place - of.vector(arm.t))) - of.vector(p1)
            y = R @ (R0.T @ undone(back, e))  # across h, turned by the first three joints
            elbow = at_distance(h2, of.vector(p3 - p2), of.vector(p1 - p2), hub.dot(hub))
            for q2 in elbow.angles:
                q1 = angle_between(h, of.vector(p2 - p1) + Turn(h2, q2)(of.vector(p3 - p2)), hub)
                q3 = angle_between(h3, e, Turn(h, q1 + arm.sense(1, 2) * q2).inverse(y))
                less = elbow.lack / of.number(arm.reach**4)
                found.append(Branch((q1, q2, q3, q4, q5, q6), lack + less))
        return found

    return branches
