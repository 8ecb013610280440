"""What each joint must exert to hold the bodies it carries against gravity.

.. math:: g_i = -g \\cdot (z_i \\times U_i) \\;\\text{(revolute)}, \\qquad
          g_i = -M_i \\, g \\cdot z_i \\;\\text{(prismatic)}

M_i and U_i are mass and first moment of link i with all it carries; this is the sum over
links of Burdick 1986, eq. (16), and of Izaguirre et al. 1992, eq. (13). Serves trees.
"""

from __future__ import annotations

from collections.abc import Sequence

from taut.robot import Tree
from taut.spatial import Force, Scalar, Transform, Vec3


def holding_forces(
    robot: Tree, X: Sequence[Transform], masses: Sequence[Scalar], moments: Sequence[Vec3]
) -> list[list[Scalar]]:
    """Return the joint forces that hold the robot still, one list a joint.

    Args:
        robot: the tree.
        X: pose of every body in its parent.
        masses: M_i of every body with all it carries [kg].
        moments: first moment U_i of the same about the body's origin, in its axes [kg m].
    """
    g: list[Vec3] = []
    for i, joint in enumerate(robot.joints):
        g.append(X[i].R.T @ (robot.gravity_acceleration if joint.parent < 0 else g[joint.parent]))
    return [
        joint.motion.project(Force(g_i.cross(U), -(g_i * M)))
        for joint, g_i, M, U in zip(robot.joints, g, masses, moments, strict=True)
    ]
