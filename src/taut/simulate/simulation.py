"""Simulation of a robot: initial state and torque in, motion out."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from taut.errors import InputError, InputWarning
from taut.robot import Tree, states
from taut.simulate.accelerations import compiled_function, torque_lost
from taut.simulate.integrators import ADAPTIVE, METHODS, Field, Rates, State
from taut.simulate.result import Simulation
from taut.simulate.torques import Torque, as_times, rate_names, refuse_infinite, saturated, torque_function

MOST_STEPS = 50_000_000
"""Steps beyond which a time or a step is taken for a mistake."""


class SimulationError(InputError):
    """A motion that cannot be continued; ``partial`` is the :class:`Simulation` up to there."""

    partial: Simulation


def simulate(
    tree: Tree,
    q0: np.ndarray,
    qd0: np.ndarray,
    torque: Any = None,
    t: Any = 1.0,
    *,
    method: str = "rk4",
    step: float = 1e-3,
    drives: bool = False,
    saturate: bool = False,
    tolerance: float = 1e-10,
) -> Simulation:
    """Return the motion from an initial state under torques.

    Args:
        tree: the robot, without symbols.
        q0: positions (..., nq), checked.
        qd0: rates (..., nv), checked, with the same leading axes.
        torque: None, a constant, a table or a function; see :func:`taut.simulate.torques.torque_function`.
        t: the end time from 0, or increasing times at which the motion is wanted [s].
        method: ``rk4`` or ``semi_implicit`` with fixed steps; ``DOP853``, ``RK45``, ``Radau``, ``BDF`` or ``LSODA``
            of SciPy with error control, for a fixed base and one initial state.
        step: largest fixed step, and spacing of the result where ``t`` is an end time [s].
        drives: add friction, offsets and springs of the drives. Coulomb friction follows the sign of the speed and
            does not hold a joint: sticking is not simulated.
        saturate: cut torques off at the robot's limits.
        tolerance: relative and absolute, of the integrators with error control.
    """
    _check(tree, method, step, tolerance, q0)
    times = _times(t, step)
    wanted = torque_function(tree, torque)
    if saturate:
        wanted = saturated(wanted, states.bounds(tree).effort)
    if drives:
        _warn_of_sticking(tree)
    _warn_of_stops(tree, q0)
    field = _Field(tree, wanted, drives)
    start = State(q0, qd0, np.zeros(qd0.shape[:-1]))
    if method in METHODS:
        points = _fixed_steps(tree, field, start, times, step, method)
    else:
        points = _adaptive(field, start, times, method, tolerance)
    kept: list[tuple[State, Rates]] = []

    def result() -> Simulation:
        def over_time(rows: list[np.ndarray], width: int) -> np.ndarray:
            return np.stack(rows, axis=-2) if rows else np.empty((*q0.shape[:-1], 0, width))

        return Simulation(
            times[: len(kept)],
            over_time([y.q for y, _ in kept], tree.nq),
            over_time([y.qd for y, _ in kept], tree.nv),
            over_time([r.qdd for _, r in kept], tree.nv),
            over_time([r.tau for _, r in kept], tree.nv),
            over_time([y.work[..., None] for y, _ in kept], 1)[..., 0],
            method,
            tree.joint_names,
            field.evaluations,
            tree,
        )

    try:
        for point in points:
            kept.append(point)  # what comes before an error stays
    except InputError as error:
        stopped = SimulationError(error.message, error.place, error.advice)
        stopped.partial = result()
        raise stopped from error
    return result()


class _Field:
    """Time derivatives of a state under a torque, with every acceleration checked."""

    def __init__(self, tree: Tree, torque: Torque, drives: bool) -> None:
        self.torque, self.names, self.evaluations = torque, rate_names(tree), 0
        self.forward = compiled_function(tree, "forward_dynamics")
        self.lost = torque_lost(tree) if drives else None

    def __call__(self, t: float, y: State) -> Rates:
        self.evaluations += 1
        tau = self.torque(t, y.q, y.qd)
        net = tau if self.lost is None else tau - self.lost(y.q, y.qd)
        qdd = self.forward(y.q, y.qd, net)
        refuse_infinite("simulate", "acceleration becomes", t, qdd, self.names)
        return Rates(y.qd, qdd, tau, net)


Points = Iterator[tuple[State, Rates]]
"""The state and its derivatives at each of the wanted times."""


def _fixed_steps(tree: Tree, field: Field, y: State, times: np.ndarray, step: float, method: str) -> Points:
    """Go from each time to the next in equal steps, none longer than ``step``."""
    advance = METHODS[method]
    move = partial(states.step, tree) if tree.quaternions else np.add
    for t, end in zip(times, [*times[1:], None], strict=True):
        rates = field(float(t), y)
        yield y, rates
        if end is None:
            return
        count = math.ceil((end - t) / step * (1 - 1e-9))
        h = float(end - t) / count
        for k in range(count):
            now = float(t) + k * h
            y = advance(field, move, now, y, rates if k == 0 else field(now, y), h)


def _adaptive(field: Field, y: State, times: np.ndarray, method: str, tolerance: float) -> Points:
    """Integrate with SciPy's error control and evaluate its dense output at the wanted times."""
    try:
        from scipy import integrate
    except ImportError:
        raise InputError(f"'{method}' needs SciPy", "simulate", "pip install 'taut[motion]', or use rk4") from None
    n = len(y.qd)

    def state(x: np.ndarray) -> State:
        return State(x[:n], x[n : 2 * n], x[2 * n])

    def derivative(t: float, x: np.ndarray) -> np.ndarray:
        rates = field(t, state(x))
        return np.concatenate([rates.qd, rates.qdd, [rates.power]])

    flat = np.concatenate([y.q, y.qd, [0.0]])
    yield y, field(float(times[0]), y)
    solver = getattr(integrate, method)(derivative, times[0], flat, times[-1], rtol=tolerance, atol=tolerance)
    done = 1
    while done < len(times):
        message = solver.step()
        if solver.status == "failed":
            raise InputError(f"{message} at t = {solver.t:.9g} s", "simulate", "take a larger tolerance, or rk4")
        dense = solver.dense_output()
        while done < len(times) and times[done] <= solver.t:
            now = state(np.ascontiguousarray(dense(times[done])))
            yield now, field(float(times[done]), now)
            done += 1


def _times(t: Any, step: float) -> np.ndarray:
    if np.ndim(t) == 0:
        try:
            end = float(t)
        except (TypeError, ValueError):
            end = math.nan
        if not (math.isfinite(end) and end > 0):
            raise InputError(f"the end time is {t!r}", "simulate", "give a time above 0 s, or increasing times")
        count = max(1, round(end / step)) if end / step < MOST_STEPS else MOST_STEPS + 1
        t = np.linspace(0.0, end, count + 1) if count <= MOST_STEPS else np.array([0.0, end])
    times = as_times("times of the simulation", t)
    if (times[-1] - times[0]) / step > MOST_STEPS:
        raise InputError(f"more than {MOST_STEPS} steps", "simulate", "give a larger step or a shorter time")
    return times


def _check(tree: Tree, method: str, step: float, tolerance: float, q0: np.ndarray) -> None:
    if method not in (*METHODS, *ADAPTIVE):
        raise InputError(f"method {method!r}", "simulate", f"use one of {', '.join((*METHODS, *ADAPTIVE))}")
    for name, value in (("step", step), ("tolerance", tolerance)):
        if not (isinstance(value, int | float) and math.isfinite(value) and value > 0):
            raise InputError(f"the {name} is {value!r}", "simulate", "give a number above 0")
    if method in ADAPTIVE and tree.quaternions:
        raise InputError(f"'{method}' cannot step a free base", "simulate", "use rk4 or semi_implicit")
    if method in ADAPTIVE and q0.ndim != 1:
        raise InputError(f"'{method}' takes one initial state", "simulate", "use rk4 or semi_implicit for a batch")


def _warn_of_sticking(tree: Tree) -> None:
    sharp = [j.name for j in tree.joints if j.drive.coulomb != 0 and j.drive.smoothing == 0]
    if sharp:
        text = f"Coulomb friction of '{sharp[0]}' changes sign at rest and does not hold the joint: sticking is not "
        warnings.warn(text + "simulated; give the drive a smoothing speed", InputWarning, stacklevel=4)


def _warn_of_stops(tree: Tree, q0: np.ndarray) -> None:
    bounds = states.bounds(tree)
    outside = ((q0 < bounds.lower) | (q0 > bounds.upper)).reshape(-1, tree.nq).any(axis=0)
    if outside.any():
        names = [tree.joints[i].name for i in tree.independent for _ in range(tree.joints[i].motion.nq)]
        text = f"joint '{names[int(np.argmax(outside))]}' starts outside of its limits; joint stops are not simulated"
        warnings.warn(text, InputWarning, stacklevel=4)
