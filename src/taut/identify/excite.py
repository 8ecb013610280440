"""Exciting trajectories: motions whose torques determine a robot's parameters.

A sum of functions that begin and end at rest (:mod:`taut.identify.exciting_basis`), scaled into limits of position,
speed and acceleration on a fine grid. The score is the condition number of the base regressor, its rows over the
torque's noise and its columns at unit norm, together with what was recorded before. It is made smooth,

.. math:: f = \\tfrac{1}{2p} \\log \\sum_i \\lambda_i^{-p} + \\tfrac{1}{2p} \\log \\sum_i \\lambda_i^{p}

over the eigenvalues of W^T W, and minimised by quasi-Newton steps from several starts. Its gradient needs the
regressor's derivative by each joint's position, rate and acceleration alone, for each sample apart.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from taut.errors import InputError, refuse_unknown
from taut.identify.collision_spheres import Sphere, Spheres
from taut.identify.estimate.columns import Model
from taut.identify.exciting_basis import FEW, FORMS, MANY
from taut.identify.parameters import parameter_values
from taut.recordings.conditioning import Motion, low_pass, motion_of
from taut.recordings.cutoff import choose_filter
from taut.recordings.recording import Recording
from taut.recordings.stamps import regular
from taut.robot import Tree
from taut.trajectory.trajectory import Trajectory

COARSE = 100
"""Samples a period at which candidates are scored."""

FINE = 10
"""Limits are kept on a grid this many times finer."""

STARTS, FIRST, POLISH = 3, 60, 600
"""Random starts, steps of each, steps of the best."""

SHARPNESS = (4.0, 12.0, 30.0)
"""p, one after the other."""

STEP = 1e-6
SPEED, ACCELERATION = 2.0, 6.0
"""Limits of a joint that has none [rad/s, rad/s^2]."""

RANGE = 1.5
"""Half the range of a joint without limits [rad]."""

USED = 0.98
"""Part of the limits that is used."""

CONTACT_WEIGHTS = (10.0, 100.0, 1000.0)
"""What contact of spheres costs, the next where spheres still meet."""

LEAST_NOISE = 0.01
SHRINK, SHRINKS = 0.93, 60
"""Motion with too large torques is made smaller by this factor, at most so often."""


@dataclass(frozen=True, kw_only=True)
class Exciting(Trajectory):
    """An exciting trajectory.

    Attributes:
        condition: of the base regressor.
        period: its length [s].
        gain: by what the largest standard error of a base parameter falls with it, compared with what is known; 1 where
            nothing is. Standard errors are in units of the parameter's own scale.
    """

    condition: float
    period: float
    gain: float = 1.0

    def csv(self, names: tuple[str, ...]) -> str:
        """Return the trajectory as text: t, positions, rates, accelerations."""
        head = ["t", *(f"{what}_{name}" for what in ("q", "qd", "qdd") for name in names)]
        rows = np.column_stack([self.t, self.q, self.qd, self.qdd])
        return "\n".join([",".join(head), *(",".join(f"{x:.9g}" for x in row) for row in rows)]) + "\n"


class Series:
    """Sums of exciting functions within a robot's limits.

    Args:
        robot: its joints' limits are kept.
        period: [s].
        form: ``fourier`` or ``polynomial``.
        harmonics: how many functions it is made of.
    """

    def __init__(self, robot: Tree, period: float, form: str = "fourier", harmonics: int = FEW) -> None:
        limits = [robot.joints[i].limits for i in robot.independent]
        self.middle, self.half = np.array([_range(x.lower, x.upper) for x in limits]).T
        self.speed = np.array([SPEED if x.velocity is None else x.velocity for x in limits])
        self.acceleration = np.full(len(limits), ACCELERATION)
        self.period, self.n = period, len(limits)
        refuse_unknown("form", form, FORMS, "excite")
        self.basis = FORMS[form](period, harmonics)
        self.fine = self.basis(np.arange(COARSE * FINE) * period / (COARSE * FINE))
        self.functions = self.fine[0].shape[1]

    @property
    def size(self) -> int:
        """Number of free coefficients."""
        return self.n * (self.functions + 2)

    def taken_over(self, other: Series, coefficients: np.ndarray) -> np.ndarray:
        """Return the coefficients of another series' motion, whose functions this one's hold."""
        c = coefficients[: -2 * self.n].reshape(self.n, other.functions)
        own = np.linalg.lstsq(self.fine[0], other.fine[0] @ c.T, rcond=None)[0].T
        return np.concatenate([own.ravel(), coefficients[-2 * self.n :]])

    def motion(
        self, coefficients: np.ndarray, samples: int, shrink: float = 1.0
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return q, qd, qdd (..., samples, joints) over one period within the limits, at rest at both ends.

        Coefficients (..., size): of every joint's functions, then how far it fills its limits, then where its middle
        lies. ``shrink`` makes the whole motion smaller.
        """
        leading = coefficients.shape[:-1]
        c = coefficients[..., : -2 * self.n].reshape(*leading, self.n, self.functions)
        swing, centre = np.moveaxis(coefficients[..., -2 * self.n :].reshape(*leading, 2, self.n), -2, 0)
        largest = [np.abs(c @ f.T).max(-1).clip(1e-12) for f in self.fine]
        room = (self.half, self.speed, self.acceleration)
        scale = USED * np.min([limit / most for limit, most in zip(room, largest, strict=True)], axis=0)
        scale = shrink * scale / (1 + np.exp(-3 - swing))
        away = (USED * self.half - scale * largest[0]).clip(0) * np.tanh(0.3 * centre)
        sums = [
            np.swapaxes(c @ f.T, -1, -2) * scale[..., None, :]
            for f in self.basis(np.arange(samples) * self.period / samples)
        ]
        return self.middle + away[..., None, :] + sums[0], sums[1], sums[2]


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
        self.noise = np.ones(len(robot.joint_names)) if noise is None else noise
        self.known = known

    def rows(self, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> np.ndarray:
        """Return the base regressor over the torques' noise, (samples, joints, parameters)."""
        motion = Motion(1.0, q, qd, qdd, q, "", 0.0)
        return self.model.regressor(motion)[:, :, list(self.model.base.kept)] / self.noise[:, None]

    def information(self, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> np.ndarray:
        """Return W^T W of the base regressor, rows over the torques' noise."""
        return self._information(self.rows(q, qd, qdd))

    def _information(self, rows: np.ndarray) -> np.ndarray:
        W = rows.reshape(-1, rows.shape[2])
        G = W.T @ W
        return G if self.known is None else G + self.known

    def condition(self, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> float:
        """Return the condition number, columns at unit norm."""
        return condition_of(self.information(q, qd, qdd))

    def smooth(
        self, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray, p: float
    ) -> tuple[float, tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Return f and its derivatives by q, qd and qdd, each (samples, joints)."""
        W = self.rows(q, qd, qdd)
        G = self._information(W)
        size = np.sqrt(np.diag(G).clip(1e-300))
        scaled = G / size[:, None] / size
        values, vectors = np.linalg.eigh(scaled)
        values = np.maximum(values, 1e-14 * values[-1])
        low, high = (values / values[0]) ** -p, (values / values[-1]) ** p
        f = (np.log(low.sum()) / p - np.log(values[0]) + np.log(high.sum()) / p + np.log(values[-1])) / 2
        slope = 0.5 * (high / high.sum() - low / low.sum()) / values
        by_scaled = (vectors * slope) @ vectors.T  # df / d scaled
        by_information = by_scaled / size[:, None] / size
        by_information[np.diag_indices_from(G)] -= (by_scaled * scaled).sum(1) / size**2
        by_row = 2 * W @ by_information
        return float(f), self._by_motion(q, qd, qdd, W, by_row)

    def _by_motion(
        self, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray, W: np.ndarray, by_row: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return sum(by_row * dW) for a change of each joint's q, qd, qdd: one regressor over all changed states."""
        samples, n = q.shape
        states = [np.repeat(x[None], 3 * n, axis=0) for x in (q, qd, qdd)]
        for kind in range(3):
            for j in range(n):
                states[kind][kind * n + j, :, j] += STEP
        changed = self.rows(*(x.reshape(-1, n) for x in states)).reshape(3, n, samples, *W.shape[1:])
        slopes = ((changed - W) * by_row).sum((-1, -2)) / STEP  # (3, n, samples)
        return slopes[0].T, slopes[1].T, slopes[2].T


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
    form: str = "fourier",
    progress: Callable[[str], None] | None = None,
    spheres: Sequence[Sphere] = (),
) -> Exciting:
    """Return an optimised trajectory: the best of several random ones after quasi-Newton steps, improved further.

    Args:
        robot: within its limits of position and speed, and of torque where it has them and inertias.
        period: its length [s].
        rate: samples a second of the result.
        seed: the same gives the same trajectory.
        known: information of earlier recordings over the base parameters: the next best trajectory adds to it.
        noise: standard deviation of each joint's torque.
        form: ``fourier`` or ``polynomial``.
        progress: called with the condition number so far.
        spheres: on links, which must not meet.
    """
    if period <= 0 or rate <= 0:
        raise InputError(f"period {period:g} s, rate {rate:g} Hz", "excite", "give positive numbers")
    rng = np.random.default_rng(seed)
    few, series = (Series(robot, period, form, harmonics) for harmonics in (FEW, MANY))
    score = Score(robot, noise, known)
    say = progress or (lambda _: None)
    bodies = Spheres(robot, spheres) if spheres else None

    def value(x: np.ndarray, p: float, series: Series, weight: float) -> tuple[float, np.ndarray]:
        motion = series.motion(x, COARSE)
        f, by_motion = score.smooth(*motion, p)
        if bodies is not None:
            cost, by_position = bodies.cost(motion[0], weight)
            f, by_motion = f + cost, (by_motion[0] + by_position, *by_motion[1:])
        nearby = series.motion(x + STEP * np.eye(len(x)), COARSE)
        slope = sum(
            ((there - here) * by).sum((-1, -2)) for there, here, by in zip(nearby, motion, by_motion, strict=True)
        )
        return f, np.asarray(slope) / STEP

    found = []
    for k in range(STARTS):
        x = _minimised(value, rng.normal(size=few.size), (SHARPNESS[0], few, CONTACT_WEIGHTS[0]), FIRST)
        found.append((score.condition(*few.motion(x, COARSE)), k, x))
        say(f"start {k + 1} of {STARTS}: condition number {min(found)[0]:.1f}")
    best = series.taken_over(few, min(found)[2])
    for p in SHARPNESS:
        best = _minimised(value, best, (p, series, CONTACT_WEIGHTS[0]), POLISH // len(SHARPNESS))
        say(f"condition number {score.condition(*series.motion(best, COARSE)):.1f}")
    for weight in CONTACT_WEIGHTS[1:]:
        if bodies is None or bodies.distances(series.motion(best, COARSE * FINE)[0]).min(initial=1.0) >= 0:
            break
        best = _minimised(value, best, (SHARPNESS[-1], series, weight), POLISH // len(SHARPNESS))
    shrink = _within_torque(robot, score.model, series, best)
    if bodies is not None:
        bodies.refuse_contact(series.motion(best, COARSE * FINE, shrink)[0])
    samples = round(period * rate)
    q, qd, qdd = series.motion(best, samples, shrink)
    after = score.information(q, qd, qdd)
    gain = 1.0 if known is None else worst_error(known, after) / worst_error(after, after)
    return Exciting(np.arange(samples) / rate, q, qd, qdd, condition=condition_of(after), period=period, gain=gain)


def information_of(robot: Tree, recordings: Sequence[Recording]) -> tuple[np.ndarray, np.ndarray]:
    """Return what recordings tell about the base parameters, and the noise of each joint's torque.

    The information is W^T W with rows over the noise, which is what the filter takes off the torque, at least
    :data:`LEAST_NOISE` of its RMS.
    """
    pieces = [piece for recording in recordings for piece in regular(recording)[0]]
    filter_ = choose_filter(pieces)
    motions = [motion_of(piece, filter_) for piece in pieces]
    torque = np.concatenate([m.tau for m in motions])
    rough = np.concatenate([m.tau - low_pass(m.tau, m.rate, filter_.cutoff) for m in motions])
    noise = np.maximum(rough.std(0), LEAST_NOISE * np.sqrt((torque**2).mean(0)) + 1e-12)
    score = Score(robot, noise)
    thin = max(1, int(motions[0].rate * 0.1))
    known = sum(score.information(m.q[::thin], m.qd[::thin], m.qdd[::thin]) for m in motions)
    return np.asarray(known), noise


def worst_error(information: np.ndarray, scale: np.ndarray) -> float:
    """Return the largest standard error of a parameter, in units of 1 / norm of its column in another information."""
    size = np.sqrt(np.diag(scale).clip(1e-300))
    values, vectors = np.linalg.eigh(information / size[:, None] / size)
    covariance = (vectors / np.maximum(values, 1e-14 * values[-1])) @ vectors.T
    return float(np.sqrt(np.diag(covariance).max()))


def _minimised(
    value: Callable[..., tuple[float, np.ndarray]], x: np.ndarray, more: tuple[float, Series, float], steps: int
) -> np.ndarray:
    from scipy.optimize import minimize

    options = {"maxiter": steps, "maxfun": 2 * steps + 10}
    result: np.ndarray = minimize(value, x, args=more, jac=True, method="L-BFGS-B", options=options).x
    return result


def _within_torque(robot: Tree, model: Model, series: Series, x: np.ndarray) -> float:
    """Return by what a motion must shrink for its torques to stay within the limits; 1 where there are none."""
    limits = [robot.joints[i].limits.effort for i in robot.independent]
    most = np.array([np.inf if effort is None or effort <= 0 else effort for effort in limits])
    pi = parameter_values(robot, model.base.columns)
    if not np.isfinite(most).any() or not pi.any():
        return 1.0
    shrink = 1.0
    for _ in range(SHRINKS):
        q, qd, qdd = series.motion(x, COARSE * FINE, shrink)
        torque = model.regressor(Motion(1.0, q, qd, qdd, q, "", 0.0)) @ pi
        if (np.abs(torque).max(0) <= USED * most).all():
            return shrink
        shrink *= SHRINK
    worst = int((np.abs(torque).max(0) / most).argmax())
    raise InputError(
        f"{robot.joint_names[worst]} cannot hold the robot within its torque limit of {most[worst]:g}",
        robot.name,
        "check the limits, or the robot's masses",
    )
