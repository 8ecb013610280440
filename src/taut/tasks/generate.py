"""A directory of tasks in C: cut, proved, compiled, run and compared before it is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from taut.directory import write_directory
from taut.emit.backend import NotRun
from taut.emit.c import PORTABLE
from taut.emit.c.run import run_c
from taut.errors import InputError
from taut.generate import Generated, Row, Wanted, refuse_wrong
from taut.questions.table import asked
from taut.robot import Tree
from taut.robot.states import neutral
from taut.tasks.grouping import grouping
from taut.tasks.plan import Plan, plan
from taut.tasks.project import TaskProject
from taut.tasks.proof import Proved
from taut.tasks.recombined import STATES, expected_answers
from taut.tasks.together import Derive, together
from taut.toolchain.compiler import CompilerError
from taut.toolchain.sizes import Size, sizes

DEFAULT = "inverse_dynamics"
"""What tasks compute unless something else is named."""


ACCEPTED = {"double": 1e-9, "float": 1e-2}
"""Median errors above these are bugs; single states may be ill-conditioned, as near a singularity."""


@dataclass(frozen=True)
class GeneratedTasks(Generated):
    """A written directory of tasks; ``functions`` has a row for each task.

    Attributes:
        plan: the tasks, with what they hand over.
        proof: that they compute what the one-rate functions compute, in one sentence.
    """

    plan: Plan = field(kw_only=True)
    proof: str = field(kw_only=True)


def planned(robot: Tree, chosen: Sequence[tuple[str, str | None]], tasks: str, derive: Derive, worth: int = 0) -> Plan:
    """Return functions of a robot cut into tasks.

    Args:
        robot: whose functions.
        chosen: functions and frames.
        tasks: ``two-rate``, or a list of stages; see :func:`taut.tasks.grouping.grouping`.
        derive: called for what is needed.
        worth: operations that a value handed between background tasks must save.
    """
    if worth < 0:
        raise InputError(f"a value that saves {worth} operations", "tasks", "give 0 or more")
    slots = grouping(tasks)
    names = {slot.name for slot in slots}
    return plan(together(robot, _apart(chosen), derive, apart="configuration" in names), slots, worth)


def _apart(chosen: Sequence[tuple[str, str | None]]) -> list[tuple[str, str | None]]:
    """Return functions with fused ones as their parts: tasks put all of them together anyway."""
    found: dict[tuple[str, str | None], None] = {}
    for name, frame in chosen:
        parts = asked(name).question.parts
        found.update(dict.fromkeys([(part.question.name, part.frame) for part in parts] or [(name, frame)]))
    return list(found)


def generate_tasks(robot: Tree, directory: str, made: Plan, wanted: Wanted, proved: Proved) -> GeneratedTasks:
    """Write tasks of a robot as C with everything to run them.

    Args:
        robot: whose tasks.
        directory: new, empty, or with code that taut wrote for the same robot.
        made: the tasks.
        wanted: precision and form; the language is C.
        proved: what they compute together, as :func:`taut.tasks.proof.prove` returns it.
    """
    if wanted.language != "c" or wanted.batch:
        raise InputError(
            "tasks are written in C for one state at a time", "generate", "leave --language or --batch out"
        )
    project = TaskProject(
        made,
        list(robot.joint_names),
        list(neutral(robot)),
        list(robot.quaternions),
        proved.references,
        wanted.precision,
        wanted.trig,
        wanted.name,
        (proved.text, *proved.remarks),
    )
    texts = project.files()
    rows, not_run = _tried(project)
    refuse_wrong(rows)
    write_directory(directory, texts, robot.name, "c")
    return GeneratedTasks(directory, tuple(texts), tuple(rows), {}, not_run, plan=made, proof=proved.text)


def _tried(project: TaskProject) -> tuple[list[Row], str | None]:
    """Run the tasks one after the other on random states; return a row for each, and why they were not run, if so."""
    module, made = project.module, project.plan
    measured: dict[str, Size] = {}
    error, not_run = None, None
    states, expected, _ = expected_answers(made, project.references, project.quaternions, module.number.real)
    try:
        measured = sizes(module.single_file, PORTABLE)
        handed: dict[str, np.ndarray] = {}
        worst = np.zeros(STATES)
        for task, routine in zip(made.tasks, project.routines, strict=True):
            given = {**states, **{f"from_{source}": handed[f"{source} {task.name}"] for source in task.reads}}
            out = run_c(module, routine, given, (), PORTABLE, False)
            for target, labels in task.hands.items():
                handed[f"{task.name} {target}"], out = out[:, : len(labels)], out[:, len(labels) :]
            for answer in task.answers:
                right = expected[answer.name]
                scale = np.abs(right).max(axis=1, initial=1e-300)
                worst = np.maximum(worst, np.abs(out[:, : answer.size] - right).max(axis=1, initial=0.0) / scale)
                out = out[:, answer.size :]
        error = worst
    except (CompilerError, NotRun) as reason:
        not_run = str(reason)
    rows = []
    for task in made.tasks:
        size = measured.get(f"{module.prefix}_{task.name}", Size(None, None))
        worst_one = None if error is None or not task.answers else float(error.max())
        share = None if error is None or not task.answers else float(np.median(error)) / ACCEPTED[module.number.real]
        rows.append(
            Row(task.name, task.operations.total, task.operations.trig, size.code, size.stack, worst_one, share)
        )
    return rows, not_run
