"""The regressor: inverse dynamics as a matrix times the inertial parameters.

.. math:: \\tau = Y(q, \\dot q, \\ddot q)\\, \\pi, \\qquad
          I a + v \\times^* I v = A(v, a)\\, \\pi_i

Source: Atkeson, An, Hollerbach 1986, columns in taut's parameter order. Serves trees and free joints.
"""

from __future__ import annotations

from taut.algorithms.kinematics import gravity_at_rest
from taut.robot import PerJoint, Tree
from taut.spatial import REST, ZERO, Force, Motion, Scalar, Vec3


def body_regressor(v: Motion, a: Motion) -> list[Force]:
    """Return the ten forces whose combination by the inertial parameters moves a body so.

    ``a`` is the spatial acceleration, gravity included; the columns follow PARAMETER_NAMES.
    """
    w, alpha = v.w, a.w
    d = a.v + w.cross(v.v)  # classical acceleration of the body's origin
    columns = [Force(ZERO, d)]
    for e in (Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)):
        columns.append(Force(e.cross(d), alpha.cross(e) + w.cross(w.cross(e))))
    for n in _tensor_columns(alpha, w):
        columns.append(Force(n, ZERO))
    return columns


def _tensor_columns(alpha: Vec3, w: Vec3) -> list[Vec3]:
    """Return alpha-and-w products of each unit tensor E: E alpha + w x E w."""

    def unit(u: Vec3, k: int, j: int) -> Vec3:
        parts: list[Scalar] = [0, 0, 0]
        u_parts = list(u)
        parts[k] = u_parts[j]
        if k != j:
            parts[j] = u_parts[k]
        return Vec3(*parts)

    order = ((0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2))  # xx xy yy xz yz zz
    return [unit(alpha, k, j) + w.cross(unit(w, k, j)) for k, j in order]


def regressor(robot: Tree, q: PerJoint, qd: PerJoint, qdd: PerJoint) -> list[list[list[Scalar]]]:
    """Return Y by columns: for each of the ten parameters of each link, the joint forces, one list a joint."""
    v: list[Motion] = []
    a: list[Motion] = []
    X = []
    columns: list[list[list[Scalar]]] = []
    for i, joint in enumerate(robot.joints):
        X.append(robot.pose(i, q[i]))
        vJ, aJ = joint.motion.rate(qd[i]), joint.motion.rate(qdd[i])
        v_parent, a_parent = (REST, gravity_at_rest(robot)) if joint.parent < 0 else (v[joint.parent], a[joint.parent])
        v.append(X[i].to_child(v_parent) + vJ)
        a.append(X[i].to_child(a_parent) + aJ + v[i].cross(vJ))
        for f in body_regressor(v[i], a[i]):
            tau: list[list[Scalar]] = [[0] * j.motion.nv for j in robot.joints]
            for k in robot.support(i):
                tau[k] = robot.joints[k].motion.project(f)
                f = X[k].force_to_parent(f)  # the force walks inward
            columns.append(tau)
    return columns
