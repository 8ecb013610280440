"""Straight lines of a frame in space: poses, velocities and accelerations over time, by a motion law.

The origin goes straight from start to end. The orientation is kept, or turns about one axis from the first to the last:
then both follow the same law.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.errors import InputError
from taut.trajectory.curves import times_of
from taut.trajectory.laws import LAWS
from taut.trajectory.orientation import rotation_matrix, rotation_vector


@dataclass(frozen=True)
class Line:
    """A motion of a frame.

    Attributes:
        t: times (N) [s].
        pose: (N, 4, 4) in the world.
        velocity: [linear; angular] in world axes (N, 6).
        acceleration: their rates (N, 6).
    """

    t: np.ndarray
    pose: np.ndarray
    velocity: np.ndarray
    acceleration: np.ndarray


def straight_line(start: Any, end: Any, seconds: float, law: str = "3-4-5", count: int = 101) -> Line:
    """Return the motion along a straight line from rest to rest.

    Args:
        start: pose (4, 4).
        end: pose (4, 4), or a place (3) to keep the orientation.
        seconds: how long it takes.
        law: ``3-4-5``, ``4-5-6-7``, ``cycloidal`` or ``trapezoid``.
        count: of times.
    """
    if law not in LAWS:
        raise InputError(f"law {law!r}", "straight_line", f"use one of {', '.join(LAWS)}")
    t = times_of("straight_line", seconds, count)
    s, ds, dds = LAWS[law](t / seconds)
    return along(start, end, t, s, ds / seconds, dds / seconds**2)


def along(start: Any, end: Any, t: np.ndarray, s: np.ndarray, ds: np.ndarray, dds: np.ndarray) -> Line:
    """Return the motion along a straight line of which the part s is done at time t.

    Args:
        start: pose (4, 4).
        end: pose (4, 4), or a place (3) to keep the orientation.
        t: times (N) [s].
        s: part of the way (N).
        ds: its rate.
        dds: the rate of that.
    """
    first, last = np.asarray(start, float), np.asarray(end, float)
    if last.shape == (3,):
        last = np.block([[first[:3, :3], last[:, None]], [np.array([0, 0, 0, 1.0])]])
    if first.shape != (4, 4) or last.shape != (4, 4) or not np.isfinite([first, last]).all():
        raise InputError(f"shapes {first.shape} and {last.shape}", "straight_line", "give poses (4, 4), or a place (3)")
    way = np.concatenate([last[:3, 3] - first[:3, 3], rotation_vector(last[:3, :3] @ first[:3, :3].T)])
    pose = np.tile(np.eye(4), (len(t), 1, 1))
    pose[:, :3, 3] = first[:3, 3] + np.outer(s, way[:3])
    pose[:, :3, :3] = rotation_matrix(np.outer(s, way[3:])) @ first[:3, :3]
    return Line(t, pose, np.outer(ds, way), np.outer(dds, way))
