"""Predicted and recorded torques of a robot, both passed through the same filter.

.. math:: e_j = 100\\, \\mathrm{RMS}(\\tau_j(t) - \\hat\\tau_j(t - d_j)) / \\mathrm{RMS}(\\tau_j)

The torque is the one recorded. Where a drive's torque is recorded late by d, the prediction is delayed by d, a number
found from the fitted samples alone; the error without any delay is reported, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from taut.batch import evaluate
from taut.identify.estimate.parts import Part
from taut.identify.estimate.split import Split
from taut.questions.table import QUESTIONS
from taut.recordings.conditioning import CHUNK, EDGE, Filter, Motion, delayed, low_pass
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
    late = delayed(prompt, lags * rate)
    return Compared(*(x[inside] for x in (t, measured, motion.tau, late, prompt, motion.qd)))


@dataclass(frozen=True)
class Apart:
    """The held-out samples: all of some parts, of the others what the split holds out."""

    parts: Sequence[Part]
    filter: Filter
    split: Split

    def _motions(self) -> Iterator[tuple[Motion, np.ndarray]]:
        for part in self.parts:
            for motion in part.motions(self.filter):
                t = motion.start + np.arange(len(motion.q)) / motion.rate
                own = (t >= motion.own[0]) & (t < motion.own[1])
                held = own if part.held_out else self.split.held(motion, self.filter.edge)
                if held.any():
                    yield self._around(motion, held)

    def _around(self, motion: Motion, held: np.ndarray) -> tuple[Motion, np.ndarray]:
        """Return the stretch from the first to the last held-out sample, with what the filter needs around it."""
        near = int(max(3 * EDGE / self.filter.cutoff, self.filter.edge) * motion.rate) + 1
        places = np.flatnonzero(held)
        first, last = max(0, int(places[0]) - near), min(len(held), int(places[-1]) + 1 + near)
        q, qd, qdd, tau = (x[first:last] for x in (motion.q, motion.qd, motion.qdd, motion.tau))
        start = motion.start + first / motion.rate
        return Motion(motion.rate, q, qd, qdd, tau, motion.source, start), held[first:last]

    def errors(self, robots: Sequence[Tree], lags: np.ndarray, speeds: np.ndarray) -> Predictions:
        """Return the errors of several robots on them, and how they stand still: below a part of the given speeds."""
        errors = [Errors() for _ in robots]
        count, still, power = 0, np.zeros(len(lags)), np.zeros(len(lags))
        for motion, held in self._motions():
            edge = int(self.filter.edge * motion.rate)
            for robot, sums in zip(robots, errors, strict=True):
                sums.add(compared(robot, motion, self.filter, lags), held[edge : len(held) - edge])
            count += int(held.sum())
            still += (np.abs(motion.qd[held]) < RESTING_SPEED * speeds).sum(0)
            power += (motion.tau[held] ** 2).sum(0)
        return Predictions(errors, still / max(count, 1), np.sqrt(power / max(count, 1)))


@dataclass(frozen=True)
class Predictions:
    """Held-out errors.

    Attributes:
        errors: of each robot.
        resting: part of the samples in which each joint stands still.
        rms: of each joint's torque.
    """

    errors: list[Errors]
    resting: np.ndarray
    rms: np.ndarray


RESTING_SPEED = 0.01
"""A joint below this part of its RMS speed stands still."""
