"""Torques that a robot predicts beside recorded ones, both through the same filter.

.. math:: e_j = 100\\, \\mathrm{RMS}(\\tau_j(t) - \\hat\\tau_j(t - d_j)) / \\mathrm{RMS}(\\tau_j)

The torque is the one recorded. Where a drive's torque is recorded late by d, the prediction is delayed by d, a number
found from the fitted samples alone; the error without any delay stands beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np

from taut.batch import evaluate
from taut.questions.table import QUESTIONS
from taut.recordings.conditioning import CHUNK, Filter, Motion, low_pass
from taut.robot import Tree
from taut.robot.edit import numeric


@dataclass(frozen=True)
class Compared:
    """A stretch of recorded and predicted torques, its ends cut.

    Attributes:
        t: [s].
        measured: recorded torque, filtered.
        raw: recorded torque.
        predicted: torque of the robot, filtered, delayed by the lags.
        prompt: the same, not delayed.
        qd: rates of the joints.
    """

    t: np.ndarray
    measured: np.ndarray
    raw: np.ndarray
    predicted: np.ndarray
    prompt: np.ndarray
    qd: np.ndarray


@dataclass
class Errors:
    """Sums of squared errors over samples, by joint."""

    sums: dict[str, np.ndarray] = field(default_factory=dict)

    def add(self, part: Compared, at: np.ndarray) -> None:
        """Add some of the samples of a stretch."""
        for name, x in (
            ("power", part.measured),
            ("raw power", part.raw),
            ("delayed", part.measured - part.predicted),
            ("prompt", part.measured - part.prompt),
            ("raw", part.raw - part.predicted),
        ):
            self.sums[name] = self.sums.get(name, 0.0) + (x[at] ** 2).sum(0)

    def relative(self, kind: str) -> np.ndarray:
        """Return 100 RMSE / RMS by joint: ``delayed``, ``prompt``, or ``raw`` against the unfiltered torque."""
        power = self.sums["raw power" if kind == "raw" else "power"]
        error: np.ndarray = 100 * np.sqrt(self.sums[kind] / np.where(power > 0, power, np.inf))
        return error


def predicted_torque(robot: Tree, motion: Motion) -> np.ndarray:
    """Return the torques of a robot's drives along a motion, a chunk at a time."""
    tree, question = numeric(robot), QUESTIONS["joint_torque"]
    parts = []
    for start in range(0, len(motion.q), CHUNK):
        at = slice(start, start + CHUNK)
        states = {"q": motion.q[at], "qd": motion.qd[at], "qdd": motion.qdd[at]}
        parts.append(evaluate(lambda **s: question.compute(tree, **s), states, question.shape(tree)))
    return np.concatenate(parts)


def compared(robot: Tree, motion: Motion, filter_: Filter, lags: np.ndarray) -> Compared:
    """Return recorded and predicted torques of a stretch."""
    rate = motion.rate
    prompt = low_pass(predicted_torque(robot, motion), rate, filter_.cutoff)
    t = motion.start + np.arange(len(prompt)) / rate
    inside = slice(int(filter_.edge * rate), len(t) - int(filter_.edge * rate))
    measured = low_pass(motion.tau, rate, filter_.cutoff)
    delayed = _delayed(prompt, lags * rate)
    return Compared(*(x[inside] for x in (t, measured, motion.tau, delayed, prompt, motion.qd)))


def _delayed(x: np.ndarray, steps: np.ndarray) -> np.ndarray:
    """Return signals later by so many steps, one number a column, by cubic splines."""
    from scipy.interpolate import CubicSpline

    if not steps.any():
        return x
    clock = np.arange(len(x))
    columns = [
        CubicSpline(clock, column)(np.clip(clock - d, 0, len(x) - 1)) if d else column
        for column, d in zip(x.T, steps, strict=True)
    ]
    return np.stack(columns, 1)


def errors_of(
    robot: Tree, stretches: Iterable[tuple[Motion, np.ndarray | None]], filter_: Filter, lags: np.ndarray
) -> Errors:
    """Return a robot's errors over stretches; each with the times from-to that count, all where None."""
    errors = Errors()
    for part, at in _parts(robot, stretches, filter_, lags):
        errors.add(part, at)
    return errors


def _parts(
    robot: Tree, stretches: Iterable[tuple[Motion, np.ndarray | None]], filter_: Filter, lags: np.ndarray
) -> Iterator[tuple[Compared, np.ndarray]]:
    for motion, counted in stretches:
        part = compared(robot, motion, filter_, lags)
        if counted is None:
            yield part, np.ones(len(part.t), bool)
        else:
            inside = int(filter_.edge * motion.rate)
            yield part, counted[inside : len(motion.q) - inside]
