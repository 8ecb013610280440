"""A cubic spline through points that begins and ends at rest, with zero acceleration there.

Angeles, Alivizatos and Zsombor-Murray (1988) plan pick-and-place motions with such splines. N points and four
conditions at the ends need two knots more than a cubic spline has; they stand in the middle of the first and of the
last interval, or at the thirds where there is one interval. Speed and acceleration are continuous, the acceleration
is piecewise linear.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from taut.errors import InputError
from taut.trajectory.curves import increasing_points, times_of
from taut.trajectory.trajectory import Trajectory

DEGREE = 3


def spline_at_rest(times: Any, points: Any, count: int = 101) -> Trajectory:
    """Return the cubic spline through points with zero speed and acceleration at both ends.

    Args:
        times: of the points (N), increasing [s].
        points: positions (N, n).
        count: of times.

    >>> spline_at_rest([0, 1], [[0.0], [1.0]], 3).q.ravel().round(12)
    array([0. , 0.5, 1. ])
    """
    try:
        from scipy.interpolate import BSpline
    except ImportError:
        raise InputError("a spline needs SciPy", "spline_at_rest", "pip install 'taut[motion]'") from None
    at, rows = increasing_points("spline_at_rest", times, points)
    inner = at[1:-1]
    if len(at) == 2:
        extra = at[0] + (at[1] - at[0]) * np.array([1 / 3, 2 / 3])
    else:
        extra = np.array([(at[0] + at[1]) / 2, (at[-2] + at[-1]) / 2])
    knots = np.concatenate([[at[0]] * 4, np.sort(np.concatenate([inner, extra])), [at[-1]] * 4])
    unit = BSpline(knots, np.eye(len(at) + 4), DEGREE)
    ends = at[[0, -1]]
    matrix = np.vstack([unit(at), unit(ends, 1), unit(ends, 2)])
    wanted = np.concatenate([rows, np.zeros((4, rows.shape[1]))])
    curve = BSpline(knots, np.linalg.solve(matrix, wanted), DEGREE)
    t = at[0] + times_of("spline_at_rest", float(at[-1] - at[0]), count)
    return Trajectory(t, curve(t), curve(t, 1), curve(t, 2))
