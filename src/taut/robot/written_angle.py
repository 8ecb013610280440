"""What a written angle, rotation or axis means: the multiple of 15 degrees its digits stand for.

Files write right angles as 1.5708, 3.14159 or 0.785398, quaternions as 0.7071 and axes as 0.866025. Such a number
is taken for a multiple of 15 degrees where it is that multiple, rounded or truncated to the digits written, and lies
within ``NEAR`` of it, or where it lies within ``SAME`` of it. Coarser ones (1.57, 3.14) keep their digits.

The digits written are the shortest ones that give the float; quaternions, matrices and axes are normalised on the way,
so a rotation is compared with what each way of writing the exact one would have given.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, Decimal

import numpy as np

from taut.errors import InputError
from taut.robot.placement import QuarterTurns, right_angle, turns_of
from taut.spatial import Scalar, Vec3, cos, from_quaternion, rotation, sin

SAME = 1e-7
"""Radians within which an angle is the multiple, whatever its digits."""

NEAR = 2e-5
"""Radians within which a rounded or truncated multiple is that multiple."""

COARSE = 2e-3
"""Radians within which an angle that keeps its digits may have been meant for the multiple: 1.57, 3.14, 0.785."""

LARGEST_SNAP = 0.1
"""Radians; multiples are 0.26 apart."""

DIGITS = range(3, 10)
"""Decimals that quaternions, matrices and axes are written with where rounding shows."""

ROUNDING = 1e-12
"""Difference of two rotations that were computed from the same digits."""

PI = Decimal("3.14159265358979323846264338327950288419716939937510")

Turns = tuple[tuple[int, Scalar], ...]


def check_snap(snap: float | None) -> None:
    """Refuse a tolerance that is no small angle."""
    if snap is not None and not 0 <= snap <= LARGEST_SNAP:
        raise InputError(f"snap is {snap}", "derive", f"give radians from 0 (keep every digit) to {LARGEST_SNAP}")


def nearest(x: float) -> int:
    """Return the multiple of 15 degrees next to an angle in radians."""
    return round(x * 12 / math.pi)


def radians(multiple: int) -> Scalar:
    """Return a multiple of 15 degrees: quarter turns are exact, others the nearest float; whole turns are 0."""
    if multiple % 6:
        return float(PI * multiple / 12)
    return QuarterTurns(multiple // 6) if multiple % 24 else 0.0


def multiple_meant(x: float, snap: float | None = None) -> int | None:
    """Return the multiple of 15 degrees that an angle stands for, None where it keeps its digits.

    Args:
        x: in radians.
        snap: a tolerance to use as well; 0 keeps every digit.

    >>> multiple_meant(1.5708), multiple_meant(-2.35619), multiple_meant(0.785398), multiple_meant(1.57)
    (6, -9, 3, None)
    """
    if not abs(x) < 1e6:
        return None
    multiple = nearest(x)
    exact = float(PI * multiple / 12)
    if snap == 0:
        return multiple if x == exact else None
    apart = abs(x - exact)
    if apart <= max(SAME, snap or 0.0) or (apart <= NEAR and x in _written(PI * multiple / 12, _decimals(x))):
        return multiple
    return None


def _decimals(x: float) -> int:
    exponent = Decimal(repr(x)).as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def _written(exact: Decimal, decimals: int) -> tuple[float, float]:
    """Return a number rounded and truncated to some decimals."""
    unit = Decimal(1).scaleb(-decimals)
    return float(exact.quantize(unit, ROUND_HALF_EVEN)), float(exact.quantize(unit, ROUND_DOWN))


def turns_meant(turns: Turns, snap: float | None = None) -> Turns:
    """Return the turns of a placement with every angle, or the rotation as a whole, taken for what it means."""
    decided = tuple((axis, angle_meant(angle, snap)) for axis, angle in turns)
    open_ones = [angle for _, angle in decided if isinstance(angle, float) and angle != 0 and _is_no_multiple(angle)]
    numeric = all(isinstance(angle, float | int | QuarterTurns) for _, angle in turns)
    if not open_ones or not numeric or snap == 0:
        return decided
    return _rotation_meant(_matrix(turns), snap) or decided


def angle_meant(x: Scalar, snap: float | None = None) -> Scalar:
    """Return an angle as what it means; symbols and exact quarter turns unchanged."""
    if not isinstance(x, float):
        return x
    multiple = multiple_meant(x, snap)
    return x if multiple is None else radians(multiple)


def _is_no_multiple(x: float) -> bool:
    return x != float(PI * nearest(x) / 12)


def _matrix(turns: Turns) -> np.ndarray:
    rows = rotation((axis, right_angle(angle)) for axis, angle in turns).matrix.rows
    return np.array([[float(x) for x in row] for row in rows])


def _rotation_meant(R: np.ndarray, snap: float | None) -> Turns | None:
    """Return the roll-pitch-yaw turns by multiples of 15 degrees that a rotation means, None if it means none."""
    found = dict(turns_of(R))
    pitch = radians(nearest(found.get(1, 0.0)))
    if isinstance(pitch, QuarterTurns) and pitch.count % 2:  # yaw and roll turn about the same axis
        side = pitch.sin()
        turns: list[tuple[int, Scalar]] = [(1, pitch), (0, radians(nearest(math.atan2(side * R[0, 1], R[1, 1]))))]
    else:
        turns = [(2, radians(nearest(found.get(2, 0.0)))), (1, pitch), (0, radians(nearest(found.get(0, 0.0))))]
    exact = tuple(turn for turn in turns if turn[1] != 0.0)
    matrix = _matrix(exact)
    apart = _apart(R, matrix)
    if apart <= max(SAME, snap or 0.0) or (
        apart <= NEAR and any(_apart(R, other) <= ROUNDING for other in _writings(matrix))
    ):
        return exact
    return None


def _apart(A: np.ndarray, B: np.ndarray) -> float:
    """Return the angle between two rotations, small ones without loss of digits."""
    D = A.T @ B
    twice = math.hypot(D[2, 1] - D[1, 2], D[0, 2] - D[2, 0], D[1, 0] - D[0, 1])
    return math.atan2(twice, float(np.trace(D)) - 1)


def _writings(R: np.ndarray) -> Iterator[np.ndarray]:
    """Yield the rotations that files mean which write an exact one as a quaternion or as two axes with few digits."""
    quaternion = _quaternion(R)
    for written in _few_digits(quaternion):
        yield np.array([tuple(row) for row in from_quaternion(*(written / np.linalg.norm(written))).rows])
    for written in _few_digits(R[:, :2].T.ravel()):
        x = written[:3] / np.linalg.norm(written[:3])
        y = written[3:] - x * (x @ written[3:])
        y /= np.linalg.norm(y)
        yield np.column_stack([x, y, np.cross(x, y)])


def _few_digits(exact: Sequence[float] | np.ndarray) -> Iterator[np.ndarray]:
    """Yield numbers rounded and truncated to a few decimals, and rounded to a few significant digits."""
    for decimals in DIGITS:
        scale = 10.0**decimals
        yield np.round(exact, decimals)
        yield np.trunc(np.asarray(exact) * scale) / scale
        yield np.array([float(f"{x:.{decimals}g}") for x in exact])


def _quaternion(R: np.ndarray) -> np.ndarray:
    """Return x, y, z, w of a rotation: the column of the largest component, rounding apart."""
    diagonal = np.diag(R)
    K = np.empty((4, 4))
    K[:3, :3] = R + R.T - np.eye(3) * (diagonal.sum() - 1)
    K[:3, 3] = K[3, :3] = R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]
    for k in range(3):
        K[k, k] = 1 + 2 * diagonal[k] - diagonal.sum()
    K[3, 3] = 1 + diagonal.sum()
    column: np.ndarray = K[:, int(np.argmax(np.diag(K)))]
    return column / np.linalg.norm(column)


def axis_meant(axis: Vec3, snap: float | None = None) -> Vec3:
    """Return the unit axis that a normalised one means, by its azimuth and polar angle."""
    if snap == 0 or sum(x == 0 for x in axis) == 2 or not all(isinstance(x, float | int) for x in axis):
        return axis
    x, y, z = axis
    tolerance = max(NEAR, snap or 0.0)
    across = math.hypot(x, y)
    azimuth = _near_multiple(math.atan2(y, x), tolerance / max(across, tolerance))
    polar = _near_multiple(math.atan2(across, z), tolerance)
    exact = Vec3(cos(azimuth) * sin(polar), sin(azimuth) * sin(polar), cos(polar))
    given, meant = np.array([x, y, z], float), np.array([float(v) for v in exact])
    apart = float(np.abs(given - meant).max())
    if apart <= max(SAME, snap or 0.0) or (apart <= NEAR and any(_parallel(given, v) for v in _few_digits(meant))):
        return exact
    return axis


def _near_multiple(x: float, within: float) -> Scalar:
    exact = radians(nearest(x))
    return exact if abs(x - float(exact)) <= within else x


def _parallel(unit: np.ndarray, v: np.ndarray) -> bool:
    length = float(np.linalg.norm(v))
    return length > 0 and float(np.abs(v / length - unit).max()) <= ROUNDING
