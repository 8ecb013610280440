"""Forward dynamics of a tree by the articulated-body algorithm.

.. math:: \\ddot q_i = D_i^{-1}\\,(\\tau_i - S_i^T p^A_i - U_i^T a'_i), \\quad
          U_i = I^A_i S_i, \\; D_i = S_i^T U_i + r_i

Source: Featherstone 1983, [RBDA, Table 7.1]; reflected rotor inertia r_i adds to D_i.
Serves trees and free joints.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from taut.algorithms.drives import free_rotors
from taut.algorithms.kinematics import gravity_at_rest
from taut.algorithms.linear_solve import is_zero, solve_symmetric
from taut.errors import InputError
from taut.robot import PerJoint, Tree
from taut.spatial import REST, Force, Mat3, Motion, Scalar, Transform, Vec3, outer, skew
from taut.spatial.inertia import Inertia

Matrix6 = tuple[Mat3, Mat3, Mat3]
"""An articulated inertia [[A, B], [B^T, C]] acting on [angular; linear]: (A, B, C)."""


def articulated_bodies(
    robot: Tree, q: PerJoint, qd: PerJoint, tau: PerJoint, external: Mapping[int, Force] | None = None
) -> list[list[Scalar]]:
    """Return the joint accelerations, one list a joint.

    Args:
        robot: the tree.
        q: positions, one list a joint.
        qd: rates, one list a joint.
        tau: joint forces, one list a joint.
        external: forces the world exerts on bodies, in each body's frame.
    """
    external = external or {}
    count = len(robot.joints)
    X = [robot.pose(i, q[i]) for i in range(count)]
    v: list[Motion] = []
    c, IA, pA = [], [], []
    for i, joint in enumerate(robot.joints):
        vJ = joint.motion.rate(qd[i])
        v.append((REST if joint.parent < 0 else X[i].to_child(v[joint.parent])) + vJ)
        c.append(v[i].cross(vJ))
        I = robot.inertia(i)  # noqa: E741
        IA.append(_dense(I))
        bias = v[i].cross_force(I @ v[i])
        pA.append(bias - external[i] if i in external else bias)

    rotors = dict(free_rotors(robot))
    U: list[list[Force]] = [[] for _ in range(count)]
    D: list[list[list[Scalar]]] = [[] for _ in range(count)]
    u: list[list[Scalar]] = [[] for _ in range(count)]
    for i, joint in reversed(list(enumerate(robot.joints))):
        S = joint.motion.columns
        U[i] = [_times(IA[i], column) for column in S]
        D[i] = [joint.motion.project(force) for force in U[i]]
        if joint.motion.nv == 1:
            D[i][0][0] = D[i][0][0] + joint.drive.rotor_inertia
            if is_zero(D[i][0][0]):
                raise InputError(
                    f"joint '{joint.name}' moves no inertia, so its acceleration is undefined",
                    f"robot '{robot.name}': link '{joint.link.name}'",
                    "give the link mass and inertia, or lock the joint",
                )
        u[i] = [t - s for t, s in zip(tau[i], joint.motion.project(pA[i]), strict=True)]
        if i in rotors:
            A, vJ, project = rotors[i], joint.motion.rate(qd[i]), joint.motion.project
            D[i] = [
                [d + r for d, r in zip(row, project(A @ column), strict=True)]
                for row, column in zip(D[i], S, strict=True)
            ]
            u[i] = [t - s for t, s in zip(u[i], project(vJ.cross_force(A @ vJ)), strict=True)]
        if joint.parent >= 0:
            Ia = _deflated(IA[i], U[i], D[i])
            x = solve_symmetric(D[i], u[i])
            pa = pA[i] + _times(Ia, c[i])
            for force, factor in zip(U[i], x, strict=True):
                pa = pa + force * factor
            IA[joint.parent] = _sum(IA[joint.parent], _to_parent(X[i], Ia))
            pA[joint.parent] = pA[joint.parent] + X[i].force_to_parent(pa)

    a: list[Motion] = []
    qdd = []
    for i, joint in enumerate(robot.joints):
        a_parent = gravity_at_rest(robot) if joint.parent < 0 else a[joint.parent]
        start = X[i].to_child(a_parent) + c[i]
        rest = [ui - start.dot(force) for ui, force in zip(u[i], U[i], strict=True)]
        qdd.append(solve_symmetric(D[i], rest))
        a.append(start + joint.motion.rate(qdd[i]))
    return qdd


def _dense(body: Inertia) -> Matrix6:
    h = skew(body.h)
    m = body.m
    return body.I.matrix, h, Mat3(Vec3(m, 0, 0), Vec3(0, m, 0), Vec3(0, 0, m))


def _times(inertia: Matrix6, v: Motion) -> Force:
    A, B, C = inertia
    return Force(A @ v.w + B @ v.v, B.T @ v.w + C @ v.v)


def _sum(a: Matrix6, b: Matrix6) -> Matrix6:
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def _deflated(inertia: Matrix6, U: Sequence[Force], D: Sequence[Sequence[Scalar]]) -> Matrix6:
    """Return I^A - U D^-1 U^T."""
    A, B, C = inertia
    unit = range(len(U))
    for j in unit:
        # Column j of D^-1 U^T as a force: the combination of U that D^-1 asks for.
        weights = solve_symmetric(D, [1 if k == j else 0 for k in unit])
        combined = U[0] * weights[0]
        for k in unit[1:]:
            combined = combined + U[k] * weights[k]
        A = A - outer(U[j].n, combined.n)
        B = B - outer(U[j].n, combined.f)
        C = C - outer(U[j].f, combined.f)
    return A, B, C


def _to_parent(X: Transform, inertia: Matrix6) -> Matrix6:
    """Return the articulated inertia about the parent's origin, in the parent's axes [RBDA 2.66]."""
    R = X.R.matrix
    A, B, C = (R.times(block).times(R.T) for block in inertia)
    p = skew(X.p)
    B_moved = B + p.times(C)
    A_moved = A - B.times(p) + p.times(B_moved.T)
    return A_moved, B_moved, C
