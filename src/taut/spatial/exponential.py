"""Exponential and logarithm of rotations and poses, on arrays with any leading axes.

A rotation is a unit quaternion [x y z w], a pose [p; quaternion]; a twist is [linear; angular] in the moving
body's own axes. With theta = |w|:

.. math:: exp(v, w) = (V v, \\exp w), \\quad
    V = 1 + \\frac{1 - \\cos\\theta}{\\theta^2} [w] + \\frac{\\theta - \\sin\\theta}{\\theta^3} [w]^2

[Murray, Li, Sastry 1994, A Mathematical Introduction to Robotic Manipulation, 2.3].
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

SMALL = 0.3
"""Angles [rad] below which quotients that cancel are summed as series."""

_VELOCITY_SERIES = (1 / 6, -1 / 120, 1 / 5040, -1 / 362880, 1 / 39916800)
_INVERSE_SERIES = (1 / 12, 1 / 720, 1 / 30240, 1 / 1209600, 1 / 47900160)


def moved_pose(pose: np.ndarray, twist: np.ndarray) -> np.ndarray:
    """Return the pose (..., 7) after moving for unit time with a constant twist (..., 6)."""
    place, orientation = pose[..., :3], pose[..., 3:]
    v, w = twist[..., :3], twist[..., 3:]
    theta = np.linalg.norm(w, axis=-1, keepdims=True)
    first = 0.5 * np.sinc(theta / (2 * np.pi)) ** 2  # (1 - cos theta) / theta^2
    second = _quotient(theta, _VELOCITY_SERIES, lambda t: (t - np.sin(t)) / t**3)
    turned = np.cross(w, v)
    way = v + first * turned + second * np.cross(w, turned)
    return np.concatenate([place + rotated(orientation, way), moved_orientation(orientation, w)], axis=-1)


def pose_difference(start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Return the twist (..., 6) that moves pose ``start`` to pose ``end`` in unit time, turning by at most pi."""
    w = orientation_difference(start[..., 3:], end[..., 3:])
    way = rotated(conjugate(start[..., 3:]), end[..., :3] - start[..., :3])
    theta = np.linalg.norm(w, axis=-1, keepdims=True)
    second = _quotient(theta, _INVERSE_SERIES, lambda t: (1 - 0.5 * t / np.tan(0.5 * t)) / t**2)
    turned = np.cross(w, way)
    return np.concatenate([way - 0.5 * turned + second * np.cross(w, turned), w], axis=-1)


def moved_orientation(quaternion: np.ndarray, w: np.ndarray) -> np.ndarray:
    """Return the unit quaternion after turning by the rotation vector ``w``, given in the body's axes."""
    theta = np.linalg.norm(w, axis=-1, keepdims=True)
    step = np.concatenate([0.5 * np.sinc(theta / (2 * np.pi)) * w, np.cos(0.5 * theta)], axis=-1)
    moved = product(quaternion, step)
    return moved / np.linalg.norm(moved, axis=-1, keepdims=True)


def orientation_difference(start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Return the rotation vector, at most pi long and in the axes of ``start``, that turns ``start`` to ``end``."""
    between = product(conjugate(start), end)
    between = np.where(between[..., 3:] < 0, -between, between)  # q and -q are one orientation
    length = np.linalg.norm(between[..., :3], axis=-1, keepdims=True)
    theta = 2 * np.arctan2(length, between[..., 3:])
    return between[..., :3] * np.divide(theta, length, out=np.full_like(length, 2.0), where=length > 0)


def product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the product of two quaternions."""
    u, v, s, t = a[..., :3], b[..., :3], a[..., 3:], b[..., 3:]
    vector = s * v + t * u + np.cross(u, v)
    return np.concatenate([vector, s * t - np.sum(u * v, axis=-1, keepdims=True)], axis=-1)


def conjugate(a: np.ndarray) -> np.ndarray:
    """Return the inverse of a unit quaternion."""
    return np.concatenate([-a[..., :3], a[..., 3:]], axis=-1)


def rotated(quaternion: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Return the vector ``v`` of the body in the axes of its parent."""
    u, s = quaternion[..., :3], quaternion[..., 3:]
    twice = 2 * np.cross(u, v)
    return v + s * twice + np.cross(u, twice)


def _quotient(theta: np.ndarray, series: tuple[float, ...], direct: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    small = theta < SMALL
    summed = np.polynomial.polynomial.polyval(np.where(small, theta, 0.0) ** 2, series)
    return np.where(small, summed, direct(np.where(small, 1.0, theta)))


def chart_rate(x: np.ndarray, twist: np.ndarray) -> np.ndarray:
    """Return the rate of the exponential coordinates x (..., 6) of a pose that moves with a twist in its own axes.

    .. math:: \\dot x = \\sum_k \\frac{(-1)^k B_k}{k!} ad_x^k V = V + \\tfrac12 [x, V] + \\tfrac1{12} [x, [x, V]] - ...

    with Bernoulli's numbers [Iserles, Munthe-Kaas, Norsett, Zanna 2000, Lie-group methods, 4.2]; to rounding for
    rotations up to 0.6 rad.
    """
    ad = _bracket(x)
    power = ad @ twist[..., None]
    rate = twist[..., None] + 0.5 * power
    twice = ad @ ad
    power = twist[..., None]
    for coefficient in _BERNOULLI:
        power = twice @ power
        rate = rate + coefficient * power
    return np.asarray(rate[..., 0])


_BERNOULLI = (
    1 / 12,
    -1 / 720,
    1 / 30240,
    -1 / 1209600,
    1 / 47900160,
    -691 / 1307674368000,
    1 / 74724249600,
    -3617 / 10670622842880000,
)


def _bracket(x: np.ndarray) -> np.ndarray:
    """Return the matrix (..., 6, 6) of the Lie bracket [x, .] of twists [linear; angular]."""
    matrix = np.zeros((*x.shape[:-1], 6, 6))
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        for row, column, part in ((0, 0, 3), (3, 3, 3), (0, 3, 0)):
            matrix[..., row + i, column + j] = -x[..., part + k]
            matrix[..., row + j, column + i] = x[..., part + k]
    return matrix
