"""Units that the robot's own numbers contradict: positions beyond its limits, torques of another size than it needs.

A recorded current or motor torque is proportional to the joint's torque: the robot's own model follows it by a factor.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from taut.identify.estimate.predicted import predicted_torque
from taut.recordings.conditioning import Filter, Motion, low_pass
from taut.robot import Drive, Tree

BEYOND = 0.5
"""Positions beyond the limits by more than this part of their range are not believed."""

ALIKE, FACTOR = 0.9, 4.0
"""A torque that follows the model's with this correlation and differs by this factor is in another unit."""

SAMPLES = 500
"""Samples of a motion that are looked at."""


def units_in_doubt(robot: Tree, motions: Sequence[Motion], filter_: Filter) -> list[str]:
    """Return warnings about positions and torques that cannot be in radians and newton metres at the joints."""
    return [*_beyond_limits(robot, motions), *_of_another_size(robot, motions, filter_)]


def _beyond_limits(robot: Tree, motions: Sequence[Motion]) -> list[str]:
    found = []
    for d, name in enumerate(robot.joint_names):
        limits = robot.joints[robot.independent[d]].limits
        if limits.lower is None or limits.upper is None or limits.upper <= limits.lower:
            continue
        least, most = (float(end([end(m.q[:, d]) for m in motions])) for end in (np.min, np.max))
        slack = BEYOND * (limits.upper - limits.lower)
        if least < limits.lower - slack or most > limits.upper + slack:
            found.append(
                f"{name}: recorded from {least:.3g} to {most:.3g}, its limits are {limits.lower:.3g} and "
                f"{limits.upper:.3g}: degrees, a motor's angle or another zero; give --unit, gear or offset"
            )
    return found


def _of_another_size(robot: Tree, motions: Sequence[Motion], filter_: Filter) -> list[str]:
    bodies = replace(robot, joints=tuple(replace(joint, drive=Drive(), formulas=()) for joint in robot.joints))
    measured, expected = [], []
    for motion in motions:
        thin = slice(None, None, max(1, len(motion.q) // SAMPLES))
        q, qd, qdd, tau = (x[thin] for x in (motion.q, motion.qd, motion.qdd, motion.tau))
        expected.append(predicted_torque(bodies, Motion(motion.rate, q, qd, qdd, tau, motion.source, motion.start)))
        measured.append(low_pass(motion.tau, motion.rate, filter_.cutoff)[thin])
    b, a = (x - x.mean(0) for x in (np.concatenate(measured), np.concatenate(expected)))
    square, product = (a * a).sum(0), (a * b).sum(0)
    with np.errstate(divide="ignore", invalid="ignore"):
        alike = np.abs(product) / np.sqrt(square * (b * b).sum(0))
        factor = np.abs(product) / square
    return [
        f"{name}: its torque is {factor[d]:.2g} times what the inertias in the robot file need: a current or a motor's "
        "torque rather than the joint's; give gain or gear in a mapping"
        for d, name in enumerate(robot.joint_names)
        if alike[d] > ALIKE and not 1 / FACTOR < factor[d] < FACTOR
    ]
