"""External joint torques by the generalised momentum, and collisions by their fast changes.

.. math:: r = K \\left( p(t) - p(0) - \\int_0^t (\\tau - \\tau_f + C^T \\dot q - g + r)\\, dt \\right), \\qquad
          p = M \\dot q

The residual r follows the torque of external forces like a first-order filter of rate K, without accelerations and
without inverting M [De Luca, Mattone 2003]. Errors of the model appear in r, too, but change slowly; a collision is
flagged where r leaves its own slow average by more than a threshold [Haddadin, De Luca, Albu-Schaeffer 2017]. The
integral is a sum over sampling steps, so ``K step < 2`` is needed.
The C twin is ``c/taut_observer.h``.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from taut.control.terms import Robot, gains, time_step
from taut.errors import InputError

TERMS = "generalized_momentum+coriolis_transpose+gravity"
"""The fused function that an observer calls: p, C^T qd and g."""


MARGIN = 1.25
"""A threshold is this times the largest change that was seen without a collision."""


class MomentumObserver:
    """Estimates the joint torques that the world exerts.

    Args:
        robot: the model.
        gain: K, one number or one a joint [1/s].
        step: sampling time [s].
        limit: largest residual, one number or one a joint [N m or N]; none by default.
        friction: whether the friction of the robot's drives is taken off the torque.
        options: of the derivation of the terms, such as ``effort``.

    Attributes:
        residual: the estimate, (nv).
    """

    def __init__(
        self,
        robot: Robot,
        gain: float | Sequence[float],
        step: float,
        limit: float | Sequence[float] | None = None,
        friction: bool = True,
        **options: str,
    ) -> None:
        n = robot.nv
        self.gain, self.step = gains("gain", gain, n), time_step(step)
        if (self.gain * self.step >= 2).any():
            message = f"a gain of {self.gain.max():g}/s is unstable with a step of {step:g} s"
            raise InputError(message, "observer", "keep gain times step below 2")
        self.limit = np.full(n, np.inf) if limit is None else gains("limit", limit, n)
        self._terms = robot.derive(TERMS, **options).compile()
        self._friction = robot.derive("friction", **options) if friction else None
        self._n = n
        self.reset()

    def reset(self) -> None:
        """Begin anew: the next update takes the momentum it finds as undisturbed, so that the residual starts at 0."""
        self.residual = np.zeros(self._n)
        self._integral: np.ndarray | None = None

    def update(self, q: np.ndarray, qd: np.ndarray, tau: np.ndarray) -> np.ndarray:
        """Return the residual at this instant.

        Args:
            q: positions (nq).
            qd: rates (nv).
            tau: torques of the motors from now to the next instant (nv).
        """
        p, beta, g = np.split(self._terms(q, qd), 3, axis=-1)
        if self._integral is None:
            self._integral = p
        self.residual = np.clip(self.gain * (p - self._integral), -self.limit, self.limit)
        self._integral = p - self.residual / self.gain  # as it was, unless the residual was cut
        lost = 0.0 if self._friction is None else self._friction(qd)
        self._integral = self._integral + self.step * (tau - lost + beta - g + self.residual)
        return self.residual


class CollisionDetector:
    """Flags fast changes of a residual.

    Args:
        threshold: largest change without a flag, one number or one a joint [N m or N].
        step: sampling time [s].
        time_constant: of the slow average that model errors are expected to follow [s].
        joints: number of joints.
    """

    def __init__(self, threshold: float | Sequence[float], step: float, time_constant: float, joints: int) -> None:
        self.threshold = gains("threshold", threshold, joints)
        self._share = time_step(step) / time_step(time_constant)
        self.reset()

    @classmethod
    def from_quiet_motion(
        cls, recordings: Sequence[np.ndarray], step: float, time_constant: float, margin: float = MARGIN
    ) -> CollisionDetector:
        """Return a detector whose thresholds come from motion without a collision.

        Args:
            recordings: residuals (instants, nv) of one motion or several, as varied as those to come.
            step: sampling time of the recordings, and of the detector [s].
            time_constant: of the slow average [s].
            margin: the threshold of a joint is this times the largest change that any recording shows of it.
        """
        if not recordings or any(np.ndim(one) != 2 or not len(one) for one in recordings):
            raise InputError("no residuals", "collision detector", "give arrays of (instants, joints), one a recording")
        if not margin > 1:
            raise InputError(f"a margin of {margin:g}", "collision detector", "give a number above 1")
        joints = recordings[0].shape[1]
        largest = np.zeros(joints)
        for recording in recordings:
            watching = cls(1.0, step, time_constant, joints)
            for residual in recording:
                largest = np.maximum(largest, np.abs(watching.change(residual)))
        return cls((margin * largest).tolist(), step, time_constant, joints)

    def reset(self) -> None:
        """Forget the past: the next residual is the average."""
        self._slow: np.ndarray | None = None

    def update(self, residual: np.ndarray) -> np.ndarray:
        """Return which joints feel a collision, (nv) booleans."""
        return np.abs(self.change(residual)) > self.threshold

    def change(self, residual: np.ndarray) -> np.ndarray:
        """Return how far a residual is from the slow average before it, and let the average follow."""
        if self._slow is None:
            self._slow = np.array(residual, float)
        change = residual - self._slow
        self._slow = self._slow + self._share * change
        return change
