"""Numeric inverse kinematics of any tree and frame, for many poses and many starts at once.

Damped steps [Levenberg 1944; Marquardt 1963] of :mod:`taut.inverse_kinematics.newton_step`. A step is taken where it
lowers the error; the damping falls after it and rises otherwise. Joints that stand at a limit and would leave it are
held, the others step again without them. Where the pose is not reached, random starts follow. A pose that several
positions reach, as with more than six joints, is resolved towards a posture.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from taut.inverse_kinematics.descent import Numbers, descent
from taut.inverse_kinematics.newton_step import newton_step
from taut.inverse_kinematics.result import InverseKinematics
from taut.robot import Tree, states
from taut.simulate.accelerations import compiled_function

ITERATIONS, STALL = 60, 1e-3
"""Steps from one start, which ends before where a step lowers the error by a smaller part than this."""

LAST_ITERATIONS, LAST_STALL = 500, 1e-15
"""The same for the nearest position of a pose that is not reached."""

TOGETHER = 16
"""States that iterate at once while few poses are left: each pose has several starts then."""

LEAST_DAMPING, MOST_DAMPING = 1e-12, 1e3
"""Bounds of lambda, in units of m^2."""

POSTURE_STEPS, POSTURE_GAIN, CORRECTIONS, POSTURE_STALL = 60, 0.7, 6, 1e-9
"""Steps towards a posture, the part of the way that each wishes for, Newton steps that restore the pose after each, and
the part of the distance below which a step is the last."""

SINGULAR = 1e-6
"""Smallest singular value of the weighted Jacobian, over the largest, at which a position is called singular."""


@dataclass(frozen=True)
class Goal:
    """Poses that a frame is to have, and how they are searched for.

    Attributes:
        pose: (..., 4, 4), or places (..., 3) if the orientation is free.
        frame: name of the frame.
        first: positions to start from, or to be near to (..., nq).
        starts: most starts of the numeric search for each pose.
        tolerance: of the error [m].
        weight: metres that count as much as a radian.
        seed: of the random starts.
    """

    pose: np.ndarray
    frame: str
    first: np.ndarray
    starts: int
    tolerance: float
    weight: float
    seed: int


def inverse_kinematics(tree: Tree, wanted: Goal, posture: np.ndarray | None = None) -> InverseKinematics:
    """Return positions at which a frame has the wanted poses.

    Args:
        tree: the robot, without symbols.
        wanted: the poses.
        posture: position (nq) that redundant robots are to be near to.
    """
    goal, tolerance = wanted.pose, wanted.tolerance
    solver = Solver(tree, wanted.frame, goal.shape[-1] == 3, tolerance, wanted.weight)
    leading = goal.shape[:-1] if solver.place_only else goal.shape[:-2]
    goals = solver.rows(goal)
    begin = solver.clipped(np.broadcast_to(wanted.first, (*leading, tree.nq)).reshape(-1, tree.nq))
    search = solver.searched if solver.loop is None else solver.searched_in_c
    best, size, used = search(begin, goals, wanted.starts, np.random.default_rng(wanted.seed))
    missed = np.flatnonzero(size > tolerance)
    if len(missed):
        best[missed], size[missed] = solver.descend(best[missed], goals[missed], 1, LAST_ITERATIONS, LAST_STALL)
    if posture is not None and len(missed) < len(goals):
        reached = np.flatnonzero(size <= tolerance)
        best[reached] = solver.towards(best[reached], goals[reached], np.asarray(posture, float))
    return solver.result(best, goals, leading, used, size <= tolerance)


class Solver:
    """Damped steps towards poses of one frame."""

    def __init__(self, tree: Tree, frame: str, place_only: bool, tolerance: float, weight: float) -> None:
        self.tree, self.frame, self.place_only = tree, frame, place_only
        self.tolerance, self.weight = tolerance, weight
        self.run = newton_step(tree, frame, place_only)
        self.loop = descent(tree, frame, place_only)
        self.width = 3 if place_only else 6
        self.move = partial(states.step, tree) if tree.quaternions else np.add
        self.bounds = states.bounds(tree)
        single = [tree.joints[i].motion.nv == 1 for i in tree.independent]
        widths = [(tree.joints[i].motion.nq, tree.joints[i].motion.nv) for i in tree.independent]
        self.q_of_single = np.cumsum([0, *(nq for nq, _ in widths)])[:-1][single]
        self.v_of_single = np.cumsum([0, *(nv for _, nv in widths)])[:-1][single]
        self.lower, self.upper = (x[self.q_of_single] for x in (self.bounds.lower, self.bounds.upper))

    def rows(self, goal: np.ndarray) -> np.ndarray:
        """Return goals as the function takes them, (N, 3) or (N, 12)."""
        if self.place_only:
            return goal.reshape(-1, 3)
        return np.ascontiguousarray(goal.reshape(-1, 4, 4)[:, :3].reshape(-1, 12))

    def clipped(self, q: np.ndarray) -> np.ndarray:
        """Return positions within the limits."""
        return np.minimum(np.maximum(q, self.bounds.lower), self.bounds.upper)

    def evaluate(
        self, q: np.ndarray, goals: np.ndarray, damping: np.ndarray, free: np.ndarray, wish: np.ndarray
    ) -> np.ndarray:
        """Return steps, errors and poses side by side."""
        weights = np.empty((len(q), 2))
        weights[:, 0], weights[:, 1] = damping, self.weight
        return self.run(q, goals, wish, free, weights, np.empty((len(q), *self.run.shape)))

    def steps(
        self, q: np.ndarray, goals: np.ndarray, damping: np.ndarray, wish: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return steps (N, nv) that leave no limit, and errors (N, 6 or 3) at q."""
        n = self.tree.nv
        nothing = np.zeros((len(q), n)) if wish is None else wish
        out = self.evaluate(q, goals, damping, np.ones((len(q), n)), nothing)
        at, by = q[:, self.q_of_single], out[:, self.v_of_single]
        held = ((at <= self.lower) & (by < 0)) | ((at >= self.upper) & (by > 0))
        if held.any():
            some = held.any(axis=1)
            free = np.ones((int(some.sum()), n))
            free[:, self.v_of_single] = ~held[some]
            out[some] = self.evaluate(q[some], goals[some], damping[some], free, nothing[some])
        return out[:, :n], out[:, n : n + self.width]

    def searched_in_c(
        self, q: np.ndarray, goals: np.ndarray, starts: int, rng: np.random.Generator
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return what :meth:`searched` does, by the compiled loop: further starts are the same for all poses."""
        assert self.loop is not None
        numbers = Numbers(self.tolerance, self.weight, STALL, LEAST_DAMPING, MOST_DAMPING, ITERATIONS)
        limits = (self.bounds.lower, self.bounds.upper)
        found = self.loop(q, goals, np.empty((0, self.tree.nq)), limits, numbers)
        left = np.flatnonzero(found[1] > self.tolerance)
        if len(left) and starts > 1:
            shared = states.random_positions(self.tree, rng, (starts - 1,))
            again = self.loop(shared[:1].repeat(len(left), 0), goals[left], shared[1:], limits, numbers)
            better = again[1] < found[1][left]
            for old, new in zip(found[:2], again[:2], strict=True):
                old[left[better]] = new[better]
            found[2][left] += again[2]
        return found

    def searched(
        self, q: np.ndarray, goals: np.ndarray, starts: int, rng: np.random.Generator
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the best positions (N, nq) from a start and random ones, the sizes of their errors, starts used."""
        best, begin, left, count = q.copy(), q[:, None], np.arange(len(goals)), 1
        size, used = np.full(len(goals), np.inf), np.zeros(len(goals), int)
        while len(left):
            ends, error = self.descend(begin.reshape(-1, self.tree.nq), np.repeat(goals[left], count, axis=0), count)
            ends, error = ends.reshape(len(left), count, -1), error.reshape(len(left), count)
            k = np.argmin(error, axis=1)
            found, error = ends[np.arange(len(left)), k], error[np.arange(len(left)), k]
            used[left] += count
            better = error < size[left]
            best[left[better]], size[left[better]] = found[better], error[better]
            left = left[(size[left] > self.tolerance) & (used[left] < starts)]
            if len(left):
                count = min(max(1, TOGETHER // len(left)), starts - int(used[left].min()))
                begin = states.random_positions(self.tree, rng, (len(left), count))
        return best, size, used

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
        damping = np.ones(len(q))
        step, error = self.steps(q, goals, damping)
        size = np.linalg.norm(error, axis=-1)
        damping = np.maximum(1e-2 * size**2, LEAST_DAMPING)
        step, _ = self.steps(q, goals, damping)
        active = np.flatnonzero(size > self.tolerance)
        for _ in range(iterations):
            if not len(active):
                break
            trial = self.clipped(np.asarray(self.move(q[active], step[active])))
            eased = np.maximum(0.1 * damping[active], LEAST_DAMPING)
            next_step, error = self.steps(trial, goals[active], eased)
            new_size = np.linalg.norm(error, axis=-1)
            better = new_size < size[active]
            taken, refused = active[better], active[~better]
            slow = new_size[better] > (1 - stall) * size[taken]
            q[taken], size[taken], step[taken] = trial[better], new_size[better], next_step[better]
            damping[taken] = eased[better]
            if len(refused):
                damping[refused] = np.minimum(8.0 * damping[refused], MOST_DAMPING)
                step[refused], _ = self.steps(q[refused], goals[refused], damping[refused])
            ended = damping[active] >= MOST_DAMPING
            ended[np.flatnonzero(better)[slow]] = True  # a minimum that is not the pose
            reached = np.min(size.reshape(-1, count), axis=1) <= self.tolerance
            active = active[~(reached[active // count] | ended)]
        return q, size

    def towards(self, q: np.ndarray, goals: np.ndarray, posture: np.ndarray) -> np.ndarray:
        """Return positions of the same poses that are nearer to a posture: the wish is granted where J allows it."""
        best = q.copy()
        away = self._apart(best, posture)
        active = np.arange(len(q))
        for _ in range(POSTURE_STEPS):
            if not len(active):
                break
            damping = np.full(len(active), LEAST_DAMPING)
            wish = POSTURE_GAIN * self._wish(best[active], posture)
            step, _ = self.steps(best[active], goals[active], damping, wish)
            trial = self.clipped(np.asarray(self.move(best[active], step)))
            for _ in range(CORRECTIONS):
                step, error = self.steps(trial, goals[active], damping)
                size = np.linalg.norm(error, axis=-1)
                if (size <= self.tolerance).all():
                    break
                trial = self.clipped(np.asarray(self.move(trial, step)))
            new = self._apart(trial, posture)
            better = (size <= self.tolerance) & (new < away[active])
            going = better & (new < (1 - POSTURE_STALL) * away[active])
            best[active[better]], away[active[better]] = trial[better], new[better]
            active = active[going]
        return best

    def _wish(self, q: np.ndarray, posture: np.ndarray) -> np.ndarray:
        return states.difference(self.tree, q, np.broadcast_to(posture, q.shape))

    def _apart(self, q: np.ndarray, posture: np.ndarray) -> np.ndarray:
        return np.asarray(np.linalg.norm(self._wish(q, posture), axis=-1))

    def result(
        self, q: np.ndarray, goals: np.ndarray, leading: tuple[int, ...], used: np.ndarray, reached: np.ndarray
    ) -> InverseKinematics:
        """Return what was found, with the errors and poses at q."""
        n, width = self.tree.nv, self.width
        out = self.evaluate(q, goals, np.ones(len(q)), np.ones((len(q), n)), np.zeros((len(q), n)))
        error, pose = out[:, n : n + width], np.zeros((len(q), 4, 4))
        pose[:, :3], pose[:, 3, 3] = out[:, n + width :].reshape(-1, 3, 4), 1.0

        def shaped(x: np.ndarray) -> np.ndarray:
            return x.reshape((*leading, *x.shape[1:]))

        place, turn = np.linalg.norm(error[:, :3], axis=-1), np.linalg.norm(error[:, 3:], axis=-1) / self.weight
        return InverseKinematics(
            q=shaped(q),
            reached=shaped(reached),
            pose=shaped(pose),
            place_error=shaped(place),
            turn_error=shaped(turn),
            starts=shaped(used),
            singular=shaped(self.is_singular(q)),
            weight=self.weight,
        )

    def is_singular(self, q: np.ndarray) -> np.ndarray:
        """Return for each position whether the frame cannot be moved in some direction."""
        J = compiled_function(self.tree, "jacobian", self.frame)(q)[:, : self.width].copy()
        J[:, 3:] *= self.weight
        values = np.linalg.svd(J, compute_uv=False)
        return np.asarray(values[:, -1] <= SINGULAR * values[:, 0])
