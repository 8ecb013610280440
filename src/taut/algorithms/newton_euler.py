"""Inverse dynamics of a tree by the recursive Newton-Euler algorithm.

.. math:: \\tau_i = S_i^T f_i, \\quad
          f_i = I_i a_i + v_i \\times^* I_i v_i - f^x_i + \\sum_{c} {}^iX_c^* f_c

Source: Luh, Walker, Paul 1980, in the spatial form of [RBDA, Table 5.1].
Serves trees and free joints.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from taut.algorithms.kinematics import gravity_at_rest
from taut.robot import PerJoint, Tree
from taut.spatial import REST, Force, Motion, Scalar


def newton_euler(
    robot: Tree, q: PerJoint, qd: PerJoint, qdd: PerJoint, external: Mapping[int, Force] | None = None
) -> list[list[Scalar]]:
    """Return the joint forces, one list a joint.

    Args:
        robot: the tree.
        q: positions, one list a joint.
        qd: rates, one list a joint.
        qdd: accelerations, one list a joint.
        external: forces the world exerts on bodies, in each body's frame.
    """
    tau: list[list[Scalar]] = [[] for _ in robot.joints]
    for i, f in transmitted(robot, q, qd, qdd, external):
        tau[i] = robot.joints[i].motion.project(f)  # (5.18)
    return tau


def transmitted(
    robot: Tree, q: PerJoint, qd: PerJoint, qdd: PerJoint, external: Mapping[int, Force] | None = None
) -> Iterator[tuple[int, Force]]:
    """Yield (joint, force that its parent link exerts on its own link, in the link's frame), from the tips inward."""
    external = external or {}
    v: list[Motion] = []
    a: list[Motion] = []
    X, f = [], []
    for i, joint in enumerate(robot.joints):
        X.append(robot.pose(i, q[i]))
        vJ, aJ = joint.motion.rate(qd[i]), joint.motion.rate(qdd[i])
        v_parent, a_parent = (REST, gravity_at_rest(robot)) if joint.parent < 0 else (v[joint.parent], a[joint.parent])
        v.append(X[i].to_child(v_parent) + vJ)  # (5.14)
        a.append(X[i].to_child(a_parent) + aJ + v[i].cross(vJ))  # (5.15)
        I = robot.inertia(i)  # noqa: E741
        f.append(I @ a[i] + v[i].cross_force(I @ v[i]))  # (5.16)
        if i in external:
            f[i] = f[i] - external[i]
    for i, joint in reversed(list(enumerate(robot.joints))):
        yield i, f[i]
        if joint.parent >= 0:
            f[joint.parent] = f[joint.parent] + X[i].force_to_parent(f[i])  # (5.20)
