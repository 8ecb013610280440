"""Joint kinds: how a joint's coordinates move its link, and which force does work on them.

Each kind answers the same few questions, so that the algorithms never ask for the kind:
``nq`` and ``nv`` coordinates and rates, the :meth:`transform` of a position, the motion
``S qd`` of a rate, the projection ``S^T f`` of a force and the columns of S.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from taut.spatial import (
    X_AXIS,
    Y_AXIS,
    Z_AXIS,
    ZERO,
    Force,
    Motion,
    Rotation,
    Scalar,
    Transform,
    Vec3,
    about,
    from_quaternion,
)


@dataclass(frozen=True)
class Revolute:
    """Turns about a unit axis of the joint frame; one angle, in radians."""

    axis: Vec3 = Z_AXIS
    kind = "revolute"
    nq = nv = 1

    def transform(self, q: Sequence[Scalar]) -> Transform:
        """Return the pose of the link in the joint's resting frame."""
        return Transform(Rotation((about(self.axis, q[0]),)))

    def rate(self, qd: Sequence[Scalar]) -> Motion:
        """Return S qd."""
        return Motion(self.axis * qd[0], ZERO)

    def project(self, f: Force) -> list[Scalar]:
        """Return S^T f."""
        return [self.axis.dot(f.n)]

    @property
    def columns(self) -> list[Motion]:
        """The columns of S."""
        return [Motion(self.axis, ZERO)]


@dataclass(frozen=True)
class Prismatic:
    """Slides along a unit axis of the joint frame; one length, in metres."""

    axis: Vec3 = Z_AXIS
    kind = "prismatic"
    nq = nv = 1

    def transform(self, q: Sequence[Scalar]) -> Transform:
        """Return the pose of the link in the joint's resting frame."""
        return Transform(p=self.axis * q[0])

    def rate(self, qd: Sequence[Scalar]) -> Motion:
        """Return S qd."""
        return Motion(ZERO, self.axis * qd[0])

    def project(self, f: Force) -> list[Scalar]:
        """Return S^T f."""
        return [self.axis.dot(f.f)]

    @property
    def columns(self) -> list[Motion]:
        """The columns of S."""
        return [Motion(ZERO, self.axis)]


@dataclass(frozen=True)
class Free:
    """Six degrees of freedom: q = [x y z, qx qy qz qw], rates [linear; angular] in the body's frame."""

    kind = "free"
    nq, nv = 7, 6

    def transform(self, q: Sequence[Scalar]) -> Transform:
        """Return the pose of the link in the joint's resting frame."""
        x, y, z, *quaternion = q
        return Transform(Rotation((from_quaternion(*quaternion),)), Vec3(x, y, z))

    def rate(self, qd: Sequence[Scalar]) -> Motion:
        """Return S qd."""
        return Motion(Vec3(*qd[3:]), Vec3(*qd[:3]))

    def project(self, f: Force) -> list[Scalar]:
        """Return S^T f."""
        return [*f.f, *f.n]

    @property
    def columns(self) -> list[Motion]:
        """The columns of S."""
        axes = (X_AXIS, Y_AXIS, Z_AXIS)
        return [Motion(ZERO, e) for e in axes] + [Motion(e, ZERO) for e in axes]


@dataclass(frozen=True)
class Fixed:
    """No motion; only in descriptions, an assembled tree has none."""

    kind = "fixed"
    nq = nv = 0


JointMotion = Revolute | Prismatic | Free
