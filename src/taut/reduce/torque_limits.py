"""Ranges of motion whose torques the drives can give, and the wider ones of Armstrong, Khatib and Burdick (1986).

Within torque limits: joint j alone accelerates by at most ``min_i effort_i / max |M_ij|``, so that no joint is asked
for more than it can give; then all rates are multiplied by a factor s and all accelerations by s^2, as if the same
motions were run more slowly, until no torque of the sampled states exceeds nine tenths of its limit. Armstrong's:
rates at their limits and ``|qdd_j| <= effort_j / min M_jj``, all joints at once, whatever torque that takes.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from taut.batch import evaluate
from taut.errors import InputError
from taut.questions.table import QUESTIONS
from taut.robot import Tree
from taut.robot.edit import numeric
from taut.robot.states import bounds

CONFIGURATIONS = 2000
"""Sampled states among which extreme inertias and torques are looked for."""

MARGIN = 0.9
"""Part of the torque limits that sampled states may need; the rest is for the states between them."""

HALVINGS = 30
"""Steps of the bisection for the factor s."""

Range = tuple[float, float]


def armstrong_accelerations(robot: Tree, q: Sequence[Range]) -> np.ndarray:
    """Return effort_j / min M_jj, the acceleration that the greatest torque gives to the least inertia."""
    inertia = np.diagonal(_asked(robot, "mass_matrix", q=_drawn(q)), axis1=-2, axis2=-1).min(axis=0)
    for joint, least in zip(robot.joint_names, inertia, strict=True):
        if not least > 0:
            raise InputError(f"joint '{joint}': M_ii reaches {least:g}", robot.name, f"give qdd in [joint.{joint}]")
    return bounds(robot).effort / inertia


def slowed(
    robot: Tree, q: Sequence[Range], qd: Sequence[Range | None], qdd: Sequence[Range | None]
) -> tuple[tuple[Range, ...], tuple[Range, ...]]:
    """Return ranges of rates and accelerations within the torque limits.

    Args:
        robot: its symbols need values.
        q: ranges of positions.
        qd: ranges of rates that are kept as they are; None for the limit.
        qdd: ranges of accelerations that are kept as they are; None for what the drives can give.
    """
    limits, states = bounds(robot), _drawn(q)
    inertia = np.abs(_asked(robot, "mass_matrix", q=states)).max(axis=0)
    with np.errstate(divide="ignore"):
        alone = (limits.effort[:, None] / inertia).min(axis=0)
    rng = np.random.default_rng(2)
    shares = rng.random((2, CONFIGURATIONS, robot.nv))
    shares[:, ::2] = np.rint(shares[:, ::2])  # torque is greatest at ends of the ranges

    def ranges(s: float) -> tuple[tuple[Range, ...], tuple[Range, ...]]:
        rates = [(-s * most, s * most) for most in limits.velocity.tolist()]
        accelerations = [(-s * s * most, s * s * most) for most in alone.tolist()]
        return (
            tuple(own or free for own, free in zip(qd, rates, strict=True)),
            tuple(own or free for own, free in zip(qdd, accelerations, strict=True)),
        )

    def excess(s: float) -> np.ndarray:
        drawn = [_between(np.array(r), share) for r, share in zip(ranges(s), shares, strict=True)]
        torque = _asked(robot, "inverse_dynamics", q=states, qd=drawn[0], qdd=drawn[1])
        return np.abs(torque).max(axis=0) - MARGIN * limits.effort

    at_rest = excess(0.0)
    if np.any(at_rest > 0):
        i = int(np.argmax(at_rest / limits.effort))
        raise InputError(
            f"joint '{robot.joint_names[i]}' needs {at_rest[i] + MARGIN * limits.effort[i]:.3g} at the least, "
            f"its torque limit is {limits.effort[i]:.3g}",
            robot.name,
            "give qd and qdd of every joint in a scenario, or use 'armstrong', which heeds no torque limit",
        )
    low, high = 0.0, 1.0
    if np.all(excess(high) <= 0):
        return ranges(high)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if np.all(excess(middle) <= 0) else (low, middle)
    return ranges(low)


def _drawn(q: Sequence[Range]) -> np.ndarray:
    return _between(np.array(q), np.random.default_rng(1).random((CONFIGURATIONS, len(q))))


def _between(ranges: np.ndarray, share: np.ndarray) -> np.ndarray:
    low, high = ranges.reshape(-1, 2).T
    return low + (high - low) * share


def _asked(robot: Tree, name: str, **states: np.ndarray) -> np.ndarray:
    tree, question = numeric(robot), QUESTIONS[name]
    return evaluate(lambda **given: question.compute(tree, **given), states, question.shape(tree))
