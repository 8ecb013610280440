"""Spatial motion and force vectors, [angular; linear], after Featherstone."""

from __future__ import annotations

from dataclasses import dataclass

from taut.spatial.array import Scalar
from taut.spatial.vector import ZERO, Vec3


@dataclass(slots=True, unsafe_hash=True)
class Motion:
    """Velocity or acceleration: angular part ``w``, linear part ``v`` at the frame's origin."""

    w: Vec3
    v: Vec3

    def __add__(self, b: Motion) -> Motion:
        return Motion(self.w + b.w, self.v + b.v)

    def __sub__(self, b: Motion) -> Motion:
        return Motion(self.w - b.w, self.v - b.v)

    def __mul__(self, s: Scalar) -> Motion:
        return Motion(self.w * s, self.v * s)

    __rmul__ = __mul__

    def cross(self, b: Motion) -> Motion:
        """Return the rate of change of motion b when carried by this velocity [RBDA 2.31]."""
        return Motion(self.w.cross(b.w), self.w.cross(b.v) + self.v.cross(b.w))

    def cross_force(self, f: Force) -> Force:
        """Return the rate of change of force f when carried by this velocity [RBDA 2.32]."""
        return Force(self.w.cross(f.n) + self.v.cross(f.f), self.w.cross(f.f))

    def dot(self, f: Force) -> Scalar:
        """Return the power of force f along this motion."""
        return self.w.dot(f.n) + self.v.dot(f.f)


@dataclass(slots=True, unsafe_hash=True)
class Force:
    """Wrench or momentum: moment ``n`` about the frame's origin, force ``f``."""

    n: Vec3
    f: Vec3

    def __add__(self, b: Force) -> Force:
        return Force(self.n + b.n, self.f + b.f)

    def __sub__(self, b: Force) -> Force:
        return Force(self.n - b.n, self.f - b.f)

    def __mul__(self, s: Scalar) -> Force:
        return Force(self.n * s, self.f * s)

    __rmul__ = __mul__


REST = Motion(ZERO, ZERO)
NO_FORCE = Force(ZERO, ZERO)
