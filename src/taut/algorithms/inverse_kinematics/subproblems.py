"""Geometric subproblems that a closed form is put together from, on numbers or symbols.

After Paden and Kahan [Murray, Li and Sastry 1994, section 3.3; Elias and Wen 2022]. A direction k has length 1,
rot(k, q) turns about it. Each angle is one ``atan2`` of two sums of products, so that no division occurs and a
direction that does not exist (a singular pose) gives the angle 0. A negative discriminant is taken as 0; what it
lacked is returned, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from taut.spatial import Scalar, Vec3, cos, sin
from taut.spatial.array import atan2, sqrt

SIGNS = (1, -1)


@dataclass(frozen=True)
class Turn:
    """A rotation about a direction k by an angle."""

    k: Vec3
    angle: Scalar

    def __call__(self, v: Vec3) -> Vec3:
        """Return rot(k, q) v."""
        along = self.k * self.k.dot(v)
        return along + (v - along) * cos(self.angle) + self.k.cross(v) * sin(self.angle)

    @property
    def inverse(self) -> Turn:
        """The rotation back."""
        return Turn(self.k, -self.angle)


def angle_between(k: Vec3, a: Vec3, b: Vec3) -> Scalar:
    """Return q with rot(k, q) a = b, or the nearest to it: subproblem 1."""
    return atan2(k.dot(a.cross(b)), a.dot(b) - k.dot(a) * k.dot(b))


@dataclass(frozen=True)
class Pair:
    """Two angles and what their discriminant lacks."""

    angles: tuple[Scalar, Scalar]
    lack: Scalar


def on_plane(h: Vec3, k: Vec3, a: Vec3, d: Scalar, square: Scalar | None = None) -> Pair:
    """Return the two q with h . rot(k, q) a = d: subproblem 4.

    With A cos q + B sin q = C, (cos q, sin q) is along (A C -+ B S, B C +- A S), S^2 = A^2 + B^2 - C^2.

    Args:
        h: normal of the plane.
        k: axis.
        a: the point that turns.
        d: distance of the plane.
        square: S^2 as a sum of squares where one is known: it keeps its digits near zero.
    """
    A = h.dot(a) - h.dot(k) * k.dot(a)
    B = h.dot(k.cross(a))
    return on_line(A, B, d - h.dot(k) * k.dot(a), square)


def on_line(A: Scalar, B: Scalar, C: Scalar, square: Scalar | None = None) -> Pair:
    """Return the two q with A cos q + B sin q = C; see :func:`on_plane`."""
    S, lack = (sqrt(square), 0) if square is not None else root(A * A + B * B - C * C)
    first, second = (atan2(B * C + sign * A * S, A * C - sign * B * S) for sign in SIGNS)
    return Pair((first, second), lack)


def at_distance(k: Vec3, a: Vec3, b: Vec3, squared: Scalar) -> Pair:
    """Return the two q at which rot(k, q) a has a squared distance from b: subproblem 3."""
    return on_plane(b, k, a, (a.dot(a) + b.dot(b) - squared) / 2)


def meeting(k1: Vec3, a: Vec3, k2: Vec3, b: Vec3) -> tuple[list[tuple[Scalar, Scalar]], Scalar]:
    """Return the two pairs (q1, q2) with rot(k1, q1) a = rot(k2, q2) b and what their discriminant lacks: subproblem 2.

    Args:
        k1: first axis, through the same point as the second.
        a: a point that turns about the first.
        k2: second axis, not parallel to the first.
        b: a point that turns about the second, as far away as the first point.
    """
    tilt = k1.dot(k2)
    rest = 1 - tilt * tilt
    u, v = k1.dot(a), k2.dot(b)
    base = k1 * (u - tilt * v) + k2 * (v - tilt * u)  # of the meeting point, times rest
    S, lack = root(rest * a.dot(a) - (u * u + v * v - 2 * tilt * u * v))
    found = []
    for sign in SIGNS:
        z = base + k1.cross(k2) * (sign * S)
        found.append((angle_between(k1, a, z), angle_between(k2, b, z)))
    return found, lack


def root(x: Scalar) -> tuple[Scalar, Scalar]:
    """Return the square root of max(x, 0) and max(-x, 0); sqrt(x x) is the magnitude, exactly."""
    size = sqrt(x * x)
    return sqrt((size + x) / 2), (size - x) / 2


def undone(turns: Sequence[Turn], v: Vec3) -> Vec3:
    """Return a vector after the inverses of rotations, the first one first."""
    for turn in turns:
        v = turn.inverse(v)
    return v
