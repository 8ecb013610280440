"""The fastest motion along a path within limits of speed, acceleration and torque.

The path is the cubic spline through points; TOPP-RA [Pham and Pham 2018] finds how fast it can be followed. Its limits
hold at grid points, between them by interpolation to first order. The motion is therefore measured on a grid ten times
finer, and the limits are tightened by what is exceeded until it holds there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.errors import InputError
from taut.trajectory.laws import trapezoid
from taut.trajectory.trajectory import Trajectory

Torque = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
"""(q, qd, qdd) -> tau, each (..., n)."""

FINER = 10
"""Measured points for each grid point."""

ROUNDS, SLACK = 12, 1e-9
"""Most rounds of tightening, and the part of a limit that is rounding."""

WHERE = "time_optimal"


@dataclass(frozen=True)
class Limits:
    """Largest magnitudes, infinite where there is none.

    Attributes:
        velocity: of rates (n).
        acceleration: of accelerations (n).
        torque: of torques (n).
    """

    velocity: np.ndarray
    acceleration: np.ndarray
    torque: np.ndarray

    def exceeded(self, motion: Trajectory, torque: Torque) -> tuple[np.ndarray, ...]:
        """Return the largest part of each limit that a motion takes: of rates, accelerations and torques."""
        tau = torque(motion.q, motion.qd, motion.qdd)
        pairs = zip((motion.qd, motion.qdd, tau), (self.velocity, self.acceleration, self.torque), strict=True)
        return tuple(np.abs(x).max(axis=0) / limit for x, limit in pairs)

    def tightened(self, parts: tuple[np.ndarray, ...]) -> Limits:
        """Return limits divided by the parts of them that are above one."""
        now = (self.velocity, self.acceleration, self.torque)
        return Limits(*(x / np.maximum(part, 1.0) for x, part in zip(now, parts, strict=True)))


def time_optimal(points: Any, limits: Limits, torque: Torque, grid: int = 200) -> Trajectory:
    """Return the fastest motion from rest to rest on the spline through points, sampled on the fine grid.

    Args:
        points: positions (N, n), two or more.
        limits: of the motion.
        torque: inverse dynamics of the robot, batched.
        grid: points at which the limits are imposed.
    """
    curve = _Path(points)
    wanted = limits
    for _ in range(ROUNDS):
        motion = curve.fastest(wanted, torque, grid)
        parts = limits.exceeded(motion, torque)
        if max(part.max() for part in parts) <= 1 + SLACK:
            return motion
        wanted = wanted.tightened(tuple(1 + 1.2 * (np.maximum(part, 1) - 1) for part in parts))
    raise InputError("the limits do not hold between grid points", WHERE, f"give a grid above {grid}")


def best_trapezoid(points: Any, limits: Limits, torque: Torque, count: int = 2001) -> Trajectory:
    """Return the fastest motion on the same path whose path parameter has a trapezoidal speed.

    Args:
        points: positions (N, n).
        limits: of the motion.
        torque: inverse dynamics of the robot, batched.
        count: times at which the limits are checked.
    """
    curve = _Path(points)
    best: Trajectory | None = None
    for blend in np.linspace(0.05, 0.5, 46):
        s, ds, dds = trapezoid(float(blend))(np.linspace(0, 1, count))

        def motion(seconds: float, s: Any = s, ds: Any = ds, dds: Any = dds) -> Trajectory:
            return curve.motion(np.linspace(0, seconds, count), s, ds / seconds, dds / seconds**2)

        def holds(seconds: float, motion: Callable[[float], Trajectory] = motion) -> bool:
            return max(part.max() for part in limits.exceeded(motion(seconds), torque)) <= 1 + SLACK

        short = 0.0
        long = 1.0 if best is None else float(best.t[-1])
        if best is not None and not holds(long):
            continue
        while not holds(long):
            short, long = long, 2 * long
            if long > 1e4:
                break
        while long - short > 1e-6 * long:
            middle = 0.5 * (short + long)
            short, long = (short, middle) if holds(middle) else (middle, long)
        if holds(long):
            best = motion(long)
    if best is None:
        raise InputError("no trapezoid holds the limits", WHERE, "see that the arm can stand still on the whole path")
    return best


class _Path:
    """The cubic spline through points, by its parameter from 0 to 1 along the chords."""

    def __init__(self, points: Any) -> None:
        try:
            import toppra
        except ImportError:
            raise InputError("time-optimal motion needs toppra", WHERE, "pip install 'taut[plan]'") from None
        rows = np.asarray(points, float)
        if rows.ndim != 2 or len(rows) < 2 or not np.isfinite(rows).all():
            raise InputError(f"points of shape {rows.shape}", WHERE, "give two or more rows of finite positions")
        chords = np.linalg.norm(np.diff(rows, axis=0), axis=1)
        if (chords == 0).any():
            raise InputError(f"point {int(np.argmax(chords == 0)) + 2} repeats the one before", WHERE, "leave it out")
        s = np.concatenate([[0.0], np.cumsum(chords)])
        self.curve = toppra.SplineInterpolator(s / s[-1], rows)

    def motion(self, t: np.ndarray, s: np.ndarray, ds: np.ndarray, dds: np.ndarray) -> Trajectory:
        """Return the motion on which the parameter s and its rates are given over time."""
        s = np.clip(s, 0.0, 1.0)
        q, slope, bend = (self.curve(s, order) for order in range(3))
        return Trajectory(t, q, slope * ds[:, None], slope * dds[:, None] + bend * ds[:, None] ** 2)

    def fastest(self, limits: Limits, torque: Torque, grid: int) -> Trajectory:
        """Return the fastest motion whose limits hold at grid points, on the fine grid."""
        from toppra import algorithm, constraint

        n = len(limits.torque)
        ways: list[Any] = []
        scheme = constraint.DiscretizationType.Interpolation
        for kind, limit in (
            (constraint.JointVelocityConstraint, limits.velocity),
            (constraint.JointAccelerationConstraint, limits.acceleration),
        ):
            if np.isfinite(limit).any():
                found = kind(np.outer(np.where(np.isfinite(limit), limit, 1e8), [-1, 1]))
                found.set_discretization_type(scheme)
                ways.append(found)
        if np.isfinite(limits.torque).any():
            bounds = np.outer(np.where(np.isfinite(limits.torque), limits.torque, 1e8), [-1, 1])
            build = constraint.SecondOrderConstraint.joint_torque_constraint
            ways.append(build(torque, bounds, np.zeros(n), discretization_scheme=scheme))
        points = np.linspace(0, 1, grid + 1)
        solver = algorithm.TOPPRA(ways, self.curve, gridpoints=points, solver_wrapper="seidel")
        _, speed, _ = solver.compute_parameterization(0, 0)
        if speed is None or np.isnan(speed).any():
            advice = "see that the arm can stand still on the whole path, or give a finer grid"
            raise InputError("the path cannot be followed within the limits", WHERE, advice)
        return self._timed(points, speed)

    def _timed(self, s: np.ndarray, speed: np.ndarray) -> Trajectory:
        """Return the motion with constant s'' between grid points, FINER points in each."""
        rate = np.diff(speed**2) / (2 * np.diff(s))  # s'' = d(s'^2)/ds / 2
        part = np.arange(FINER) / FINER
        at = (s[:-1, None] + np.diff(s)[:, None] * part).ravel()
        squared = (speed[:-1, None] ** 2 + np.diff(speed**2)[:, None] * part).ravel()
        at, squared = np.append(at, s[-1]), np.append(squared, speed[-1] ** 2)
        bends = np.append(np.repeat(rate, FINER), rate[-1])
        velocity = np.sqrt(np.maximum(squared, 0.0))
        t = np.concatenate([[0.0], np.cumsum(2 * np.diff(at) / (velocity[1:] + velocity[:-1]))])
        return self.motion(t, at, velocity, bends)
