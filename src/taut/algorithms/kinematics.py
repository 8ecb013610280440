"""Where bodies and frames are, and how they move: forward kinematics, Jacobian and its rate.

.. math:: v_F = J(q)\\,\\dot q, \\qquad a_F = J \\ddot q + \\dot J \\dot q

Columns of J are the joint axes seen at the frame's origin in world axes [RBDA 4.1].
Serves trees and free joints.
"""

from __future__ import annotations

from taut.robot import Frame, PerJoint, Tree
from taut.spatial import REST, ZERO, Motion, Scalar, Transform


def body_poses(robot: Tree, q: PerJoint) -> list[Transform]:
    """Return X_WB, the pose of every body in the world."""
    X: list[Transform] = []
    for i, joint in enumerate(robot.joints):
        X_PB = robot.pose(i, q[i])
        X.append(X_PB if joint.parent < 0 else X[joint.parent] @ X_PB)
    return X


def frame_pose(robot: Tree, q: PerJoint, frame: Frame) -> Transform:
    """Return X_WF, the pose of a frame in the world."""
    carrier = robot.base.transform if frame.body < 0 else body_poses(robot, q)[frame.body]
    return carrier @ frame.transform


def jacobian(robot: Tree, q: PerJoint, frame: Frame) -> list[list[Motion]]:
    """Return the columns of J, one list a joint: motion of the frame's origin in world axes.

    Joints that do not carry the frame have columns of zeros.
    """
    X = body_poses(robot, q)
    p_F = frame_pose(robot, q, frame).p
    J = [[REST] * joint.motion.nv for joint in robot.joints]
    for i in robot.support(frame.body):
        J[i] = [_seen_from(X[i], column, p_F) for column in robot.joints[i].motion.columns]
    return J


def _seen_from(X_WB: Transform, motion: Motion, p_F: Scalar) -> Motion:
    """Return a body's motion in world axes with its linear part taken at the point p_F."""
    w = X_WB.R @ motion.w
    return Motion(w, X_WB.R @ motion.v + w.cross(p_F - X_WB.p))


def jacobian_rate(robot: Tree, q: PerJoint, qd: PerJoint, frame: Frame) -> list[list[Motion]]:
    """Return the columns of dJ/dt, one list a joint.

    An axis fixed in body i turns with body i and is swept past the moving origin of the frame:
    ``d/dt w = w_i x w`` and ``d/dt (u + w x r) = w_i x u + (w_i x w) x r + w x (v_F - v_i)``.
    """
    X = body_poses(robot, q)
    v = body_velocities(robot, q, qd)
    p_F = frame_pose(robot, q, frame).p
    Jd = [[REST] * joint.motion.nv for joint in robot.joints]
    if frame.body < 0:
        return Jd
    v_F = _seen_from(X[frame.body], v[frame.body], p_F).v
    for i in robot.support(frame.body):
        R, r = X[i].R, p_F - X[i].p
        w_i, v_i = R @ v[i].w, R @ v[i].v
        columns = []
        for column in robot.joints[i].motion.columns:
            w, u = R @ column.w, R @ column.v
            w_rate = w_i.cross(w)
            columns.append(Motion(w_rate, w_i.cross(u) + w_rate.cross(r) + w.cross(v_F - v_i)))
        Jd[i] = columns
    return Jd


def body_velocities(robot: Tree, q: PerJoint, qd: PerJoint) -> list[Motion]:
    """Return the velocity of every body in its own frame."""
    v: list[Motion] = []
    for i, joint in enumerate(robot.joints):
        vJ = joint.motion.rate(qd[i])
        v.append(vJ if joint.parent < 0 else robot.pose(i, q[i]).to_child(v[joint.parent]) + vJ)
    return v


def velocity_product_acceleration(robot: Tree, q: PerJoint, qd: PerJoint, frame: Frame) -> Motion:
    """Return Jdot qd: the frame's acceleration when qdd is zero, in world axes at its origin."""
    if frame.body < 0:
        return REST
    X = [robot.pose(i, q[i]) for i in range(len(robot.joints))]
    v = body_velocities(robot, q, qd)
    a: list[Motion] = []
    for i, joint in enumerate(robot.joints):
        a_parent = REST if joint.parent < 0 else a[joint.parent]
        a.append(X[i].to_child(a_parent) + v[i].cross(joint.motion.rate(qd[i])))
    # The spatial acceleration becomes the classical one of the origin by adding w x v.
    X_FB = frame.transform
    v_F, a_F = X_FB.to_child(v[frame.body]), X_FB.to_child(a[frame.body])
    R = frame_pose(robot, q, frame).R
    return Motion(R @ a_F.w, R @ (a_F.v + v_F.w.cross(v_F.v)))


def gravity_at_rest(robot: Tree) -> Motion:
    """Return the acceleration of the world that stands for gravity: upwards at g [RBDA 5.3]."""
    return Motion(ZERO, -robot.gravity_acceleration)
