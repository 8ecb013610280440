"""An abbreviated model as a page, as data and as a figure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from taut.analysis.opcount import Operations, count
from taut.derive import EFFORTS
from taut.errors import InputError, refuse_unknown
from taut.explicit import explicit
from taut.explicit.text import element_text, terms_text
from taut.reduce.abbreviate import Abbreviated, Judged, ModelInScenario, check
from taut.reduce.curve import Point, curve, point_of
from taut.reduce.operations import FUNCTIONS, as_printed
from taut.reduce.scenario import scenario_of
from taut.report.page import Page
from taut.report.page.parts import Chart, Curve, Lines, Part, Prose, Section, Table
from taut.report.progress import ProgressLine
from taut.robot import Tree
from taut.robot.edit import numeric

FIGURES = (".svg", ".pdf", ".png")
LISTED = 8
"""Dropped terms shown to a person; plain data has all of them."""

WITH_TORQUE = {"explicit": "M,b,c,g", "torque": "with torque"}


@dataclass(frozen=True)
class Asked:
    """What to do; see :func:`taut.reduce.abbreviate.abbreviate`.

    Attributes:
        threshold: share below which terms go.
        scenario: a file, or 'armstrong'; None for the robot's limits.
        rule: which terms go.
        operations: allowed by the budget rule.
        effort: of a search over the shorter model.
        curve: whether to find the curve of the budget rule too.
    """

    threshold: float = 0.01
    scenario: str | None = None
    rule: str = "armstrong"
    operations: int | None = None
    effort: str = "none"
    curve: bool = False


@dataclass(frozen=True)
class Shortened:
    """A shorter model and what else was asked for.

    Attributes:
        model: the shorter model.
        searched: its operations by function after a search; empty where none was asked for.
        curve: of the budget rule; empty where it was not asked for.
    """

    model: Abbreviated
    searched: dict[str, Operations]
    curve: Sequence[Point]


def shortened(robot: Tree, asked: Asked) -> Shortened:
    """Abbreviate a robot's explicit equations with a progress line."""
    check(asked.threshold, asked.rule, asked.operations)
    refuse_unknown("effort", asked.effort, EFFORTS, "abbreviate")
    scenario = scenario_of(robot, asked.scenario)
    numeric(robot)  # a symbol without a value is refused before anything long is done
    with ProgressLine(f"{robot.name} explicit", noun="terms") as progress:
        ranged = ModelInScenario.of(explicit(robot, progress=progress), scenario)
    with ProgressLine(f"{robot.name} abbreviated", noun="terms") as progress:
        found = ranged.abbreviated(asked.threshold, asked.rule, asked.operations, progress)
    searched = {}
    if EFFORTS[asked.effort]:
        for name, torque in (("explicit", False), ("torque", True)):
            with ProgressLine(f"{robot.name} abbreviated {name}") as progress:
                searched[name] = count(found.tightened(torque, asked.effort, progress))
    points: Sequence[Point] = ()
    if asked.curve:
        with ProgressLine(f"{robot.name} curve") as progress:
            points = curve(ranged, progress=progress)
    return Shortened(found, searched, points)


def abbreviation_data(result: Shortened) -> dict[str, Any]:
    """Return everything for a program to read."""
    found = result.model
    mass = [element for element in found.model.elements.values() if element.kind == "M"]
    data: dict[str, Any] = {
        "robot": found.full.robot.name,
        "rule": found.rule,
        "threshold": found.threshold,
        "scenario": found.scenario.as_json(),
        "operations": {
            "before": {name: _operations(found.before[name]) for name in FUNCTIONS},
            "after": {name: _operations(found.after[name]) for name in FUNCTIONS},
            "after_search": {name: _operations(operations) for name, operations in result.searched.items()},
            "mass_matrix_as_printed": _operations(as_printed(mass, found.model)),
        },
        "terms": {
            "before": len(found.terms),
            "after": len(found.kept),
            "kept": [_judged(term) for term in found.kept],
            "dropped": [_judged(term) for term in found.dropped],
        },
        "error": {
            error.joint: {
                "bound": error.bound,
                "worst": error.worst,
                "rms": error.rms,
                "largest_torque": error.largest,
            }
            for error in found.errors
        },
        "positive_definite": {
            "holds": found.definiteness.holds,
            "proved": found.definiteness.proved,
            "least_eigenvalue": found.definiteness.least,
            "least_eigenvalue_before": found.definiteness.full,
        },
        "warnings": list(found.warnings),
        "equations": {name: element_text(e) for name, e in found.model.elements.items() if not e.is_zero},
    }
    return data | ({"curve": [vars(point) for point in result.curve]} if result.curve else {})


def _operations(operations: Operations) -> dict[str, int]:
    return {"mul": operations.mul, "add": operations.add, "total": operations.total}


def _judged(term: Judged) -> dict[str, Any]:
    return {"elements": list(term.elements), "term": terms_text([term.term]), "share": term.share}


def abbreviation_page(result: Shortened, equations: bool = False) -> Page:
    """Return the same for a person.

    Args:
        result: what was found.
        equations: whether the elements that are left are wanted too, with the constants they need.
    """
    found, searched = result.model, result.searched
    by = f"threshold {100 * found.threshold:g} %" if found.threshold is not None else f"{found.operations} operations"
    held = f", load up to {found.scenario.load.mass:g} kg" if found.scenario.load else ""
    rows = [("before", *(str(found.before[name].total) for name in FUNCTIONS))]
    rows.append(("after", *(str(found.after[name].total) for name in FUNCTIONS)))
    if searched:
        rows.append(("after, searched", *(str(searched[name].total) if name in searched else "" for name in FUNCTIONS)))
    mass = [element for element in found.model.elements.values() if element.kind == "M"]
    greatest = sorted(found.dropped, key=lambda term: -term.share)[:LISTED]
    listed = tuple((terms_text([term.term]), ", ".join(term.elements), _percent(term.share)) for term in greatest)
    printed = f"M as its text is printed, products such as CC2 given: {as_printed(mass, found.model)}"
    terms = f"terms: {len(found.terms)} before, {len(found.kept)} after; the greatest of those dropped:"
    counts = Table(("operations", *(WITH_TORQUE.get(name, name) for name in FUNCTIONS)), tuple(rows))
    errors = Table(("joint", "bound", "worst", "rms", "greatest torque", "worst of it"), _errors(found))
    warned = tuple(Prose(f"warning: {warning}") for warning in found.warnings)
    sections = [
        Section("", (counts,)),
        Section("", (Prose(printed), Prose(terms), Table(("term", "in", "share"), listed, left=2))),
        Section("torque error over the scenario [N m, slides N]", (errors,)),
        *([Section("", (_chart(result.curve),))] if result.curve else []),
        Section("", (Prose(_definiteness(found)), *warned)),
    ]
    if equations:
        sections.append(Section("equations", _equations(result)))
    return Page(f"{found.full.robot.name} abbreviated by rule {found.rule}, {by}{held}", tuple(sections))


def _chart(points: Sequence[Point]) -> Chart:
    operations = np.array([point.operations for point in points], dtype=float)
    curves = tuple(
        Curve.of(name, kind, operations, np.array([100 * getattr(point, name) for point in points]))
        for name, kind in (("bound", "band"), ("worst", "main"), ("rms", "other"))
    )
    return Chart("torque error, % of a joint's greatest torque", "operations with torque", curves)


def _equations(result: Shortened) -> tuple[Part, ...]:
    """Return the elements that are left, and the constants they need."""
    short = result.model.model
    left = [element_text(e) for e in short.elements.values() if not e.is_zero]
    return (Lines((*left, "", *(str(constant) for constant in short.constants.values()))),)


def _errors(found: Abbreviated) -> tuple[tuple[str, ...], ...]:
    return tuple(
        (
            error.joint,
            *(f"{x:.3g}" for x in (error.bound, error.worst, error.rms, error.largest)),
            _percent(error.share),
        )
        for error in found.errors
    )


def _definiteness(found: Abbreviated) -> str:
    state = found.definiteness
    how = (
        "everywhere in the scenario, by intervals" if state.proved else "at all samples" if state.holds else "no longer"
    )
    return f"M is positive definite {how}; least eigenvalue {state.least:.3g}, before {state.full:.3g}"


def _percent(share: float) -> str:
    return f"{100 * share:.2g} %"


def check_figure(path: str | Path) -> None:
    """Refuse a name that no figure can have, before anything is computed."""
    suffix = Path(path).suffix
    if suffix.lower() not in FIGURES:
        raise InputError(f"'{suffix}' is no figure format", str(path), f"end the name in {', '.join(FIGURES)}")
    if not Path(path).parent.is_dir():
        raise InputError("its folder does not exist", str(path), "name a file in a folder that exists")


def draw_curve(result: Shortened, path: str | Path) -> None:
    """Write the figure of operations against error: the budget rule's curve, and this model."""
    check_figure(path)
    path, points, marked = Path(path), result.curve, result.model
    try:
        from matplotlib import rc_context
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise InputError("the figure needs matplotlib", str(path), "pip install 'taut[report]'") from None
    figure = Figure(figsize=(6.4, 4.2), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    operations = [point.operations for point in points]
    for kind, label in (("bound", "bound, by intervals"), ("worst", "worst sample"), ("rms", "root mean square")):
        axes.plot(operations, [100 * getattr(point, kind) for point in points], marker="o", markersize=3, label=label)
    at = point_of(marked)
    name = f"rule {marked.rule}" + (f", {100 * marked.threshold:g} %" if marked.threshold is not None else "")
    axes.plot([at.operations] * 3, [100 * x for x in (at.bound, at.worst, at.rms)], "k+", label=name)
    axes.set(
        xlabel="operations of the model with its torque",
        ylabel="torque error, % of the joint's greatest torque",
        yscale="log",
        title=f"{marked.full.robot.name}: the most accurate model within a budget".replace("$", r"\$"),
    )
    axes.grid(visible=True, which="both", color="0.9")
    axes.legend()
    try:
        with rc_context({"svg.fonttype": "none", "svg.hashsalt": "taut"}):  # text as text, the same bytes every time
            figure.savefig(path, dpi=150, metadata={"Date": None} if path.suffix.lower() == ".svg" else None)
    except OSError as error:
        raise InputError(f"cannot write: {error.strerror}", str(path), "name a file in a folder that exists") from None
