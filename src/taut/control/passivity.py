"""Passivity-based tracking [Slotine, Li 1987]."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.control.law import Dynamics


@dataclass(frozen=True, eq=False)
class Passivity:
    """Tracking that keeps the dynamics instead of cancelling them.

    .. math:: \\tau = M(q)\\, \\ddot q_r + C(q, \\dot q)\\, \\dot q_r + g(q) - K_d s, \\qquad s = \\dot q - \\dot q_r

    with the reference of :func:`sliding`. With Mdot - 2C skew, ``1/2 s^T M s`` falls as ``-s^T K_d s``.

    Attributes:
        slope: Lambda, at which position errors decay [1/s], one number or one a joint.
        damping: K_d [N m s/rad or N s/m].
    """

    slope: Any
    damping: Any
    name = "passivity"
    references = ("q_ref", "qd_ref", "qdd_ref")

    def __call__(self, robot: Dynamics, q: Any, qd: Any, *references: Any) -> np.ndarray:
        """Return the torque (..., nv)."""
        qd_r, qdd_r = sliding(self.slope, q, qd, *references)
        return robot.evaluate("passivity_torque", q, qd, qd_r, qdd_r) - self.damping * (qd - qd_r)


def sliding(slope: Any, q: Any, qd: Any, q_ref: Any, qd_ref: Any, qdd_ref: Any) -> tuple[Any, Any]:
    """Return the reference rates ``qd_ref - Lambda (q - q_ref)`` and their rate; positions must add like vectors."""
    return qd_ref - slope * (q - q_ref), qdd_ref - slope * (qd - qd_ref)
