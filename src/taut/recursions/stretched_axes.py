"""Transforms forces through frames with scaled axes: a twist takes half as many products.

A twist turns y and z by a constant angle, which takes four products. On axes of other lengths two are enough,

.. math:: y' = c\\,(y - t z), \\qquad z' = c\\,(z + t y), \\qquad t = s / c

since the lengths c are constants that go along: the next turn about z multiplies its sine and cosine by the length of
y, once for all forces, and a length along z goes into the constant of whatever comes next. Right angles need no product
in any case.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from taut.recursions.second_moments import Step
from taut.robot.placement import QuarterTurns
from taut.robot.screws import Screw
from taut.spatial import Force, Mat3, Scalar, Turn, Vec3, is_exactly


def is_twisted(body: Screw) -> bool:
    """Whether a body's axis and the one before it are neither parallel nor at a right angle."""
    return not isinstance(body.alpha, QuarterTurns) and not is_exactly(body.alpha, 0)


class Stretched(NamedTuple):
    """The vector (x, y long_y, z long_z)."""

    x: Scalar
    y: Scalar
    z: Scalar
    long_y: Scalar = 1
    long_z: Scalar = 1

    @property
    def true_z(self) -> Scalar:
        """Its component along z."""
        return self.z * self.long_z

    def turned(self, turn: Turn) -> Stretched:
        """Return turn @ self, for a turn about z or x."""
        c, s, x, y, z = turn.c, turn.s, self.x, self.y, self.z
        if turn.axis == 2:
            return Stretched(c * x - (s * self.long_y) * y, s * x + (c * self.long_y) * y, z, 1, self.long_z)
        if is_exactly(s, 0):
            return self._replace(y=c * y, z=c * z)
        if is_exactly(c, 0):
            return Stretched(x, -s * z, s * y, self.long_z, self.long_y)
        t, longer = s / c, self.long_z / self.long_y
        return Stretched(x, y - (t * longer) * z, z + (t / longer) * y, c * self.long_y, c * self.long_z)


class StretchedForce(NamedTuple):
    """Moment and force."""

    n: Stretched
    f: Stretched


def stretched(force: Force) -> StretchedForce:
    """Return a force on axes that still have length one."""
    return StretchedForce(Stretched(*force.n), Stretched(*force.f))


def stretched_back(force: StretchedForce, steps: Sequence[Step]) -> StretchedForce:
    """Carry a force back along the steps."""
    n, f = force
    for step in reversed(steps):
        assert not isinstance(step, Mat3), "no ball joints"
        n, f = (_slid(n, step, f), f) if isinstance(step, Vec3) else (n.turned(step), f.turned(step))
    return StretchedForce(n, f)


def stretched_felt(body: Screw, force: StretchedForce) -> list[Scalar]:
    """Return the component of the force that does work on a joint with one axis."""
    return [force.n.true_z if body.pure_turn else force.f.true_z]


def _slid(n: Stretched, p: Vec3, f: Stretched) -> Stretched:
    """Return n + p x f; all lengths go into the constants."""
    return n._replace(
        x=n.x + (p.y * f.long_z) * f.z - (p.z * f.long_y) * f.y,
        y=n.y + (p.z / n.long_y) * f.x - (p.x * f.long_z / n.long_y) * f.z,
        z=n.z + (p.x * f.long_y / n.long_z) * f.y - (p.y / n.long_z) * f.x,
    )
