"""How the torque of a tree in screw form changes with q, qd and qdd: the tightened recursion.

A point x of a body outside of joint j moves, seen from a frame at rest, by the twist S of a unit rate. With its
first and second time derivatives, and the velocity x' of the point,

.. math:: \\partial_{q} \\ddot x = \\ddot S x + 2 \\dot S \\dot x, \\qquad
          \\partial_{\\dot q} \\ddot x = 2 \\dot S x + 2 S \\dot x, \\qquad \\partial_{\\ddot q} \\ddot x = S x

The first of the two terms is multiplied by the moments (m, h, J) of all that joint j, or a joint outside of it,
carries; the second by their rates: momentum P, angular momentum L and J' = D. A velocity has no fourth
component, so that of a twist only the angular part acts on it, and the product of D, L with the axis of an outer
joint is a pure moment: carrying it inward is one turn. For a revolute joint

.. math:: \\dot S = (\\dot z;\\; v \\times z), \\quad \\ddot S = (u;\\; a \\times z + 2 v \\times \\dot z), \\quad
          u = U z, \\; \\dot z = w \\times z

in its own frame. Frames, lags and scope are those of :mod:`taut.recursions.second_moments`. This form is taut's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from taut.recursions.second_moment_matrix import answers, carried_back, starts_of, turned
from taut.recursions.second_moments import NONE, Lagging, Outward, Step, brought_back, felt, outward, turned_moments
from taut.robot import PerJoint
from taut.robot.screws import Screw
from taut.spatial import (
    REST,
    X_AXIS,
    Y_AXIS,
    Z_AXIS,
    ZERO,
    Force,
    Mat3,
    Motion,
    PseudoInertia,
    Scalar,
    Sym3,
    Vec3,
    crossed,
    from_quaternion,
    is_exactly,
)

Matrix = list[list[Scalar]]
AXES = (X_AXIS, Y_AXIS, Z_AXIS)


def second_moment_derivatives(
    bodies: Sequence[Screw], gravity: Vec3, q: PerJoint, qd: PerJoint, qdd: PerJoint, lagging: Lagging = NONE
) -> tuple[Matrix, Matrix, Matrix]:
    """Return the derivatives of the joint forces by q, by qd and by qdd, over all rates; drives are not included.

    Arguments as in :func:`taut.recursions.second_moments.second_moment_torque`.
    """
    motion = outward(bodies, gravity, q, qd, qdd, lagging)
    velocities = _velocities(bodies, motion, qd)
    twists = _twists(bodies, motion, velocities, gravity, q)
    moments, rates, forces = _composites(bodies, motion, velocities)
    starts = starts_of(bodies)
    size = range(starts[-1])
    by_q, by_qd, by_qdd = ([[0 for _ in size] for _ in size] for _ in range(3))
    for i, body in enumerate(bodies):
        asked = list(zip(answers(body, moments[i]), rates[i].across(body), strict=True))
        for row, (response, moment) in enumerate(asked, start=starts[i]):  # by the coordinates that carry body i
            j = i
            while True:
                for column, twist in enumerate(twists[j], start=starts[j]):
                    by_q[row][column] = twist.second.dot(response) + twist.turning.dot(moment)
                    by_qd[row][column] = twist.first.dot(response) + twist.S.w.dot(moment)
                    by_qdd[row][column] = by_qdd[column][row] = twist.S.dot(response)
                if bodies[j].parent < 0:
                    break
                response, moment = brought_back(response, motion.ways[j]), _turned_back(moment, motion.ways[j])
                j = bodies[j].parent
        for column, twist in enumerate(twists[i], start=starts[i]):  # by its own, on the joints that carry it
            change_q = _pushed(moments[i], twist.second) + rates[i].along(twist.turning)
            change_q = change_q + twist.S.cross_force(forces[i])
            change_qd = _pushed(moments[i], twist.first) + rates[i].along(twist.S.w)
            j = i
            while bodies[j].parent >= 0:
                change_q, change_qd = brought_back(change_q, motion.ways[j]), brought_back(change_qd, motion.ways[j])
                j = bodies[j].parent
                for row, value in enumerate(felt(bodies[j], change_q), start=starts[j]):
                    by_q[row][column] = value
                for row, value in enumerate(felt(bodies[j], change_qd), start=starts[j]):
                    by_qd[row][column] = value
    return by_q, by_qd, by_qdd


@dataclass(slots=True)
class _Twist:
    """The motion S of a unit rate, and what multiplies moments and rates in the derivatives.

    Attributes:
        S: the motion.
        turning: rate of the axis, for the derivative by q.
        first: twice the rate of S (once for a free joint, whose axes turn with it), for the derivative by qd.
        second: second derivative of S, for the derivative by q.
    """

    S: Motion
    turning: Vec3
    first: Motion
    second: Motion


def _twists(
    bodies: Sequence[Screw], motion: Outward, velocities: Sequence[Vec3], gravity: Vec3, q: PerJoint
) -> list[list[_Twist]]:
    found = []
    for i, body in enumerate(bodies):
        w, u, v, a = motion.spins[i].w, motion.spins[i].u, velocities[i], motion.origins[i]
        turning = Vec3(w.y, -w.x, 0)  # w x z
        if body.pure_turn:
            sliding = a.cross(Z_AXIS) + v.cross(turning) * 2
            rate = Motion(turning * 2, Vec3(2 * v.y, -(2 * v.x), 0))
            found.append([_Twist(Motion(Z_AXIS, ZERO), turning, rate, Motion(u, sliding))])
        elif body.pure_slide:
            found.append([_Twist(Motion(ZERO, Z_AXIS), ZERO, Motion(ZERO, turning * 2), Motion(ZERO, u))])
        else:
            down = from_quaternion(*q[i][3:]).T @ gravity
            linear = [_Twist(Motion(ZERO, e), ZERO, Motion(ZERO, w.cross(e)), REST) for e in AXES]
            angular = [
                _Twist(Motion(e, ZERO), ZERO, Motion(w.cross(e), v.cross(e)), Motion(ZERO, e.cross(down))) for e in AXES
            ]
            found.append(linear + angular)
    return found


def _velocities(bodies: Sequence[Screw], motion: Outward, qd: PerJoint) -> list[Vec3]:
    """Return the velocity of each body's origin, in its own frame."""
    found: list[Vec3] = []
    for i, body in enumerate(bodies):
        if body.floats:
            found.append(Vec3(*qd[i][:3]))
            continue
        v, w = (ZERO, ZERO) if body.parent < 0 else (found[body.parent], motion.spins[body.parent].w)
        for step in motion.ways[i]:
            if isinstance(step, Vec3):
                v = v + w.cross(step)
            else:
                v, w = step.T @ v, step.T @ w
        found.append(Vec3(v.x, v.y, v.z + qd[i][0]) if body.pure_slide else v)
    return found


@dataclass(slots=True)
class _Rates:
    """How the moments of a mass distribution change: momentum P, angular momentum L, D = dJ/dt."""

    P: Vec3
    L: Vec3
    D: Sym3

    @classmethod
    def of(cls, body: PseudoInertia, w: Vec3, v: Vec3) -> _Rates:
        """Return the rates of a rigid body, from K = integral of x x'^T = J [w]^T + h v^T."""
        h, J = body.h, body.J
        xy, yx = J.xx * w.z - J.xz * w.x + h.x * v.y, J.yz * w.y - J.yy * w.z + h.y * v.x
        xz, zx = J.xy * w.x - J.xx * w.y + h.x * v.z, J.zz * w.y - J.yz * w.z + h.z * v.x
        yz, zy = J.yy * w.x - J.xy * w.y + h.y * v.z, J.xz * w.z - J.zz * w.x + h.z * v.y
        x2, y2, z2 = 2 * J.yz, 2 * J.xz, 2 * J.xy
        D = Sym3(
            y2 * w.y - z2 * w.z + 2 * h.x * v.x,
            xy + yx,
            z2 * w.z - x2 * w.x + 2 * h.y * v.y,
            xz + zx,
            yz + zy,
            x2 * w.x - y2 * w.y + 2 * h.z * v.z,
        )
        P = w.cross(h)
        return cls(P if is_exactly(body.m, 0) else P + v * body.m, Vec3(yz - zy, zx - xz, xy - yx), D)

    def __add__(self, b: _Rates) -> _Rates:
        return _Rates(self.P + b.P, self.L + b.L, self.D + b.D)

    def carried_back(self, steps: Sequence[Step]) -> _Rates:
        """Return the same rates about the origin before the steps."""
        P, L, D = self.P, self.L, self.D
        for step in reversed(steps):
            assert not isinstance(step, Mat3), "no ball joints"
            if isinstance(step, Vec3):
                L, D = L + step.cross(P), D + crossed(P, step)
            else:
                P, L, D = step @ P, step @ L, turned_moments(D, step)
        return _Rates(P, L, D)

    def along(self, w: Vec3) -> Force:
        """Return the force on points that turn with w while they move: F = 2 w x P, N = (tr D) w - D w - L x w."""
        D = self.D
        if w is Z_AXIS:
            return Force(Vec3(-(D.xz + self.L.y), self.L.x - D.yz, D.xx + D.yy), Vec3(-(2 * self.P.y), 2 * self.P.x, 0))
        return Force(_less_trace(D, w) - self.L.cross(w), w.cross(self.P) * 2)

    def across(self, body: Screw) -> list[Vec3]:
        """Return for each rate of a joint the moment times the turning of its carriers: (tr D) e - D e - e x L."""
        D, L, P = self.D, self.L, self.P
        if body.pure_turn:
            return [Vec3(L.y - D.xz, -(L.x + D.yz), D.xx + D.yy)]
        if body.pure_slide:
            return [Vec3(2 * P.y, -(2 * P.x), 0)]
        return [P.cross(e) * 2 for e in AXES] + [_less_trace(D, e) - e.cross(L) for e in AXES]


def _less_trace(D: Sym3, w: Vec3) -> Vec3:
    """Return (tr D) w - D w."""
    return Vec3(
        (D.yy + D.zz) * w.x - D.xy * w.y - D.xz * w.z,
        (D.xx + D.zz) * w.y - D.xy * w.x - D.yz * w.z,
        (D.xx + D.yy) * w.z - D.xz * w.x - D.yz * w.y,
    )


def _pushed(body: PseudoInertia, twist: Motion) -> Force:
    """Return the force that accelerating all points x by w x x + v needs."""
    w, v, h = twist.w, twist.v, body.h
    F = w.cross(h)
    return Force(_less_trace(body.J, w) + h.cross(v), F if is_exactly(body.m, 0) else F + v * body.m)


def _turned_back(moment: Vec3, steps: Sequence[Step]) -> Vec3:
    for step in reversed(steps):
        if not isinstance(step, Vec3):
            moment = step @ moment
    return moment


def _composites(
    bodies: Sequence[Screw], motion: Outward, velocities: Sequence[Vec3]
) -> tuple[list[PseudoInertia], list[_Rates], list[Force]]:
    """Return moments, their rates and the forces of each body with all it carries."""
    moments = [
        body.moments if lag.settled else turned(body.moments, lag)
        for body, lag in zip(bodies, motion.pending, strict=True)
    ]
    rates = [_Rates.of(own, spin.w, v) for own, spin, v in zip(moments, motion.spins, velocities, strict=True)]
    forces = list(motion.forces)
    for i in reversed(range(len(bodies))):
        parent, way = bodies[i].parent, motion.ways[i]
        if parent >= 0:
            moments[parent] = moments[parent] + carried_back(moments[i], way)
            rates[parent] = rates[parent] + rates[i].carried_back(way)
            forces[parent] = forces[parent] + brought_back(forces[i], way)
    return moments, rates, forces
