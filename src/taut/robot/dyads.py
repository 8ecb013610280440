"""Planar dyads: two joints of a loop whose positions follow from the others in closed form.

A pin holds the ends P of two bodies together. With both joints, A and B, turning, A B P is a triangle whose sides are
known, and the angle between the sides f and g that meet at a joint follows from the law of cosines:

.. math:: f \\cdot R g = k = \\tfrac12 (|f|^2 + |g|^2 - |opposite|^2), \\qquad
    n \\cdot (f \\times R g) = \\pm S, \\qquad S = \\sqrt{|f|^2 |g|^2 - k^2}

S, twice the area, is the one root of the dyad. With B sliding along e, the way t of P is that of a line to a circle
about A; with both joints sliding two lines meet, and there is no root. Runs on any scalars; where a loop cannot
close, the root is of a negative number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from taut.robot.loop_rows import PerJoint, chained, chains
from taut.spatial import Scalar, Transform, Vec3, angle_of, sqrt

if TYPE_CHECKING:
    from taut.robot.closures import Closure, Dyad
    from taut.robot.tree import Tree

POINTS = ("pin", "ball", "cylinder")
"""Kinds of closures that hold two points of a plane together."""


def positions(dyad: Dyad, tree: Tree, closures: Sequence[Closure], Q: PerJoint) -> dict[int, Scalar]:
    """Return the positions of the two joints of a dyad.

    Args:
        dyad: the dyad.
        tree: whose frames the closures are given in.
        closures: of the loops.
        Q: positions of the other joints of the loop.
    """
    return solution(tree, closures[dyad.closure], dyad.joints, Q).positions(dyad.branch)


@dataclass(frozen=True, eq=False)
class _Corner:
    """A joint that turns, the sides that meet there, and twice the cosine term of its angle.

    Attributes:
        joint: its index.
        n: its axis in its own frame.
        f: the side before the joint, in the joint's resting frame.
        g: the side behind the joint, in the frame of its link.
        k: f . R g.
        squares: |f|^2 |g|^2.
    """

    joint: int
    n: Vec3
    f: Vec3
    g: Vec3
    k: Scalar
    squares: Scalar

    def position(self, root: Scalar) -> Scalar:
        """Return the angle at which n . (f x R g) is the root: R = (k + i root) f conj(g) / (|f|^2 |g|^2)."""
        along, across = _dot(self.n, self.f, self.g), self.n.dot(self.g.cross(self.f))
        inverse = 1 / self.squares
        return angle_of(
            (self.k * across + root * along) * inverse,
            (self.k * along - root * across) * inverse,
        )

    def turned(self, c: Scalar, s: Scalar) -> Scalar:
        """Return n . (f x R g) at an angle with this cosine and sine."""
        return c * self.n.dot(self.f.cross(self.g)) + s * _dot(self.n, self.f, self.g)


@dataclass(frozen=True, eq=False)
class Triangle:
    """Two joints that turn."""

    corners: tuple[_Corner, _Corner]

    @property
    def root(self) -> Scalar:
        """Twice the area of the triangle."""
        corner = self.corners[-1]
        return sqrt(corner.squares - corner.k * corner.k)

    def positions(self, branch: Sequence[int]) -> dict[int, Scalar]:
        """Return both angles."""
        root = self.root
        return {c.joint: c.position(root if sign > 0 else -root) for c, sign in zip(self.corners, branch, strict=True)}

    def branch_values(self, turned: dict[int, tuple[Scalar, Scalar]]) -> list[Scalar]:
        """Return what has the sign of the branch, at positions given as (cosine, sine), or (way, 0)."""
        return [corner.turned(*turned[corner.joint]) for corner in self.corners]


@dataclass(frozen=True, eq=False)
class LineAndCircle:
    """A joint that turns, and one that slides.

    Attributes:
        turning: the joint that turns.
        sliding: the joint that slides.
        n: axis of the first, in its frame.
        m: from the first to the end, seen on the side of the slide, where the slide is at zero.
        e: change of it along the slide.
        h: from the first to the end, seen on its other side.
        outward: whether the slide is on the side behind the joint that turns.
    """

    turning: int
    sliding: int
    n: Vec3
    m: Vec3
    e: Vec3
    h: Vec3
    outward: bool

    def positions(self, branch: Sequence[int]) -> dict[int, Scalar]:
        """Return the way and the angle."""
        square, across = _dot(self.n, self.h, self.h), self.n.dot(self.e.cross(self.m))
        root = sqrt(square - across * across)
        t = (root if branch[0] > 0 else -root) - _dot(self.n, self.e, self.m)
        w = self.m + self.e * t
        start, end = (w, self.h) if self.outward else (self.h, w)
        inverse = 1 / square
        angle = angle_of(self.n.dot(start.cross(end)) * inverse, _dot(self.n, start, end) * inverse)
        return {self.turning: angle, self.sliding: t}

    def branch_values(self, turned: dict[int, tuple[Scalar, Scalar]]) -> list[Scalar]:
        """Return what has the sign of the branch."""
        return [turned[self.sliding][0] + _dot(self.n, self.e, self.m)]


@dataclass(frozen=True, eq=False)
class TwoLines:
    """Two joints that slide: d + a s + b t = 0 for directions a, b of length one."""

    joints: tuple[int, int]
    d: Vec3
    a: Vec3
    b: Vec3

    def positions(self, branch: Sequence[int]) -> dict[int, Scalar]:
        """Return both ways."""
        slant, along_a, along_b = self.a.dot(self.b), self.d.dot(self.a), self.d.dot(self.b)
        inverse = 1 / (1 - slant * slant)
        ways = ((slant * along_b - along_a) * inverse, (slant * along_a - along_b) * inverse)
        return dict(zip(self.joints, ways, strict=True))

    def branch_values(self, turned: dict[int, tuple[Scalar, Scalar]]) -> list[Scalar]:
        """There is one solution."""
        return []


def solution(tree: Tree, closure: Closure, joints: tuple[int, int], Q: PerJoint) -> Triangle | LineAndCircle | TwoLines:
    """Return the dyad of two joints of a closure at the positions of the other joints."""
    first, second = chains(tree, closure)
    ends = (closure.placement.transform, closure.other_placement.transform)
    if joints[0] in second:
        first, second, ends = second, first, ends[::-1]
    a, b = joints
    at = first.index(a)
    if b in first and first.index(b) < at:
        a, b, at = b, a, first.index(b)
    A = _before(tree, first[: at + 1], Q)
    kinds = [tree.joints[i].motion.kind for i in (a, b)]
    if b in first:
        far = first.index(b)
        Y = _before(tree, first[at + 1 : far + 1], Q)
        Z = chained(tree, first[far + 1 :], Q) @ ends[0]
        return _in_line(tree, (a, b), kinds, A, Y, Z, chained(tree, second, Q) @ ends[1])
    far = second.index(b)
    B = _before(tree, second[: far + 1], Q)
    beyond = (chained(tree, first[at + 1 :], Q) @ ends[0], chained(tree, second[far + 1 :], Q) @ ends[1])
    return _apart(tree, (a, b), kinds, (A, B), beyond)


def _in_line(
    tree: Tree, joints: tuple[int, int], kinds: Sequence[str], A: Transform, Y: Transform, Z: Transform, P: Transform
) -> Triangle | LineAndCircle | TwoLines:
    """Return the dyad of joints a before b in one chain: A, then Y, then Z leads to P."""
    a, b = joints
    n, e = (_axis(tree, i) for i in joints)
    if kinds == ["revolute", "revolute"]:
        f, g, back, end = A.R.T @ (P.p - A.p), Y.p, -(Y.R.T @ Y.p), Z.p
        F, G, H = _dot(n, f, f), _dot(n, g, g), _dot(e, end, end)
        inner = _Corner(a, n, f, g, (F + G - H) / 2, F * G)
        return Triangle((inner, _Corner(b, e, back, end, (G + H - F) / 2, G * H)))
    if kinds == ["revolute", "prismatic"]:
        return LineAndCircle(a, b, n, Y.p + Y.R @ Z.p, Y.R @ e, A.R.T @ (P.p - A.p), outward=True)
    if kinds == ["prismatic", "revolute"]:
        m = Y.R.T @ (A.R.T @ (P.p - A.p) - Y.p)
        return LineAndCircle(b, a, e, m, -(Y.R.T @ n), Z.p, outward=False)
    return TwoLines(joints, A.p + A.R @ (Y.p + Y.R @ Z.p) - P.p, A.R @ n, A.R @ (Y.R @ e))


def _apart(
    tree: Tree,
    joints: tuple[int, int],
    kinds: Sequence[str],
    places: tuple[Transform, Transform],
    beyond: tuple[Transform, Transform],
) -> Triangle | LineAndCircle | TwoLines:
    """Return the dyad of joints of the two chains: each stands at its place, and its end is ``beyond`` it."""
    (A, B), (u, v), (a, b) = places, beyond, joints
    n, e = (_axis(tree, i) for i in joints)
    if kinds == ["revolute", "revolute"]:
        f, back = A.R.T @ (B.p - A.p), B.R.T @ (A.p - B.p)
        F, G, H = _dot(n, f, f), _dot(n, u.p, u.p), _dot(e, v.p, v.p)
        first = _Corner(a, n, f, u.p, (F + G - H) / 2, F * G)
        return Triangle((first, _Corner(b, e, back, v.p, (F + H - G) / 2, F * H)))
    if kinds == ["revolute", "prismatic"]:
        return LineAndCircle(a, b, n, A.R.T @ (B.p + B.R @ v.p - A.p), A.R.T @ (B.R @ e), u.p, outward=False)
    if kinds == ["prismatic", "revolute"]:
        return _apart(tree, (b, a), kinds[::-1], (B, A), (v, u))
    return TwoLines(joints, A.p + A.R @ u.p - (B.p + B.R @ v.p), A.R @ n, -(B.R @ e))


def _axis(tree: Tree, i: int) -> Vec3:
    """Return the axis about which a joint turns, or along which it slides."""
    motion = tree.joints[i].motion
    column = motion.columns[0]
    return column.w if motion.pure_turn else column.v


def _before(tree: Tree, chain: Sequence[int], Q: PerJoint) -> Transform:
    """Return the pose of the last joint of a chain at rest."""
    return chained(tree, chain[:-1], Q) @ tree.joints[chain[-1]].placement.transform


def _dot(n: Vec3, a: Vec3, b: Vec3) -> Scalar:
    """Return the inner product of two vectors in the plane that n is normal to."""
    return a.dot(b) - n.dot(a) * n.dot(b)
