"""Joint kinds: how a joint's coordinates move its link, and which force does work on them.

Each kind is one class that answers the same questions, so that nothing else asks for the kind: ``nq`` positions
and ``nv`` rates, the :meth:`transform` of a position, the motion ``S qd`` of a rate, the projection ``S^T f`` of a
force, the columns of S, the :meth:`slopes` of a position, the :meth:`stretch` of a spring; and, on arrays of numbers,
the neutral position, a :meth:`step` along a velocity, the :meth:`difference` of two positions and a :meth:`random`
one. S is constant in the frame of the moving link. Joints for which it is not are chains of joints:
:mod:`taut.robot.compound`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

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
    atan,
    from_quaternion,
    sign,
    sqrt,
)
from taut.spatial.exponential import (
    chart_rate,
    moved_orientation,
    moved_pose,
    orientation_difference,
    pose_difference,
)

NO_TURN = 1e-30
"""Square of the sine of a half turn that is taken for zero; what follows from it is as exact as thirty digits."""


class JointMotion(ABC):
    """A kind of joint; positions that add like vectors unless a kind overrides this.

    Attributes:
        kind: its name.
        nq: numbers of a position.
        nv: numbers of a rate.
        quaternions: where unit quaternions start in a position.
        pure_turn: whether it turns about one axis and does nothing else.
        pure_slide: whether it slides along one axis and does nothing else.
        pivots: whether it turns about every axis through a point and does nothing else.
        floats: whether it leaves its link all six degrees of freedom.
        springs: whether a spring may act in it, see :meth:`stretch`.
        unit: of a coordinate; of the first ones where they differ.
        reach: half the range from which positions without limits are drawn.
    """

    kind: ClassVar[str]
    nq: ClassVar[int]
    nv: ClassVar[int]
    quaternions: ClassVar[tuple[int, ...]] = ()
    pure_turn: ClassVar[bool] = False
    pure_slide: ClassVar[bool] = False
    pivots: ClassVar[bool] = False
    floats: ClassVar[bool] = False
    springs: ClassVar[bool] = True
    unit: ClassVar[str] = "rad"
    reach: ClassVar[float] = 1.0

    @property
    def turns_or_slides(self) -> bool:
        """Whether it turns about one axis or slides along one, and does nothing else."""
        return self.pure_turn or self.pure_slide

    @abstractmethod
    def transform(self, q: Sequence[Scalar]) -> Transform:
        """Return the pose of the link in the joint's resting frame."""

    @abstractmethod
    def rate(self, qd: Sequence[Scalar]) -> Motion:
        """Return S qd."""

    @abstractmethod
    def project(self, f: Force) -> list[Scalar]:
        """Return S^T f."""

    @property
    @abstractmethod
    def columns(self) -> list[Motion]:
        """The columns of S."""

    def slopes(self, q: Sequence[Scalar], qd: Sequence[Scalar]) -> list[Scalar]:
        """Return the derivative of the position by time."""
        return list(qd)

    def stretch(self, q: Sequence[Scalar], rest: Scalar) -> list[Scalar]:
        """Return the way (nv) from the rest of a spring to a position; the spring's torque is proportional to it."""
        return [x - rest for x in q]

    @property
    def neutral(self) -> tuple[float, ...]:
        """The position at which :meth:`transform` is the identity."""
        return (0.0,) * self.nq

    def step(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Return the position (..., nq) reached from ``q`` in unit time with the constant velocity ``v``."""
        return q + v

    def difference(self, start: np.ndarray, end: np.ndarray) -> np.ndarray:
        """Return the velocity (..., nv) with ``step(start, velocity) = end``."""
        return end - start

    def chart_rate(self, x: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Return the rate of x (..., nv) where ``step(start, x)`` moves with the velocity ``v`` and ``start`` rests."""
        return v

    def random(
        self, rng: np.random.Generator, shape: tuple[int, ...], lower: np.ndarray, upper: np.ndarray
    ) -> np.ndarray:
        """Return positions (\\*shape, nq), uniform between the bounds (nq); an infinite bound is replaced."""
        low = np.where(np.isfinite(lower), lower, np.where(np.isfinite(upper), upper - 2 * self.reach, -self.reach))
        high = np.where(np.isfinite(upper), upper, np.where(np.isfinite(lower), lower + 2 * self.reach, self.reach))
        return rng.uniform(np.minimum(low, high), np.maximum(low, high), (*shape, self.nq))


@dataclass(frozen=True)
class SingleAxis(JointMotion):
    """A joint with one coordinate and a unit axis in the joint frame."""

    axis: Vec3 = Z_AXIS
    nq = nv = 1


@dataclass(frozen=True)
class Revolute(SingleAxis):
    """Turns about a unit axis of the joint frame; one angle, in radians."""

    kind = "revolute"
    pure_turn = True
    reach = np.pi

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
class Prismatic(SingleAxis):
    """Slides along a unit axis of the joint frame; one length, in metres."""

    kind = "prismatic"
    pure_slide = True
    unit = "m"

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
class Helical(SingleAxis):
    """A screw: turns about a unit axis of the joint frame by one angle and slides along it in proportion.

    Attributes:
        pitch: way per angle [m/rad]; negative for a left-handed thread.
    """

    pitch: float = 0.0
    kind = "helical"
    reach = np.pi

    def transform(self, q: Sequence[Scalar]) -> Transform:
        """Return the pose of the link in the joint's resting frame."""
        return Transform(Rotation((about(self.axis, q[0]),)), self.axis * (self.pitch * q[0]))

    def rate(self, qd: Sequence[Scalar]) -> Motion:
        """Return S qd."""
        return Motion(self.axis * qd[0], self.axis * (self.pitch * qd[0]))

    def project(self, f: Force) -> list[Scalar]:
        """Return S^T f."""
        return [self.axis.dot(f.n) + self.pitch * self.axis.dot(f.f)]

    @property
    def columns(self) -> list[Motion]:
        """The columns of S."""
        return [Motion(self.axis, self.axis * self.pitch)]


@dataclass(frozen=True)
class Ball(JointMotion):
    """Turns about a point: q = [qx qy qz qw], a unit quaternion; rates are the angular velocity in the body's frame."""

    kind = "ball"
    nq, nv = 4, 3
    pivots = True
    quaternions = (0,)

    def transform(self, q: Sequence[Scalar]) -> Transform:
        """Return the pose of the link in the joint's resting frame."""
        return Transform(Rotation((from_quaternion(*q),)))

    def rate(self, qd: Sequence[Scalar]) -> Motion:
        """Return S qd."""
        return Motion(Vec3(*qd), ZERO)

    def project(self, f: Force) -> list[Scalar]:
        """Return S^T f."""
        return [*f.n]

    @property
    def columns(self) -> list[Motion]:
        """The columns of S."""
        return [Motion(e, ZERO) for e in (X_AXIS, Y_AXIS, Z_AXIS)]

    def slopes(self, q: Sequence[Scalar], qd: Sequence[Scalar]) -> list[Scalar]:
        """Return the derivative of the quaternion by time."""
        return _quaternion_slopes(q, qd)

    def stretch(self, q: Sequence[Scalar], rest: Scalar) -> list[Scalar]:
        """Return the rotation vector from the resting frame, of at most half a turn; at half a turn exactly, zero.

        With half the angle a between 0 and pi/2, [x y z] = sin(a) e and w = cos(a): the vector is 2 a e, the same in
        the axes of body and resting frame. Its length 2 a grows at the rate e . (angular velocity).
        """
        x, y, z, w = q
        side = sign(w)
        sine = sqrt(x * x + y * y + z * z + NO_TURN)
        gain = 4 * side * atan(sine / (1 + side * w)) / sine
        return [gain * x, gain * y, gain * z]

    @property
    def neutral(self) -> tuple[float, ...]:
        """The resting frame."""
        return (0.0, 0.0, 0.0, 1.0)

    def step(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Return the orientation reached in unit time with a constant angular velocity in the body's axes."""
        return moved_orientation(q, v)

    def difference(self, start: np.ndarray, end: np.ndarray) -> np.ndarray:
        """Return the angular velocity that turns one orientation to the other in unit time, by at most pi."""
        return orientation_difference(start, end)

    def chart_rate(self, x: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Return the rate of the rotation vector of an orientation that moves with an angular velocity."""
        none = np.zeros_like(x)
        return chart_rate(np.concatenate([none, x], axis=-1), np.concatenate([none, v], axis=-1))[..., 3:]

    def random(
        self, rng: np.random.Generator, shape: tuple[int, ...], lower: np.ndarray, upper: np.ndarray
    ) -> np.ndarray:
        """Return orientations, uniform over all rotations."""
        return _random_quaternions(rng, shape)


@dataclass(frozen=True)
class Free(JointMotion):
    """Six degrees of freedom: q = [x y z, qx qy qz qw], rates [linear; angular] in the body's frame."""

    kind = "free"
    nq, nv = 7, 6
    floats = True
    springs = False
    quaternions = (3,)

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

    def slopes(self, q: Sequence[Scalar], qd: Sequence[Scalar]) -> list[Scalar]:
        """Return the derivatives of place and quaternion by time."""
        return [*(self.transform(q).R @ Vec3(*qd[:3])), *_quaternion_slopes(q[3:], qd[3:])]

    @property
    def neutral(self) -> tuple[float, ...]:
        """The resting frame."""
        return (0.0,) * 6 + (1.0,)

    def step(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Return the pose reached in unit time with a constant twist in the body's axes."""
        return moved_pose(q, v)

    def difference(self, start: np.ndarray, end: np.ndarray) -> np.ndarray:
        """Return the twist that moves one pose to the other in unit time, turning by at most pi."""
        return pose_difference(start, end)

    def chart_rate(self, x: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Return the rate of the exponential coordinates of a pose that moves with a twist."""
        return chart_rate(x, v)

    def random(
        self, rng: np.random.Generator, shape: tuple[int, ...], lower: np.ndarray, upper: np.ndarray
    ) -> np.ndarray:
        """Return poses: places between the bounds, orientations uniform over all rotations."""
        places = super().random(rng, shape, lower, upper)[..., :3]
        return np.concatenate([places, _random_quaternions(rng, shape)], axis=-1)


def _quaternion_slopes(q: Sequence[Scalar], angular: Sequence[Scalar]) -> list[Scalar]:
    """Return the derivative of a quaternion [x y z w] with an angular velocity in the body's axes."""
    x, y, z, w = q
    a, b, c = (0.5 * rate for rate in angular)
    return [w * a + y * c - z * b, w * b + z * a - x * c, w * c + x * b - y * a, -x * a - y * b - z * c]


def _random_quaternions(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    quaternions = rng.normal(size=(*shape, 4))
    return np.asarray(quaternions / np.linalg.norm(quaternions, axis=-1, keepdims=True))


@dataclass(frozen=True)
class Fixed:
    """No motion; only in descriptions, an assembled tree has none."""

    kind = "fixed"
    nq = nv = 0
    springs = False


MOVING: dict[str, type[JointMotion]] = {kind.kind: kind for kind in (Revolute, Prismatic, Helical, Ball, Free)}
"""Every kind of joint that moves, by its name."""

KINDS: dict[str, type[JointMotion] | type[Fixed]] = {**MOVING, Fixed.kind: Fixed}
"""Every kind of joint by the name that a robot file gives it."""
