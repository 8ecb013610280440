"""Computed torque control."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.control.law import Dynamics


@dataclass(frozen=True, eq=False)
class ComputedTorque:
    """Computed torque: feedback linearisation.

    .. math:: \\tau = M(q)\\,[\\ddot q_{ref} + K_d (\\dot q_{ref} - \\dot q) + K_p (q_{ref} - q)] + C \\dot q + g

    [Luh, Walker, Paul 1980, Resolved-acceleration control; Craig 2005, chapter 10]: with the robot's true parameters
    each joint's error obeys e'' + kd e' + kp e = 0.

    Attributes:
        kp: [1/s^2], one number or one a joint.
        kd: [1/s].
    """

    kp: Any
    kd: Any
    name = "computed_torque"
    references = ("q_ref", "qd_ref", "qdd_ref")

    def __call__(self, robot: Dynamics, q: Any, qd: Any, *references: Any) -> np.ndarray:
        """Return the torque (..., nv)."""
        q_ref, qd_ref, qdd_ref = references
        return robot.inverse_dynamics(q, qd, qdd_ref + self.kd * (qd_ref - qd) + self.kp * (q_ref - q))
