"""A trajectory read from a CSV file, with missing rates and accelerations differentiated.

Columns: ``t`` [s]; positions as ``q1``, ``q2``, ... or by joint name [rad, m]; rates ``qd1``, ... or ``qd_NAME``;
accelerations ``qdd1``, ... or ``qdd_NAME``.
"""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np

from taut.errors import InputError, InputWarning
from taut.formats.columns import read_columns
from taut.robot import Tree
from taut.trajectory.trajectory import Trajectory

LARGEST_TURN = 4 * np.pi
"""Radians beyond which an angle is taken for degrees."""

DEGREE = 5
"""Of the splines that are differentiated."""


def read_trajectory(path: str | Path, tree: Tree) -> Trajectory:
    """Return the trajectory in a file, its columns matched with the robot's joints."""
    place = str(path)
    column = read_columns(path, "row", "t, q1, q2")
    _refuse_strangers(column, tree, place)
    q = _found(column, "q", tree, tree.nq, place)
    if q is None:
        raise InputError(f"column 'q1' or '{tree.joint_names[0]}' is missing", place, "give the positions")
    turning = [k for k, i in enumerate(tree.independent) if tree.joints[i].motion.pure_turn]
    if not tree.quaternions and turning and np.abs(q[:, turning]).max() > LARGEST_TURN:
        k = turning[int(np.argmax(np.abs(q[:, turning]).max(axis=0)))]
        found = f"joint '{tree.joint_names[k]}' is at {np.abs(q[:, k]).max():.4g}"
        raise InputError(found, place, "it looks like degrees; give radians")
    qd, qdd = _found(column, "qd", tree, tree.nv, place), _found(column, "qdd", tree, tree.nv, place)
    t = column.get("t")
    if t is not None and np.any(np.diff(t) <= 0):
        k = int(np.argmax(np.diff(t) <= 0)) + 1
        raise InputError(f"time {t[k]:.9g} s follows {t[k - 1]:.9g} s", place, "give increasing times")
    if qd is not None and qdd is not None:
        return Trajectory(np.arange(len(q), dtype=float) if t is None else t, q, qd, qdd)
    if t is None:
        raise InputError("column 't' is missing", place, "give the times, or rates and accelerations")
    if qd is None and tree.quaternions:
        raise InputError("rates of a free base are missing", place, "give qd1, qd2, ... and qdd1, qdd2, ...")
    notes = []
    if qd is None:
        qd = slope(t, q, 1, place)
        notes.append("rates differentiated from positions by a spline of degree 5")
        if qdd is None:
            qdd = slope(t, q, 2, place)
            notes.append("accelerations differentiated from positions by a spline of degree 5")
    else:
        if not tree.quaternions:
            _compare(t, q, qd, tree, place)
        qdd = slope(t, qd, 1, place)
        notes.append("accelerations differentiated from rates by a spline of degree 5")
    assert qdd is not None
    return Trajectory(t, q, qd, qdd, tuple(notes))


def _names(stem: str, tree: Tree, width: int) -> list[list[str]]:
    """Return the lists of headings that a group of columns may have."""
    choices = [[f"{stem}{k + 1}" for k in range(width)]]
    if len(tree.joint_names) == width:
        choices.append([f"{stem}_{name}" for name in tree.joint_names])
        if stem == "q":
            choices.append(list(tree.joint_names))
    return choices


def _found(column: dict[str, np.ndarray], stem: str, tree: Tree, width: int, place: str) -> np.ndarray | None:
    for names in _names(stem, tree, width):
        present = [name for name in names if name in column]
        if len(present) == width:
            return np.column_stack([column[name] for name in names])
        if present:
            missing = next(name for name in names if name not in column)
            raise InputError(f"column '{missing}' is missing", place, f"give {', '.join(names[:8])}")
    return None


def _refuse_strangers(column: dict[str, np.ndarray], tree: Tree, place: str) -> None:
    known = {"t"}
    for stem, width in (("q", tree.nq), ("qd", tree.nv), ("qdd", tree.nv), ("tau", tree.nv)):
        known |= {name for names in _names(stem, tree, width) for name in names}
    strange = next((name for name in column if name not in known), None)
    if strange is not None:
        advice = f"the joints of '{tree.name}' are {', '.join(tree.joint_names[:8])}"
        raise InputError(f"column '{strange}' is neither t nor of a joint", place, advice)


def slope(t: np.ndarray, x: np.ndarray, order: int, place: str) -> np.ndarray:
    """Return a derivative by time of rows (N, n), by a spline through them."""
    if len(t) <= DEGREE:
        raise InputError(f"{len(t)} rows are too few to differentiate", place, f"give at least {DEGREE + 1}")
    try:
        from scipy.interpolate import make_interp_spline
    except ImportError:
        advice = "pip install 'taut[motion]', or give rates and accelerations"
        raise InputError("differentiating needs SciPy", place, advice) from None
    return np.asarray(make_interp_spline(t, x, k=DEGREE)(t, nu=order))


def _compare(t: np.ndarray, q: np.ndarray, qd: np.ndarray, tree: Tree, place: str) -> None:
    """Warn where the rates are not the slope of the positions: another unit or another joint."""
    off = np.abs(slope(t, q, 1, place) - qd).max(axis=0)
    wrong = off > 0.5 * np.abs(qd).max(axis=0) + 1e-6
    if wrong.any():
        k = int(np.argmax(wrong))
        text = f"{place}: the rate of joint '{tree.joint_names[k]}' differs from the slope of its position by "
        warnings.warn(f"{text}{off[k]:.3g}; see units and columns", InputWarning, stacklevel=4)
