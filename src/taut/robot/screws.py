"""A tree in screw form: every joint axis is z of its link, and joints differ by slides and turns along x and z.

From a link's frame to the frame of a joint it carries::

    Turn_z(phi) Slide_z(r)  Slide_x(a) Turn_x(alpha)  Turn_z(theta) Slide_z(d)  and the joint's motion

phi and r vanish for the first joint a link carries: the link's own frame is chosen on the common
normal to it, as Khalil and Kleinfinger do. What is left is the least any frames can have, and it is
what the tightened recursions are written on.

A ball joint has no axis: it stands at (a, d, r) in the frame of the link that carries it, turned by
Turn_z(phi) Turn_x(alpha) Turn_z(theta).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from taut.errors import UnsupportedError
from taut.graph.node import Node
from taut.robot.motion import MOVING, Helical, JointMotion, Prismatic, Revolute, SingleAxis
from taut.robot.parts import Drive, Joint
from taut.robot.placement import Placement, QuarterTurns, right_angle
from taut.robot.tree import Tree
from taut.spatial import PseudoInertia, Rotation, Scalar, Transform, Turn, Vec3, cos, is_exactly, sin

SAME_AXIS = 1e-13
"""Sine of the angle between two numeric axes, and part of the distance, that are rounding of zero."""

FAR = 1e3
"""Distance of a common normal, in lengths of the robot, from which digits are lost: axes nearly but not parallel."""


@dataclass(frozen=True)
class Screw:
    """One body: the way from its parent's frame to its own, how it moves, what it weighs.

    ``kind`` is "revolute", "prismatic" or "helical" along z, "ball" or "free"; angles are kept as angles. ``pitch`` is
    the way of a helical joint per angle.
    """

    parent: int
    kind: str
    moments: PseudoInertia
    drive: Drive
    phi: Scalar = 0
    r: Scalar = 0
    a: Scalar = 0
    alpha: Scalar = 0
    theta: Scalar = 0
    d: Scalar = 0
    pitch: Scalar = 0

    @property
    def nv(self) -> int:
        """Rates of the joint."""
        return MOVING[self.kind].nv

    @property
    def pure_turn(self) -> bool:
        """Whether the joint turns about z and does nothing else."""
        return MOVING[self.kind].pure_turn

    @property
    def pure_slide(self) -> bool:
        """Whether the joint slides along z and does nothing else."""
        return MOVING[self.kind].pure_slide

    @property
    def pivots(self) -> bool:
        """Whether the joint turns about every axis through a point and does nothing else."""
        return MOVING[self.kind].pivots

    @property
    def floats(self) -> bool:
        """Whether the joint leaves the body all six degrees of freedom."""
        return MOVING[self.kind].floats

    @property
    def turns(self) -> bool:
        """Whether the joint's coordinate is an angle about z, with or without a way along it."""
        return issubclass(MOVING[self.kind], SingleAxis) and not self.pure_slide

    @property
    def motion(self) -> JointMotion:
        """The joint's motion in the body's frame."""
        return Helical(pitch=self.pitch) if self.turns and not self.pure_turn else MOVING[self.kind]()

    @property
    def parallel(self) -> int:
        """1 where the joint's axis is parallel to its parent's, -1 where antiparallel, else 0."""
        if self.pivots:
            return 0
        if is_exactly(self.alpha, 0):
            return 1
        quarters = self.alpha.count % 4 if isinstance(self.alpha, QuarterTurns) else 1
        return {0: 1, 2: -1}.get(quarters, 0)

    @property
    def rest_pose(self) -> Transform:
        """Pose of the body in its parent's frame with its coordinate at zero."""
        outward = _turn(2, self.phi)
        twisted = outward.times(_turn(0, self.alpha))
        if self.pivots:
            return Transform(twisted.times(_turn(2, self.theta)), Vec3(self.a, self.d, self.r))
        p = Vec3(0, 0, self.r) + outward @ Vec3(self.a, 0, 0) + twisted @ Vec3(0, 0, self.d)
        return Transform(twisted.times(_turn(2, self.theta)), p)


def screw_form(tree: Tree, is_zero: Callable[[Scalar], bool] | None = None) -> tuple[Screw, ...]:
    """Return the bodies of a tree in screw form.

    Args:
        tree: the robot; the root joint may be free.
        is_zero: whether a symbolic number vanishes identically; only the constant 0 does by default.
    """
    is_zero = is_zero or (lambda x: is_exactly(x, 0))
    bodies: list[Screw] = []
    reach = _reach(tree)
    for joint in tree.joints:
        placement = tree.base.then(joint.placement) if joint.parent < 0 else joint.placement
        moments = PseudoInertia.of(joint.link.inertia)
        if joint.motion.floats:
            if joint.parent >= 0 or placement != Placement():
                raise UnsupportedError(f"free joint '{joint.name}' is not the root", "screw form")
            bodies.append(Screw(-1, "free", moments, joint.drive))
            continue
        if joint.motion.pivots:
            bodies.append(Screw(joint.parent, "ball", moments, joint.drive, *ball_way(tree, joint)))
            continue
        if not isinstance(joint.motion, Revolute | Prismatic | Helical):
            raise UnsupportedError(f"joint '{joint.name}' is {joint.motion.kind}", "screw form")
        upright = _upright(joint.motion)
        if upright.turns:
            moments = moments.seen_from_parent(upright.transform.inverse)
        way = screw_way(tree, joint, is_zero)
        if any(not isinstance(x, Node) and abs(x) > FAR * reach for x in (way[1], way[5])):
            raise UnsupportedError(
                f"the axis of joint '{joint.name}' is nearly parallel to the one before", "screw form"
            )
        pitch = joint.motion.pitch if isinstance(joint.motion, Helical) else 0
        body = Screw(joint.parent, joint.motion.kind, moments, joint.drive, *way)
        bodies.append(replace(body, pitch=pitch) if pitch else body)
    return _on_common_normals(bodies)


def screw_way(tree: Tree, joint: Joint, is_zero: Callable[[Scalar], bool]) -> tuple[Scalar, ...]:
    """Return phi, r, a, alpha, theta, d from the upright frame of a joint's parent to its own.

    Raises:
        UnsupportedError: where symbols are placed so that there are no such numbers.
    """
    if not isinstance(joint.motion, SingleAxis):
        raise UnsupportedError(f"joint '{joint.name}' is {joint.motion.kind}", "screw form")
    placement = tree.base.then(joint.placement) if joint.parent < 0 else joint.placement
    upright = _upright(joint.motion)
    if upright.turns:
        placement = placement.then(upright)
    if joint.parent >= 0 and (carried := _frame_changes(tree, joint.parent)) is not None:
        placement = carried.then(placement)
    phi, r, a, alpha, theta, d = _decomposed(placement, is_zero)
    if joint.parent < 0 and is_exactly(alpha, 0):  # no other link is placed by r: one slide along the axis is enough
        return phi, 0, a, alpha, theta, d + r
    return phi, r, a, alpha, theta, d


def ball_way(tree: Tree, joint: Joint) -> tuple[Scalar, ...]:
    """Return phi, r, a, alpha, theta, d of a ball joint from the upright frame of its parent."""
    placement = tree.base.then(joint.placement) if joint.parent < 0 else joint.placement
    if joint.parent >= 0 and (carried := _frame_changes(tree, joint.parent)) is not None:
        placement = carried.then(placement)
    turns = list(placement.turns)
    if all(isinstance(angle, int | float | QuarterTurns) for _, angle in turns) and not _is_zxz(turns):
        turns = _zxz(placement)
    if not _is_zxz(turns):
        raise UnsupportedError("symbolic turns of a ball joint that are not z, x, z", "screw form")
    phi = turns.pop(0)[1] if turns and turns[0][0] == 2 and len(turns) > 1 else 0
    alpha = turns.pop(0)[1] if turns and turns[0][0] == 0 else 0
    theta = turns.pop(0)[1] if turns else 0
    x, y, z = placement.p
    return phi, z, x, alpha, theta, y


def _is_zxz(turns: list[tuple[int, Scalar]]) -> bool:
    return tuple(axis for axis, _ in turns) in ((), (2,), (0,), (2, 0), (0, 2), (2, 0, 2))


def _zxz(placement: Placement) -> list[tuple[int, Scalar]]:
    """Return the turns z, x, z of a numeric placement."""
    R = [[float(x) for x in row] for row in placement.transform.R.matrix.rows]
    across = math.hypot(R[0][2], R[1][2])
    alpha = math.atan2(across, R[2][2])
    phi = math.atan2(R[0][2], -R[1][2]) if across > SAME_AXIS else 0.0
    c, s = math.cos(phi), math.sin(phi)  # the rest is Turn_x(alpha) Turn_z(theta), whose first row is theta's
    theta = math.atan2(-(c * R[0][1] + s * R[1][1]), c * R[0][0] + s * R[1][0])
    return [(2, phi), (0, alpha), (2, theta)]


def _reach(tree: Tree) -> float:
    """Return the largest distance between neighbouring joints, infinite where some are symbols or all are zero."""
    lengths = [x for joint in tree.joints for x in joint.placement.p]
    if any(isinstance(x, Node) for x in lengths):
        return math.inf
    return max((abs(float(x)) for x in lengths), default=0.0) or math.inf


def _frame_changes(tree: Tree, parent: int) -> Placement | None:
    """Return the parent's upright frame undone: its children are placed in the frame of the file."""
    motion = tree.joints[parent].motion
    if not isinstance(motion, SingleAxis):
        return None
    upright = _upright(motion)
    return Placement(turns=upright.inverse.turns) if upright.turns else None


def _upright(motion: SingleAxis) -> Placement:
    """Return the turn that brings z onto the joint's axis."""
    x, y, z = (float(component) for component in motion.axis)
    if x == 0 and y == 0:
        return Placement() if z > 0 else Placement(turns=((0, math.pi),))
    if x == 0:
        return Placement(turns=((0, math.atan2(-y, z)),))
    across = math.hypot(x, y)
    turns = ((2, math.atan2(y, x)), (1, math.atan2(across, z)))
    return Placement(turns=tuple(turn for turn in turns if turn[1] != 0))


def _turn(axis: int, angle: Scalar) -> Rotation:
    return Rotation() if is_exactly(angle, 0) else Rotation((Turn(axis, cos(angle), sin(angle)),))


def _decomposed(placement: Placement, is_zero: Callable[[Scalar], bool]) -> tuple[Scalar, ...]:
    """Return phi, r, a, alpha, theta, d of a placement."""
    numbers = [*placement.p, *(angle for _, angle in placement.turns)]
    if all(isinstance(x, (int, float, QuarterTurns)) for x in numbers):
        return _by_common_normal(placement)
    turns = [(axis, right_angle(angle)) for axis, angle in placement.turns]
    phi = turns.pop(0)[1] if turns and turns[0][0] == 2 and len(turns) > 1 else 0
    alpha = turns.pop(0)[1] if turns and turns[0][0] == 0 else 0
    theta = turns.pop(0)[1] if turns and turns[0][0] == 2 else 0
    if turns:
        raise UnsupportedError("symbolic turns that are not z, x, z", "screw form")
    x, y, z = _turn(2, phi).T @ placement.p
    s, c = (0, 1) if is_exactly(alpha, 0) else (sin(alpha), cos(alpha))
    if is_zero(y):
        return phi, z, x, alpha, theta, 0
    if is_zero(y * c + z * s):  # nothing but a along x and d along the tilted z
        return phi, 0, x, alpha, theta, z * c - y * s
    if is_zero(s):
        raise UnsupportedError("parallel axes with a symbolic offset off the x axis", "screw form")
    d = -(y / s)
    return phi, z - d * c, x, alpha, theta, d


def _by_common_normal(placement: Placement) -> tuple[float, ...]:
    """Return the decomposition of a numeric placement: x runs along the common normal of the two axes."""
    X = placement.transform
    R = np.array([[float(x) for x in row] for row in X.R.matrix.rows])
    p = np.array([float(x) for x in X.p])
    zc = R[:, 2]
    nothing = SAME_AXIS * float(np.abs(p).max())
    if math.hypot(zc[0], zc[1]) < SAME_AXIS:
        phi = math.atan2(p[1], p[0]) if math.hypot(p[0], p[1]) > nothing else 0.0
        alpha = 0.0 if zc[2] > 0 else math.pi
        a, r, d = math.hypot(p[0], p[1]), 0.0, float(p[2] * zc[2])
        if abs(math.sin(2 * phi)) < SAME_AXIS:  # along x or y already: keep signs, avoid half turns
            phi, a = (0.0, float(p[0])) if abs(p[1]) <= nothing else (math.pi / 2, float(p[1]))
    else:
        normal = np.array([-zc[1], zc[0], 0.0])
        normal /= np.linalg.norm(normal)
        if normal[0] < -SAME_AXIS or (abs(normal[0]) <= SAME_AXIS and normal[1] < 0):
            normal = -normal
        phi = math.atan2(normal[1], normal[0])
        alpha = math.atan2(float(np.cross([0.0, 0.0, 1.0], zc) @ normal), float(zc[2]))
        along = np.linalg.solve(np.column_stack([normal, [0.0, 0.0, 1.0], zc]), p)
        a, r, d = (float(x) for x in along)
    before = np.array([[float(x) for x in row] for row in _turn(2, phi).times(_turn(0, alpha)).matrix.rows])
    rest = before.T @ R
    theta = math.atan2(rest[1, 0], rest[0, 0])
    return phi, r, a, alpha, theta, d


def _on_common_normals(bodies: list[Screw]) -> tuple[Screw, ...]:
    """Turn and slide each link's frame along its axis so that its first child with an axis has phi = r = 0."""
    changed = list(bodies)
    for i, body in enumerate(bodies):
        children = [k for k, other in enumerate(bodies) if other.parent == i]
        placing = next((k for k in children if not bodies[k].pivots), None)
        if body.nv > 1 or placing is None:
            continue
        phi, r = bodies[placing].phi, bodies[placing].r
        if is_exactly(phi, 0) and is_exactly(r, 0):
            continue
        frame = Transform(_turn(2, right_angle(phi)), Vec3(0, 0, r))
        own = changed[i]
        moments = own.moments.seen_from_parent(frame.inverse)
        changed[i] = replace(own, theta=own.theta + phi, d=own.d + r, moments=moments)
        for k in children:
            child = changed[k]
            same = k == placing
            if child.pivots:
                x, y, z = frame.inverse.point(Vec3(child.a, child.d, child.r))
                changed[k] = replace(child, phi=child.phi - phi, a=x, d=y, r=z)
                continue
            changed[k] = replace(child, phi=0 if same else child.phi - phi, r=0 if same else child.r - r)
    return tuple(changed)
