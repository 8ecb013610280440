"""Tracking that learns the inertial parameters on the way.

.. math:: \\tau = Y(q, \\dot q, \\dot q_r, \\ddot q_r)\\, \\hat\\pi - K_D s, \\qquad
          \\dot{\\hat\\pi} = -\\Gamma Y^T s, \\qquad s = \\dot q - \\dot q_r

[Slotine, Li 1987]. Y is linear in the ten parameters of every link, so that ``1/2 s^T M s`` plus the parameter
error weighted by ``Gamma^-1`` never grows. Estimates are kept within bounds, and stand still while a torque is at its
limit, so that they do not wind up. The C twin of the update is ``c/taut_adaptation.h``.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from taut.control.passivity import sliding
from taut.control.terms import Robot, gains, time_step
from taut.errors import InputError


class AdaptiveController:
    """Tracks a motion with estimated inertial parameters.

    Args:
        robot: its geometry; its inertial numbers are not used.
        start: the first estimate, ten numbers a link in taut's order.
        slope: Lambda [1/s].
        damping: K_D, one number or one a joint [N m s or N s/m].
        rate: Gamma, one number, one a parameter, or a positive definite matrix; see :func:`informed_rate`.
        step: sampling time [s].
        bounds: (lowest, highest) estimates; none by default.
        limit: largest torques, one number or one a joint; none by default.
        options: of the derivation of Y.

    Attributes:
        estimate: the parameters now.
    """

    def __init__(
        self,
        robot: Robot,
        start: np.ndarray,
        slope: float | Sequence[float],
        damping: float | Sequence[float],
        rate: float | Sequence[float] | np.ndarray,
        step: float,
        bounds: tuple[np.ndarray, np.ndarray] | None = None,
        limit: float | Sequence[float] | None = None,
        **options: str,
    ) -> None:
        n = robot.nv
        self.slope, self.damping = gains("slope", slope, n), gains("damping", damping, n)
        self._start = np.array(start, float)
        self.rate, self.step = _rate_matrix(rate, len(self._start)), time_step(step)
        self._bounds = bounds or (np.full_like(self._start, -np.inf), np.full_like(self._start, np.inf))
        self._limit = np.full(n, np.inf) if limit is None else gains("limit", limit, n)
        self._regressor = robot.derive("passivity_regressor", **options).compile()
        self.reset()

    def reset(self, estimate: np.ndarray | None = None) -> None:
        """Begin with the first estimate again, or with another; the torque of a given estimate has no jump."""
        self.estimate = self._start.copy() if estimate is None else np.array(estimate, float)

    def update(self, q: np.ndarray, qd: np.ndarray, q_d: np.ndarray, qd_d: np.ndarray, qdd_d: np.ndarray) -> np.ndarray:
        """Return the torques (nv) for a state and the wanted motion, and learn from it."""
        qd_r, qdd_r = sliding(self.slope, q, qd, q_d, qd_d, qdd_d)
        Y, s = self._regressor(q, qd, qd_r, qdd_r), qd - qd_r
        wanted = Y @ self.estimate - self.damping * s
        tau = np.clip(wanted, -self._limit, self._limit)
        if (tau == wanted).all():
            self.estimate = np.clip(self.estimate - self.step * (self.rate @ (s @ Y)), *self._bounds)
        return tau


def informed_rate(regressors: np.ndarray, times: np.ndarray, time_constant: float, weight: float = 1e-5) -> np.ndarray:
    """Return Gamma for which all parameters that a motion shows are learned equally fast.

    .. math:: \\Gamma = \\frac{1}{T} \\left( \\frac1P \\int_0^P Y^T K_d^{-1} Y\\, dt + \\epsilon\\, I \\right)^{-1}

    With slow learning ``K_d s = Y (estimate - pi)``, so that the error of the estimate then decays with the time
    constant T, on average over the motion; directions that the motion does not show are left nearly alone.

    Args:
        regressors: Y along the wanted motion, (N, nv, parameters), each row divided by the square root of its K_d.
        times: (N), increasing [s].
        time_constant: T [s].
        weight: epsilon relative to the largest eigenvalue.
    """
    span = float(times[-1] - times[0])
    information = np.trapezoid(np.einsum("kij,kil->kjl", regressors, regressors), times, axis=0) / span
    values, vectors = np.linalg.eigh(information)
    return (vectors / (np.maximum(values, 0.0) + weight * values[-1])) @ vectors.T / time_step(time_constant)


def _rate_matrix(rate: float | Sequence[float] | np.ndarray, size: int) -> np.ndarray:
    found = np.asarray(rate, float)
    if found.ndim < 2:
        return np.diag(gains("rate", found.tolist(), size))
    if found.shape != (size, size) or not np.allclose(found, found.T) or np.linalg.eigvalsh(found)[0] < 0:
        raise InputError(f"rate of shape {found.shape}", "adaptive", f"give a positive definite {size} x {size} matrix")
    return found
