"""The fastest motion between two positions at rest within limits of speed, acceleration and jerk, by ruckig."""

from __future__ import annotations

from typing import Any

import numpy as np

from taut.errors import InputError
from taut.trajectory.trajectory import Trajectory

WHERE = "jerk_limited"


def jerk_limited(start: Any, end: Any, velocity: Any, acceleration: Any, jerk: Any, count: int = 101) -> Trajectory:
    """Return the fastest motion from rest to rest; all joints arrive together.

    Args:
        start: positions (n).
        end: positions (n).
        velocity: largest magnitudes of the rates (n), or one for all [rad/s or m/s].
        acceleration: of the accelerations.
        jerk: of their rates.
        count: of times.
    """
    try:
        import ruckig
    except ImportError:
        raise InputError("a limit of jerk needs ruckig", WHERE, "pip install 'taut[plan]'") from None
    try:
        a, b, *limits = np.broadcast_arrays(*(np.asarray(x, float) for x in (start, end, velocity, acceleration, jerk)))
    except (TypeError, ValueError):
        raise InputError("positions and limits do not fit together", WHERE, "give n numbers for each") from None
    if a.ndim != 1 or not np.isfinite([a, b]).all() or not all((x > 0).all() for x in limits) or count < 2:
        raise InputError("positions or limits", WHERE, "give finite positions and limits above 0, two times or more")
    given = ruckig.InputParameter(len(a))
    given.current_position, given.target_position = a.tolist(), b.tolist()
    for name, limit in zip(("max_velocity", "max_acceleration", "max_jerk"), limits, strict=True):
        setattr(given, name, limit.tolist())
    found = ruckig.Trajectory(len(a))
    if ruckig.Ruckig(len(a)).calculate(given, found) not in (ruckig.Result.Working, ruckig.Result.Finished):
        raise InputError("ruckig finds no motion", WHERE, "see the limits")
    t = np.linspace(0, found.duration, count)
    q, qd, qdd = (np.array(rows) for rows in zip(*(found.at_time(float(x))[:3] for x in t), strict=True))
    return Trajectory(t, q, qd, qdd)
