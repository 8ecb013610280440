"""Operational space control of a frame."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.control.law import Dynamics


@dataclass(frozen=True, eq=False)
class OperationalSpace:
    """Operational space control: a frame follows a pose, the other freedoms are damped.

    .. math:: \\tau = C \\dot q + g + \\tau_0 + J^T \\Lambda\\,(a^* - J M^{-1} \\tau_0 - \\dot J \\dot q), \\quad
        a^* = a_{ref} + K_d (V_{ref} - J \\dot q) + K_p e, \\quad \\tau_0 = -k_n \\dot q

    [Khatib 1987, A unified approach for motion and force control of robot manipulators]. The orientation error is
    half the sum of the cross products of the axes with those wanted [Luh, Walker, Paul 1980]. :math:`\\tau_0` moves
    only what the frame leaves free.

    Attributes:
        kp: of [place; orientation], one number or six [1/s^2].
        kd: one number or six [1/s].
        kn: damping of the joints in the null space [N m s/rad or N s/m].
        frame: its name; the last one by default.
    """

    kp: Any
    kd: Any
    kn: Any
    frame: str | None = None
    name = "operational_space"
    references = ("pose_ref", "twist_ref", "acceleration_ref")

    def __call__(self, robot: Dynamics, q: Any, qd: Any, *references: Any) -> np.ndarray:
        """Return the torque (nv) for one state."""
        pose_ref, twist_ref, acceleration_ref = references
        wanted, pose = pose_ref.reshape(3, 4), robot.evaluate("forward_kinematics", q, frame=self.frame)[:3]
        J = robot.evaluate("jacobian", q, frame=self.frame)
        turn = sum(np.cross(pose[:, k], wanted[:, k]) for k in range(3)) / 2
        error = np.concatenate([wanted[:, 3] - pose[:, 3], turn])
        a = acceleration_ref + self.kd * (twist_ref - J @ qd) + self.kp * error
        bias, damping = robot.bias(q, qd), -self.kn * qd
        alone = J @ robot.forward_dynamics(q, qd, bias + damping)
        alone = alone + robot.evaluate("jacobian_derivative_times_velocity", q, qd, frame=self.frame)
        return bias + damping + J.T @ (robot.evaluate("operational_inertia", q, frame=self.frame) @ (a - alone))
