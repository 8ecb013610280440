"""Friction supplied ahead of the motion, from the wanted rates.

.. math:: \\tau = f(0) + \\min(1, |\\dot q_d| / v_0)\\, (f(\\dot q_d) - f(0))

Wanted rates have no noise, so that the sign of Coulomb friction does not chatter; below the speed v_0 it grows in
proportion, so that the torque does not jump where the motion turns round [Olsson et al. 1998].
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from taut.control.terms import Robot, gains


class FrictionFeedforward:
    """The friction of the robot's drives at wanted rates; no state.

    Args:
        robot: with friction in its drives.
        speed: v_0, one number or one a joint [rad/s or m/s].
        options: of the derivation.
    """

    def __init__(self, robot: Robot, speed: float | Sequence[float], **options: str) -> None:
        self.speed = gains("speed", speed, robot.nv)
        self._friction = robot.derive("friction_ahead", **options)
        self._rest = self._friction(np.zeros(robot.nv))

    def update(self, qd_d: np.ndarray) -> np.ndarray:
        """Return the torques (..., nv) at wanted rates (..., nv)."""
        share = np.minimum(1.0, np.abs(qd_d) / self.speed)
        return self._rest + share * (self._friction(qd_d) - self._rest)
