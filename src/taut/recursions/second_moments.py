"""Inverse dynamics of a tree in screw form by second moments: the tightened recursion.

The matrix U = [w'] + [w]^2 turns a point of the body into its acceleration, so that with the mass m,
first moment h and second moments J of a link

.. math:: F = m\\,a + U h, \\qquad N = \\mathrm{vee}(U J - J U^T) + h \\times a

Three choices keep the number of operations down, all of them exact:

- the column u = U z along a joint's axis is the second derivative of that axis and does not change
  when the joint turns: it is carried from link to link instead of w'x and w'y;
- a link whose constants are cheap to turn may *lag*: its equations are written in a frame that has
  not turned with its joint, and its constants h, J are turned instead;
- turns about parallel axes add up before anything is rotated by them.

Serves trees of revolute, prismatic, helical and ball joints, the root may be free. Source: the pseudo-inertia form
of [Wittenburg 1977], the frames of [Khalil, Kleinfinger 1987]; u and lagging frames are taut's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from taut.robot import PerJoint
from taut.robot.placement import QuarterTurns
from taut.robot.screws import Screw
from taut.spatial import (
    ZERO,
    Force,
    Mat3,
    PseudoInertia,
    Scalar,
    Sym3,
    Turn,
    Vec3,
    cos,
    from_quaternion,
    is_exactly,
    sin,
)

Lagging = frozenset[int]
"""Bodies whose frame does not turn with their joint."""

NONE: Lagging = frozenset()

Step = Turn | Mat3 | Vec3
"""A turn of the frame, about an axis or by a ball joint, or a slide of its origin."""


class Spin:
    """Angular state of a body in a frame whose z is the last joint's axis: w, u = U z and w'z.

    The other entries of U follow from these three.
    """

    __slots__ = ("U11", "U12", "U21", "U22", "U31", "U32", "u", "w", "wd_z", "x_less_z", "y_less_x", "z_less_y")

    def __init__(self, w: Vec3, u: Vec3, wd_z: Scalar) -> None:
        self.w, self.u, self.wd_z = w, u, wd_z
        xx, zz = w.x * w.x, w.z * w.z
        self.U22 = -(xx + zz)
        self.x_less_z = xx - zz  # U11 - U33
        self.U11 = u.z + self.x_less_z
        self.z_less_y = u.z - self.U22  # U33 - U22
        self.y_less_x = self.U22 - self.U11
        twice_z = w.z * 2
        self.U31, self.U32 = w.x * twice_z - u.x, w.y * twice_z - u.y
        xy = w.x * w.y
        self.U12, self.U21 = xy - wd_z, xy + wd_z

    @property
    def columns(self) -> tuple[Vec3, Vec3, Vec3]:
        """U by columns."""
        return Vec3(self.U11, self.U21, self.U31), Vec3(self.U12, self.U22, self.U32), self.u

    @property
    def wd_y(self) -> Scalar:
        """Angular acceleration about y, from u_x = wx wz + w'y."""
        return self.u.x - self.w.x * self.w.z

    @property
    def wd(self) -> Vec3:
        """Angular acceleration; u_y = wy wz - w'x."""
        return Vec3(self.w.y * self.w.z - self.u.y, self.wd_y, self.wd_z)

    def times(self, h: Vec3) -> Vec3:
        """Return U h, skipping what is zero by structure."""
        total = ZERO
        for column, part in zip(self.columns, h, strict=True):
            if not is_exactly(part, 0):
                total = total + column * part
        return total

    def turned(self, back: Turn) -> Spin:
        """Return the same motion in a frame turned about z."""
        return Spin(back @ self.w, back @ self.u, self.wd_z)

    def twisted(self, c: Scalar, s: Scalar) -> Spin:
        """Return the same motion in a frame turned about x, whose z is another axis."""
        back = Turn(0, c, -s)
        _, second, third = self.columns
        return Spin(back @ self.w, back @ (third * c - second * s), self.wd_z * c - self.wd_y * s)

    def moment(self, J: Sym3) -> Vec3:
        """Return vee(U J - J U^T)."""
        u = self.u
        x = self.U31 * J.xy + self.U32 * J.yy + self.z_less_y * J.yz - self.U21 * J.xz
        y = self.x_less_z * J.xz + self.U12 * J.yz - self.U31 * J.xx - self.U32 * J.xy
        z = self.U21 * J.xx + self.y_less_x * J.xy + u.y * J.xz - self.U12 * J.yy - u.x * J.yz
        return Vec3(x - u.y * J.zz, y + u.x * J.zz, z)


def spinning(w: Vec3, wd: Vec3) -> Spin:
    """Return the state of a body with angular velocity w and acceleration w'."""
    u = Vec3(w.x * w.z + wd.y, w.y * w.z - wd.x, -(w.x * w.x + w.y * w.y))
    return Spin(w, u, wd.z)


class Lag:
    """An angle about z that a frame has not turned by yet: a sum of angles and whole quarter turns."""

    __slots__ = ("angle", "quarters")

    def __init__(self, angle: Scalar = 0, quarters: QuarterTurns = QuarterTurns(0)) -> None:  # noqa: B008 - frozen
        self.angle, self.quarters = angle, quarters

    def plus(self, angle: Scalar) -> Lag:
        """Return the lag after another turn."""
        if isinstance(angle, QuarterTurns):
            return Lag(self.angle, self.quarters + angle)
        if is_exactly(angle, 0):
            return self
        return Lag(angle if is_exactly(self.angle, 0) else self.angle + angle, self.quarters)

    def flipped(self) -> Lag:
        """Return the lag seen along the opposite axis."""
        return Lag(self.angle if is_exactly(self.angle, 0) else -self.angle, -self.quarters)

    @property
    def turn(self) -> Turn:
        """Rotation about z that is not yet applied."""
        c, s = (1, 0) if is_exactly(self.angle, 0) else (cos(self.angle), sin(self.angle))
        c0, s0 = self.quarters.cos(), self.quarters.sin()
        return Turn(2, c0 * c - s0 * s, s0 * c + c0 * s)

    @property
    def settled(self) -> bool:
        """Whether no rotation is left to apply."""
        return is_exactly(self.angle, 0) and self.quarters.count % 4 == 0


def turned_moments(J: Sym3, turn: Turn) -> Sym3:
    """Return second moments turned about z, by t = s (Jxx - Jyy) + 2 c Jxy, or likewise about x."""
    c, s = turn.c, turn.s
    if turn.axis == 0:
        t = s * (J.yy - J.zz) + c * (2 * J.yz)
        return Sym3(J.xx, c * J.xy - s * J.xz, J.yy - s * t, s * J.xy + c * J.xz, c * t - J.yz, J.zz + s * t)
    t = s * (J.xx - J.yy) + c * (2 * J.xy)
    return Sym3(J.xx - s * t, c * t - J.xy, J.yy + s * t, c * J.xz - s * J.yz, s * J.xz + c * J.yz, J.zz)


def way_out(body: Screw, q: Sequence[Scalar], pending: Lag, lags: bool) -> tuple[list[Step], Lag]:
    """Return the steps from the parent's frame of computation to the body's, and the rotation left to apply there.

    Steps are turns about z and x and slides; a parallel joint lets the parent's lag pass through.
    """
    steps: list[Step] = []
    if body.pivots:
        return _way_to_ball(body, q, pending), Lag()
    pending = pending.plus(body.phi)
    _slide(steps, Vec3(0, 0, body.r))
    c, s = (1, 0) if is_exactly(body.alpha, 0) else (cos(body.alpha), sin(body.alpha))
    if is_exactly(s, 0):
        if not is_exactly(body.a, 0):
            _slide(steps, pending.turn @ Vec3(body.a, 0, 0))
        if is_exactly(c, -1):
            steps.append(Turn(0, c, s))
            pending = pending.flipped()
    else:
        if not pending.settled:
            steps.append(pending.turn)
            pending = Lag()
        _slide(steps, Vec3(body.a, 0, 0))
        steps.append(Turn(0, c, s))
    pending = pending.plus(body.theta)
    if body.pure_turn:
        _slide(steps, Vec3(0, 0, body.d))
    else:
        _slide(steps, Vec3(0, 0, body.d + (q[0] if body.pure_slide else body.pitch * q[0])))
    if body.turns:
        pending = pending.plus(q[0])
    if not lags and not pending.settled:
        steps.append(pending.turn)
        pending = Lag()
    return steps, pending


def _way_to_ball(body: Screw, q: Sequence[Scalar], pending: Lag) -> list[Step]:
    """Return the steps to a ball joint's centre and through its constant turns and its own."""
    steps: list[Step] = [] if pending.settled else [pending.turn]
    _slide(steps, Vec3(body.a, body.d, body.r))
    for axis, angle in ((2, body.phi), (0, body.alpha), (2, body.theta)):
        if not is_exactly(angle, 0):
            steps.append(Turn(axis, cos(angle), sin(angle)))
    return [*steps, from_quaternion(*q)]


def _slide(steps: list[Step], p: Vec3) -> None:
    if not all(is_exactly(x, 0) for x in p):
        steps.append(p)


def moved(spin: Spin, a: Vec3, steps: Sequence[Step]) -> tuple[Spin, Vec3]:
    """Carry angular state and acceleration of the origin along the steps."""
    for step in steps:
        if isinstance(step, Vec3):
            a = a + spin.times(step)
        elif isinstance(step, Mat3):
            spin, a = spinning(step.T @ spin.w, step.T @ spin.wd), step.T @ a
        elif step.axis == 2:
            back = step.T
            spin, a = spin.turned(back), back @ a
        else:
            spin, a = spin.twisted(step.c, step.s), step.T @ a
    return spin, a


def brought_back(f: Force, steps: Sequence[Step]) -> Force:
    """Carry a force back along the steps."""
    for step in reversed(steps):
        f = Force(f.n + step.cross(f.f), f.f) if isinstance(step, Vec3) else Force(step @ f.n, step @ f.f)
    return f


def second_moment_torque(
    bodies: Sequence[Screw], gravity: Vec3, q: PerJoint, qd: PerJoint, qdd: PerJoint, lagging: Lagging = NONE
) -> list[list[Scalar]]:
    """Return the joint forces, one list a joint; drives are not included.

    Args:
        bodies: the robot in screw form, regrouped or not.
        gravity: acceleration of gravity in the frame the first joints are placed in.
        q, qd, qdd: one list a joint.
        lagging: bodies whose frame does not turn with their joint.
    """
    motion = outward(bodies, gravity, q, qd, qdd, lagging)
    forces, ways = motion.forces, motion.ways
    tau: list[list[Scalar]] = [[] for _ in bodies]
    for i in reversed(range(len(bodies))):
        body, f = bodies[i], forces[i]
        tau[i] = felt(body, f)
        if body.parent >= 0:
            forces[body.parent] = forces[body.parent] + brought_back(f, ways[i])
    return tau


def felt(body: Screw, f: Force) -> list[Scalar]:
    """Return the components of the force that do work on the joint."""
    if body.floats:
        return [*f.f, *f.n]
    if body.pivots:
        return [*f.n]
    if body.pure_turn:
        return [f.n.z]
    return [f.n.z + body.pitch * f.f.z if body.turns else f.f.z]


class Outward(NamedTuple):
    """Results of the outward pass, one entry per body.

    Attributes:
        spins: angular state.
        origins: acceleration of the origin, gravity included.
        ways: steps from the parent's frame of computation.
        pending: the rotation not yet applied to each frame.
        forces: what the link's own motion asks for.
    """

    spins: list[Spin]
    origins: list[Vec3]
    ways: list[list[Step]]
    pending: list[Lag]
    forces: list[Force]


def outward(
    bodies: Sequence[Screw], gravity: Vec3, q: PerJoint, qd: PerJoint, qdd: PerJoint, lagging: Lagging = NONE
) -> Outward:
    """Return the motion of all bodies, arguments as in :func:`second_moment_torque`."""
    found = Outward([], [], [], [], [])
    at_rest = spinning(ZERO, ZERO)
    for i, body in enumerate(bodies):
        if body.floats:
            spin, a = _floating(gravity, q[i], qd[i], qdd[i])
            way: list[Step] = []
            lag = Lag()
        else:
            start = (
                (at_rest, -gravity, Lag())
                if body.parent < 0
                else (found.spins[body.parent], found.origins[body.parent], found.pending[body.parent])
            )
            way, lag = way_out(body, q[i], start[2], i in lagging)
            spin, a = moved(start[0], start[1], way)
            spin, a = _driven(spin, a, body, qd[i], qdd[i])
        found.spins.append(spin)
        found.origins.append(a)
        found.ways.append(way)
        found.pending.append(lag)
        found.forces.append(_inertial_force(body.moments, lag, spin, a))
    return found


def _driven(spin: Spin, a: Vec3, body: Screw, qd: Sequence[Scalar], qdd: Sequence[Scalar]) -> tuple[Spin, Vec3]:
    """Add the joint's own rates: about z for a revolute joint, along z for a prismatic one, both for a helical one."""
    w = spin.w
    if body.pivots:
        own = Vec3(*qd)
        return spinning(w + own, spin.wd + w.cross(own) + Vec3(*qdd)), a
    rate, acceleration = qd[0], qdd[0]
    if body.turns:
        spin = Spin(Vec3(w.x, w.y, w.z + rate), spin.u, spin.wd_z + acceleration)
    if body.pure_turn:
        return spin, a
    if body.turns:
        rate, acceleration = body.pitch * rate, body.pitch * acceleration
    twice = 2 * rate
    return spin, Vec3(a.x + w.y * twice, a.y - w.x * twice, a.z + acceleration)


def _floating(gravity: Vec3, q: Sequence[Scalar], qd: Sequence[Scalar], qdd: Sequence[Scalar]) -> tuple[Spin, Vec3]:
    """Return the state of a free root: rates and accelerations are given in its own frame."""
    v, w, vd, wd = Vec3(*qd[:3]), Vec3(*qd[3:]), Vec3(*qdd[:3]), Vec3(*qdd[3:])
    down = from_quaternion(*q[3:]).T @ gravity
    return spinning(w, wd), vd + w.cross(v) - down


def _inertial_force(body: PseudoInertia, lag: Lag, spin: Spin, a: Vec3) -> Force:
    """Return F and N of one link, its constants turned by the rotation not yet applied to its frame."""
    h, J = body.h, body.J
    if not lag.settled:
        h, J = lag.turn @ h, turned_moments(J, lag.turn)
    F = spin.times(h)
    if not is_exactly(body.m, 0):
        F = F + a * body.m
    return Force(spin.moment(J) + h.cross(a), F)
