"""Fixed-step integrators of q' = v, v' = a(t, q, v), with q on the group of the robot's positions.

The fourth-order one is the commutator-free method of Celledoni, Marthinsen and Owren [Commutator-free Lie group
methods, Future Generation Computer Systems 19, 2003, section 4]: it needs only ``step``, the position reached
with constant rates, and it is the classical Runge-Kutta method where positions add up.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np


class State(NamedTuple):
    """Position (..., nq), rates (..., nv) and the work done so far (...) by torque and friction."""

    q: np.ndarray
    qd: np.ndarray
    work: np.ndarray


class Rates(NamedTuple):
    """Rates and accelerations; the torques asked for, and those left after friction and springs; each (..., nv)."""

    qd: np.ndarray
    qdd: np.ndarray
    tau: np.ndarray
    net: np.ndarray

    @property
    def power(self) -> np.ndarray:
        """Of the torques that are left (...)."""
        return np.asarray(np.sum(self.net * self.qd, axis=-1))


Field = Callable[[float, State], Rates]
"""(t, state) -> its time derivatives."""

Move = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""(q, v) -> the position after unit time with constant rates v."""

Method = Callable[[Field, Move, float, State, Rates, float], State]
"""(field, move, t, state, rates at the state, step) -> the state after the step."""


def runge_kutta(field: Field, move: Move, t: float, y: State, one: Rates, h: float) -> State:
    """Return the state after a step of order four."""
    half = h / 2
    q2 = move(y.q, half * one.qd)
    two = field(t + half, _beside(y, one, half, q2))
    three = field(t + half, _beside(y, two, half, move(y.q, half * two.qd)))
    four = field(t + h, _beside(y, three, h, move(q2, h * three.qd - half * one.qd)))
    middle = (two.qd + three.qd) / 6
    q = move(move(y.q, h * (one.qd / 4 + middle - four.qd / 12)), h * (four.qd / 4 + middle - one.qd / 12))
    qd = y.qd + h / 6 * (one.qdd + 2 * (two.qdd + three.qdd) + four.qdd)
    work = y.work + h / 6 * (one.power + 2 * (two.power + three.power) + four.power)
    return State(q, qd, work)


def semi_implicit(field: Field, move: Move, t: float, y: State, one: Rates, h: float) -> State:
    """Return the state after a step of symplectic Euler: rates first, then the position with the new rates."""
    qd = y.qd + h * one.qdd
    return State(move(y.q, h * qd), qd, y.work + h * np.sum(one.net * qd, axis=-1))


def _beside(y: State, rates: Rates, h: float, q: np.ndarray) -> State:
    return State(q, y.qd + h * rates.qdd, y.work)


METHODS: dict[str, Method] = {"rk4": runge_kutta, "semi_implicit": semi_implicit}
"""Fixed-step integrators by name."""

ADAPTIVE = ("DOP853", "RK45", "Radau", "BDF", "LSODA")
"""SciPy's integrators with error control, for robots whose positions add up."""
