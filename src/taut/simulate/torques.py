"""Joint torques of a simulation: none, constant, a table over time, a control law, or a Python function.

Each is called with (t, q, qd). All but a Python function can also act inside the compiled loop: they give the row of
numbers, torques or references of a law, that belongs to each time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from taut.batch import as_states
from taut.control.law import Following, law_function
from taut.derive.function import Function
from taut.errors import InputError
from taut.robot import Tree
from taut.simulate.torque_table import read_torques


class Torque:
    """A torque that a Python function computes.

    Attributes:
        function: (t, q, qd) -> tau, with as many leading axes as q.
        names: joint of each rate.
    """

    law: Function | None = None
    """The control law, where there is one."""

    def __init__(self, function: Callable[..., Any], names: Sequence[str]) -> None:
        self.function, self.names = function, names

    def __call__(self, t: float, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        """Return tau (..., nv)."""
        try:
            tau = np.asarray(self.function(t, q, qd), dtype=float)
        except Exception as error:  # whatever a user's function raises
            what = f"fails at t = {t:.9g} s: {error or type(error).__name__}"
            raise InputError(what, "torque function", "see its code") from error
        if tau.shape != qd.shape:
            advice = f"return {len(self.names)} torques, in the order of joint_names"
            raise InputError(f"returns shape {tau.shape} at t = {t:.9g} s", "torque function", advice)
        refuse_infinite("torque function", "returns", t, tau, self.names)
        return tau

    def rows(self, times: np.ndarray) -> np.ndarray | None:
        """Return the row of each time (N, width), None where there is none."""
        return None

    def constant(self, shape: tuple[int, ...]) -> np.ndarray | None:
        """Return the torque that acts at all times, of a shape; None where it changes."""
        return None


class Constant(Torque):
    """The same torque at all times."""

    def __init__(self, tau: np.ndarray) -> None:
        self.tau = tau

    def __call__(self, t: float, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        """Return tau (..., nv)."""
        return np.broadcast_to(self.tau, qd.shape)

    def constant(self, shape: tuple[int, ...]) -> np.ndarray | None:
        """Return the torque."""
        return np.broadcast_to(self.tau, shape)


class Table(Torque):
    """Torques at times, linear in between and held before and after."""

    def __init__(self, times: np.ndarray, torques: np.ndarray) -> None:
        self.times, self.columns = times, np.ascontiguousarray(torques.T)

    def __call__(self, t: float, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        """Return tau (..., nv)."""
        return np.broadcast_to(self.rows(np.array([t]))[0], qd.shape)

    def rows(self, times: np.ndarray) -> np.ndarray:
        """Return the torques at each time."""
        return np.stack([np.interp(times, self.times, column) for column in self.columns], axis=-1)


class Controlled(Torque):
    """A control law that follows references."""

    def __init__(self, tree: Tree, following: Following) -> None:
        self.law = law_function(tree, following.law)
        self.widths = [len(names) for names in list(self.law.arguments.values())[2:]]
        self.reference, self.name = following.reference, following.law.name

    @cached_property
    def _compiled(self) -> Callable[..., np.ndarray]:
        assert self.law is not None
        return self.law.compile()

    def __call__(self, t: float, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        """Return tau (..., nv)."""
        row = self.rows(np.array([t]))[0]
        return self._compiled(q, qd, *np.split(row, np.cumsum(self.widths)[:-1]))

    def rows(self, times: np.ndarray) -> np.ndarray:
        """Return the references at each time, side by side."""
        given = self.reference(times)
        found = [np.asarray(x, dtype=float) for x in (given if isinstance(given, tuple) else (given,))]
        wanted = [(len(times), width) for width in self.widths]
        if [x.shape for x in found] != wanted:
            shapes = ", ".join(str(x.shape) for x in found)
            raise InputError(f"gives shapes {shapes}", f"reference of {self.name}", f"expected {wanted}")
        row = np.concatenate(found, axis=-1)
        if not np.isfinite(row).all():
            at = times[int(np.argwhere(~np.isfinite(row))[0, 0])]
            raise InputError(f"holds NaN or infinity at t = {at:.9g} s", f"reference of {self.name}", "see its code")
        return row


def torque_of(tree: Tree, given: Any) -> Torque:
    """Return the torque as a checked function of time and state.

    Args:
        tree: the robot.
        given: None for zero; nv numbers for a constant torque; a pair (times (N), torques (N, nv)), interpolated
            linearly and held before the first and after the last time, or the name of a CSV file with columns t,
            tau1, tau2, ...; a :class:`taut.control.Following`; or a function (t, q, qd) -> nv numbers.
    """
    if given is None:
        return Constant(np.zeros(tree.nv))
    if isinstance(given, str | Path):
        given = read_torques(given, tree)
    if isinstance(given, Following):
        return Controlled(tree, given)
    if callable(given):
        return Torque(given, rate_names(tree))
    if isinstance(given, tuple) and len(given) == 2 and np.ndim(given[1]) == 2:
        return _table(tree, *given)
    return Constant(as_states("torque", given, tree.nv, f"{tree.nv} torques"))


def _table(tree: Tree, times: Any, torques: Any) -> Table:
    at = as_times("times of the torque table", times)
    rows = as_states("torque table", torques, tree.nv, f"{tree.nv} torques")
    if len(at) != len(rows):
        advice = "give a row of torques for each time"
        raise InputError(f"{len(at)} times and {len(rows)} rows of torques", "torque table", advice)
    return Table(at, rows)


def as_times(name: str, times: Any) -> np.ndarray:
    """Return times as a strictly increasing array of at least two; the error names what is wrong with them."""
    at = as_states(name, np.atleast_1d(times), np.size(times), "times [s]")
    if at.ndim != 1 or len(at) < 2:
        raise InputError("fewer than two times in a row", name, "give increasing times [s]")
    back = np.flatnonzero(np.diff(at) <= 0)
    if len(back):
        k = int(back[0]) + 1
        raise InputError(f"time {k + 1} is {at[k]:.9g} s after {at[k - 1]:.9g} s", name, "give increasing times")
    return at


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
