"""The living report as one HTML text: the data of a robot, its functions, and the page's script and style."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from importlib.metadata import version
from importlib.resources import files
from typing import Any

from taut.api import Robot
from taut.derive import Function
from taut.errors import InputError
from taut.formats.shapes import Shape
from taut.report.counts import Settings
from taut.report.living.abbreviation import abbreviation_data
from taut.report.living.equations import explicit_data, program_data
from taut.report.living.functions import c_data, counts_data, page_functions, script
from taut.report.living.meshes import mesh_data
from taut.report.living.skeleton import skeleton_data
from taut.report.page.html import look
from taut.report.stand_in import unvalued, with_rods
from taut.report.tasks import task_plan

TERMS = 5000
"""Terms of the explicit equations beyond which the page shows the torque as it is computed instead."""


def living_report(
    robot: Robot, settings: Settings | None = None, terms: int = TERMS, shapes: Sequence[Shape] = ()
) -> str:
    """Return the page of a robot: one HTML text that needs nothing else.

    Args:
        robot: links whose inertial numbers have no values move as rods of 1 kg, which the page states.
        settings: how its functions are derived; without a search by default.
        terms: most terms of the explicit equations.
        shapes: that the robot's file draws.
    """
    settings = settings or Settings(effort="none")
    missing, moving = unvalued(robot.tree), with_rods(robot.tree)
    functions = page_functions(robot.tree, settings)
    run = page_functions(moving, settings) if missing else functions
    meshes, undrawn = mesh_data(moving, shapes)
    notes = [note for function in functions.values() for note in function.notes]
    data = {
        "name": robot.name,
        "source": robot.tree.source,
        "version": version("taut"),
        "effort": settings.effort,
        "gravity": [float(x) for x in moving.gravity_acceleration],
        "joints": list(moving.joint_names),
        "nq": moving.nq,
        "nv": moving.nv,
        "unknown": missing,
        "frame": functions["jacobian"].frame,
        "notes": list(dict.fromkeys([*notes, *([undrawn] if undrawn else [])])),
        "skeleton": skeleton_data(moving),
        "meshes": meshes,
        **_equations(robot, functions["inverse_dynamics"], terms),
        "counts": counts_data(robot.tree, functions),
        "tasks": task_plan(robot.tree, None, "two-rate", settings).as_json(),
        "code": c_data(robot.tree, functions),
    }
    return _filled(robot.name, data, script(moving, run, settings))


def _equations(robot: Robot, torque: Function, terms: int) -> dict[str, Any]:
    try:
        model = robot.explicit(limit=terms)
    except InputError as error:
        why = f"The explicit equations are left out: {error.message}."
        return {
            "equations": program_data(torque, why),
            "abbreviation": {"steps": [], "shares": {}, "why": why},
        }
    return {"equations": explicit_data(model), "abbreviation": abbreviation_data(model)}


def _filled(name: str, data: dict[str, Any], functions: str) -> str:
    """Put everything into the page; nothing of a robot file can end a script or a comment."""
    parts = {
        "TITLE": escape(name),
        "STYLE": look() + _part("page.css"),
        "DATA": json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c"),
        "FUNCTIONS": functions.replace("</", "<\\/").replace("<!--", "<\\!--"),
        "SCRIPT": _part("page.min.js"),
    }
    pieces = _part("page.html").split("@@")  # text, name, text, name, ...
    return "".join(parts[piece] if k % 2 else piece for k, piece in enumerate(pieces))


def _part(name: str) -> str:
    return files("taut.report.living").joinpath(name).read_text("utf-8")
