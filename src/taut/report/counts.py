"""Derives the functions of a robot one after the other and reports their counts as a table or as data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from taut.analysis.fused import fused
from taut.closed_form.derive import derive
from taut.cluster import LOCAL
from taut.derive import Function
from taut.derive.kept import keep_program, kept_function, searches_before
from taut.derive.naming.model import FORMS
from taut.errors import InputError
from taut.graph.stage import Stage
from taut.questions.arguments import ARGUMENTS
from taut.questions.table import QUESTIONS, asked
from taut.report.page import Page
from taut.report.page.parts import Prose, Section, Table
from taut.report.progress import ProgressLine
from taut.robot import Tree

ALL = "all"

WAITS_FOR = {
    stage: next(argument.name for argument in ARGUMENTS.values() if argument.stage is stage)
    for stage in Stage
    if stage > Stage.PARAMETER
}
"""What the operations of a stage wait for."""


@dataclass(frozen=True)
class Settings:
    """How to derive; see :func:`taut.derive.derive.derive`.

    ``budget`` is in seconds a function; ``again`` searches on from what earlier runs have found.
    """

    method: str = "best"
    parameters: str | None = None
    effort: str = "normal"
    frame: str | None = None
    budget: float | None = None
    objective: str = "m+a"
    fresh: bool = False
    generic: bool = False
    seed: int = 1
    snap: float | None = None
    accept: float | None = None
    keep: tuple[str, ...] = ()
    load: str | None = None
    forms: tuple[str, ...] = FORMS
    again: bool = False
    engine: str = LOCAL


@dataclass(frozen=True)
class Derivations:
    """Functions of one robot.

    Attributes:
        robot: its name.
        done: {function: its derivation}.
        refused: {function: why it cannot be had}; only where all functions were asked for.
        interrupted: the function whose search Ctrl-C ended, None for none.
        skipped: functions not begun after that.
    """

    robot: str
    done: dict[str, Function]
    refused: dict[str, str]
    interrupted: str | None
    skipped: tuple[str, ...]

    @property
    def notes(self) -> list[str]:
        """What a person should know besides the counts, one line each."""
        said = list(dict.fromkeys(note for function in self.done.values() for note in function.notes))
        said += [f"{name}: not available: {why}" for name, why in self.refused.items()]
        said += [
            f"{name}: the search ended at its budget; another run may end elsewhere"
            for name, function in self.done.items()
            if not function.reproducible and name != self.interrupted
        ]
        if self.interrupted:
            said.append(f"{self.interrupted}: interrupted, this is the best so far")
        if self.skipped:
            said.append(f"not begun: {', '.join(self.skipped)}")
        return said


def derivations(robot: Tree, names: Sequence[str], settings: Settings) -> Derivations:
    """Derive functions; Ctrl-C ends the current search, keeps its best program and leaves the other functions out.

    Args:
        robot: the robot.
        names: functions, or ``all``.
        settings: for all of them.
    """
    wanted = _chosen(names)
    done: dict[str, Function] = {}
    refused: dict[str, str] = {}
    for k, name in enumerate(wanted):
        try:
            done[name] = derived(robot, name, settings)
        except InputError as error:
            if ALL not in names:
                raise
            refused[name] = str(error)
            continue
        if done[name].interrupted:
            return Derivations(robot.name, done, refused, name, tuple(wanted[k + 1 :]))
    if not done:
        raise InputError(next(iter(refused.values())))
    return Derivations(robot.name, done, refused, None, ())


def derived(robot: Tree, name: str, settings: Settings) -> Function:
    """Return one function, kept from a run before or derived now with a progress line; ``fresh`` derives anew."""
    options = asdict(settings)
    options["seconds"] = options.pop("budget")
    again = options.pop("again")
    key = {"function": name, **options}
    del key["engine"]  # the function is the same
    seed = settings.seed + (searches_before(robot, key) if again else 0)

    def make() -> Function:
        with ProgressLine(f"{robot.name} {name}") as progress:
            made = derive(robot, name, progress=progress, **options | {"seed": seed})
        keep_program(made)
        return made

    return make() if settings.fresh else kept_function(robot, key, make, again)


def _chosen(names: Sequence[str]) -> list[str]:
    labels = dict.fromkeys(asked(name, "--function").label for name in names if name != ALL)
    return list(QUESTIONS) if ALL in names else list(labels)


def counts_data(found: Derivations) -> dict[str, Any]:
    """Return the counts for a program to read."""
    data: dict[str, Any] = {
        "robot": found.robot,
        "functions": {name: function.as_json() | {"effort": function.effort} for name, function in found.done.items()},
    }
    return data | ({"unavailable": found.refused} if found.refused else {})


def derivation_data(function: Function) -> dict[str, Any]:
    """Return one derivation for a program to read: its counts after every pass, and the program."""
    about = {"robot": function.robot, "function": function.name, "effort": function.effort}
    steps = [
        {"name": step.name, "mul": step.operations.mul, "add": step.operations.add, "total": step.operations.total}
        for step in function.steps
    ]
    return about | function.as_json() | {"steps": steps, "program": function.program.to_text()}


def counts_page(found: Derivations) -> Page:
    """Return the counts for a person."""
    stages = [s for s in WAITS_FOR if any(s.label in f.operations.by_stage for f in found.done.values())]
    head = ["function", "mul", "add", "total", "trig", "depth", "fma", *(f"at {WAITS_FOR[s]}" for s in stages)]
    rows = tuple((name, *_row(function, stages)) for name, function in found.done.items())
    some = next(iter(found.done.values()))
    proofs = {function.proof for function in found.done.values()}
    treated = f"parameters {some.parameters}" + ("" if some.is_safe else ", generic")
    title = f"{found.robot}, {treated}, effort {some.effort}: operations at run time"
    methods: dict[str, list[str]] = {}
    for name, function in found.done.items():
        methods.setdefault(function.method, []).append(name)
    said = [f"by {method}: {', '.join(names)}" for method, names in methods.items()]
    if None not in proofs:
        points = min(proof.points for proof in proofs if proof)
        said.append(f"each proved equal to its textbook algorithm at {points} random points of GF(2^61 - 1)")
    if known := [name for name, function in found.done.items() if function.stored]:
        said.append(f"stored: {', '.join(known)}; found before for this structure, --fresh derives anew")
    said += [f"note: {note}" for note in found.notes]
    table = Section("", (Table((*head, "seconds"), rows),))
    return Page(title, (table, Section("", tuple(Prose(line) for line in said))))


def _row(function: Function, stages: Sequence[Stage]) -> list[str]:
    ops = function.operations
    by_stage = [str(ops.by_stage[s.label].total) if s.label in ops.by_stage else "0" for s in stages]
    counts = [str(x) for x in (ops.mul, ops.add, ops.total, ops.trig, ops.depth, fused(function.program))]
    return [*counts, *by_stage, f"{function.seconds:.1f}"]
