"""The regressor point by point: the effort of each joint for each moment of mass of the links it carries.

A point at x of a link has the acceleration a + U x, U = [w'] + [w]^2, and moves with v + s x x when a joint j turns
at unit rate, (s, v) the motion of that joint as seen in the link. The torque is the sum over the points,

.. math:: \\tau_j = \\int (v + s \\times x) \\cdot (a + U x)\\, dm

so that the coefficient of the mass is v . a, that of the first moment a x s + U^T v, and those of the second
moments the products of s with U. Joints whose axes are parallel share the last. Nothing is carried but (s, v), six
numbers a joint and link instead of ten forces. Parameters and columns are those of
:mod:`taut.algorithms.regressor`; serves trees and free joints. This form is taut's.
"""

from __future__ import annotations

from taut.algorithms.kinematics import gravity_at_rest
from taut.robot import PerJoint, Tree
from taut.spatial import ZERO, Mat3, Motion, Scalar, Vec3


def point_regressor(robot: Tree, q: PerJoint, qd: PerJoint, qdd: PerJoint) -> list[list[list[Scalar]]]:
    """Return Y by columns: for each of the ten parameters of each link, the joint forces, one list a joint."""
    links: list[_Link] = []
    carriers: list[dict[int, list[Motion]]] = []
    columns: list[list[list[Scalar]]] = []
    sizes = [joint.motion.nv for joint in robot.joints]
    for i, joint in enumerate(robot.joints):
        X = robot.pose(i, q[i])
        back = X.R.T
        if joint.parent < 0:
            w, wd, a = ZERO, ZERO, back @ gravity_at_rest(robot).v
            seen: dict[int, list[Motion]] = {}
        else:
            carrier = links[joint.parent]
            w, wd, a = back @ carrier.w, back @ carrier.wd, back @ (carrier.a + carrier.U @ X.p)
            seen = {j: [X.to_child(S) for S in motions] for j, motions in carriers[joint.parent].items()}
        rate, acceleration = joint.motion.rate(qd[i]), joint.motion.rate(qdd[i])
        inner, w = w, w + rate.w
        link = _Link(w, wd + acceleration.w + inner.cross(rate.w), a + acceleration.v + (inner + w).cross(rate.v))
        links.append(link)
        carriers.append({**seen, i: joint.motion.columns})
        shares = {j: [link.shares(S) for S in motions] for j, motions in carriers[i].items()}
        for k in range(10):
            columns.append([[s[k] for s in shares[j]] if j in shares else [0] * n for j, n in enumerate(sizes)])
    return columns


class _Link:
    """How a link moves: angular velocity and acceleration, acceleration of its origin, in its own frame."""

    __slots__ = ("U", "a", "pairs", "w", "wd")

    def __init__(self, w: Vec3, wd: Vec3, a: Vec3) -> None:
        self.w, self.wd, self.a = w, wd, a
        xx, yy, zz = w.x * w.x, w.y * w.y, w.z * w.z
        xy, xz, yz = self.pairs = w.x * w.y, w.x * w.z, w.y * w.z
        self.U = Mat3(
            Vec3(-(yy + zz), xy - wd.z, xz + wd.y),
            Vec3(xy + wd.z, -(xx + zz), yz - wd.x),
            Vec3(xz - wd.y, yz + wd.x, -(xx + yy)),
        )

    def shares(self, S: Motion) -> list[Scalar]:
        """Return the force that a unit of each parameter needs at a joint with the motion S."""
        s, v, a, wd = S.w, S.v, self.a, self.wd
        (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = self.U.rows
        w_xy, w_xz, w_yz = self.pairs
        h = self.U.T @ v + a.cross(s)
        return [
            *(v.dot(a), *h),
            s.x * wd.x + s.y * w_xz - s.z * w_xy,
            s.y * zy - s.x * zx + s.z * (xx - yy),
            s.y * wd.y - s.x * w_yz + s.z * w_xy,
            s.x * yx - s.y * (xx - zz) - s.z * yz,
            s.x * (yy - zz) - s.y * xy + s.z * xz,
            s.z * wd.z + s.x * w_yz - s.y * w_xz,
        ]
