"""Figures of the recorded searches, one per robot: operations against seconds, from the recorded searches."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from matplotlib import rc_context
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from counts.cells import Cell, cells

FIGURES = Path(__file__).parents[2] / "docs" / "figures"

TITLES = {
    "inverse_dynamics": "torque",
    "mass_matrix": "M",
    "explicit": "explicit",
    "explicit_torque": "explicit and torque",
    "forward_dynamics": "forward dynamics",
}


def figure_name(robot: str) -> str:
    return f"search_{robot}.svg"


def draw_all(records: dict[str, dict[str, Any]]) -> None:
    """Write a figure for every robot that has records; twins are dashed."""
    by_robot: dict[str, list[Cell]] = {}
    for cell in cells():
        if cell.name in records:
            by_robot.setdefault(cell.row.robot, []).append(cell)
    for robot, found in by_robot.items():
        _draw(robot, found, records)


def _draw(robot: str, found: list[Cell], records: dict[str, dict[str, Any]]) -> None:
    figure = Figure(figsize=(7, 4), layout="constrained")
    FigureCanvasSVG(figure)
    axes = figure.subplots()
    colours = {function: f"C{k}" for k, function in enumerate(TITLES)}
    for cell in found:
        known = records[cell.name]
        points = [(0.05, known["traced"]), *known["trace"], (known["seconds"], known["total"])]
        label = None if cell.row.is_twin else TITLES[cell.function]
        axes.step(
            [max(seconds, 0.05) for seconds, _ in points],
            [total / known["traced"] for _, total in points],
            where="post",
            color=colours[cell.function],
            linestyle="--" if cell.row.is_twin else "-",
            linewidth=1.0 if cell.row.is_twin else 1.6,
            label=label,
        )
    axes.set(xlabel="seconds, two processes", ylabel="operations, as traced = 1", xscale="log", title=robot)
    axes.grid(visible=True, which="both", color="0.9")
    axes.legend(title="twin dashed", fontsize="small")
    FIGURES.mkdir(exist_ok=True)
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "taut"}):  # text as text, the same bytes every time
        figure.savefig(FIGURES / figure_name(robot), format="svg", metadata={"Date": None})
