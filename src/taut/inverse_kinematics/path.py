"""Inverse kinematics along a path: each pose starts from the one before, extrapolated.

Newton's iteration converges where the start is near. Where it does not, the step of the path is halved, up to
``HALVINGS`` times; places are interpolated linearly, orientations about a fixed axis. So the answer stays on one
branch.
"""

from __future__ import annotations

import numpy as np

from taut.errors import InputError
from taut.inverse_kinematics.numeric import Solver
from taut.inverse_kinematics.result import InverseKinematics
from taut.robot import Tree, states
from taut.trajectory.orientation import between

HALVINGS = 12

LARGEST_JUMP = 0.5
"""Change of an angle or a length between two poses that is taken for a jump to another branch [rad or m]."""


def follow(
    tree: Tree, goal: np.ndarray, frame: str, first: np.ndarray, tolerance: float, weight: float
) -> InverseKinematics:
    """Return the continuous positions along a path of poses (N, 4, 4), or of places (N, 3).

    Args:
        tree: the robot, without symbols.
        goal: the poses, in order.
        frame: name of the frame.
        first: a position near the one at the first pose (nq).
        tolerance: of the error [m].
        weight: metres that count as much as a radian.
    """
    if goal.ndim != (2 if goal.shape[-1] == 3 else 3):
        raise InputError(f"shape {goal.shape}", "inverse_kinematics", "give the poses of one path (N, 4, 4)")
    solver = Solver(tree, frame, goal.shape[-1] == 3, tolerance, weight)
    goals = solver.rows(goal)
    q = [_reached(solver, goals[0], first, 0)]
    for k in range(1, len(goals)):
        q.append(_continued(solver, goals[k - 1], goals[k], q, k))
    found = np.array(q)
    return solver.result(found, goals, (len(goals),), np.ones(len(goals), int), np.ones(len(goals), bool))


def _continued(solver: Solver, before: np.ndarray, goal: np.ndarray, q: list[np.ndarray], k: int) -> np.ndarray:
    """Return the position at a pose, from the position at the one before."""
    tree = solver.tree
    guess = q[-1] if len(q) < 2 else states.step(tree, q[-1], states.difference(tree, q[-2], q[-1]))
    for halvings in range(HALVINGS + 1):
        at, good = (guess if not halvings else q[-1]), True
        for part in range(1, 2**halvings + 1):
            via = goal if part == 2**halvings else _between(solver, before, goal, part / 2**halvings)
            new, size = solver.descend(solver.clipped(at[None]), via[None], 1)
            jump = np.abs(states.difference(tree, at, new[0])).max()
            at, good = new[0], bool(size[0] <= solver.tolerance and jump < LARGEST_JUMP)
            if not good:
                break
        if good:
            return at
    return _reached(solver, goal, q[-1], k)


def _reached(solver: Solver, goal: np.ndarray, start: np.ndarray, k: int) -> np.ndarray:
    q, size = solver.descend(solver.clipped(start[None]), goal[None], 1)
    if size[0] > solver.tolerance:
        where = f"pose {k + 1} of the path is not reached from the position before; it ends {size[0]:.3g} m away"
        raise InputError(where, "inverse_kinematics", "begin on another branch, or see limits and reach")
    return np.asarray(q[0])


def _between(solver: Solver, before: np.ndarray, goal: np.ndarray, part: float) -> np.ndarray:
    """Return a goal between two."""
    if solver.place_only:
        return (1 - part) * before + part * goal
    A, B = (x.reshape(3, 4) for x in (before, goal))
    middle = np.empty((3, 4))
    middle[:, 3] = (1 - part) * A[:, 3] + part * B[:, 3]
    middle[:, :3] = between(A[:, :3], B[:, :3], part)
    return middle.reshape(12)
