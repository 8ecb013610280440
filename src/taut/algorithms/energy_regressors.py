"""Momentum and energy as linear functions of the inertial parameters.

.. math:: M \\dot q = Y_p(q, \\dot q)\\, \\pi, \\qquad
          T = \\sum_i \\tfrac12 v_i^T I_i v_i = y_T\\, \\pi, \\qquad
          V = -\\sum_i g \\cdot (m_i p_i + R_i h_i) = y_V\\, \\pi, \\qquad
          \\tfrac{\\partial T}{\\partial q} = C^T \\dot q = Y_C(q, \\dot q)\\, \\pi

They need no accelerations, so that parameters can be estimated from positions and rates alone [Gautier, Khalil 1988,
for the energy; Slotine, Li 1989, for the momentum]. Serves trees and free joints.
"""

from __future__ import annotations

from collections.abc import Sequence

from taut.algorithms.kinematics import body_poses, body_velocities
from taut.algorithms.passivity import UNITS
from taut.robot import Tree
from taut.spatial import Scalar

Parts = Sequence[Sequence[Scalar]]
"""One list a joint."""


def momentum_regressor(robot: Tree, q: Parts, qd: Parts) -> list[list[list[Scalar]]]:
    """Return Y_p by columns: for each of the ten parameters of each link, M qd, one list a joint."""
    X = [robot.pose(i, q[i]) for i in range(len(robot.joints))]
    columns: list[list[list[Scalar]]] = []
    for i, v in enumerate(body_velocities(robot, q, qd)):
        for unit in UNITS:
            h = unit @ v
            p: list[list[Scalar]] = [[0] * joint.motion.nv for joint in robot.joints]
            for k in robot.support(i):
                p[k] = robot.joints[k].motion.project(h)
                h = X[k].force_to_parent(h)
            columns.append(p)
    return columns


def coriolis_transpose_regressor(robot: Tree, q: Parts, qd: Parts) -> list[list[list[Scalar]]]:
    """Return Y_C by columns: for each of the ten parameters of each link C^T qd, (v_k x S_k) . h at each joint k."""
    X = [robot.pose(i, q[i]) for i in range(len(robot.joints))]
    v = body_velocities(robot, q, qd)
    columns: list[list[list[Scalar]]] = []
    for i in range(len(robot.joints)):
        for unit in UNITS:
            h = unit @ v[i]
            rate: list[list[Scalar]] = [[0] * joint.motion.nv for joint in robot.joints]
            for k in robot.support(i):
                rate[k] = [-x for x in robot.joints[k].motion.project(v[k].cross_force(h))]
                h = X[k].force_to_parent(h)
            columns.append(rate)
    return columns


def energy_regressor(robot: Tree, q: Parts, qd: Parts) -> list[list[Scalar]]:
    """Return the rows [y_T; y_V]: kinetic and potential energy of each of the ten parameters of each link."""
    kinetic: list[Scalar] = []
    potential: list[Scalar] = []
    down = robot.gravity_acceleration
    for v, X in zip(body_velocities(robot, q, qd), body_poses(robot, q), strict=True):
        for unit in UNITS:
            kinetic.append(0.5 * v.dot(unit @ v))
            potential.append(-down.dot(X.p * unit.m + X.R @ unit.h))
    return [kinetic, potential]
