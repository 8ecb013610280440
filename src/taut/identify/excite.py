"""Exciting trajectories: Fourier series whose torques tell a robot's parameters apart.

.. math:: q_j(t) = q_{0j} + \\sum_k a_{jk} \\sin(k \\omega t) + b_{jk} \\cos(k \\omega t)

[Swevers et al. 1997], with conditions on a and b so that it begins and ends at rest after a whole period, scaled into
position, speed and acceleration limits on a fine grid. The score is the condition number of the base regressor, its
rows over the torque's noise and its columns at unit norm, together with what was recorded before.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from taut.errors import InputError
from taut.identify.estimate.columns import Model
from taut.recordings.conditioning import Motion
from taut.robot import Tree

HARMONICS = 5
COARSE = 100
"""Samples a period at which candidates are scored."""

FINE = 10
"""Limits are kept on a grid this many times finer."""

POPULATION, ROUNDS, POLISH = 16, 40, 60
SPEED, ACCELERATION = 2.0, 6.0
"""Limits of a joint that has none [rad/s, rad/s^2]."""

RANGE = 1.5
"""Half the range of a joint without limits [rad]."""

USED = 0.98
"""Part of the limits that is used."""


@dataclass(frozen=True)
class Trajectory:
    """An exciting trajectory.

    Attributes:
        t: [s].
        q, qd, qdd: shape (samples, joints).
        condition: of the base regressor.
        period: of the Fourier series [s].
    """

    t: np.ndarray
    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray
    condition: float
    period: float

    def csv(self, names: tuple[str, ...]) -> str:
        """Return the trajectory as text: t, positions, rates, accelerations."""
        head = ["t", *(f"{what}_{name}" for what in ("q", "qd", "qdd") for name in names)]
        rows = np.column_stack([self.t, self.q, self.qd, self.qdd])
        return "\n".join([",".join(head), *(",".join(f"{x:.9g}" for x in row) for row in rows)]) + "\n"


class Series:
    """Fourier series within a robot's limits.

    Args:
        robot: its joints' limits are kept.
        period: [s].
    """

    def __init__(self, robot: Tree, period: float) -> None:
        limits = [robot.joints[i].limits for i in robot.independent]
        self.middle, self.half = np.array([_range(x.lower, x.upper) for x in limits]).T
        self.speed = np.array([SPEED if x.velocity is None else x.velocity for x in limits])
        self.acceleration = np.full(len(limits), ACCELERATION)
        self.period, self.n = period, len(limits)
        self.w = 2 * np.pi / period * np.arange(1, HARMONICS + 1)

    @property
    def size(self) -> int:
        """Number of free coefficients."""
        return self.n * (2 * HARMONICS + 2)

    def motion(self, coefficients: np.ndarray, samples: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return q, qd, qdd over one period within the limits, at rest at both ends.

        Coefficients: a and b of every joint, then how far it fills its limits, then where its middle lies.
        """
        shape, (swing, centre) = coefficients[: -2 * self.n], coefficients[-2 * self.n :].reshape(2, self.n)
        a, b = shape.reshape(2, self.n, HARMONICS)
        a = a - self.w * (a @ self.w)[:, None] / (self.w @ self.w)  # qd(0) = sum w a = 0
        square = self.w**2
        ones = np.ones(HARMONICS)
        basis = np.stack([ones, square])  # q(0) = middle and qdd(0) = 0
        b = b - b @ basis.T @ np.linalg.inv(basis @ basis.T) @ basis
        fine = np.arange(COARSE * FINE) * self.period / (COARSE * FINE)
        q, qd, qdd = self._sums(a, b, fine)
        scale = np.min(
            [
                USED * self.half / np.abs(q).max(0).clip(1e-12),
                USED * self.speed / np.abs(qd).max(0).clip(1e-12),
                USED * self.acceleration / np.abs(qdd).max(0).clip(1e-12),
            ],
            axis=0,
        )
        scale = scale / (1 + np.exp(-3 - swing))
        away = (USED * self.half - scale * np.abs(q).max(0)).clip(0) * np.tanh(0.3 * centre)
        t = np.arange(samples) * self.period / samples
        q, qd, qdd = (scale * x for x in self._sums(a, b, t))
        return self.middle + away + q, qd, qdd

    def _sums(self, a: np.ndarray, b: np.ndarray, t: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        s, c = np.sin(np.outer(t, self.w)), np.cos(np.outer(t, self.w))
        w = self.w
        return s @ a.T + c @ b.T, c @ (a * w).T - s @ (b * w).T, -s @ (a * w * w).T - c @ (b * w * w).T


def _range(lower: float | None, upper: float | None) -> tuple[float, float]:
    low = -RANGE if lower is None or not np.isfinite(lower) else lower
    high = RANGE if upper is None or not np.isfinite(upper) else upper
    return 0.5 * (low + high), min(0.5 * (high - low), np.pi)


class Score:
    """The condition number of the base regressor over a trajectory, with information that is there already.

    Args:
        robot: whose parameters are asked for.
        noise: standard deviation of each joint's torque.
        known: information matrix of earlier recordings over the base parameters.
    """

    def __init__(self, robot: Tree, noise: np.ndarray | None = None, known: np.ndarray | None = None) -> None:
        self.model = Model(robot, np.ones(len(robot.joint_names)), samples=10**9)
        self.noise, self.known = noise, known

    def information(self, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> np.ndarray:
        """Return W^T W of the base regressor, rows over the torques' noise."""
        motion = Motion(1.0, q, qd, qdd, q, "", 0.0)
        W = self.model.regressor(motion)[:, :, list(self.model.base.kept)]
        noise = np.ones(W.shape[1]) if self.noise is None else self.noise
        rows = (W / noise[:, None]).reshape(-1, W.shape[2])
        G = rows.T @ rows
        return G if self.known is None else G + self.known

    def condition(self, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> float:
        """Return the condition number, columns at unit norm."""
        return condition_of(self.information(q, qd, qdd))


def condition_of(information: np.ndarray) -> float:
    """Return the condition number of a regressor from W^T W, columns at unit norm."""
    size = np.sqrt(np.diag(information).clip(1e-300))
    values = np.linalg.eigvalsh(information / size[:, None] / size)
    return float(np.sqrt(values[-1] / max(values[0], 1e-16 * values[-1])))


def excite(
    robot: Tree,
    period: float = 10.0,
    rate: float = 100.0,
    seed: int = 1,
    known: np.ndarray | None = None,
    noise: np.ndarray | None = None,
    progress: Callable[[str], None] | None = None,
) -> Trajectory:
    """Return an optimised trajectory: the best of random series, improved by evolution of its coefficients.

    Args:
        robot: within its limits of position and speed.
        period: its length [s].
        rate: samples a second of the result.
        seed: the same gives the same trajectory.
        known: information of earlier recordings over the base parameters: the next best trajectory adds to it.
        noise: standard deviation of each joint's torque.
        progress: told the condition number so far.
    """
    if period <= 0 or rate <= 0:
        raise InputError(f"period {period:g} s, rate {rate:g} Hz", "excite", "give positive numbers")
    rng = np.random.default_rng(seed)
    series, score = Series(robot, period), Score(robot, noise, known)

    def value(x: np.ndarray) -> float:
        return float(np.log(score.condition(*series.motion(x, COARSE))))

    best = _polished(value, _evolved(value, rng, series.size, progress))
    samples = round(period * rate)
    q, qd, qdd = series.motion(best, samples)
    return Trajectory(np.arange(samples) / rate, q, qd, qdd, score.condition(q, qd, qdd), period)


def _polished(value: Callable[[np.ndarray], float], x: np.ndarray) -> np.ndarray:
    """Return a local minimum near x, by quasi-Newton steps with differences."""
    from scipy.optimize import minimize

    polished: np.ndarray = minimize(value, x, method="L-BFGS-B", options={"maxiter": POLISH, "maxfun": 10**6}).x
    return polished


def _evolved(
    value: Callable[[np.ndarray], float], rng: np.random.Generator, size: int, progress: Callable[[str], None] | None
) -> np.ndarray:
    """Return the minimiser found by differential evolution steps with a shrinking normal mutation."""
    found = [(value(x), k, x) for k, x in enumerate(rng.normal(size=(POPULATION, size)))]
    population = [(v, x) for v, _, x in sorted(found)]
    step = 0.5
    for k in range(ROUNDS):
        better = 0
        for i in range(POPULATION):
            v, x = population[i]
            other, another = (population[j][1] for j in rng.integers(0, POPULATION, 2))
            mask = rng.random(size) < 0.3
            trial = np.where(mask, x + 0.6 * (population[0][1] - x) + 0.6 * (other - another), x)
            trial = trial + step * rng.normal(size=size) * (rng.random(size) < 0.15)
            new = value(trial)
            if new < v:
                population[i], better = (new, trial), better + 1
        population.sort(key=lambda pair: pair[0])
        step *= 1.1 if better > POPULATION // 4 else 0.93
        if progress is not None and k % 10 == 9:
            progress(f"condition number {np.exp(population[0][0]):.1f}")
    return population[0][1]
