"""Validation of one or two robots on recordings as a page: errors, parameters and torques."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from taut.identify.estimate.validate import Validation
from taut.report.page import Page
from taut.report.page.parts import Chart, Curve, Listing, Prose, Section, Table

Parameters = Mapping[str, tuple[float, float]]
"""{parameter: values of both robots}."""


def validation_page(found: Sequence[Validation], parameters: Parameters, more: Sequence[Section] = ()) -> Page:
    """Return the report, with further sections behind it."""
    first = found[0]
    intro = (
        f"{first.samples} samples; RMSE in % of the RMS torque as recorded, filtered at {first.cutoff:.3g} Hz; "
        "'delayed': the prediction delayed by the lag that suits it best"
    )
    sections = [Section("Errors", (Prose(intro), _errors(found)))]
    if parameters:
        sections.append(Section("Parameters", (_parameters(found, parameters),)))
    if first.notes:
        sections.append(Section("Notes", (Listing(tuple(first.notes)),)))
    title = f"{' and '.join(v.robot for v in found)} compared with recordings"
    return Page(title, (*sections, *more, Section("Torque", _torques(found))))


def _torques(found: Sequence[Validation]) -> tuple[Chart, ...]:
    measured = found[0].parts[0].measured
    sample = np.arange(len(measured))
    return tuple(
        Chart(
            f"{joint} [N m, N]",
            "sample",
            (
                Curve.of("measured", "other", sample, measured[:, j]),
                *(Curve.of(f"predicted, {v.robot}", "main", sample, v.parts[0].prompt[:, j]) for v in found),
            ),
        )
        for j, joint in enumerate(found[0].error)
    )


def _errors(found: Sequence[Validation]) -> Table:
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
    return Table(tuple(head), tuple(tuple(row) for row in [*rows, means]))


def _parameters(found: Sequence[Validation], parameters: Parameters) -> Table:
    head = ("parameter", *(v.robot for v in found), "difference")
    return Table(head, tuple((name, f"{a:.5g}", f"{b:.5g}", f"{b - a:.3g}") for name, (a, b) in parameters.items()))
