"""A mass distribution by its moments: mass, first moment, second moments.

.. math:: m = \\int dm, \\quad h = \\int r\\,dm, \\quad J = \\int r r^T dm

The same ten numbers as :class:`Inertia` (I = tr(J) 1 - J) in the basis where moving a body is a
plain sum of products, and where a revolute joint's axis carries exactly three of them.
"""

from __future__ import annotations

from dataclasses import dataclass

from taut.spatial.array import Scalar
from taut.spatial.inertia import Inertia
from taut.spatial.transform import Transform
from taut.spatial.vector import NO_TENSOR, ZERO, Sym3, Vec3


@dataclass(slots=True, unsafe_hash=True)
class PseudoInertia:
    """Moments about the frame's origin, in its axes."""

    m: Scalar = 0
    h: Vec3 = ZERO
    J: Sym3 = NO_TENSOR

    def __add__(self, b: PseudoInertia) -> PseudoInertia:
        return PseudoInertia(self.m + b.m, self.h + b.h, self.J + b.J)

    @property
    def moments(self) -> tuple[Scalar, ...]:
        """m, h and J as ten numbers."""
        return (self.m, *self.h, *self.J)

    @classmethod
    def from_moments(cls, moments: tuple[Scalar, ...]) -> PseudoInertia:
        """Build from m, hx, hy, hz, Jxx, Jxy, Jyy, Jxz, Jyz, Jzz."""
        m, x, y, z, *tensor = moments
        return cls(m, Vec3(x, y, z), Sym3(*tensor))

    @classmethod
    def of(cls, body: Inertia) -> PseudoInertia:
        """Return the moments of a rigid body, J = tr(I)/2 1 - I."""
        t = body.I
        J = Sym3(
            (t.yy + t.zz - t.xx) * 0.5, -t.xy, (t.xx + t.zz - t.yy) * 0.5, -t.xz, -t.yz, (t.xx + t.yy - t.zz) * 0.5
        )
        return cls(body.m, body.h, J)

    @property
    def inertia(self) -> Inertia:
        """The same body by its inertia tensor, I = tr(J) 1 - J."""
        J = self.J
        tensor = Sym3(J.yy + J.zz, -J.xy, J.xx + J.zz, -J.xz, -J.yz, J.xx + J.yy)
        return Inertia(self.m, self.h, tensor)

    def seen_from_parent(self, X: Transform) -> PseudoInertia:
        """Return the moments about the parent's origin: J + p h^T + h p^T + m p p^T."""
        h, p = X.R @ self.h, X.p
        J = X.R.tensor(self.J) + crossed(h, p) + crossed(p, p) * (0.5 * self.m)
        return PseudoInertia(self.m, h + p * self.m, J)


def crossed(a: Vec3, b: Vec3) -> Sym3:
    """Return a b^T + b a^T."""
    return Sym3(
        2 * (a.x * b.x),
        a.x * b.y + a.y * b.x,
        2 * (a.y * b.y),
        a.x * b.z + a.z * b.x,
        a.y * b.z + a.z * b.y,
        2 * (a.z * b.z),
    )
