"""Tasks of a robot for a person: derived with progress, counted, with what they hand over."""

from __future__ import annotations

from dataclasses import replace

from taut.derive import Function
from taut.derive.naming.model import ONE_NAMING
from taut.generate import functions_named
from taut.report.counts import Settings, derived
from taut.report.page.parts import Table
from taut.report.table import table
from taut.robot import Tree
from taut.tasks.generate import DEFAULT, planned
from taut.tasks.plan import Plan


def task_plan(robot: Tree, functions: str | None, tasks: str, settings: Settings, worth: int = 0) -> Plan:
    """Return functions of a robot cut into tasks, derived with a progress line.

    Args:
        robot: whose functions.
        functions: a list such as ``inverse_dynamics,jacobian:tool``; the torque by default.
        tasks: ``two-rate``, or a list of stages.
        settings: of the derivations.
        worth: operations that a value handed between background tasks must save.
    """
    chosen = functions_named(functions or DEFAULT)
    for _, frame in chosen:
        if frame is not None:
            robot.frame(frame)
    if settings.load is not None:
        robot.frame(settings.load)  # mistyped frames are refused before anything is derived

    def derive(tree: Tree, name: str, frame: str | None) -> Function:
        return derived(tree, name, replace(settings, frame=frame, forms=ONE_NAMING))

    return planned(robot, chosen, tasks, derive, worth)


def tasks_table(plan: Plan) -> Table:
    """Return a table of the tasks."""
    rows = []
    for task in plan.tasks:
        count = task.operations
        handed = ", ".join(f"{len(labels)} {target}" for target, labels in task.hands.items())
        takes = ", ".join(task.arguments)
        counts = [str(x) for x in (count.mul, count.add, count.total, count.trig)]
        rows.append((task.name, takes, *counts, handed or "-", str(task.handed())))
    return Table(("task", "takes", "mul", "add", "total", "sin, cos", "values for", "bytes"), tuple(rows))


def tasks_text(plan: Plan) -> str:
    """Return the table of the tasks for a terminal."""
    shown = tasks_table(plan)
    return table(shown.head, shown.text)
