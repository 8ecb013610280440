"""Torques along a trajectory for a reader: the largest and the root mean square of each joint; CSV and plain data."""

from __future__ import annotations

from typing import Any

import numpy as np

from taut.formats.columns import columns_text
from taut.report.table import table
from taut.trajectory import TorqueHistory


def torque_text(found: TorqueHistory) -> str:
    """Return a line a joint, and what was differentiated."""
    t = found.trajectory.t
    rows = [
        [name, f"{low:.6g}", f"{high:.6g}", f"{rms:.6g}"]
        for name, low, high, rms in zip(found.rate_names, *_statistics(found), strict=True)
    ]
    lines = [f"{len(t)} points, {t[0]:.6g} to {t[-1]:.6g} s", table(["joint", "least", "largest", "rms"], rows)]
    return "\n".join([*lines, *(f"note: {note}" for note in found.trajectory.notes)])


def torque_data(found: TorqueHistory) -> dict[str, Any]:
    """Return the torques for a program."""
    low, high, rms = (x.tolist() for x in _statistics(found))
    history = {"t": found.trajectory.t.tolist(), "tau": found.tau.tolist()}
    statistics = {"least": low, "largest": high, "rms": rms}
    return {"joints": list(found.rate_names), **statistics, **history, "notes": list(found.trajectory.notes)}


def torque_csv(found: TorqueHistory) -> str:
    """Return the columns t, q1.., qd1.., qdd1.., tau1.. as CSV."""
    motion = found.trajectory
    return columns_text(motion.t, {"q": motion.q, "qd": motion.qd, "qdd": motion.qdd, "tau": found.tau})


def _statistics(found: TorqueHistory) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return found.tau.min(axis=0), found.tau.max(axis=0), np.sqrt(np.mean(found.tau**2, axis=0))
