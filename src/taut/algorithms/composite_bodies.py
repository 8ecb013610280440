"""The mass matrix of a tree by the composite-rigid-body algorithm.

.. math:: M_{ij} = S_i^T \\, {}^iX_j^* \\, I^c_j S_j, \\qquad
          I^c_i = I_i + \\sum_{c} {}^iX_c^* \\, I^c_c \\, {}^cX_i

Source: Walker, Orin 1982, in the spatial form of [RBDA, Table 6.2]. Serves trees and free joints.
"""

from __future__ import annotations

from collections.abc import Sequence

from taut.algorithms.blocks import Blocks, symmetric_matrix
from taut.robot import PerJoint, Tree
from taut.spatial import Inertia, Scalar, Transform


def composite_inertias(robot: Tree, X: Sequence[Transform]) -> list[Inertia]:
    """Return I^c: the inertia of each body together with all it carries, in its own frame."""
    Ic = [robot.inertia(i) for i in range(len(robot.joints))]
    for i, joint in reversed(list(enumerate(robot.joints))):
        if joint.parent >= 0:
            Ic[joint.parent] = Ic[joint.parent] + X[i].inertia_to_parent(Ic[i])
    return Ic


def composite_bodies(robot: Tree, q: PerJoint) -> list[list[Scalar]]:
    """Return M over all rates of the tree, in joint order."""
    X = [robot.pose(i, q[i]) for i in range(len(robot.joints))]
    Ic = composite_inertias(robot, X)
    blocks: Blocks = {}
    for i, joint in enumerate(robot.joints):
        F = [Ic[i] @ column for column in joint.motion.columns]
        blocks[i, i] = [joint.motion.project(f) for f in F]
        j = i
        while robot.joints[j].parent >= 0:
            F = [X[j].force_to_parent(f) for f in F]
            j = robot.joints[j].parent
            blocks[i, j] = [robot.joints[j].motion.project(f) for f in F]
    return symmetric_matrix(robot, blocks)
