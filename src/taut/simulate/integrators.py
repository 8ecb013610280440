"""Fixed-step integrators of q' = v, v' = a(t, q, v), with q on the group of the robot's positions.

The fourth-order one is the commutator-free method of Celledoni, Marthinsen and Owren [Commutator-free Lie group
methods, Future Generation Computer Systems 19, 2003, section 4]: it needs only ``move``, the position reached
with constant rates, and it is the classical Runge-Kutta method where positions add up. The variational one is the
midpoint rule of discrete mechanics [Marsden, West 2001, Discrete mechanics and variational integrators, 2.3]: it keeps
the momenta of symmetries, and its energy error stays bounded. :file:`loop.c` has the same in C.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

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


class Lagrangian(Protocol):
    """What the variational integrator asks of a robot."""

    def slopes(self, q: np.ndarray, qd: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return dL/dqd and dL/dq."""

    def solved(self, q: np.ndarray, p: np.ndarray) -> np.ndarray:
        """Return M(q)^-1 p."""


class Method(Protocol):
    """One step of an integrator."""

    def __call__(
        self, field: Field, t: float, y: State, one: Rates, h: float, *, move: Move, plant: Lagrangian
    ) -> State:
        """Return the state after the step h; ``one`` are the rates at ``y``."""


MOST_ITERATIONS = 30
"""Of the variational step; each gains about three digits at a millisecond."""


def runge_kutta(field: Field, t: float, y: State, one: Rates, h: float, *, move: Move, plant: Lagrangian) -> State:
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


def semi_implicit(field: Field, t: float, y: State, one: Rates, h: float, *, move: Move, plant: Lagrangian) -> State:
    """Return the state after a step of symplectic Euler: rates first, then the position with the new rates."""
    qd = y.qd + h * one.qdd
    return State(move(y.q, h * qd), qd, y.work + h * np.sum(one.net * qd, axis=-1))


def variational(field: Field, t: float, y: State, one: Rates, h: float, *, move: Move, plant: Lagrangian) -> State:
    """Return the state after a step of the variational midpoint rule, of order two.

    .. math:: p_0 = D_2 L - \\tfrac h2 (D_1 L + f), \\quad p_1 = D_2 L + \\tfrac h2 (D_1 L + f)
        \\quad\\text{at}\\quad (q_0 + \\tfrac h2 v, v), \\qquad q_1 = q_0 + h v

    solved for v by Newton steps with the mass matrix, h^2 of whose error is left at each.
    """
    p, _ = plant.slopes(y.q, y.qd)
    v, last = y.qd + h / 2 * one.qdd, np.inf
    for k in range(MOST_ITERATIONS):
        q = move(y.q, h / 2 * v)
        middle = field(t + h / 2, State(q, v, y.work))
        momentum, force = plant.slopes(q, v)
        change = plant.solved(q, p + h / 2 * (force + middle.net) - momentum)
        v = v + change
        size = float(np.abs(change).max(initial=0.0))
        if not size > 1e-15 * float(np.abs(v).max(initial=0.0)) or (k > 2 and size >= last):
            break
        last = size
    q = move(y.q, h * v)
    qd = plant.solved(q, p + h * (force + middle.net))
    return State(q, qd, y.work + h * np.sum(middle.net * v, axis=-1))


def _beside(y: State, rates: Rates, h: float, q: np.ndarray) -> State:
    return State(q, y.qd + h * rates.qdd, y.work)


METHODS: dict[str, Method] = {"rk4": runge_kutta, "semi_implicit": semi_implicit, "variational": variational}
"""Fixed-step integrators by name; loop.c numbers them in this order."""

ADAPTIVE = ("DOP853", "RK45", "Radau", "BDF", "LSODA")
"""SciPy's integrators with error control."""
