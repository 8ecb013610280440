"""An identification as one self-contained HTML page: torques, residual spectra, parameters, what was chosen and why."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

import numpy as np

from taut.identify.estimate.identification import Identification

WIDTH, HEIGHT = 860, 120
STYLE = (
    "body{font:15px sans-serif;max-width:60em;margin:2em auto;padding:0 1em}table{border-collapse:collapse}"
    "td,th{padding:.15em .7em;text-align:right;border-bottom:1px solid #ddd}td:first-child{text-align:left}"
    "svg{background:#fafafa;border:1px solid #ddd}.m{stroke:#888}.p{stroke:#c33}.b{stroke:#fbb}"
    "path{fill:none;stroke-width:1}"
)


def identification_page(fit: Identification) -> str:
    """Return the page."""
    parts = [
        f"<h1>{escape(fit.robot.name)}: identified from recordings</h1>",
        *_verdict(fit),
        "<h2>Errors: RMSE in % of the RMS torque</h2>",
        html_table(
            [
                *("joint", "train", "held out", "held out, not delayed", "against raw torque", "cross-validated"),
                *("band", "lag [ms]", "terms"),
            ],
            _errors(fit),
        ),
        "<h2>Terms and why</h2>",
        html_list(f"{joint}: {'; '.join(reasons)}" for joint, reasons in fit.reasons.items()),
        "<h2>Torque: measured grey, predicted red, its 95 % band from the parameters pink</h2>",
        *_torques(fit),
        "<h2>Residual spectra</h2>",
        *_spectra(fit),
        "<h2>Parameters</h2>",
        f"<p>Condition number {fit.condition[0]:.3g}, with the prior {fit.condition[1]:.3g}. "
        f"{escape(fit.excitation.weakest)}.</p>",
        html_table(["parameter", "value", "95 % interval", "stands for"], _parameters(fit)),
        "<h2>Notes</h2>",
        html_list(fit.notes),
    ]
    return page(fit.robot.name, parts)


def page(title: str, parts: Iterable[str]) -> str:
    """Return parts of a page as a whole one."""
    head = f"<!DOCTYPE html><html lang='en'><meta charset='utf-8'><title>{escape(title)}</title><style>{STYLE}</style>"
    return head + "\n".join(parts) + "</html>\n"


def _verdict(fit: Identification) -> list[str]:
    mean = fit.data["mean"]
    shown = (
        f"{mean['held_out']:.1f} % on held-out samples"
        if "held_out" in mean
        else f"{mean['train']:.1f} % on what was fitted"
    )
    exists = "Every link can exist." if fit.consistent else "Some link cannot exist."
    lines = [*fit.verdict, *fit.warnings, *(f"{joint}: {why}" for joint, why in fit.poor.items())]
    return [f"<p>Mean torque error {shown}. {exists}</p>", html_list(lines)]


def _errors(fit: Identification) -> list[list[str]]:
    columns = (fit.train, fit.held_out, fit.held_out_prompt, fit.held_out_raw, fit.validated, fit.band)
    return [
        [j, *(f"{c[j]:.2f}" if c else "-" for c in columns), f"{1e3 * fit.lags[j]:.1f}", " ".join(fit.terms[j])]
        for j in fit.train
    ]


def _parameters(fit: Identification) -> list[list[str]]:
    return [
        [name, f"{v:.5g}", f"{v - 1.96 * e:.4g} to {v + 1.96 * e:.4g}", fit.groups.get(name, "")]
        for name, (v, e) in fit.parameters.items()
    ]


def _torques(fit: Identification) -> list[str]:
    _, measured, predicted, band = fit.shown
    return [
        f"<p>{escape(joint)}</p>"
        + chart(
            [
                (predicted[:, j] - band[:, j], "b"),
                (predicted[:, j] + band[:, j], "b"),
                (measured[:, j], "m"),
                (predicted[:, j], "p"),
            ]
        )
        for j, joint in enumerate(fit.train)
    ]


def _spectra(fit: Identification) -> list[str]:
    _, measured, predicted, _ = fit.shown
    residual = measured - predicted
    window = np.hanning(len(residual))[:, None]
    size = np.log10(np.abs(np.fft.rfft(residual * window, axis=0)) + 1e-12)
    return [f"<p>{escape(joint)} (logarithmic)</p>" + chart([(size[1:, j], "p")]) for j, joint in enumerate(fit.train)]


def chart(curves: Sequence[tuple[np.ndarray, str]]) -> str:
    """Return curves over their samples as a drawing, each with its class."""
    low = min(float(y.min()) for y, _ in curves)
    span = max(float(y.max()) for y, _ in curves) - low or 1.0
    paths = []
    for y, kind in curves:
        thin = y[:: max(1, len(y) // WIDTH)]
        x = np.linspace(0, WIDTH, len(thin))
        points = " ".join(f"{a:.1f},{HEIGHT - HEIGHT * (b - low) / span:.1f}" for a, b in zip(x, thin, strict=True))
        paths.append(f"<path class='{kind}' d='M{points}'/>")
    return (
        f"<svg viewBox='0 0 {WIDTH} {HEIGHT}' width='{WIDTH}'>{''.join(paths)}</svg>"
        f"<small> {low:.3g} to {low + span:.3g}</small>"
    )


def html_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table."""

    def line(cells: Sequence[str], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in cells) + "</tr>"

    return f"<table>{line(head, 'th')}{''.join(line(row, 'td') for row in rows)}</table>"


def html_list(lines: Iterable[str]) -> str:
    """Return a list of sentences."""
    return "<ul>" + "".join(f"<li>{escape(line)}</li>" for line in lines) + "</ul>"
