"""Rotations as a product of steps: turns about a coordinate axis and general matrices.

A turn costs four multiplications where a matrix costs nine, so a joint's transform is kept
as its constant part followed by its turn, and is applied step by step.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce

from taut.spatial.array import Scalar, cos, is_exactly, sin
from taut.spatial.vector import IDENTITY, Mat3, Sym3, Vec3


@dataclass(slots=True, unsafe_hash=True)
class Turn:
    """Rotation about coordinate axis 0, 1 or 2 by the angle with cosine ``c`` and sine ``s``."""

    axis: int
    c: Scalar
    s: Scalar

    @property
    def T(self) -> Turn:
        """The inverse."""
        return Turn(self.axis, self.c, -self.s)

    def __matmul__(self, v: Vec3) -> Vec3:
        c, s = self.c, self.s
        if self.axis == 0:
            return Vec3(v.x, c * v.y - s * v.z, s * v.y + c * v.z)
        if self.axis == 1:
            return Vec3(c * v.x + s * v.z, v.y, c * v.z - s * v.x)
        return Vec3(c * v.x - s * v.y, s * v.x + c * v.y, v.z)

    @property
    def matrix(self) -> Mat3:
        """The full matrix."""
        c, s = self.c, self.s
        if self.axis == 0:
            return Mat3(Vec3(1, 0, 0), Vec3(0, c, -s), Vec3(0, s, c))
        if self.axis == 1:
            return Mat3(Vec3(c, 0, s), Vec3(0, 1, 0), Vec3(-s, 0, c))
        return Mat3(Vec3(c, -s, 0), Vec3(s, c, 0), Vec3(0, 0, 1))


@dataclass(slots=True, unsafe_hash=True)
class Rotation:
    """R = step_1 step_2 ...; ``R @ v`` takes child components to parent components."""

    steps: tuple[Turn | Mat3, ...] = ()

    @property
    def T(self) -> Rotation:
        """The inverse."""
        return Rotation(tuple(step.T for step in reversed(self.steps)))

    def __matmul__(self, v: Vec3) -> Vec3:
        return reduce(lambda u, step: step @ u, reversed(self.steps), v)

    def times(self, other: Rotation) -> Rotation:
        """Return the product ``self other``."""
        return Rotation(self.steps + other.steps)

    @property
    def matrix(self) -> Mat3:
        """The full matrix."""
        if not self.steps:
            return IDENTITY
        first, *rest = (step if isinstance(step, Mat3) else step.matrix for step in self.steps)
        return reduce(Mat3.times, rest, first)

    def tensor(self, I: Sym3) -> Sym3:  # noqa: E741 - the book's letter
        """Return R I R^T."""
        for step in reversed(self.steps):
            m = I.matrix
            half = Mat3(*(step @ row for row in m.rows)).T  # (step I), rows of I being its columns
            full = Mat3(*(step @ row for row in half.rows))
            I = Sym3.from_matrix(full)  # noqa: E741
        return I


def turn(axis: int, angle: Scalar) -> Turn:
    """Return the turn about coordinate axis 0, 1 or 2 by ``angle``."""
    return Turn(axis, cos(angle), sin(angle))


def rotation(turns: Iterable[tuple[int, Scalar]]) -> Rotation:
    """Return the product of turns given as (axis, angle).

    Turns by exactly zero are left out; three or more numeric ones become one matrix.
    """
    steps = tuple(turn(axis, angle) for axis, angle in turns if not is_exactly(angle, 0))
    if len(steps) > 2:
        return Rotation((Rotation(steps).matrix,))
    return Rotation(steps)


def about(axis: Vec3, angle: Scalar) -> Turn | Mat3:
    """Return the rotation by ``angle`` about a unit ``axis`` (Rodrigues' formula).

    .. math:: R = c\\,1 + s\\,[a] + (1-c)\\,a a^T
    """
    c, s = cos(angle), sin(angle)
    for k, component in enumerate(axis):
        others = [other for j, other in enumerate(axis) if j != k]
        if all(is_exactly(other, 0) for other in others):
            return Turn(k, c, s if component > 0 else -s)
    x, y, z = axis
    t = 1 - c
    return Mat3(
        Vec3(c + t * (x * x), t * (x * y) - s * z, t * (x * z) + s * y),
        Vec3(t * (x * y) + s * z, c + t * (y * y), t * (y * z) - s * x),
        Vec3(t * (x * z) - s * y, t * (y * z) + s * x, c + t * (z * z)),
    )


def from_quaternion(x: Scalar, y: Scalar, z: Scalar, w: Scalar) -> Mat3:
    """Return the rotation matrix of a unit quaternion, scalar part last."""
    xx, yy, zz = x * x, y * y, z * z
    xy, xz, yz = x * y, x * z, y * z
    wx, wy, wz = w * x, w * y, w * z
    return Mat3(
        Vec3(1 - 2 * (yy + zz), 2 * (xy - wz), 2 * (xz + wy)),
        Vec3(2 * (xy + wz), 1 - 2 * (xx + zz), 2 * (yz - wx)),
        Vec3(2 * (xz - wy), 2 * (yz + wx), 1 - 2 * (xx + yy)),
    )
