"""Feed-forward of the computed torques, with PD feedback."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.control.law import Dynamics


@dataclass(frozen=True, eq=False)
class FeedForward:
    """Feed-forward of inverse dynamics along the reference, with PD feedback.

    .. math:: \\tau = ID(q_{ref}, \\dot q_{ref}, \\ddot q_{ref}) + K_p (q_{ref} - q) + K_d (\\dot q_{ref} - \\dot q)

    Gains of zero are open-loop following by computed torques.

    Attributes:
        kp: stiffness [N m/rad or N/m], one number or one a joint.
        kd: damping [N m s/rad or N s/m].
    """

    kp: Any
    kd: Any
    name = "feed_forward"
    references = ("q_ref", "qd_ref", "qdd_ref")

    def __call__(self, robot: Dynamics, q: Any, qd: Any, *references: Any) -> np.ndarray:
        """Return the torque (..., nv)."""
        q_ref, qd_ref, qdd_ref = references
        return robot.inverse_dynamics(q_ref, qd_ref, qdd_ref) + self.kp * (q_ref - q) + self.kd * (qd_ref - qd)
