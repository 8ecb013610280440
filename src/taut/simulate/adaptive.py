"""Integration with SciPy's error control, in local coordinates of the robot's positions.

The unknowns are x, the rates and the work, with q = step(q_0, x): along a free base x are exponential coordinates about
a pose q_0 [Munthe-Kaas 1999, High order Runge-Kutta methods on manifolds], elsewhere the positions themselves. Before x
turns the base by more than half a radian, the pose reached becomes the new q_0. Dense output and events work through
the same coordinates, so quaternions have length 1 everywhere.

Robots with loops: every step ends with a projection onto them, from which integration restarts.

Joint stops and dry friction: between their events the rows that hold are constant (:mod:`taut.simulate.contacts`). The
guards are looked at on the integrator's polynomial, at ``LOOKS`` times a step; the first that is negative is followed
back to the time at which it vanishes, and integration restarts there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from taut.errors import InputError
from taut.robot import Tree, states
from taut.simulate.contacts import Contacts, Event, first_event
from taut.simulate.integrators import Rates, State
from taut.simulate.plan import APPLY, SAMPLE, Plan
from taut.simulate.plant import Plant
from taut.simulate.sampled import Sensors

TURN = 0.5
"""Rotation about the middle of a chart beyond which it is renewed [rad]."""

LOOKS = 12
"""Times in a step at which stops and dry friction are looked at; what begins and ends between two goes unnoticed."""

CROWDED = 1e-9
"""Time from one event to the next that counts as none [s]."""

SHORT, MOST_SHORT = 1e-6, 200
"""Part of the whole time that counts as a short step, and how many in a row are taken for a motion without end."""

Watch = Callable[[float, np.ndarray, np.ndarray], float]
"""(t, q, qd) -> a number whose zeros are events; ``terminal`` and ``direction`` as SciPy's."""


@dataclass
class Dense:
    """The motion at any time, from the integrator's own polynomials.

    Attributes:
        plant: that moves; None where there are no polynomials.
        pieces: (end, position about which it counts, polynomial).
    """

    plant: Plant | None = None
    pieces: list[tuple[float, np.ndarray, Any]] = field(default_factory=list)

    def __call__(self, t: Any) -> tuple[np.ndarray, np.ndarray]:
        """Return q (..., nq) and qd (..., nv) at times (...)."""
        times = np.asarray(t, dtype=float)
        if self.plant is None or not self.pieces:
            raise InputError("no dense output", "at", "simulate with DOP853, RK45, Radau, BDF or LSODA")
        first, last = self.pieces[0][2].t_old, self.pieces[-1][0]
        if times.size and not (times.min() >= first and times.max() <= last):
            raise InputError(f"a time outside of {first:.9g} to {last:.9g} s", "at", "give times within")
        ends = np.array([end for end, _, _ in self.pieces])
        flat = [self._one(self.plant, float(x), int(np.searchsorted(ends, x))) for x in times.ravel()]
        q, qd = (np.array([pair[k] for pair in flat]) for k in (0, 1))
        widths = [len(x) for x in self._one(self.plant, first, 0)]
        return q.reshape(*times.shape, widths[0]), qd.reshape(*times.shape, widths[1])

    def _one(self, plant: Plant, t: float, piece: int) -> tuple[np.ndarray, np.ndarray]:
        _, base, polynomial = self.pieces[min(piece, len(self.pieces) - 1)]
        return plant.seen(plant.projected(_Chart(plant.tree, base).state(polynomial(t))))


class _Chart:
    """Coordinates about a position."""

    def __init__(self, tree: Tree, base: np.ndarray) -> None:
        self.tree, self.base, self.n = tree, base, tree.nv
        self.turning = np.zeros(tree.nv, dtype=bool)
        at = 0
        for i in tree.independent:
            motion = tree.joints[i].motion
            for start in motion.quaternions:
                self.turning[at + start : at + start + 3] = True
            at += motion.nv

    def state(self, x: np.ndarray) -> State:
        n = self.n
        step = np.ascontiguousarray(x[:n])
        q = states.step(self.tree, self.base, step) if self.tree.quaternions else step
        return State(q, np.ascontiguousarray(x[n : 2 * n]), x[2 * n])

    def flat(self, y: State) -> np.ndarray:
        x = np.zeros(self.n) if self.tree.quaternions else y.q
        return np.concatenate([x, y.qd, [y.work]])

    def rate(self, x: np.ndarray, qd: np.ndarray) -> np.ndarray:
        return states.chart_rate(self.tree, x[: self.n], qd) if self.tree.quaternions else qd

    def far(self, x: np.ndarray) -> bool:
        return bool(np.linalg.norm(x[: self.n][self.turning]) > TURN)


def adaptive(
    plant: Plant,
    plan: Plan,
    times: np.ndarray,
    y: State,
    method: str,
    tolerance: float,
    *,
    sensors: Sensors | None = None,
    contacts: Contacts | None = None,
    watches: Sequence[Watch] = (),
    events: list[Event],
    dense: Dense,
) -> Iterator[tuple[State, Rates]]:
    """Yield the state and its derivatives at the wanted times.

    Args:
        plant: the robot and what acts on it.
        plan: when a sampled controller measures and acts.
        times: at which the motion is wanted.
        y: where it starts.
        method: of SciPy.
        tolerance: relative and absolute.
        sensors: of a sampled controller.
        contacts: stops and sticking; their events are among ``events``.
        watches: functions whose zeros are events.
        events: filled with them.
        dense: filled with the integrator's polynomials.
    """
    try:
        from scipy import integrate
    except ImportError:
        raise InputError(f"'{method}' needs SciPy", "simulate", "pip install 'taut[motion]', or use rk4") from None
    solver_of = getattr(integrate, method)
    due = np.flatnonzero(plan.flags & (SAMPLE | APPLY))
    legs = sorted({0, *(int(k) for k in due), len(plan.start) - 1})
    waiting: list[np.ndarray] = []
    if sensors is not None:
        plant.held = np.zeros_like(plant.seen(y)[1])
    field, settled = (plant, plant.projected) if contacts is None else (contacts, contacts.held_still)
    if contacts is not None:
        y = contacts.start(float(plan.start[0]), y)
    done, size, crowd, short = 0, math.nan, 0, 0
    for leg, after in pairwise(legs):
        t, end = float(plan.start[leg]), float(plan.start[after])
        if plan.flags[leg] & SAMPLE and sensors is not None:
            waiting.append(plant.convert(plant.torque(t, *sensors.measured(*plant.seen(y)))))
        if plan.flags[leg] & APPLY:
            plant.held = waiting.pop(0)
            if contacts is not None:
                y = contacts.renewed(t, y)
        while done < len(times) and times[done] <= t:
            yield y, field(t, y)
            done += 1
        chart = _Chart(plant.tree, y.q)
        solver: Any = None
        while solver is None or solver.status == "running":
            if solver is None:

                def derivative(t: float, x: np.ndarray, chart: _Chart = chart) -> np.ndarray:
                    rates = field(t, chart.state(x))
                    return np.concatenate([chart.rate(x, rates.qd), rates.qdd, [rates.power]])

                options = {"first_step": min(size, end - t)} if size > 0 and method != "LSODA" else {}
                solver = solver_of(
                    derivative, t, chart.flat(y), end, rtol=max(tolerance, 3e-14), atol=tolerance, **options
                )
            solver.step()
            tiny = solver.step_size is not None and solver.step_size < SHORT * (times[-1] - times[0])
            short = short + 1 if tiny else 0
            if solver.status == "failed" or short > MOST_SHORT:
                name = plant.names[int(np.argmax(np.abs(chart.state(solver.y).qd)))]
                what = f"steps shrink to nothing at t = {solver.t:.9g} s, where joint '{name}' is the fastest"
                raise InputError(what, "simulate", "see the torque and the masses, or take a larger tolerance")
            polynomial = solver.dense_output()
            change = None if contacts is None else _change(contacts, chart, polynomial, float(solver.t))
            last = float(solver.t) if change is None else change[0]
            stop = _watched(watches, plant, chart, polynomial, last, events)
            last = last if stop is None else stop
            dense.pieces.append((last, chart.base, polynomial))
            while done < len(times) and times[done] <= last:
                now = settled(chart.state(polynomial(times[done])))
                yield now, field(float(times[done]), now)
                done += 1
            if stop is not None:
                return
            t, y = float(solver.t), settled(chart.state(solver.y))
            size = float(getattr(solver, "h_abs", math.nan))
            if contacts is not None and change is not None:
                crowd = crowd + 1 if change[0] - float(polynomial.t_old) < CROWDED else 0
                contacts.refuse_crowd(crowd, change[0], change[2])
                t, y = change[0], contacts.handle(*change)
                if end - t <= 1e-13 * max(abs(end), 1.0):
                    break
            if change is not None or (solver.status == "running" and (plant.tied or chart.far(solver.y))):
                chart, solver = _Chart(plant.tree, y.q), None
    while done < len(times):
        yield y, field(float(times[done]), y)
        done += 1


def _change(contacts: Contacts, chart: _Chart, polynomial: Any, end: float) -> tuple[float, State, np.ndarray] | None:
    """Return the first time of a step at which a guard is negative, the state there and the guards; None for none."""
    start = float(polynomial.t_old)

    def seen(s: float) -> tuple[State, np.ndarray]:
        there = contacts.held_still(chart.state(polynomial(start + s)))
        return there, contacts.guards(start + s, there)

    part = (end - start) / LOOKS
    for k in range(LOOKS):
        after, late = seen((k + 1) * part)
        if (late < 0).any():
            s, after, late = first_event(partial(_later, seen, k * part), part, after, late)
            return start + k * part + s, after, late
    return None


def _later(seen: Callable[[float], tuple[State, np.ndarray]], by: float, s: float) -> tuple[State, np.ndarray]:
    return seen(by + s)


def _watched(
    watches: Sequence[Watch], plant: Plant, chart: _Chart, polynomial: Any, t: float, events: list[Event]
) -> float | None:
    """Note the events of a step; return the time of a terminal one."""
    from scipy.optimize import brentq

    found = []
    for watch in watches:

        def value(s: float, watch: Watch = watch) -> float:
            q, qd = plant.seen(chart.state(polynomial(s)))
            name = getattr(watch, "__name__", "event")
            try:
                found = float(watch(s, q, qd))
            except Exception as error:  # whatever a user's function raises
                what = f"fails at t = {s:.9g} s: {error or type(error).__name__}"
                raise InputError(what, f"event '{name}'", "return one number") from error
            if not math.isfinite(found):
                raise InputError(f"returns {found} at t = {s:.9g} s", f"event '{name}'", "see its code")
            return found

        a, b = value(float(polynomial.t_old)), value(t)
        direction = getattr(watch, "direction", 0)
        if a * b < 0 or (b == 0 and a != 0):
            if direction == 0 or direction * (b - a) > 0:
                found.append((brentq(value, polynomial.t_old, t, xtol=1e-14, rtol=1e-14), watch))
    for at, watch in sorted(found, key=lambda pair: pair[0]):
        events.append(Event(float(at), getattr(watch, "__name__", "event"), ""))
        if getattr(watch, "terminal", False):
            return float(at)
    return None
