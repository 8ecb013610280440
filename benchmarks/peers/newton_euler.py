"""The code that one would write by hand: Newton-Euler in body frames, unrolled for one robot, its numbers folded in.

Scalars may be CasADi's symbols or JAX arrays of a whole batch; what is known to be 0 or 1 is never computed.

.. math:: w_i = E w_p + z \\dot q, \\quad \\dot w_i = E \\dot w_p + (E w_p) \\times z \\dot q + z \\ddot q, \\quad
    a_i = E (a_p + \\dot w_p \\times p + w_p \\times (w_p \\times p))
.. math:: f_i = m a + \\dot w \\times h + w \\times (w \\times h), \\quad
    n_i = I \\dot w + w \\times I w + h \\times a, \\quad \\tau_i = z^T n_i
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from peers.robots import Joint

GRAVITY = 9.81
Vector = tuple[Any, ...]


def parameters(joint: Joint) -> list[float]:
    """Return [m, mx, my, mz, Ixx, Ixy, Iyy, Ixz, Iyz, Izz] about the joint's origin."""
    m, c = joint.mass, joint.centre
    about_origin = joint.inertia + m * (c @ c * np.eye(3) - np.outer(c, c))
    upper = about_origin[[0, 0, 1, 0, 1, 2], [0, 1, 1, 2, 2, 2]]
    return [float(x) for x in (m, *(m * c), *upper)]


def torque(
    joints: Sequence[Joint],
    q: Sequence[Any],
    v: Sequence[Any],
    x: Sequence[Any],
    sine: Callable[[Any], Any],
    cosine: Callable[[Any], Any],
    inertial: Sequence[Sequence[Any]] | None = None,
) -> list[Any]:
    """Return the torques of one state.

    Args:
        joints: the robot.
        q: positions, a free joint's as [x y z, qx qy qz qw].
        v: velocities, a free joint's in its own frame, [linear; angular].
        x: accelerations.
        sine, cosine: of the scalars.
        inertial: ten parameters a body; the robot's own by default.
    """
    inertial = inertial or [parameters(joint) for joint in joints]
    still: Vector = (0, 0, 0)
    W, WD, A, turned, F, N = [still], [still], [(0, 0, GRAVITY)], [None], [still], [still]
    at_q, at_v, where = 0, 0, []
    for joint, ten in zip(joints, inertial, strict=True):
        R = [[float(entry) for entry in row] for row in joint.rotation]
        p, z = tuple(map(float, joint.position)), tuple(map(float, joint.axis))
        w, wd, a = W[joint.parent], WD[joint.parent], A[joint.parent]
        where.append((at_q, at_v))
        if joint.free:
            R = _quaternion(*q[at_q + 3 : at_q + 7])
            v_lin, w = tuple(v[at_v : at_v + 3]), tuple(v[at_v + 3 : at_v + 6])
            wd = tuple(x[at_v + 3 : at_v + 6])
            a = _sum(_back(R, a), tuple(x[at_v : at_v + 3]), _cross(w, v_lin))
            at_q, at_v = at_q + 7, at_v + 6
        else:
            rate, acceleration = (tuple(_mul(e, y) for e in z) for y in (v[at_v], x[at_v]))
            a = _sum(a, _cross(wd, p), _cross(w, _cross(w, p)))
            if joint.prismatic:
                slid = tuple(_mul(e, q[at_q]) for e in z)
                w, wd, a = _back(R, w), _back(R, wd), _back(R, a)
                coriolis = _cross(tuple(_mul(2.0, e) for e in w), rate)
                a = _sum(a, _cross(wd, slid), _cross(w, _cross(w, slid)), coriolis, acceleration)
                p = _sum(p, _turn(R, slid))
            else:
                R = _product(R, _about(z, sine(q[at_q]), cosine(q[at_q])))
                w, a = _back(R, w), _back(R, a)
                wd = _sum(_back(R, wd), _cross(w, rate), acceleration)
                w = _sum(w, rate)
            at_q, at_v = at_q + 1, at_v + 1
        m, h, inertia = ten[0], tuple(ten[1:4]), _symmetric(ten[4:])
        F.append(_sum(tuple(_mul(m, e) for e in a), _cross(wd, h), _cross(w, _cross(w, h))))
        N.append(_sum(_turn(inertia, wd), _cross(w, _turn(inertia, w)), _cross(h, a)))
        W.append(w), WD.append(wd), A.append(a), turned.append((R, p))
    tau: list[Any] = [0] * at_v
    for i in range(len(joints), 0, -1):
        joint, (R, p), (_, place) = joints[i - 1], turned[i], where[i - 1]
        if joint.free:
            tau[place : place + 6] = [*F[i], *N[i]]
            continue
        tau[place] = _dot(joint.axis, F[i] if joint.prismatic else N[i])
        if joint.parent:
            f = _turn(R, F[i])
            F[joint.parent] = _sum(F[joint.parent], f)
            N[joint.parent] = _sum(N[joint.parent], _turn(R, N[i]), _cross(p, f))
    return tau


def _mul(a: Any, b: Any) -> Any:
    for one, other in ((a, b), (b, a)):
        if isinstance(one, (int, float)):
            if one == 0:
                return 0
            if one == 1:
                return other
            if one == -1:
                return -other
    return a * b


def _add(a: Any, b: Any) -> Any:
    if isinstance(a, (int, float)) and a == 0:
        return b
    return a if isinstance(b, (int, float)) and b == 0 else a + b


def _dot(a: Sequence[Any], b: Sequence[Any]) -> Any:
    total: Any = 0
    for x, y in zip(a, b, strict=True):
        total = _add(total, _mul(float(x) if isinstance(x, np.floating) else x, y))
    return total


def _sum(*vectors: Vector) -> Vector:
    total = vectors[0]
    for vector in vectors[1:]:
        total = tuple(_add(a, b) for a, b in zip(total, vector, strict=True))
    return total


def _cross(a: Vector, b: Vector) -> Vector:
    def less(x: Any, y: Any) -> Any:
        return x if isinstance(y, (int, float)) and y == 0 else _add(x, -y)

    return tuple(less(_mul(a[i], b[j]), _mul(a[j], b[i])) for i, j in ((1, 2), (2, 0), (0, 1)))


def _turn(R: Sequence[Sequence[Any]], v: Vector) -> Vector:
    return tuple(_dot(row, v) for row in R)


def _back(R: Sequence[Sequence[Any]], v: Vector) -> Vector:
    return tuple(_dot([row[k] for row in R], v) for k in range(3))


def _product(A: Sequence[Sequence[Any]], B: Sequence[Sequence[Any]]) -> list[list[Any]]:
    return [[_dot(row, [line[k] for line in B]) for k in range(3)] for row in A]


def _symmetric(six: Sequence[Any]) -> list[list[Any]]:
    xx, xy, yy, xz, yz, zz = six
    return [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]


def _about(axis: Vector, s: Any, c: Any) -> list[list[Any]]:
    """Return the rotation about a coordinate axis."""
    k = axis.index(1.0)
    i, j = (k + 1) % 3, (k + 2) % 3
    R: list[list[Any]] = [[0, 0, 0] for _ in range(3)]
    R[k][k], R[i][i], R[j][j], R[i][j], R[j][i] = 1, c, c, -s, s
    return R


def _quaternion(x: Any, y: Any, z: Any, w: Any) -> list[list[Any]]:
    x2, y2, z2 = 2 * x, 2 * y, 2 * z
    return [
        [1 - (y2 * y + z2 * z), x2 * y - z2 * w, x2 * z + y2 * w],
        [x2 * y + z2 * w, 1 - (x2 * x + z2 * z), y2 * z - x2 * w],
        [x2 * z - y2 * w, y2 * z + x2 * w, 1 - (x2 * x + y2 * y)],
    ]
