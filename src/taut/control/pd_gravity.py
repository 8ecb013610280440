"""PD control with gravity compensation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.control.law import Dynamics


@dataclass(frozen=True, eq=False)
class PDGravity:
    """PD with gravity compensation.

    .. math:: \\tau = g(q) + K_p (q_{ref} - q) - K_d \\dot q

    [Takegaki, Arimoto 1981, A new feedback method for dynamic control of manipulators]: every position within reach
    of the drives becomes stable.

    Attributes:
        kp: stiffness [N m/rad or N/m], one number or one a joint.
        kd: damping [N m s/rad or N s/m].
    """

    kp: Any
    kd: Any
    name = "pd_gravity"
    references = ("q_ref",)

    def __call__(self, robot: Dynamics, q: Any, qd: Any, *references: Any) -> np.ndarray:
        """Return the torque (..., nv)."""
        [q_ref] = references
        return robot.gravity(q) + self.kp * (q_ref - q) - self.kd * qd
