"""Simulation of a robot: initial state and torque in, motion out."""

from __future__ import annotations

import math
import os
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from taut.derive.traced import exact_function
from taut.errors import InputError, InputWarning
from taut.robot import Tree, states
from taut.robot.opened import Opened
from taut.robot.parameters import with_parameters
from taut.simulate.adaptive import Dense, adaptive
from taut.simulate.closed_plant import ClosedPlant
from taut.simulate.contacts import Contacts, Event
from taut.simulate.integrators import ADAPTIVE, Rates, State
from taut.simulate.loop import LoopParts, Sampling, Torques, loop
from taut.simulate.options import Options
from taut.simulate.plan import Plan, plan
from taut.simulate.plant import Acting, Converter, Plant, Wrenches, converter, wrenches_of
from taut.simulate.result import OpenedMotion, Simulation
from taut.simulate.rows import DryRow, dry_rows, without_dry
from taut.simulate.sampled import Sampled, Sensors
from taut.simulate.stepping import fixed_steps
from taut.simulate.switches import Switches
from taut.simulate.torques import Torque, as_times, rate_names, torque_of
from taut.toolchain.compiler import CompilerError

MOST_STEPS = 50_000_000
"""Steps beyond which a time or a step is taken for a mistake."""

MULTISTEP = ("BDF", "LSODA")
"""Integrators that go by their past steps."""

STAGES = {"rk4": 4, "semi_implicit": 1, "variational": 4}
"""Evaluations of the forward dynamics a step, those of the variational one at least."""


class SimulationError(InputError):
    """A motion that cannot be continued; ``partial`` is the :class:`Simulation` up to there."""

    partial: Simulation


def simulate(
    tree: Tree,
    q0: np.ndarray,
    qd0: np.ndarray,
    torque: Any = None,
    t: Any = 1.0,
    parameters: Any = None,
    **options: Any,
) -> Simulation:
    """Return the motion from an initial state under torques.

    Args:
        tree: the robot, without symbols.
        q0: positions (..., nq), checked.
        qd0: rates (..., nv), checked, with the same leading axes.
        torque: None, a constant, a table, a control law or a function, see :func:`taut.simulate.torques.torque_of`; or
            one of these as a :class:`taut.simulate.sampled.Sampled` controller.
        t: the end time from 0, or increasing times at which the motion is wanted [s].
        parameters: inertial parameters of the links that move (..., links, 10), in the order of ``robot.parameters``,
            where they differ from those of the robot, which a control law goes by; their leading axes come first in the
            result. Every set is derived and compiled on its own.
        options: fields of :class:`Options`.
    """
    try:
        asked = Options(**options)
    except TypeError as error:
        raise InputError(str(error).partition(") ")[2], "simulate", "see taut.simulate.options") from None
    times = _times(t, asked.step)
    sampled = torque if isinstance(torque, Sampled) else None
    run = _Run(
        tree,
        asked,
        times,
        torque_of(tree, torque if sampled is None else sampled.torque),
        sampled,
        converter(tree, asked.saturate, asked.bits),
        *wrenches_of(tree, asked.wrenches),
        _rows(tree, asked),
    )
    run.check(q0)
    return run(q0, qd0) if parameters is None else _over_sets(run, np.asarray(parameters, dtype=float), q0, qd0)


def _rows(tree: Tree, asked: Options) -> list[DryRow]:
    """Return where dry friction and stops act; with loops and cams on every joint of the opened tree."""
    return dry_rows(Opened(tree).tree if tree.at().bends else tree, asked.drives, asked.stops)


def _over_sets(run: _Run, parameters: np.ndarray, q0: np.ndarray, qd0: np.ndarray) -> Simulation:
    """Return the motions of robots with several sets of parameters under the same torques."""
    if parameters.ndim < 2:
        raise InputError(f"shape {parameters.shape}", "parameters", "give ten numbers a link, (..., links, 10)")
    found = []
    for index in np.ndindex(*parameters.shape[:-2]):
        plant = with_parameters(run.tree, parameters[index])
        found.append(replace(run, tree=plant, rows=_rows(plant, run.asked))(q0, qd0))
    if parameters.ndim == 2:
        return found[0]
    return _stacked(found, parameters.shape[:-2])


def _stacked(found: Sequence[Simulation], leading: tuple[int, ...]) -> Simulation:
    """Return several motions over the same times as one with leading axes."""

    def array(name: str) -> np.ndarray:
        whole = np.stack([getattr(one, name) for one in found])
        return whole.reshape(*leading, *whole.shape[1:])

    arrays: dict[str, Any] = {name: array(name) for name in ("q", "qd", "qdd", "tau", "work")}
    apart = [one.opened for one in found if one.opened is not None]
    if apart:
        q, qd = np.stack([one.q for one in apart]), np.stack([one.qd for one in apart])
        shaped = (x.reshape(*leading, *x.shape[1:]) for x in (q, qd))
        arrays["opened"] = OpenedMotion(apart[0].tree, *shaped)
    events = tuple(event for one in found for event in one.events)
    return replace(found[0], **arrays, evaluations=sum(one.evaluations for one in found), events=events, dense=None)


@dataclass(frozen=True)
class _Run:
    """A simulation with everything it is made of."""

    tree: Tree
    asked: Options
    times: np.ndarray
    torque: Torque
    sampled: Sampled | None
    convert: Converter
    frames: tuple[str, ...]
    wrenches: Wrenches | None
    rows: Sequence[DryRow]

    @property
    def bends(self) -> bool:
        """Whether closures, rolling or cams tie the rates: the opened tree is what moves."""
        return self.tree.at().bends

    def check(self, q0: np.ndarray) -> None:
        """Refuse what does not go together, and starts outside of the limits."""
        method = self.asked.method
        if q0.ndim != 1 and any(getattr(watch, "terminal", False) for watch in self.asked.events):
            raise InputError("an event that ends the motion of a batch", "simulate", "give one initial state")
        for what, there in (("a free base", self.tree.quaternions), ("loops", self.bends)):
            if method == "variational" and there:
                raise InputError(f"'variational' cannot step {what}", "simulate", "use rk4 or DOP853")
        if method in MULTISTEP and self.bends:
            text = f"'{method}' loses its past steps where loops are projected"
            raise InputError(text, "simulate", "use rk4, DOP853, RK45 or Radau")
        if self.asked.active and not self.bends:
            raise InputError(f"robot '{self.tree.name}' has no loops to switch", "active", "leave it out")
        bounds = states.bounds(self.tree)
        outside = ((q0 < bounds.lower) | (q0 > bounds.upper)).reshape(-1, self.tree.nq).any(axis=0)
        if outside.any():
            joints = (self.tree.joints[i] for i in self.tree.own)
            names = [joint.name for joint in joints for _ in range(joint.motion.nq)]
            name = names[int(np.argmax(outside))]
            text = f"joint '{name}' starts outside of its limits at t = {self.times[0]:.9g} s"
            if self.asked.stops:
                raise InputError(text, "simulate", "start within them, or leave stops out")
            warnings.warn(f"{text}; joint stops do not act", InputWarning, stacklevel=4)

    def __call__(self, q0: np.ndarray, qd0: np.ndarray) -> Simulation:
        """Return the motion, or raise with the part of it that there is."""
        adaptive = self.asked.method in ADAPTIVE
        period, delay = (0.0, 0.0) if self.sampled is None else (self.sampled.period, self.sampled.delay)
        steps = plan(self.times, math.inf if adaptive else self.asked.step, period, delay)
        if not (adaptive or self.rows or self.bends) and self.asked.compiled and type(self.torque) is not Torque:
            try:
                return self._compiled(steps, q0, qd0)
            except CompilerError as error:
                text = f"the simulation runs in Python, slower than compiled: {error}"
                warnings.warn(text, RuntimeWarning, stacklevel=4)
        if self.asked.hold:
            advice = "give a table or a control law as torque, without stops, sticking and loops, and have a C compiler"
            raise InputError("hold needs the loop in C", "simulate", advice)
        if (self.rows or adaptive or self.bends) and q0.ndim > 1:
            return self._one_by_one(steps, q0, qd0)
        return self._in_python(steps, q0, qd0)

    # -- in C ---------------------------------------------------------------------

    def _compiled(self, steps: Plan, q0: np.ndarray, qd0: np.ndarray) -> Simulation:
        tree, asked, leading = self.tree, self.asked, q0.shape[:-1]
        coefficients = (asked.coefficients or exact_function(tree, "explicit")) if asked.hold else None
        run = loop(LoopParts(tree, asked.method, self.torque.law, asked.drives, self.frames, coefficients))
        q, qd = (np.array(x.reshape(-1, x.shape[-1]), order="C") for x in (q0, qd0))
        constant = self.torque.constant(qd0.shape)
        held = np.zeros_like(qd) if constant is None else self.convert(constant).reshape(qd.shape)
        rows = None if constant is not None and self.sampled is None else self._rows
        torques = Torques(self.torque.law, rows, held, self.convert.effort, self.convert.quantum)
        sampling = None
        if self.sampled is not None:
            sensors = Sensors(self.sampled, tree, q)
            differences = self.sampled.rates == "difference"
            sampling = Sampling(self.sampled.period, self.sampled.queue, sensors.encoder, sensors.errors, differences)
        threads = asked.threads or _processors()
        parts = []
        left = int(steps.steps.sum())
        for part, chunk in zip(
            run(steps, q, qd, torques, sampling, self.wrenches, threads, max(asked.hold, 1)),
            run.chunks(steps, len(q)),
            strict=True,
        ):
            parts.append(part)
            left -= int(chunk.steps.sum())
            if asked.progress is not None:
                asked.progress("simulating", left)
            if part.bad is not None:
                break

        def together(name: str) -> np.ndarray:
            joined = np.concatenate([getattr(part, name) for part in parts], axis=1)
            return joined.reshape(*leading, *joined.shape[1:])

        arrays: dict[str, Any] = {name: together(name) for name in ("q", "qd", "qdd", "tau", "work")}
        evaluations = 1 + STAGES[asked.method] * int(steps.steps.sum())
        found = Simulation(self.times, **arrays, **self._about(evaluations))
        if parts[-1].bad is not None:
            _, joint, at = parts[-1].bad
            stopped = SimulationError(
                f"acceleration of joint '{rate_names(tree)[joint]}' is not finite after t = {at:.9g} s",
                "simulate",
                "take a smaller step, or see the torque and the masses",
            )
            stopped.partial = _until(found, at)
            raise stopped
        return found

    def _rows(self, times: np.ndarray) -> np.ndarray:
        rows = self.torque.rows(times)
        if rows is not None:
            return rows
        constant = self.torque.constant((len(times), self.tree.nv))
        assert constant is not None, "a Python function has no rows"
        return constant

    # -- in Python ----------------------------------------------------------------

    def _in_python(self, steps: Plan, q0: np.ndarray, qd0: np.ndarray) -> Simulation:
        asked, tree = self.asked, self.tree
        plant = self._plant()
        y = plant.start(q0, qd0)
        sensors = None if self.sampled is None else Sensors(self.sampled, tree, q0)
        contacts = self._contacts(plant)
        events: list[Event] = [] if contacts is None else contacts.events
        dense = Dense(plant)
        points: Iterator[tuple[State, Rates]]
        if asked.method in ADAPTIVE:
            watching: dict[str, Any] = {"watches": asked.events, "events": events, "dense": dense}
            watching |= {"sensors": sensors, "contacts": contacts}
            points = adaptive(plant, steps, self.times, y, asked.method, asked.tolerance, **watching)
        else:
            points = fixed_steps(plant, steps, y, asked.method, sensors, contacts)
        kept: list[tuple[State, Rates]] = []

        def result() -> Simulation:
            def over_time(rows: list[np.ndarray], width: int) -> np.ndarray:
                return np.stack(rows, axis=-2) if rows else np.empty((*q0.shape[:-1], 0, width))

            seen = [plant.seen(y) for y, _ in kept]
            at = plant.independent
            return Simulation(
                self.times[: len(kept)],
                over_time([q for q, _ in seen], tree.nq),
                over_time([qd for _, qd in seen], tree.nv),
                over_time([r.qdd[..., at] for _, r in kept], tree.nv),
                over_time([r.tau[..., at] for _, r in kept], tree.nv),
                over_time([np.asarray(y.work)[..., None] for y, _ in kept], 1)[..., 0],
                **self._about(plant.evaluations, tuple(events), dense),
                opened=OpenedMotion(plant.tree, np.array([y.q for y, _ in kept]), np.array([y.qd for y, _ in kept]))
                if plant.tied
                else None,
            )

        try:
            for point in points:
                kept.append(point)  # what comes before an error stays
                if asked.progress is not None:
                    asked.progress("simulating", len(self.times) - len(kept))
        except InputError as error:
            stopped = SimulationError(error.message, error.place, error.advice)
            stopped.partial = result()
            raise stopped from error
        return result()

    def _plant(self) -> Plant:
        """Return what moves: the robot, or with loops and cams its opened tree."""
        moving = Opened(self.tree).tree if self.bends else self.tree
        lossy = (without_dry(moving) if self.rows else moving) if self.asked.drives else None
        kind = ClosedPlant if self.bends else Plant
        return kind(self.tree, Acting(self.torque, self.convert, lossy, self.frames, self.wrenches))

    def _contacts(self, plant: Plant) -> Contacts | None:
        """Return stops, dry friction and loops that are switched; None where there are none."""
        asked = self.asked
        if asked.active:
            assert isinstance(plant, ClosedPlant)
            return Switches(plant, self.rows, asked.restitution, asked.rest_speed, asked.active)
        return Contacts(plant, self.rows, asked.restitution, asked.rest_speed) if self.rows else None

    def _one_by_one(self, steps: Plan, q0: np.ndarray, qd0: np.ndarray) -> Simulation:
        """Return the motions of several initial states whose events come at different times."""
        found = []
        for index in np.ndindex(*q0.shape[:-1]):
            constant = self.torque.constant(qd0.shape)
            alone = self if constant is None else replace(self, torque=torque_of(self.tree, constant[index]))
            found.append(alone._in_python(steps, q0[index], qd0[index]))
        return _stacked(found, q0.shape[:-1])

    def _about(self, evaluations: int, events: tuple[Event, ...] = (), dense: Dense | None = None) -> dict[str, Any]:
        return {
            "method": self.asked.method,
            "joint_names": self.tree.joint_names,
            "evaluations": evaluations,
            "tree": self.tree,
            "events": events,
            "dense": dense,
        }


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _until(found: Simulation, t: float) -> Simulation:
    """Return the part of a motion before a time."""
    count = int(np.searchsorted(found.t, t, side="left"))
    arrays = {name: getattr(found, name)[..., :count, :] for name in ("q", "qd", "qdd", "tau")}
    return replace(found, t=found.t[:count], work=found.work[..., :count], **arrays)


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
