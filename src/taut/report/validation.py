"""Validation of one or two robots on recordings: errors, parameters and torques, as text and as a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from taut.identify.estimate.validate import Validation
from taut.report.identification_page import chart, html_list, html_table, page
from taut.report.table import paragraph, table

Parameters = Mapping[str, tuple[float, float]]
"""{parameter: values of both robots}."""


def validation_text(found: Sequence[Validation], parameters: Parameters) -> str:
    """Return the report for a terminal."""
    first = found[0]
    intro = (
        f"{first.samples} samples; RMSE in % of the RMS torque as recorded, filtered at {first.cutoff:.3g} Hz; "
        "'delayed': the prediction delayed by the lag that suits it best"
    )
    parts = [f"{paragraph('', intro)}\n{table(*_errors(found))}"]
    if parameters:
        parts.append(table(*_parameters(found, parameters)))
    if first.notes:
        parts.append("\n".join(paragraph("  - ", note) for note in first.notes))
    return "\n\n".join(parts)


def validation_page(found: Sequence[Validation], parameters: Parameters) -> str:
    """Return a self-contained HTML page."""
    first = found[0]
    body = [
        f"<h1>{escape(' and '.join(v.robot for v in found))} beside recordings</h1>",
        "<h2>Errors: RMSE in % of the RMS torque as recorded</h2>",
        html_table(*_errors(found)),
        "<h2>Torque: measured grey, predicted red</h2>",
    ]
    for j, joint in enumerate(first.error):
        part = first.parts[0]
        curves = [(part.measured[:, j], "m"), *((v.parts[0].prompt[:, j], "p") for v in found)]
        body.append(f"<p>{escape(joint)}</p>{chart(curves)}")
    if parameters:
        body += ["<h2>Parameters</h2>", html_table(*_parameters(found, parameters))]
    return page(first.robot, [*body, "<h2>Notes</h2>", html_list(first.notes)])


def _errors(found: Sequence[Validation]) -> tuple[list[str], list[list[str]]]:
    several = len(found) > 1
    head = ["joint"]
    for v in found:
        head += [f"{v.robot} %" if several else "error %", "raw %", "delayed %", "lag ms"]
    rows = []
    for joint in found[0].error:
        row = [joint]
        for v in found:
            row += [*(f"{e[joint]:.2f}" for e in (v.error, v.raw, v.delayed)), f"{1e3 * v.lags[joint]:.1f}"]
        rows.append(row)
    means = ["mean"]
    for v in found:
        means += [*(f"{sum(e.values()) / len(e):.2f}" for e in (v.error, v.raw, v.delayed)), ""]
    return head, [*rows, means]


def _parameters(found: Sequence[Validation], parameters: Parameters) -> tuple[list[str], list[list[str]]]:
    head = ["parameter", *(v.robot for v in found), "difference"]
    return head, [[name, f"{a:.5g}", f"{b:.5g}", f"{b - a:.3g}"] for name, (a, b) in parameters.items()]
