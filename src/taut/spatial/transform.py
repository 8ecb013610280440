"""The pose of a child frame in its parent, and what it does to spatial quantities."""

from __future__ import annotations

from dataclasses import dataclass

from taut.spatial.inertia import Inertia
from taut.spatial.motion import Force, Motion
from taut.spatial.rotation import Rotation
from taut.spatial.vector import ZERO, Vec3, shift


@dataclass(slots=True, unsafe_hash=True)
class Transform:
    """X_PC: rotation ``R`` takes child components to parent's, ``p`` is the child's origin in the parent."""

    R: Rotation = Rotation()  # noqa: RUF009 - immutable
    p: Vec3 = ZERO

    def __matmul__(self, other: Transform) -> Transform:
        return Transform(self.R.times(other.R), self.p + self.R @ other.p)

    def point(self, r: Vec3) -> Vec3:
        """Return the parent's coordinates of a point given in the child."""
        return self.p + self.R @ r

    @property
    def inverse(self) -> Transform:
        """X_CP."""
        back = self.R.T
        return Transform(back, -(back @ self.p))

    def to_child(self, v: Motion) -> Motion:
        """Return a parent's motion as seen in and at the child frame [RBDA 2.24]."""
        back = self.R.T
        return Motion(back @ v.w, back @ (v.v + v.w.cross(self.p)))

    def to_parent(self, v: Motion) -> Motion:
        """Return a child's motion as seen in and at the parent frame."""
        w = self.R @ v.w
        return Motion(w, self.R @ v.v + self.p.cross(w))

    def force_to_parent(self, f: Force) -> Force:
        """Return a child's force as seen in and about the parent frame [RBDA 2.25]."""
        force = self.R @ f.f
        return Force(self.R @ f.n + self.p.cross(force), force)

    def inertia_to_parent(self, body: Inertia) -> Inertia:
        """Return a child's inertia about the parent's origin, in the parent's axes [RBDA 2.66]."""
        h, p = self.R @ body.h, self.p
        tensor = self.R.tensor(body.I) + shift(h, p) * 2 + shift(p, p) * body.m
        return Inertia(body.m, h + p * body.m, tensor)


HERE = Transform()
