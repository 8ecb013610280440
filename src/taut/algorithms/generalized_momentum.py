"""Generalised momentum, and its rate without gravity and torque, in one pass outward and one inward.

.. math:: p_i = (M \\dot q)_i = S_i^T h_i, \\qquad (C^T \\dot q)_i = (v_i \\times S_i)^T h_i, \\qquad
          h_i = I_i v_i + \\sum_c {}^iX_c^* h_c

h_i is the momentum of body i and all that it carries. With the Christoffel C of :mod:`taut.algorithms.coriolis`,
``C = sum_k J_k^T (I_k dJ_k/dt + B_k J_k)``, the terms of B_k cancel in ``C^T qd``, and what is left is the sum above.
Both are what a momentum observer needs: ``dp/dt = tau + C^T qd - g`` [De Luca, Mattone 2003].
Serves trees and free joints.
"""

from __future__ import annotations

from collections.abc import Sequence

from taut.algorithms.kinematics import body_velocities
from taut.robot import Tree
from taut.spatial import Force, Motion, Scalar


def generalized_momentum(
    robot: Tree, q: Sequence[Sequence[Scalar]], qd: Sequence[Sequence[Scalar]]
) -> list[list[Scalar]]:
    """Return M qd of the rigid bodies, one list a joint."""
    _, h = _carried_momenta(robot, q, qd)
    return [joint.motion.project(h[i]) for i, joint in enumerate(robot.joints)]


def coriolis_transpose(
    robot: Tree, q: Sequence[Sequence[Scalar]], qd: Sequence[Sequence[Scalar]]
) -> list[list[Scalar]]:
    """Return C^T qd, one list a joint."""
    v, h = _carried_momenta(robot, q, qd)
    return [
        [-x for x in joint.motion.project(v[i].cross_force(h[i]))]  # (v x S) . h = -S . (v x* h)
        for i, joint in enumerate(robot.joints)
    ]


def _carried_momenta(
    robot: Tree, q: Sequence[Sequence[Scalar]], qd: Sequence[Sequence[Scalar]]
) -> tuple[list[Motion], list[Force]]:
    """Return the velocity of every body, and the momentum of it and all that it carries, in its own frame."""
    v = body_velocities(robot, q, qd)
    h = [robot.inertia(i) @ v[i] for i in range(len(robot.joints))]
    for i, joint in reversed(list(enumerate(robot.joints))):
        if joint.parent >= 0:
            h[joint.parent] = h[joint.parent] + robot.pose(i, q[i]).force_to_parent(h[i])
    return v, h
