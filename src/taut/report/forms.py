"""Which forms of a robot's equations can be asked for, and in which notations?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from taut.api import Robot
from taut.errors import InputError
from taut.report.kinematics import Counts, kinematics_counts, kinematics_page
from taut.report.progress import ProgressLine

NOTATIONS = ("text", "latex", "markdown", "sympy")


@dataclass(frozen=True)
class Made:
    """A form, written: the page, a few lines about it, and the same for a program to read."""

    page: str
    summary: str
    data: dict[str, Any]


def kinematics_form(robot: Robot, notation: str, effort: str, frame: str | None, only_data: bool) -> Made:
    """Return pose, Jacobian, determinant and inverse."""
    if notation == "sympy":
        raise InputError("kinematics has no SymPy form", "--sympy", "choose --text, --latex or --markdown")
    with ProgressLine(f"{robot.name} kinematics") as progress:
        arm = robot.kinematics(frame)
        counts = kinematics_counts(arm, effort, progress)
    page = kinematics_page(arm, counts)
    written = {"text": page.to_text, "latex": page.to_latex, "markdown": page.to_markdown}[notation]
    data = _kinematics_data(arm, counts)
    rows = [f"kinematics of {robot.name}: {arm.task.jacobian.where()}"]
    if "determinant" in data:
        rows.append(f"det J = {data['determinant']}")
    rows += [f"{name}: {f['total']} operations" for name, f in data["functions"].items()]
    return Made("" if only_data else written(), "\n".join(rows) + "\n", data)


def _kinematics_data(arm: Any, counts: Counts) -> dict[str, Any]:
    functions = [counts.forward, counts.jacobian, *([counts.inverse] if counts.inverse else [])]
    data: dict[str, Any] = {
        "robot": arm.robot,
        "velocity": arm.task.jacobian.where(),
        "redundant": arm.redundant,
        "functions": {f.name: f.as_json() for f in functions},
    }
    if counts.inverse is not None and not arm.redundant:
        data["determinant"] = arm.determinant
        data["singular"] = [{"where": s.formula, "what": s.words} for s in arm.singularities]
    return data


FORMS: dict[str, Callable[[Robot, str, str, str | None, bool], Made]] = {"kinematics": kinematics_form}
