"""All positions of poses by the closed form of an arm, brought onto the file's digits and within the joint limits.

The closed form belongs to the robot whose angles are decided; where the file's digits differ from it, Newton steps on
the digits follow. A branch counts where the frame then has the pose within the tolerance.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np

from taut.algorithms.inverse_kinematics import carrying
from taut.derive.branches import derive_branches
from taut.errors import UnsupportedError
from taut.inverse_kinematics.numeric import LEAST_DAMPING, Goal, Solver, inverse_kinematics
from taut.inverse_kinematics.result import InverseKinematics
from taut.robot import Tree, states
from taut.runtime.library import Compiled

TURN = 2 * np.pi

CORRECTIONS = 3
"""Newton steps that bring a branch onto the file's digits; one is enough unless angles are far off."""

AT_LIMIT = 1e-9
"""How far beyond a limit an angle may be by rounding [rad]; it is set to the limit."""


@lru_cache(maxsize=32)
def compiled_closed_form(tree: Tree, frame: str) -> Compiled | None:
    """Return the closed form in machine code, None where the geometry has none."""
    try:
        return derive_branches(tree, frame, "none").compile()
    except UnsupportedError:
        return None


def solve_closed(tree: Tree, numeric: Tree, wanted: Goal) -> InverseKinematics:
    """Return the position nearest to the start among all branches, and all branches.

    Args:
        tree: the robot as its file has it.
        numeric: the same with numbers for its symbols.
        wanted: whole poses of a frame that is carried by six revolute joints whose geometry has a closed form; those
            that no branch reaches are searched for numerically.
    """
    goal, frame = wanted.pose, wanted.frame
    formula = compiled_closed_form(tree, frame)
    if formula is None:
        raise UnsupportedError(f"frame '{frame}' of '{tree.name}' has no closed form", "inverse_kinematics")
    solver = Solver(numeric, frame, False, wanted.tolerance, wanted.weight)
    leading, goals = goal.shape[:-2], solver.rows(goal)
    rows = formula(goals)
    columns = carrying(numeric, frame)
    near = np.broadcast_to(wanted.first, (*leading, numeric.nq)).reshape(-1, 1, numeric.nq)
    every = np.repeat(near, rows.shape[1], axis=1)
    every[..., columns] = rows[..., :6]
    every = _onto_digits(solver, every, goals)
    every = _within(every, near, states.bounds(numeric), columns)
    apart = np.linalg.norm(every - near, axis=-1)
    found = ~np.isnan(apart).all(axis=1)
    chosen = np.argmin(np.where(np.isnan(apart), np.inf, apart), axis=1)
    q = np.where(found[:, None], every[np.arange(len(every)), chosen], near[:, 0])
    result = solver.result(q, goals, (len(goals),), np.zeros(len(goals), int), found)
    missed = np.flatnonzero(~found)
    if len(missed):
        rest = goal.reshape(-1, 4, 4)[missed]
        other = inverse_kinematics(numeric, replace(wanted, pose=rest, first=near[missed, 0]))
        result = _merged(result, other, missed)
    bounds = states.bounds(numeric)
    turning = np.zeros(numeric.nq, bool)
    turning[columns] = True
    shaped = {
        name: getattr(result, name).reshape((*leading, *getattr(result, name).shape[1:]))
        for name in ("q", "reached", "pose", "place_error", "turn_error", "starts", "singular")
    }
    return replace(
        result,
        **shaped,
        branches=every.reshape((*leading, *every.shape[1:])),
        limits=np.array([bounds.lower, bounds.upper]),
        turning=turning,
    )


def _onto_digits(solver: Solver, every: np.ndarray, goals: np.ndarray) -> np.ndarray:
    """Return branches (N, B, nq) after Newton steps where the pose is not exact, NaN where it is not reached."""
    q = every.reshape(-1, every.shape[-1])
    wanted, n = np.repeat(goals, every.shape[1], axis=0), solver.tree.nv
    free, nothing, damping = np.ones((len(q), n)), np.zeros((len(q), n)), np.full(len(q), LEAST_DAMPING)
    out = solver.evaluate(q, wanted, damping, free, nothing)
    size = np.linalg.norm(out[:, n : n + 6], axis=-1)
    for _ in range(CORRECTIONS):
        off = np.flatnonzero((size > 1e-3 * solver.tolerance) & (size < 1e-2))
        if not len(off):
            break
        trial = q[off] + out[off, :n]
        tried = solver.evaluate(trial, wanted[off], damping[off], free[off], nothing[off])
        new = np.linalg.norm(tried[:, n : n + 6], axis=-1)
        better = new < size[off]
        if not better.any():
            break
        q[off[better]], size[off[better]], out[off[better]] = trial[better], new[better], tried[better]
    return np.where((size <= solver.tolerance)[:, None], q, np.nan).reshape(every.shape)


def _within(every: np.ndarray, near: np.ndarray, bounds: states.Bounds, columns: list[int]) -> np.ndarray:
    """Return branches with each angle as near to the start as whole turns within the limits bring it, else NaN."""
    every = every.copy()
    lower, upper = bounds.lower[columns], bounds.upper[columns]
    with np.errstate(invalid="ignore"):
        x = every[..., columns]
        x = x + TURN * np.round((near[..., columns] - x) / TURN)
        x = np.where(x > upper + AT_LIMIT, x - TURN * np.ceil((x - upper - AT_LIMIT) / TURN), x)
        x = np.where(x < lower - AT_LIMIT, x + TURN * np.ceil((lower - AT_LIMIT - x) / TURN), x)
        inside = ((x >= lower - AT_LIMIT) & (x <= upper + AT_LIMIT)).all(axis=-1)
        every[..., columns] = np.clip(x, lower, upper)
    every[~inside] = np.nan
    return every


def _merged(result: InverseKinematics, other: InverseKinematics, places: np.ndarray) -> InverseKinematics:
    """Return a result with other answers at places."""
    changed = {}
    for name in ("q", "reached", "pose", "place_error", "turn_error", "starts", "singular"):
        changed[name] = getattr(result, name).copy()
        changed[name][places] = getattr(other, name)
    return replace(result, **changed)
