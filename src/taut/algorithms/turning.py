"""What an angular velocity and acceleration do to a vector fixed in the turning body."""

from __future__ import annotations

from taut.spatial import Mat3, Vec3


def turning_tensor(w: Vec3, wd: Vec3) -> Mat3:
    """Return W with ``W r`` = wd x r + w x (w x r), in 6 multiplications and 9 additions.

    .. math:: W = \\dot\\Omega + \\Omega^2 = [\\dot\\omega] + \\omega \\omega^T - |\\omega|^2 \\, 1

    Source: Angeles, Ma, Rojas 1989, eq. (53); Izaguirre et al. 1992 call it U in eq. (20), as
    Khalil, Kleinfinger, Gautier 1986 do.
    """
    xx, yy, zz = w.x * w.x, w.y * w.y, w.z * w.z
    xy, xz, yz = w.x * w.y, w.x * w.z, w.y * w.z
    return Mat3(
        Vec3(-(yy + zz), xy - wd.z, xz + wd.y),
        Vec3(xy + wd.z, -(xx + zz), yz - wd.x),
        Vec3(xz - wd.y, yz + wd.x, -(xx + yy)),
    )
