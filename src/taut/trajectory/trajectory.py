"""A trajectory: positions, rates and accelerations of all joints over time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Trajectory:
    """A motion prescribed at times.

    Attributes:
        t: times (N) [s].
        q: positions (N, nq).
        qd: rates (N, nv).
        qdd: accelerations (N, nv).
        notes: what was computed from something else.
    """

    t: np.ndarray
    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class TorqueHistory:
    """The torques along a trajectory.

    Attributes:
        trajectory: the motion.
        tau: torques (N, nv) [N m, N].
        rate_names: joint of each torque (nv).
    """

    trajectory: Trajectory
    tau: np.ndarray
    rate_names: tuple[str, ...]
