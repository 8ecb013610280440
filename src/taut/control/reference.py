"""References of a control law between the points of a trajectory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np


class Motion(Protocol):
    """Positions, rates and accelerations of joints at times; a ``Trajectory`` or a ``Simulation`` is one."""

    @property
    def t(self) -> np.ndarray:
        """Times (N)."""

    @property
    def q(self) -> np.ndarray:
        """Positions (N, n)."""

    @property
    def qd(self) -> np.ndarray:
        """Rates (N, n)."""

    @property
    def qdd(self) -> np.ndarray:
        """Accelerations (N, n)."""


def along(motion: Motion) -> Callable[[np.ndarray], tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Return the motion as a reference: times (N) -> q, qd, qdd (N, n), its ends held at rest before and after.

    Between two points it is the polynomial of degree five with their positions, rates and accelerations, so the three
    fit together: with s from 0 to 1 over the time h between the points,

    .. math:: q = \\sum_k a_k s^k, \\quad a_0 = q_0, \\; a_1 = h \\dot q_0, \\; a_2 = h^2 \\ddot q_0 / 2
    """

    def reference(times: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        t = np.clip(times, motion.t[0], motion.t[-1])
        k = np.clip(np.searchsorted(motion.t, t, side="right") - 1, 0, len(motion.t) - 2)
        h = (motion.t[k + 1] - motion.t[k])[:, None]
        s = (t - motion.t[k])[:, None] / h
        a0, a1, a2 = motion.q[k], h * motion.qd[k], h * h * motion.qdd[k] / 2
        d0 = motion.q[k + 1] - a0 - a1 - a2
        d1 = h * motion.qd[k + 1] - a1 - 2 * a2
        d2 = h * h * motion.qdd[k + 1] / 2 - a2
        a3, a4, a5 = 10 * d0 - 4 * d1 + d2, -15 * d0 + 7 * d1 - 2 * d2, 6 * d0 - 3 * d1 + d2
        q = a0 + s * (a1 + s * (a2 + s * (a3 + s * (a4 + s * a5))))
        qd = (a1 + s * (2 * a2 + s * (3 * a3 + s * (4 * a4 + s * 5 * a5)))) / h
        qdd = (2 * a2 + s * (6 * a3 + s * (12 * a4 + s * 20 * a5))) / (h * h)
        inside = ((times >= motion.t[0]) & (times <= motion.t[-1]))[:, None]
        return q, np.where(inside, qd, 0.0), np.where(inside, qdd, 0.0)

    return reference
