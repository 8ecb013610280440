"""Trajectories made from a few numbers: between two positions, through points, and Fourier series.

All are for robots whose positions add up (no free base).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.polynomial import Polynomial

from taut.errors import InputError
from taut.trajectory.laws import LAWS, trapezoid
from taut.trajectory.trajectory import Trajectory


def point_to_point(
    start: Any, end: Any, seconds: float, law: str = "3-4-5", count: int = 101, blend: float = 1 / 3
) -> Trajectory:
    """Return the motion in which all joints go from rest to rest by one law.

    Args:
        start: positions (n).
        end: positions (n).
        seconds: how long it takes.
        law: ``3-4-5``, ``4-5-6-7``, ``cycloidal`` or ``trapezoid``.
        count: of times.
        blend: part of the time that a trapezoid accelerates for.

    >>> point_to_point([0.0], [1.0], 2.0, count=3).q.ravel()
    array([0. , 0.5, 1. ])
    """
    if law not in LAWS:
        raise InputError(f"law {law!r}", "point_to_point", f"use one of {', '.join(LAWS)}")
    if not 0 < blend <= 0.5:
        raise InputError(f"blend is {blend!r}", "point_to_point", "give a number above 0, at most 0.5")
    a, b = _vectors("point_to_point", start, end)
    t = times_of("point_to_point", seconds, count)
    s, ds, dds = (trapezoid(blend) if law == "trapezoid" else LAWS[law])(t / seconds)
    way = b - a
    return Trajectory(t, a + np.outer(s, way), np.outer(ds / seconds, way), np.outer(dds / seconds**2, way))


def through_points(times: Any, points: Any, count: int = 101) -> Trajectory:
    """Return the polynomial through points, from rest to rest with zero acceleration at both ends.

    N points and four conditions at the ends make its degree N + 3; beyond a dozen points it swings between them.

    Args:
        times: of the points (N), increasing [s].
        points: positions (N, n).
        count: of times.
    """
    at, rows = increasing_points("through_points", times, points)
    seconds = float(at[-1] - at[0])
    x = 2 * (at - at[0]) / seconds - 1  # powers of -1 .. 1 are better conditioned than of seconds
    ends = np.array([-1.0, 1.0])
    degree = len(at) + 3
    bases = [Polynomial.basis(k) for k in range(degree + 1)]
    conditions = [(0, x), (1, ends), (2, ends)]
    matrix = np.array([[one.deriv(m)(z) if m else one(z) for one in bases] for m, zs in conditions for z in zs])
    wanted = np.concatenate([rows, np.zeros((4, rows.shape[1]))])
    curves = [Polynomial(column) for column in np.linalg.solve(matrix, wanted).T]
    t = times_of("through_points", seconds, count)
    z, scale = 2 * t / seconds - 1, 2 / seconds
    q, qd, qdd = (np.column_stack([scale**m * (c.deriv(m)(z) if m else c(z)) for c in curves]) for m in range(3))
    return Trajectory(at[0] + t, q, qd, qdd)


def fourier(
    offset: Any, sines: Any, cosines: Any, period: float, seconds: float | None = None, count: int = 101
) -> Trajectory:
    """Return q = offset + sum_k a_k sin(k w t) + b_k cos(k w t), w = 2 pi / period.

    Args:
        offset: (n).
        sines: a (harmonics, n).
        cosines: b (harmonics, n).
        period: [s].
        seconds: how long; one period by default.
        count: of times.
    """
    middle, a, b = _vectors("fourier", offset, sines, cosines)
    if a.ndim != 2 or a.shape != b.shape or middle.shape != a.shape[1:]:
        shapes = f"offset {middle.shape}, sines {a.shape}, cosines {b.shape}"
        raise InputError(shapes, "fourier", "give n offsets and (harmonics, n) sines and cosines")
    times_of("fourier", period, 2)
    t = times_of("fourier", period if seconds is None else seconds, count)
    w = 2 * np.pi / period * np.arange(1, len(a) + 1)
    s, c = np.sin(np.outer(t, w)), np.cos(np.outer(t, w))
    return Trajectory(t, middle + s @ a + c @ b, (c * w) @ a - (s * w) @ b, -(s * w**2) @ a - (c * w**2) @ b)


def _vectors(place: str, *given: Any) -> list[np.ndarray]:
    try:
        arrays = [np.asarray(x, dtype=float) for x in given]
    except (TypeError, ValueError):
        raise InputError("is not made of numbers", place, "give arrays of numbers") from None
    if not all(np.isfinite(x).all() for x in arrays):
        raise InputError("holds NaN or infinity", place, "give finite numbers")
    if place == "point_to_point" and (arrays[0].ndim != 1 or arrays[0].shape != arrays[1].shape):
        raise InputError(f"shapes {arrays[0].shape} and {arrays[1].shape}", place, "give n numbers for both ends")
    return arrays


def increasing_points(place: str, times: Any, points: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return increasing times (N) and points (N, n); the error names what is wrong with them."""
    at, rows = _vectors(place, times, points)
    if at.ndim != 1 or rows.ndim != 2 or len(at) != len(rows) or len(at) < 2 or np.any(np.diff(at) <= 0):
        raise InputError(f"times {at.shape} and points {rows.shape}", place, "give increasing times and a row for each")
    return at, rows


def times_of(place: str, seconds: float, count: int) -> np.ndarray:
    """Return times from 0 to an end; the error names what is wrong with it."""
    if not (np.isfinite(seconds) and seconds > 0):
        raise InputError(f"{seconds!r} seconds", place, "give a time above 0")
    if count < 2:
        raise InputError(f"{count} times", place, "give two or more")
    return np.linspace(0.0, seconds, count)
