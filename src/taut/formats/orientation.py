"""Which unit axis, and which turns about coordinate axes, the numbers of a robot file mean.

A rotation about a coordinate axis stays one turn by its angle, so that a right angle in the file is
a right angle in the robot.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence

import numpy as np

from taut.formats.xml import Element
from taut.robot.placement import turns_of
from taut.spatial import Vec3, from_quaternion

Turns = tuple[tuple[int, float], ...]


def joint_axis(joint: Element, components: Sequence[float]) -> Vec3:
    """Return a joint's axis with length one.

    Args:
        joint: the joint, for messages.
        components: of the axis as written.
    """
    length = math.hypot(*components)
    if length == 0:
        joint.wrong("the axis is 0 0 0", "give the direction of the joint's axis")
    if abs(length - 1) <= 2 * sys.float_info.epsilon:  # as close to one as dividing would bring it
        return Vec3(*components)
    return Vec3(*(x / length for x in components))


def quaternion_turns(element: Element, wxyz: Sequence[float]) -> Turns:
    """Return the turns of a quaternion, scalar part first, of any length but zero.

    Args:
        element: where it stands, for messages.
        wxyz: the four numbers.
    """
    length = math.hypot(*wxyz)
    if length == 0:
        element.wrong("the quaternion is 0 0 0 0", "give a quaternion of length 1")
    w, *vector = (x / length for x in wxyz)
    for axis, component in enumerate(vector):
        if all(other == 0 for k, other in enumerate(vector) if k != axis):
            angle = 2 * math.atan2(component, w)
            return ((axis, angle),) if angle != 0 else ()
    x, y, z = vector
    rows = from_quaternion(x, y, z, w).rows
    return turns_of(np.array([tuple(row) for row in rows]))


def axis_angle_turns(element: Element, axis: Sequence[float], angle: float) -> Turns:
    """Return the turns of a rotation by an angle in radians about an axis of any length but zero."""
    length = math.hypot(*axis)
    if length == 0:
        element.wrong("the axis of rotation is 0 0 0", "give a direction")
    half = angle / 2
    for k, component in enumerate(axis):
        if all(other == 0 for j, other in enumerate(axis) if j != k):
            return ((k, math.copysign(angle, angle * component)),) if angle != 0 else ()
    return quaternion_turns(element, (math.cos(half), *(math.sin(half) * x / length for x in axis)))


def two_axes_turns(element: Element, x: Vec3, y: Vec3) -> Turns:
    """Return the turns to the frame with the given x axis and its y axis in the plane of x and y."""
    x = _unit(element, x)
    y = _unit(element, y - x * x.dot(y))
    columns = [tuple(x), tuple(y), tuple(x.cross(y))]
    return turns_of(np.array(columns).T)


def z_axis_turns(element: Element, z: Vec3) -> Turns:
    """Return the turns of the smallest rotation that takes the z axis to the given direction."""
    z = _unit(element, z)
    angle = math.atan2(math.hypot(z.x, z.y), z.z)
    axis = (-z.y, z.x, 0.0) if (z.x, z.y) != (0, 0) else (1.0, 0.0, 0.0)
    return axis_angle_turns(element, axis, angle)


def _unit(element: Element, v: Vec3) -> Vec3:
    length = math.hypot(*v)
    if length < 1e-12:
        element.wrong("an axis of the orientation has no direction", "give axes that are not zero and not parallel")
    return v * (1 / length)
