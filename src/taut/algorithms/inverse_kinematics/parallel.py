"""Arms whose axes 2, 3 and 4 are parallel.

Joints 2 to 4 leave heights along the common direction h alone. Two of them, of a point of axis 6 and of the direction
of that axis, give joints 1 and 5; then joint 6 follows, and what is left is a planar arm of three links with a known
orientation. The UR arms are known for it: their axes 5 and 6 meet, and one height has joint 1 alone.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from taut.algorithms.inverse_kinematics.arm import Arm, across
from taut.algorithms.inverse_kinematics.branch import Branch
from taut.algorithms.inverse_kinematics.constants import Constants
from taut.algorithms.inverse_kinematics.linked import Line, circle_about, linked
from taut.algorithms.inverse_kinematics.subproblems import Turn, angle_between, at_distance, on_plane
from taut.spatial import Mat3, Scalar, Vec3


def fits(arm: Arm) -> bool:
    """Whether axes 2, 3 and 4 are parallel and their neighbours are not."""
    return arm.parallel(2, 3, 4) and not arm.parallel(1, 2) and not arm.parallel(4, 5)


def meeting_wrist(arm: Arm, of: Constants, R: Mat3, t: Vec3) -> list[Branch]:
    """Axes 5 and 6 meet in P, which keeps its height along h whatever joints 2 to 6 do: q1; the last axis: q5."""
    h1, h, h5, h6 = (of.vector(arm.h[k]) for k in (0, 1, 4, 5))
    centre, scale = arm.common_point(5, 6), arm.reach
    assert centre is not None
    P = t + R @ of.vector(arm.R.T @ (centre - arm.t))
    R0 = Mat3(*(of.vector(row) for row in arm.R))
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
            for q2, q3, q4, lack in _planar(arm, of, R, first, q6, P, centre):
                lack = shoulder.lack / of.number(scale**2) + wrist.lack + lack
                found.append(Branch((q1, q2, q3, q4, q5, q6), lack))
    return found


def general_wrist(arm: Arm, of: Constants, R: Mat3, t: Vec3) -> list[Branch]:
    """Both heights have joints 1 and 5: up to four pairs."""
    h1, h, h5, h6 = (of.vector(arm.h[k]) for k in (0, 1, 4, 5))
    R0, origin = Mat3(*(of.vector(row) for row in arm.R)), of.vector(arm.p[0])
    last = circle_about(h1, Vec3(0, 0, 0), R @ (R0.T @ h6), -1)
    place = circle_about(h1, origin, t + R @ of.vector(arm.R.T @ (arm.p[5] - arm.t)), -1)
    axis, fifth = Vec3(*arm.h[1]), Vec3(*arm.h[4])
    known: list[Line] = [
        circle_about(fifth, Vec3(0, 0, 0), Vec3(*arm.h[5])).along(axis),
        circle_about(fifth, Vec3(*arm.p[4]), Vec3(*arm.p[5])).along(axis),
    ]
    numbers = [np.array([float(x) for x in line]) for line in known]
    found = []
    for q1, q5, less in linked(of, [last.along(h), place.along(h)], numbers, (1.0, arm.reach)):
        first = Turn(h1, q1)
        q6 = angle_between(-h6, Turn(h5, q5).inverse(h), R0 @ (R.T @ first(h)))
        middle = of.vector(arm.p[5]) + Turn(h6, q6).inverse(of.vector(arm.p[4] - arm.p[5]))  # of axis 5, before q6
        P = t + R @ (R0.T @ (middle - of.vector(arm.t)))
        for q2, q3, q4, lack in _planar(arm, of, R, first, q6, P, arm.p[4]):
            found.append(Branch((q1, q2, q3, q4, q5, q6), less + lack))
    return found


def _planar(
    arm: Arm, of: Constants, R: Mat3, first: Turn, q6: Scalar, P: Vec3, centre: np.ndarray
) -> Iterator[tuple[Scalar, Scalar, Scalar, Scalar]]:
    """Yield both (q2, q3, q4), which bring a point of axis 5, at ``centre`` at zero, to P, and what they lack."""
    h, h3, h4, h5, h6 = (of.vector(k) for k in arm.h[1:])
    p2, p3, p4 = (arm.level(k, centre) for k in (2, 3, 4))
    R0 = Mat3(*(of.vector(row) for row in arm.R))
    hand = across(arm.h[1], arm.h[4])  # the fifth axis, seen along h: joints 2 to 4 turn it
    tilt, size = arm.h[1] @ arm.h[4], arm.h[4] @ hand
    e, wrist_offset = of.vector(hand), of.vector(centre - p4)
    y = first.inverse(R @ (R0.T @ Turn(h6, q6).inverse(h5)))  # the fifth axis turned by joints 2 to 4
    y = (y - h * of.number(tilt)) * of.number(1 / size)
    c, s = e.dot(y), h.dot(e.cross(y))
    hub = first.inverse(P) - of.vector(p2) - wrist_offset * c - h.cross(wrist_offset) * s
    elbow = at_distance(h3, of.vector(p4 - p3), of.vector(p2 - p3), hub.dot(hub))
    for q3 in elbow.angles:
        q2 = angle_between(h, of.vector(p3 - p2) + Turn(h3, q3)(of.vector(p4 - p3)), hub)
        q4 = angle_between(h4, e, Turn(h, q2 + arm.sense(2, 3) * q3).inverse(y))
        yield q2, q3, q4, elbow.lack / of.number(arm.reach**4)
