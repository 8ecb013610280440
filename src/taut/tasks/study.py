"""Errors of held values over many motions, and the slowest background for a wanted error."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from taut.reduce.scenario import Scenario
from taut.tasks.motion import Motion
from taut.tasks.staleness import Stale

STEPS = 4
"""Corrections of the age for a wanted error; the error is nearly proportional to it."""


@dataclass(frozen=True)
class Held:
    """Errors of holding values up to an age, one entry a joint.

    Attributes:
        age: [s].
        measured: the largest over the motions [N m or N].
        along: the largest bound from a motion's own extremes.
        looseness: the largest ratio of that bound to the error measured along the same motion.
        within: the bound over the ranges of motion; None where the robot has no limits.
        violated: motions on which a bound did not hold.
    """

    age: float
    measured: np.ndarray
    along: np.ndarray
    looseness: np.ndarray
    within: np.ndarray | None
    violated: int


def held(stale: Stale, motions: Sequence[Motion], age: float, scenario: Scenario | None) -> Held:
    """Return the errors along motions.

    Args:
        stale: M and h of the robot.
        motions: to measure along.
        age: of the values [s].
        scenario: the ranges that all motions keep to.
    """
    measured = np.array([stale.measured(motion, age) for motion in motions])
    along = np.array([stale.bound_along(motion, age) for motion in motions])
    within = None if scenario is None else stale.bound_within(scenario, age)
    wrong = np.any(measured > along, axis=1) | (False if within is None else np.any(measured > within, axis=1))
    ratio = np.where(along > 0, along / np.maximum(measured, 1e-300), 1.0)
    return Held(age, measured.max(axis=0), along.max(axis=0), ratio.max(axis=0), within, int(wrong.sum()))


def slowest(stale: Stale, motions: Sequence[Motion], allowed: np.ndarray, age: float) -> float:
    """Return the greatest age [s] at which no joint's error along the motions exceeds what is allowed.

    Args:
        stale: M and h of the robot.
        motions: to measure along.
        allowed: error of each joint.
        age: to begin with.
    """
    best = 0.0
    for _ in range(STEPS):
        worst = np.max([stale.measured(motion, age) for motion in motions], axis=0)
        share = float((worst / allowed).max())
        if share <= 1:
            best = max(best, age)
        if share <= 0:
            break
        age *= 0.98 / share
    return best
