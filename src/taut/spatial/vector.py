"""Vectors, matrices and symmetric tensors of three dimensions over any scalar.

Nothing writes to these objects after construction; they are not declared frozen only
because a frozen dataclass takes three times as long to build, and they are built by the million.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from taut.spatial.array import Scalar


@dataclass(slots=True, unsafe_hash=True)
class Vec3:
    """A vector; ``a * s`` scales, ``a.dot(b)`` and ``a.cross(b)`` multiply.

    >>> Vec3(1, 0, 0).cross(Vec3(0, 1, 0))
    Vec3(x=0, y=0, z=1)
    """

    x: Scalar
    y: Scalar
    z: Scalar

    def __iter__(self) -> Iterator[Scalar]:
        return iter((self.x, self.y, self.z))

    def __add__(self, b: Vec3) -> Vec3:
        return Vec3(self.x + b.x, self.y + b.y, self.z + b.z)

    def __sub__(self, b: Vec3) -> Vec3:
        return Vec3(self.x - b.x, self.y - b.y, self.z - b.z)

    def __neg__(self) -> Vec3:
        return Vec3(-self.x, -self.y, -self.z)

    def __mul__(self, s: Scalar) -> Vec3:
        return Vec3(self.x * s, self.y * s, self.z * s)

    __rmul__ = __mul__

    def dot(self, b: Vec3) -> Scalar:
        """Return a . b."""
        return self.x * b.x + self.y * b.y + self.z * b.z

    def cross(self, b: Vec3) -> Vec3:
        """Return a x b."""
        return Vec3(
            self.y * b.z - self.z * b.y,
            self.z * b.x - self.x * b.z,
            self.x * b.y - self.y * b.x,
        )


ZERO = Vec3(0, 0, 0)
X_AXIS, Y_AXIS, Z_AXIS = Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)


@dataclass(slots=True, unsafe_hash=True)
class Mat3:
    """A 3x3 matrix held by rows; ``@`` multiplies vectors and matrices."""

    a: Vec3
    b: Vec3
    c: Vec3

    @property
    def T(self) -> Mat3:
        """The transpose."""
        return Mat3(*(Vec3(*column) for column in zip(self.a, self.b, self.c, strict=True)))

    def __matmul__(self, v: Vec3) -> Vec3:
        return Vec3(self.a.dot(v), self.b.dot(v), self.c.dot(v))

    def times(self, m: Mat3) -> Mat3:
        """Return the matrix product."""
        columns = m.T
        return Mat3(*(columns @ row for row in (self.a, self.b, self.c)))

    def __add__(self, m: Mat3) -> Mat3:
        return Mat3(self.a + m.a, self.b + m.b, self.c + m.c)

    def __sub__(self, m: Mat3) -> Mat3:
        return Mat3(self.a - m.a, self.b - m.b, self.c - m.c)

    def __neg__(self) -> Mat3:
        return Mat3(-self.a, -self.b, -self.c)

    def __mul__(self, s: Scalar) -> Mat3:
        return Mat3(self.a * s, self.b * s, self.c * s)

    __rmul__ = __mul__

    @property
    def trace(self) -> Scalar:
        """Sum of the diagonal."""
        return self.a.x + self.b.y + self.c.z

    @property
    def rows(self) -> tuple[Vec3, Vec3, Vec3]:
        """The three rows."""
        return self.a, self.b, self.c


IDENTITY = Mat3(X_AXIS, Y_AXIS, Z_AXIS)


def skew(v: Vec3) -> Mat3:
    """Return the matrix [v] with ``[v] u = v x u``."""
    return Mat3(Vec3(0, -v.z, v.y), Vec3(v.z, 0, -v.x), Vec3(-v.y, v.x, 0))


def outer(a: Vec3, b: Vec3) -> Mat3:
    """Return a b^T."""
    return Mat3(b * a.x, b * a.y, b * a.z)


@dataclass(slots=True, unsafe_hash=True)
class Sym3:
    """A symmetric tensor in the order of taut's inertial parameters."""

    xx: Scalar
    xy: Scalar
    yy: Scalar
    xz: Scalar
    yz: Scalar
    zz: Scalar

    def __iter__(self) -> Iterator[Scalar]:
        return iter((self.xx, self.xy, self.yy, self.xz, self.yz, self.zz))

    def __add__(self, b: Sym3) -> Sym3:
        return Sym3(*(s + t for s, t in zip(self, b, strict=True)))

    def __sub__(self, b: Sym3) -> Sym3:
        return Sym3(*(s - t for s, t in zip(self, b, strict=True)))

    def __mul__(self, s: Scalar) -> Sym3:
        return Sym3(*(t * s for t in self))

    __rmul__ = __mul__

    def __matmul__(self, v: Vec3) -> Vec3:
        return Vec3(
            self.xx * v.x + self.xy * v.y + self.xz * v.z,
            self.xy * v.x + self.yy * v.y + self.yz * v.z,
            self.xz * v.x + self.yz * v.y + self.zz * v.z,
        )

    @property
    def trace(self) -> Scalar:
        """Sum of the diagonal."""
        return self.xx + self.yy + self.zz

    @property
    def matrix(self) -> Mat3:
        """The full matrix."""
        return Mat3(
            Vec3(self.xx, self.xy, self.xz),
            Vec3(self.xy, self.yy, self.yz),
            Vec3(self.xz, self.yz, self.zz),
        )

    @classmethod
    def from_matrix(cls, m: Mat3) -> Sym3:
        """Take the upper triangle of a matrix known to be symmetric."""
        return cls(m.a.x, m.a.y, m.b.y, m.a.z, m.b.z, m.c.z)


NO_TENSOR = Sym3(0, 0, 0, 0, 0, 0)


def shift(a: Vec3, b: Vec3) -> Sym3:
    """Return the symmetric part of ``[a]^T [b] + [b]^T [a]``, halved: the parallel-axis tensor.

    ``shift(p, p) * m`` is what moving a point mass by p adds to an inertia tensor.
    """
    ax, ay, az = a.x * b.x, a.y * b.y, a.z * b.z
    half = 0.5
    same = a is b
    xy = -(a.x * b.y) if same else -half * (a.x * b.y + a.y * b.x)
    xz = -(a.x * b.z) if same else -half * (a.x * b.z + a.z * b.x)
    yz = -(a.y * b.z) if same else -half * (a.y * b.z + a.z * b.y)
    return Sym3(ay + az, xy, ax + az, xz, yz, ax + ay)
