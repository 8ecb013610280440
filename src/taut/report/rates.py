"""Attainable rates of tasks for a person or a program, with bandwidths and the errors of held values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from taut.errors import InputError, TautError
from taut.reduce.scenario import ARMSTRONG, Scenario, scenario_of
from taut.report.counts import Settings, derived
from taut.report.page import Page
from taut.report.page.parts import Part, Prose, Section, Table
from taut.report.tasks import tasks_table
from taut.robot import Tree
from taut.robot.edit import numeric
from taut.robot.states import bounds
from taut.runtime.timing import timed_routines
from taut.tasks.bandwidth import Bandwidth, bandwidth
from taut.tasks.motion import Motion, random_fourier
from taut.tasks.motion import Table as Tabled
from taut.tasks.plan import Plan
from taut.tasks.rates import Rates, attained, cost, counted, schedule
from taut.tasks.routines import task_routines
from taut.tasks.staleness import Stale
from taut.tasks.study import Held, held, slowest
from taut.trajectory.table import read_trajectory

SEED = 1


@dataclass(frozen=True)
class Processor:
    """How fast a processor is: operations a second, measured here, or counted instructions.

    Attributes:
        flops: operations a second; None for the other two.
        sine: operations that a sine stands for.
        instructions: {task: count} as a text, with ``clock``.
        clock: instructions a second.
    """

    flops: float | None = None
    sine: float = 0.0
    instructions: str | None = None
    clock: float | None = None

    def seconds(self, plan: Plan) -> dict[str, float]:
        """Return one run of each task."""
        names = [task.name for task in plan.tasks]
        if self.instructions is not None and self.clock is not None:
            return counted(self.instructions, names, self.clock)
        if self.flops is not None:
            return {name: operations / self.flops for name, operations in cost(plan, self.sine).items()}
        found = timed_routines(task_routines(plan))
        return {name: 1e-9 * time.one for name, time in zip(names, found, strict=True)}

    def __str__(self) -> str:
        if self.instructions is not None:
            return f"{self.clock:g} instructions a second"
        return (
            "this machine, measured"
            if self.flops is None
            else f"{self.flops:g} operations a second, a sine {self.sine:g}"
        )


@dataclass(frozen=True)
class Study:
    """Rates and what they mean for the torque.

    Attributes:
        robot: its name.
        joints: names of the joints.
        plan: the tasks.
        processor: what they run on.
        rates: what it attains.
        every: rate with all tasks in each cycle [1/s].
        one_rate: (operations, sines, rate) of the one-rate function; None where it was not derived.
        motions: how many, and which.
        bandwidth: of the motions.
        held: errors of held values.
        share: wanted error as a share of the torque limits.
        slowest: greatest age for it [s].
        missing: why errors were not computed.
    """

    robot: str
    joints: tuple[str, ...]
    plan: Plan
    processor: Processor
    rates: Rates
    every: float
    one_rate: tuple[int, int, float] | None
    motions: str
    bandwidth: Bandwidth | None
    held: Held | None
    share: float
    slowest: float | None
    missing: str = ""


@dataclass(frozen=True)
class Question:
    """What is asked.

    Attributes:
        schedule: such as ``4:1``.
        rate: wanted of the synchronous task [1/s]; the highest by default.
        trajectories: files to measure along; random motions without them.
        count: of random motions.
        scenario: ranges of motion; the robot's limits by default.
        share: wanted error as a share of the torque limits.
    """

    schedule: str = "4:1"
    rate: float | None = None
    trajectories: Sequence[str | Path] = ()
    count: int = 20
    scenario: str | None = None
    share: float = 0.01


def rates_study(robot: Tree, plan: Plan, processor: Processor, asked: Question, settings: Settings) -> Study:
    """Return the attainable rates of tasks and the errors of values held between their runs."""
    seconds = processor.seconds(plan)
    found = attained(seconds, schedule(asked.schedule, len(plan.tasks)), asked.rate)
    every = 1 / sum(seconds.values())
    one_rate = None
    if processor.flops is not None and len(plan.together.answers) == 1:
        whole = derived(robot, plan.together.answers[0].label, settings).operations
        one_rate = (whole.total, whole.trig, processor.flops / (whole.total + processor.sine * whole.trig))
    study = Study(
        robot.name,
        robot.joint_names,
        plan,
        processor,
        found,
        every,
        one_rate,
        "",
        None,
        None,
        asked.share,
        None,
    )
    try:
        return _with_errors(robot, study, asked, settings)
    except TautError as error:
        if asked.trajectories or asked.scenario:
            raise
        return replace(study, missing=str(error))


def _with_errors(robot: Tree, study: Study, asked: Question, settings: Settings) -> Study:
    bare = numeric(robot)
    scenario: Scenario | None = None
    motions: list[Motion]
    if asked.trajectories:
        motions = [Tabled(read_trajectory(path, bare)) for path in asked.trajectories]
        said = ", ".join(str(path) for path in asked.trajectories)
    else:
        scenario = scenario_of(bare, asked.scenario or ARMSTRONG)
        rng = np.random.default_rng(SEED)
        motions = [random_fourier(scenario, rng) for _ in range(asked.count)]
        said = f"{asked.count} random Fourier series that reach a limit of the rates"
    plain = replace(settings, load=None, keep=())
    stale = Stale.of(derived(bare, "mass_matrix+bias", plain))
    age = study.rates.age or study.rates.period
    errors = held(stale, motions, age, scenario)
    limits = bounds(bare).effort
    allowed = asked.share * np.where(np.isfinite(limits), limits, np.maximum(errors.measured / 1e-2, 1e-12))
    return replace(
        study,
        motions=said,
        bandwidth=bandwidth(motions),
        held=errors,
        slowest=slowest(stale, motions, allowed, age) if np.all(np.isfinite(limits)) else None,
    )


def rates_data(study: Study) -> dict[str, Any]:
    """Return a study for a program to read."""
    rates, errors = study.rates, study.held
    data: dict[str, Any] = {
        "robot": study.robot,
        "processor": str(study.processor),
        "schedule": str(rates.schedule),
        "utilisation": rates.utilisation,
        "tasks": {
            name: study.plan.as_json()[name] | {"seconds": seconds, "rate": rate}
            for name, seconds, rate in zip(rates.tasks, rates.seconds, rates.rates, strict=True)
        },
        "all_tasks_each_cycle": {"rate": study.every},
        "memory_bytes": _memory(study.plan),
        "greatest_age": rates.age,
    }
    if study.one_rate:
        data["one_rate"] = dict(zip(("operations", "trig", "rate"), study.one_rate, strict=True))
    if study.bandwidth:
        data["bandwidth"] = study.bandwidth._asdict() | {"motions": study.motions}
    if errors is not None:
        data["staleness"] = {
            "age": errors.age,
            "joints": list(study.joints),
            "measured": errors.measured.tolist(),
            "bound_along": errors.along.tolist(),
            "bound_along_over_measured": errors.looseness.tolist(),
            "bound_within": None if errors.within is None else errors.within.tolist(),
            "violated": errors.violated,
        }
    if study.slowest is not None:
        data["slowest_background"] = {"error_share": study.share, "age": study.slowest}
    return data | ({"staleness_missing": study.missing} if study.missing else {})


def rates_page(study: Study) -> Page:
    """Return a study for a person."""
    rates = study.rates
    rows = tuple(
        (name, f"{1e3 * seconds:.4g}", f"{rate:.4g}")
        for name, seconds, rate in zip(rates.tasks, rates.seconds, rates.rates, strict=True)
    )
    said = [f"utilisation {100 * rates.utilisation:.3g} %; all tasks in each cycle {study.every:.4g} Hz"]
    if study.one_rate:
        operations, trig, rate = study.one_rate
        said.append(f"one-rate function: {operations} operations and {trig} sines and cosines, {rate:.4g} Hz")
    said.append(f"buffers: {_memory(study.plan)} bytes; values used are at most {1e3 * rates.age:.3g} ms old")
    sections = [
        Section("", (tasks_table(study.plan),)),
        Section("", (Table(("task", "ms a run", "Hz"), rows),)),
        _prose(said),
    ]
    if study.bandwidth:
        wide = study.bandwidth
        times = f"{wide.over_q:.2g} times as wide as positions, {wide.over_qd:.2g} times as rates"
        hertz = f"q {wide.q:.3g}, qd {wide.qd:.3g}, qdd {wide.qdd:.3g} Hz"
        sections.append(_prose([f"motions: {study.motions}", f"bandwidth: {hertz}; accelerations are {times}"]))
    errors = list(_errors(study.joints, study.held)) if study.held is not None else []
    if study.slowest is not None:
        most = f"slowest background for {100 * study.share:g} % of the torque limits: "
        errors.append(Prose(f"{most}values up to {1e3 * study.slowest:.3g} ms old"))
    if study.missing:
        errors.append(Prose(f"errors of held values were not computed: {study.missing}"))
    title = f"{study.robot} on {study.processor}; schedule {rates.schedule}, synchronous first"
    return Page(title, (*sections, *([Section("", tuple(errors))] if errors else [])))


def _prose(lines: Sequence[str]) -> Section:
    return Section("", tuple(Prose(line) for line in lines))


def _errors(joints: Sequence[str], errors: Held) -> Iterator[Part]:
    head = ("torque error at that age", "measured", "bound along", "at most over measured", "bound within limits")
    rows = []
    for k, name in enumerate(joints):
        within = "-" if errors.within is None else f"{errors.within[k]:.3g}"
        rows.append((name, f"{errors.measured[k]:.3g}", f"{errors.along[k]:.3g}", f"{errors.looseness[k]:.2f}", within))
    yield Table(head, tuple(rows))
    held = "all bounds hold" if errors.violated == 0 else f"bounds fail on {errors.violated} motions; report this"
    yield Prose(held)


def _memory(plan: Plan) -> int:
    """Return the bytes of all buffers: three slots with their stamps each."""
    return sum(3 * (8 * len(labels) + 16) for task in plan.tasks for labels in task.hands.values())


def rates_plot(study: Study, path: str) -> None:
    """Draw the errors of held values against the torque limits' joints, measured and bounded, as SVG or PNG."""
    if study.held is None:
        raise InputError("there are no errors to draw", "--plot", study.missing or "give limits or a trajectory")
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise InputError("matplotlib is not installed", "--plot", "pip install taut[report]") from None
    figure = Figure(figsize=(7, 4), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    series: Mapping[str, np.ndarray | None] = {
        "measured": study.held.measured,
        "bound along the motion": study.held.along,
        "bound within limits": study.held.within,
    }
    places = np.arange(len(study.joints))
    for k, (label, values) in enumerate(series.items()):
        if values is not None:
            axes.bar(places + 0.27 * (k - 1), np.maximum(values, 1e-12), 0.25, label=label)
    axes.set_yscale("log")
    axes.set_xticks(places, study.joints, rotation=20)
    axes.set_ylabel("torque error [N m or N]")
    axes.set_title(f"{study.robot}: values up to {1e3 * study.held.age:.3g} ms old")
    axes.legend()
    figure.savefig(path)
