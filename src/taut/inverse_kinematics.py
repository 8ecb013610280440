"""Numeric inverse kinematics of any tree and frame, for many poses and many starts at once.

Levenberg's damped steps [Levenberg 1944; Marquardt 1963] on the error e = [place; rotation vector] in world axes:

.. math:: \\Delta q = J^T (J J^T + \\lambda 1)^{-1} e

A step is taken where it lowers the error; the damping falls after it and rises otherwise. Joints that stand at a limit
and would leave it are held, the others step again without them. Where the pose is not reached, random starts follow.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from taut.robot import Tree, states
from taut.simulate.accelerations import compiled_function

ITERATIONS, STALL = 60, 1e-6
"""Steps from one start, which ends before where a step lowers the error by a smaller part than this."""

LAST_ITERATIONS, LAST_STALL = 500, 1e-15
"""The same for the nearest position of a pose that is not reached."""

TOGETHER = 32
"""States that iterate at once while few poses are left: each pose has several starts then."""

LEAST_DAMPING, MOST_DAMPING = 1e-12, 1e3
"""Bounds of lambda, in units of m^2."""


@dataclass(frozen=True)
class InverseKinematics:
    """The positions found for poses of a frame; leading axes are those of the poses.

    Attributes:
        q: positions within the limits (..., nq) whose pose is the wanted one, or the nearest that was found.
        reached: whether the pose is the wanted one within the tolerance (...).
        pose: of the frame at q (..., 4, 4).
        place_error: distance of the frame from the wanted place (...) [m].
        turn_error: angle from the wanted orientation (...) [rad]; zero where only a place was wanted.
        starts: starts used for each pose (...).
        weight: metres that count as much as a radian in "nearest".
    """

    q: np.ndarray
    reached: np.ndarray
    pose: np.ndarray
    place_error: np.ndarray
    turn_error: np.ndarray
    starts: np.ndarray
    weight: float

    def __str__(self) -> str:
        missed = np.flatnonzero(~self.reached.ravel())
        if not len(missed):
            return f"all {self.reached.size} poses are reached"
        worst = missed[int(np.argmax(self.place_error.ravel()[missed]))]
        return (
            f"{len(missed)} of {self.reached.size} poses are not reached within the joint limits from "
            f"{self.starts.ravel()[worst]} starts; the nearest to number {worst + 1} is "
            f"{self.place_error.ravel()[worst]:.4g} m and {self.turn_error.ravel()[worst]:.4g} rad away, "
            f"a radian counted as {self.weight:g} m"
        )


def inverse_kinematics(
    tree: Tree, goal: np.ndarray, frame: str, first: np.ndarray, starts: int, tolerance: float, weight: float, seed: int
) -> InverseKinematics:
    """Return positions at which a frame has the wanted poses.

    Args:
        tree: the robot, without symbols.
        goal: poses (..., 4, 4), or places (..., 3) if the orientation is free.
        frame: name of the frame.
        first: positions to start from (..., nq).
        starts: most starts for each pose.
        tolerance: of the error [m].
        weight: metres that count as much as a radian.
        seed: of the random starts.
    """
    solver = _Solver(tree, frame, goal.shape[-1] == 3, tolerance, weight)
    leading = goal.shape[:-1] if solver.place_only else goal.shape[:-2]
    goals = goal.reshape(-1, *goal.shape[len(leading) :])
    best = solver.clipped(np.broadcast_to(first, (*leading, tree.nq)).reshape(-1, tree.nq))
    size, used = np.full(len(goals), np.inf), np.zeros(len(goals), int)
    rng, left, count, begin = np.random.default_rng(seed), np.arange(len(goals)), 1, best[:, None]
    while len(left):
        q, error = solver.descend(begin.reshape(-1, tree.nq), np.repeat(goals[left], count, axis=0), count)
        q, error = q.reshape(len(left), count, -1), error.reshape(len(left), count)
        k = np.argmin(error, axis=1)
        found, error = q[np.arange(len(left)), k], error[np.arange(len(left)), k]
        used[left] += count
        better = error < size[left]
        best[left[better]], size[left[better]] = found[better], error[better]
        left = left[(size[left] > tolerance) & (used[left] < starts)]
        if len(left):
            count = min(max(1, TOGETHER // len(left)), starts - int(used[left].min()))
            begin = states.random_positions(tree, rng, (len(left), count))
    missed = np.flatnonzero(size > tolerance)
    if len(missed):
        best[missed], size[missed] = solver.descend(best[missed], goals[missed], 1, LAST_ITERATIONS, LAST_STALL)
    error, _, pose = solver.error(best, goals)

    def shaped(x: np.ndarray) -> np.ndarray:
        return x.reshape((*leading, *x.shape[1:]))

    place, turn = np.linalg.norm(error[:, :3], axis=-1), np.linalg.norm(error[:, 3:], axis=-1) / weight
    reached = size <= tolerance
    return InverseKinematics(
        shaped(best), shaped(reached), shaped(pose), shaped(place), shaped(turn), shaped(used), weight
    )


class _Solver:
    """Damped steps towards poses of one frame."""

    def __init__(self, tree: Tree, frame: str, place_only: bool, tolerance: float, weight: float) -> None:
        self.tree, self.place_only, self.tolerance = tree, place_only, tolerance
        self.pose = compiled_function(tree, "forward_kinematics", frame)
        self.jacobian = compiled_function(tree, "jacobian", frame)
        self.scale = np.array([1.0] * 3) if place_only else np.array([1.0] * 3 + [weight] * 3)
        self.move = partial(states.step, tree) if tree.quaternions else np.add
        self.bounds = states.bounds(tree)
        single = [tree.joints[i].motion.nv == 1 for i in tree.independent]
        widths = [(tree.joints[i].motion.nq, tree.joints[i].motion.nv) for i in tree.independent]
        self.q_of_single = np.cumsum([0, *(nq for nq, _ in widths)])[:-1][single]
        self.v_of_single = np.cumsum([0, *(nv for _, nv in widths)])[:-1][single]

    def clipped(self, q: np.ndarray) -> np.ndarray:
        """Return positions within the limits."""
        return np.clip(q, self.bounds.lower, self.bounds.upper)

    def error(self, q: np.ndarray, goals: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the weighted errors (N, 6), their lengths and the poses; places alone have three entries."""
        pose = self.pose(q)
        if self.place_only:
            error = goals - pose[:, :3, 3]
        else:
            turn = rotation_vector(goals[:, :3, :3] @ np.swapaxes(pose[:, :3, :3], -1, -2))
            error = np.concatenate([goals[:, :3, 3] - pose[:, :3, 3], turn], axis=-1) * self.scale
        return error, np.linalg.norm(error, axis=-1), pose

    def descend(
        self, q: np.ndarray, goals: np.ndarray, count: int, iterations: int = ITERATIONS, stall: float = STALL
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the positions (N, nq) reached from starts and the lengths of their errors.

        Args:
            q: starts (N, nq), ``count`` in a row for each pose.
            goals: the pose of each start.
            count: starts of a pose; all end when one of them has reached it.
            iterations: most steps.
            stall: part of the error that a step must take away.
        """
        q = q.copy()
        error, size, _ = self.error(q, goals)
        damping = np.maximum(1e-2 * size**2, LEAST_DAMPING)
        active = np.flatnonzero(size > self.tolerance)
        for _ in range(iterations):
            if not len(active):
                break
            trial = self._stepped(q[active], error[active], damping[active])
            new_error, new_size, _ = self.error(trial, goals[active])
            better = new_size < size[active]
            taken = active[better]
            slow = new_size[better] > (1 - stall) * size[taken]
            q[taken], error[taken], size[taken] = trial[better], new_error[better], new_size[better]
            damping[active] = np.clip(damping[active] * np.where(better, 0.1, 8.0), LEAST_DAMPING, MOST_DAMPING)
            ended = damping[active] >= MOST_DAMPING
            ended[np.flatnonzero(better)[slow]] = True  # a minimum that is not the pose
            reached = np.min(size.reshape(-1, count), axis=1) <= self.tolerance
            active = active[~(reached[active // count] | ended)]
        return q, size

    def _stepped(self, q: np.ndarray, error: np.ndarray, damping: np.ndarray) -> np.ndarray:
        """Return positions after a damped step, joints held that would leave their limits."""
        J = self.jacobian(q)[:, : len(self.scale)] * self.scale[:, None]
        step = _damped(J, error, damping)
        at, by = q[:, self.q_of_single], step[:, self.v_of_single]
        lower, upper = self.bounds.lower[self.q_of_single], self.bounds.upper[self.q_of_single]
        held = ((at <= lower) & (by < 0)) | ((at >= upper) & (by > 0))
        some = held.any(axis=1)
        if some.any():
            free = np.ones((int(some.sum()), J.shape[-1]))
            free[:, self.v_of_single] = ~held[some]
            step[some] = _damped(J[some] * free[:, None], error[some], damping[some])
        return self.clipped(np.asarray(self.move(q, step)))


def _damped(J: np.ndarray, error: np.ndarray, damping: np.ndarray) -> np.ndarray:
    """Return J^T (J J^T + lambda)^-1 e."""
    turned = np.swapaxes(J, -1, -2)
    square = J @ turned + damping[:, None, None] * np.eye(J.shape[-2])
    return np.asarray((turned @ np.linalg.solve(square, error[..., None]))[..., 0])


def rotation_vector(R: np.ndarray) -> np.ndarray:
    """Return axis times angle (..., 3) of rotation matrices, the angle between 0 and pi."""
    sine = 0.5 * np.stack([R[..., 2, 1] - R[..., 1, 2], R[..., 0, 2] - R[..., 2, 0], R[..., 1, 0] - R[..., 0, 1]], -1)
    s, c = np.linalg.norm(sine, axis=-1), 0.5 * (np.trace(R, axis1=-2, axis2=-1) - 1)
    angle = np.arctan2(s, c)
    ratio = np.divide(angle, s, out=np.ones_like(s), where=s > 0)
    vector = sine * ratio[..., None]
    half_turn = (c < 0) & (s < 1e-6)  # the axis is the largest column of R + 1
    if half_turn.any():
        columns = R[half_turn] + np.eye(3)
        k = np.argmax(np.diagonal(columns, axis1=-2, axis2=-1), axis=-1)
        axis = columns[np.arange(len(k)), :, k]
        vector[half_turn] = axis / np.linalg.norm(axis, axis=-1, keepdims=True) * angle[half_turn][:, None]
    return vector
