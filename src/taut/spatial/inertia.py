"""Rigid-body inertia by its ten parameters, never a dense 6x6."""

from __future__ import annotations

from dataclasses import dataclass

from taut.spatial.array import Scalar
from taut.spatial.motion import Force, Motion
from taut.spatial.vector import NO_TENSOR, ZERO, Sym3, Vec3, shift


@dataclass(slots=True, unsafe_hash=True)
class Inertia:
    """Mass ``m``, first moment ``h`` = m c and tensor ``I`` about the frame's origin."""

    m: Scalar
    h: Vec3
    I: Sym3  # noqa: E741 - the book's letter

    def __add__(self, b: Inertia) -> Inertia:
        return Inertia(self.m + b.m, self.h + b.h, self.I + b.I)

    def __matmul__(self, v: Motion) -> Force:
        """Return the momentum ``I v`` [RBDA 2.63]."""
        return Force(self.I @ v.w + self.h.cross(v.v), v.v * self.m - self.h.cross(v.w))

    @property
    def parameters(self) -> tuple[Scalar, ...]:
        """The ten inertial parameters in taut's order."""
        return (self.m, *self.h, *self.I)

    @classmethod
    def from_parameters(cls, pi: tuple[Scalar, ...]) -> Inertia:
        """Build from ``[m, mx, my, mz, Ixx, Ixy, Iyy, Ixz, Iyz, Izz]``."""
        m, mx, my, mz, *tensor = pi
        return cls(m, Vec3(mx, my, mz), Sym3(*tensor))

    @classmethod
    def about_centre(cls, mass: Scalar, centre: Vec3, tensor: Sym3) -> Inertia:
        """Build from mass, centre of mass and the tensor about it, axes parallel to the frame's."""
        return cls(mass, centre * mass, tensor + shift(centre, centre) * mass)


NO_INERTIA = Inertia(0, ZERO, NO_TENSOR)
