"""The direction of gravity in the base frame, where the mounting of a robot is not known.

.. math:: \\min_u \\min_x \\|\\tau - (Y_0 + g \\textstyle\\sum_k u_k Y_k)\\, x\\|, \\qquad |u| = 1

The regressor is linear in the acceleration of gravity, so that it is evaluated four times and every direction tried is
a least-squares problem of a few hundred samples. Directions are spread over the sphere, the best one is refined.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from taut.batch import evaluate
from taut.questions.table import QUESTIONS
from taut.recordings.conditioning import Filter, Motion, low_pass
from taut.robot import Tree
from taut.robot.edit import numeric, with_gravity

STANDARD = 9.81
SAMPLES = 300
DIRECTIONS = 60
SMOOTHING = 0.05
"""Of dry friction, in units of the joint's RMS speed."""

RIDGE = 1e-5


def gravity_direction(robot: Tree, motions: Sequence[Motion], filter_: Filter) -> tuple[np.ndarray, str]:
    """Return the acceleration of gravity in the base frame, 9.81 m/s^2 long, and a sentence about it."""
    from scipy.optimize import minimize

    parts = [_sampled(motion, filter_, SAMPLES // len(motions) + 1) for motion in motions]
    q, qd, qdd, tau = (np.concatenate([part[k] for part in parts]) for k in range(4))
    still, *along = (_regressor(robot, axis, q, qd, qdd) for axis in ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)))
    slopes = [Y - still for Y in along]
    speeds = np.sqrt((qd**2).mean(0)) + 1e-9
    drives = np.zeros((*q.shape, 4 * q.shape[1]))
    for j in range(q.shape[1]):
        dry = qd[:, j] / np.hypot(qd[:, j], SMOOTHING * speeds[j])
        drives[:, j, 4 * j : 4 * j + 4] = np.stack([qdd[:, j], qd[:, j], dry, np.ones(len(q))], 1)
    size = np.sqrt((tau**2).mean(0)) + 1e-12

    def unexplained(u: np.ndarray) -> float:
        u = u / np.linalg.norm(u)
        Y = still + STANDARD * sum(c * slope for c, slope in zip(u, slopes, strict=True))
        W = (np.concatenate([Y, drives], 2) / size[:, None]).reshape(-1, Y.shape[2] + drives.shape[2])
        W = W / (np.linalg.norm(W, axis=0) + 1e-12)
        b = (tau / size).reshape(-1)
        x = np.linalg.solve(W.T @ W + RIDGE * np.eye(W.shape[1]), W.T @ b)
        return float(np.sqrt(((b - W @ x) ** 2).mean()))

    k = np.arange(DIRECTIONS) + 0.5
    height, turn = 1 - 2 * k / DIRECTIONS, np.pi * (1 + 5**0.5) * k
    wide = np.sqrt(1 - height**2)
    starts = np.stack([wide * np.cos(turn), wide * np.sin(turn), height], 1)
    best = min(starts, key=unexplained)
    u = minimize(unexplained, best, method="Nelder-Mead", options={"maxiter": 200, "xatol": 1e-4, "fatol": 1e-7}).x
    u = u / np.linalg.norm(u)
    own = np.array([float(x) for x in numeric(robot).gravity_acceleration])
    before = unexplained(own) if own.any() else 1.0
    found = STANDARD * u
    listed = ", ".join(f"{x:.3f}" for x in found)
    said = (
        f"gravity found along ({listed}) m/s^2 in the base frame: {100 * unexplained(u):.2g} % of the torque is left "
        f"unexplained, {100 * before:.2g} % with the file's; the other way round {100 * unexplained(-u):.2g} %"
    )
    return found, said


def _regressor(robot: Tree, gravity: Sequence[float], q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> np.ndarray:
    tree, question = with_gravity(numeric(robot), gravity), QUESTIONS["regressor"]
    states = {"q": q, "qd": qd, "qdd": qdd}
    return evaluate(lambda **s: question.compute(tree, **s), states, question.shape(tree))


def _sampled(motion: Motion, filter_: Filter, count: int) -> tuple[np.ndarray, ...]:
    edge = int(filter_.edge * motion.rate)
    thin = slice(edge, len(motion.q) - edge, max(1, (len(motion.q) - 2 * edge) // count))
    tau = low_pass(motion.tau, motion.rate, filter_.cutoff)
    return tuple(x[thin] for x in (motion.q, motion.qd, motion.qdd, tau))
