"""The torque on several processors: the explicit and the recursive form side by side."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from taut.errors import InputError
from taut.report.counts import Settings, derived
from taut.report.page import Page
from taut.report.page.parts import Prose, Section, Table
from taut.robot import Tree
from taut.tasks.processors import as_json, divided, pipelined

FORMS = "explicit_torque,inverse_dynamics"
"""Explicit coefficients with the torque, and the recursion."""

MOST = 4096

PUBLISHED = (
    "beside them, as Izaguirre et al. (1992) quote: Lin and Luh 320+280 on six processors; Lathrop 15+43 pipelined, "
    "11+28 in parallel, on special hardware for any arm of six joints"
)


def processors_data(robot: Tree, functions: str | None, text: str, hop: float, settings: Settings) -> dict[str, Any]:
    """Return how functions divide over processors, with the schedule of the largest number.

    Args:
        robot: whose functions.
        functions: their names; both forms of the torque by default.
        text: numbers of processors, e.g. ``1,2,4,6``.
        hop: operations that pass until a value is on another processor.
        settings: of the derivations.
    """
    numbers = [int(word) if word.strip().isdigit() else 0 for word in text.split(",")]
    if not all(1 <= p <= MOST for p in numbers):
        raise InputError(f"cannot read '{text}'", "--processors", f"give numbers from 1 to {MOST}, e.g. 1,2,4,6")
    if not 0 <= hop < 1e6:
        raise InputError(f"a hop of {hop:g} operations is out of range", "--hop", "give 0 or more")
    found: dict[str, Any] = {"robot": robot.name, "hop": hop, "functions": {}}
    for name in (functions or FORMS).split(","):
        program = derived(robot, name, replace(settings, frame=None)).program
        rows = []
        for p in numbers:
            one, line = divided(program, p, hop), pipelined(program, p, hop)
            rows.append(
                {
                    "processors": p,
                    "work": one.work,
                    "makespan": one.makespan,
                    "speedup": one.speedup,
                    "messages": one.messages,
                    "barriers": one.barriers,
                    "pipeline_interval": line.interval,
                    "pipeline_latency": line.latency,
                    "pipeline_messages": line.messages,
                }
            )
        found["functions"][name] = {"rows": rows, "schedule": as_json(program, divided(program, max(numbers), hop))}
    return found


def processors_page(found: dict[str, Any]) -> Page:
    """Return the study for a person."""
    head = ("p", "operations", "makespan", "speedup", "values sent", "waits", "pipeline every", "latency", "sent")
    keys = ["processors", "work", "makespan", "speedup", "messages", "barriers"]
    keys += ["pipeline_interval", "pipeline_latency", "pipeline_messages"]
    sections = []
    for name, one in found["functions"].items():
        rows = [[f"{row[key]:.3g}" if key == "speedup" else f"{row[key]:g}" for key in keys] for row in one["rows"]]
        sections.append(Section(name, (Table(head, tuple(map(tuple, rows)), left=0),)))
    title = f"{found['robot']}: a value is on another processor {found['hop']:g} operations later; sines apart"
    return Page(title, (*sections, Section("", (Prose(PUBLISHED),))))
