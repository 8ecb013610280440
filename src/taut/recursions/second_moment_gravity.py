"""Gravity torques of a tree in screw form by composite first moments: gravity as one more row of M.

A field of gravity acts as a base that accelerates upward, and M is symmetric: the torque it asks of joint i
is what the base feels of the force that a unit acceleration of joint i asks for,

.. math:: g_i = -\\,\\mathbf g \\cdot F_i

with F_i carried to the base. The mass matrix carries the same forces, so that next to it gravity costs
little. Frames and lags are those of :mod:`taut.recursions.second_moments`; no free joint.
"""

from __future__ import annotations

from collections.abc import Sequence

from taut.recursions.second_moment_matrix import answers, composites
from taut.recursions.second_moments import brought_back
from taut.robot import PerJoint
from taut.robot.screws import Screw
from taut.spatial import Scalar, Vec3


def second_moment_gravity(
    bodies: Sequence[Screw], gravity: Vec3, q: PerJoint, lagging: frozenset[int] = frozenset()
) -> list[list[Scalar]]:
    """Return the torques at rest, one list a joint.

    Args:
        bodies: the robot in screw form, regrouped or not; revolute and prismatic joints only.
        gravity: acceleration of gravity in the frame the first joints are placed in.
        q: one list a joint.
        lagging: bodies whose frame does not turn with their joint.
    """
    composite, ways = composites(bodies, q, lagging)
    torques: list[list[Scalar]] = []
    for i, body in enumerate(bodies):
        [f] = answers(body, composite[i])
        j = i
        while j >= 0:
            f, j = brought_back(f, ways[j]), bodies[j].parent
        torques.append([-f.f.dot(gravity)])
    return torques
