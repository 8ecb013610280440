"""Two directions that satisfy two linear equations: x and y of length 1 in the plane with y = d - G x.

The length of y makes x a point of the unit circle on a conic,

.. math:: |d - G x|^2 = 1: \\qquad \\rho (X^2 - Y^2) + 2 m_1 X + 2 m_2 Y + k = 0, \\quad X^2 + Y^2 = 1

in axes turned by alpha. Both curves have up to four points in common, and through these go the pairs of lines

.. math:: (\\rho - \\lambda) X^2 - (\\rho + \\lambda) Y^2 + 2 m_1 X + 2 m_2 Y + k + \\lambda = 0

where lambda is a root of the cubic that makes this conic a pair [Semple, Kneebone 1952, Algebraic Projective Geometry,
chapter 5]. The root farthest from the mean of the three is taken: another that is double, where two points coincide, is
not. Each line has two points of the circle. One Newton step for the angle restores digits that the cubic has lost.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from taut.algorithms.inverse_kinematics.subproblems import SIGNS, root
from taut.spatial import Scalar, cos, sin
from taut.spatial.array import atan2, sign, sqrt

NOTHING = 1e-30
"""Added to sums of squares that may vanish; sizes are about 1."""

FLAT = 1e-14
"""Added to the square of a slope, so that a double point is not moved by its rounding."""

Plane = Sequence[Scalar]
"""Two coordinates."""


def common_points(G: Sequence[Plane], d: Plane) -> Iterator[tuple[Scalar, Scalar, Scalar]]:
    """Yield four times the angle of x, the angle of y, and what the point lacks: nothing where it is real.

    It lacks what the square of y lacks to be 1, over the sum of the numbers that the square is made of.

    Args:
        G: 2 x 2, of about the size 1.
        d: two numbers.
    """
    (g11, g12), (g21, g22) = G
    n11, n12, n22 = g11 * g11 + g21 * g21, g11 * g12 + g21 * g22, g12 * g12 + g22 * g22
    C, S = (n11 - n22) / 2, n12  # of cos 2 theta and sin 2 theta
    k = (n11 + n22) / 2 + d[0] * d[0] + d[1] * d[1] - 1
    mc, ms = -(g11 * d[0] + g21 * d[1]), -(g12 * d[0] + g22 * d[1])  # half of cos theta and sin theta
    square = C * C + S * S
    rho = sqrt(square)
    slope = mc * mc + ms * ms - square
    level = C * (mc * mc - ms * ms) + 2 * S * (mc * ms) - k * square
    root_of_cubic = _farthest_root(k, slope, level)
    s = _sense(root_of_cubic)
    alpha = atan2(s * S, s * C) / 2  # the axes are swapped for a negative root: rho + |lambda| is never small
    c, e = s * cos(alpha), s * sin(alpha)
    m1, m2 = c * mc + e * ms, c * ms - e * mc
    size = s * root_of_cubic
    narrow, _ = root(rho - size)
    wide = sqrt(rho + size + NOTHING)
    b = m2 / wide
    a, _ = root(s * k + size + b * b)
    a = (narrow * m1 + _sense(m1) * a * a * a) / (narrow * narrow + a * a + NOTHING)  # m1 / narrow, where that vanishes
    for side in SIGNS:
        across, away = -side * wide, -(a + side * b)
        chord, _ = root(2 * rho - away * away)
        for end in SIGNS:
            theta = alpha + atan2(across * away + end * narrow * chord, narrow * away - end * across * chord)
            cs, sn = cos(theta), sin(theta)
            twice_c, twice_s = cs * cs - sn * sn, 2 * (cs * sn)
            off = C * twice_c + S * twice_s + 2 * (mc * cs + ms * sn) + k
            rate = 2 * (S * twice_c - C * twice_s + ms * cs - mc * sn)
            theta = theta - off * rate / (rate * rate + FLAT)
            cs, sn = cos(theta), sin(theta)
            y = [d[i] - (G[i][0] * cs + G[i][1] * sn) for i in range(2)]
            missing = y[0] * y[0] + y[1] * y[1] - 1
            yield theta, atan2(y[1], y[0]), sqrt(missing * missing) / (k + 2)


def _farthest_root(a: Scalar, b: Scalar, c: Scalar) -> Scalar:
    """Return the real root of x^3 + a x^2 + b x + c that is farthest from the mean of all three, -a / 3 [Cardano]."""
    third = a / 3
    p = b - a * third
    q = 2 * third * third * third - third * b + c
    up, down = root(q * q / 4 + p * p * p / 27)
    half = sqrt(q * q) / 2 + up
    size = _cube_root(sqrt(half * half + down) + NOTHING)
    return -sign(q) * (size - p / (3 * size)) * cos(atan2(sqrt(down), half) / 3) - third


def _cube_root(x: Scalar) -> Scalar:
    """Return the cube root of a positive number: x^(1/4 + 1/16 + ...), then two of Halley's steps."""
    y, part = 1, x
    for _ in range(6):
        part = sqrt(sqrt(part))
        y = y * part
    for _ in range(2):
        cube = y * y * y
        y = y * (cube + 2 * x) / (2 * cube + x)
    return y


def _sense(x: Scalar) -> Scalar:
    """Return -1 for a negative number, else 1."""
    s = sign(x)
    return s + 1 - s * s
