"""Where one frame stands in another: a translation, then turns about coordinate axes.

Angles are kept as angles, not as rounded matrices: a derivation needs to know that 90 degrees
is a right angle and that two equal twists are one constant. They are kept as given; only where a
rotation is made of them, the float nearest to a right angle is one, and leaves exact zeros.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from taut.spatial import ZERO, Scalar, Transform, Vec3, is_exactly, rotation

MOST_TURNS = 12
"""Numeric turns kept one by one; longer products become three, or a chain of n fixed joints would cost n^2."""

ROUNDING = 1e-15
"""How far a float may be from a multiple of pi/2 and still be that multiple [rad]: the last digits of a sum of such."""

MOST_STEPS = 32
"""Steps that a placement remembers; longer chains are known by their product alone."""

MOST_RADIANS = 1e6
"""Beyond this, floats cannot tell an angle from a multiple of pi/2."""


@dataclass(frozen=True)
class QuarterTurns:
    """An angle of exactly ``count`` right angles."""

    count: int

    def cos(self) -> int:
        """Exact cosine."""
        return (1, 0, -1, 0)[self.count % 4]

    def sin(self) -> int:
        """Exact sine."""
        return (0, 1, 0, -1)[self.count % 4]

    def __neg__(self) -> QuarterTurns:
        return QuarterTurns(-self.count)

    def __add__(self, other: Scalar) -> Scalar:
        if isinstance(other, QuarterTurns):
            return QuarterTurns(self.count + other.count)
        return self if is_exactly(other, 0) else float(self) + other

    __radd__ = __add__

    def __sub__(self, other: Scalar) -> Scalar:
        return self + -other

    def __float__(self) -> float:
        return self.count * (math.pi / 2)


def right_angle(angle: Scalar, within: float = ROUNDING) -> Scalar:
    """Return a float that is a multiple of pi/2 as exact quarter turns, whole turns as 0, anything else unchanged.

    Args:
        angle: in radians.
        within: how far it may be from the multiple.
    """
    if not (isinstance(angle, float) and abs(angle) < MOST_RADIANS):
        return angle
    count = round(angle / (math.pi / 2))
    if abs(angle - count * (math.pi / 2)) > within:
        return angle
    return QuarterTurns(count) if count % 4 else 0.0


@dataclass(frozen=True)
class Placement:
    """Trans(p) Turn_1 Turn_2 ...; turns are (axis 0|1|2, angle in radians).

    Attributes:
        p: the translation.
        turns: the turns, as written.
        made_of: the placements it is the product of, where an angle among them may mean more than its digits.
    """

    p: Vec3 = ZERO
    turns: tuple[tuple[int, Scalar], ...] = ()
    made_of: tuple[Placement, ...] = field(default=(), compare=False, repr=False)

    @property
    def undecided(self) -> bool:
        """Whether some numeric angle is no right angle as it stands."""
        return bool(self.made_of) or any(
            isinstance(angle, float) and isinstance(right_angle(angle), float) and angle != 0 for _, angle in self.turns
        )

    @property
    def steps(self) -> tuple[Placement, ...]:
        """The placements it is the product of; itself if it is no product."""
        return self.made_of or (self,)

    @property
    def transform(self) -> Transform:
        """The pose as spatial algebra uses it."""
        return Transform(rotation((axis, right_angle(angle)) for axis, angle in self.turns), self.p)

    def then(self, other: Placement) -> Placement:
        """Return the placement of a frame placed by ``other`` in the frame placed by this."""
        turns = [*self.turns]
        for axis, angle in other.turns:
            last_axis, last = turns[-1] if turns else (None, None)
            if last_axis == axis and _may_add(last, angle):
                turns[-1] = (axis, last + angle)
            else:
                turns.append((axis, angle))
        kept = tuple(turn for turn in turns if not _is_none(turn[1]))
        if len(kept) > MOST_TURNS and all(isinstance(angle, float | int) for _, angle in kept):
            kept = turns_of(np.array([tuple(row) for row in Placement(turns=kept).transform.R.matrix.rows]))
        together = self.steps + other.steps
        remember = (self.turns or other.made_of) and any(step.undecided for step in together)
        made_of = together if remember and len(together) <= MOST_STEPS else ()
        return Placement(self.transform.point(other.p), kept, made_of)

    @property
    def inverse(self) -> Placement:
        """The placement of the frame it is given in, in the frame that it places."""
        back = tuple((axis, -angle) for axis, angle in reversed(self.turns))
        return Placement(-(self.transform.R.T @ self.p), back)

    def map(self, length: Callable[[Scalar], Scalar], angle: Callable[[Scalar], Scalar]) -> Placement:
        """Return the placement with every length and every angle replaced."""
        return Placement(
            Vec3(*(length(x) for x in self.p)),
            tuple((axis, angle(value)) for axis, value in self.turns),
            tuple(step.map(length, angle) for step in self.made_of),
        )


def _may_add(a: Scalar, b: Scalar) -> bool:
    """Whether the sum of two angles loses nothing: exact quarter turns are not added to symbols."""
    exact = isinstance(a, QuarterTurns) or isinstance(b, QuarterTurns)
    return not exact or all(isinstance(x, float | int | QuarterTurns) for x in (a, b))


def _is_none(angle: Scalar) -> bool:
    return angle.count % 4 == 0 if isinstance(angle, QuarterTurns) else is_exactly(angle, 0)


def rpy(roll: Scalar, pitch: Scalar, yaw: Scalar) -> tuple[tuple[int, Scalar], ...]:
    """Return the turns of URDF's roll, pitch, yaw: Rz(yaw) Ry(pitch) Rx(roll)."""
    turns = ((2, yaw), (1, pitch), (0, roll))
    return tuple(turn for turn in turns if not is_exactly(turn[1], 0))


def turns_of(matrix: np.ndarray) -> tuple[tuple[int, float], ...]:
    """Return roll-pitch-yaw turns of a numeric rotation matrix."""
    m = np.asarray(matrix, dtype=float)
    yaw = math.atan2(m[1, 0], m[0, 0])
    pitch = math.atan2(-m[2, 0], math.hypot(m[0, 0], m[1, 0]))
    # Roll is read after yaw has been undone: at a pitch of 90 degrees yaw is all rounding, and roll makes up for it.
    c, s = math.cos(yaw), math.sin(yaw)
    roll = math.atan2(s * m[0, 2] - c * m[1, 2], c * m[1, 1] - s * m[0, 1])
    return rpy(roll, pitch, yaw)
