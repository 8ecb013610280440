"""Joint torques as functions of time and state: none, constant, a table over time, or a Python function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from taut.batch import as_states
from taut.errors import InputError
from taut.robot import Tree
from taut.simulate.torque_table import read_torques

Torque = Callable[[float, np.ndarray, np.ndarray], np.ndarray]
"""(t, q, qd) -> tau (..., nv)."""


def torque_function(tree: Tree, given: Any) -> Torque:
    """Return the torque as a checked function of time and state.

    Args:
        tree: the robot.
        given: None for zero; nv numbers for a constant torque; a pair (times (N), torques (N, nv)), interpolated
            linearly and held before the first and after the last time, or the name of a CSV file with columns t,
            tau1, tau2, ...; or a function (t, q, qd) -> nv numbers.
    """
    if given is None:
        return lambda t, q, qd: np.zeros_like(qd)
    if isinstance(given, str | Path):
        given = read_torques(given, tree)
    if callable(given):
        return _checked(tree, given)
    if isinstance(given, tuple) and len(given) == 2 and np.ndim(given[1]) == 2:
        return _table(tree, *given)
    constant = as_states("torque", given, tree.nv, f"{tree.nv} torques")
    return lambda t, q, qd: np.broadcast_to(constant, qd.shape)


def saturated(torque: Torque, effort: np.ndarray) -> Torque:
    """Return the torque cut off at its largest magnitudes."""
    return lambda t, q, qd: np.clip(torque(t, q, qd), -effort, effort)


def _table(tree: Tree, times: Any, torques: Any) -> Torque:
    at = as_times("times of the torque table", times)
    rows = as_states("torque table", torques, tree.nv, f"{tree.nv} torques")
    if len(at) != len(rows):
        advice = "give a row of torques for each time"
        raise InputError(f"{len(at)} times and {len(rows)} rows of torques", "torque table", advice)
    columns = np.ascontiguousarray(rows.T)
    return lambda t, q, qd: np.broadcast_to([np.interp(t, at, column) for column in columns], qd.shape)


def as_times(name: str, times: Any) -> np.ndarray:
    """Return times as a strictly increasing array of at least two, or say what is wrong with them."""
    at = as_states(name, np.atleast_1d(times), np.size(times), "times [s]")
    if at.ndim != 1 or len(at) < 2:
        raise InputError("fewer than two times in a row", name, "give increasing times [s]")
    back = np.flatnonzero(np.diff(at) <= 0)
    if len(back):
        k = int(back[0]) + 1
        raise InputError(f"time {k + 1} is {at[k]:.9g} s after {at[k - 1]:.9g} s", name, "give increasing times")
    return at


def _checked(tree: Tree, function: Callable[..., Any]) -> Torque:
    names = rate_names(tree)

    def torque(t: float, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        try:
            tau = np.asarray(function(t, q, qd), dtype=float)
        except (TypeError, ValueError) as error:
            raise InputError(f"fails at t = {t:.9g} s: {error}", "torque function", "see its code") from error
        if tau.shape != qd.shape:
            advice = f"return {tree.nv} torques, in the order of joint_names"
            raise InputError(f"returns shape {tau.shape} at t = {t:.9g} s", "torque function", advice)
        refuse_infinite("torque function", "returns", t, tau, names)
        return tau

    return torque


def refuse_infinite(place: str, verb: str, t: float, values: np.ndarray, names: Sequence[str]) -> None:
    """Raise an error that names time and joint where a value is NaN or infinite."""
    if np.isfinite(values).all():
        return
    where = tuple(np.argwhere(~np.isfinite(values))[0])
    advice = "see its code" if verb == "returns" else "take a smaller step, or see the torque and the masses"
    raise InputError(f"{verb} {values[where]} for joint '{names[where[-1]]}' at t = {t:.9g} s", place, advice)


def rate_names(tree: Tree) -> list[str]:
    """Return the name of the joint of every rate (nv)."""
    return [tree.joints[i].name for i in tree.independent for _ in range(tree.joints[i].motion.nv)]
