"""An identification as a page: errors, what was chosen and why, torques, parameters, what cannot be trusted."""

from __future__ import annotations

import numpy as np

from taut.identify.estimate.identification import Identification
from taut.identify.estimate.payload import Payload
from taut.report.page import Page
from taut.report.page.parts import Chart, Curve, Listing, Prose, Section, Table

SHOWN = 4
"""Standard errors below a quarter of the value: the parameter is well determined."""

COMMON = ("rotor_inertia", "viscous", "offset", "coulomb")
"""Terms that every joint is offered; the table names what it has beyond them."""


def identification_page(fit: Identification) -> Page:
    """Return the report; charts are for those notations that have them."""
    return Page(
        f"{fit.robot.name}: identified from recordings",
        (
            Section("Errors", _errors(fit)),
            Section("Terms chosen by blocked cross-validation", (Listing(_choices(fit)),)),
            Section("Parameters", _parameters(fit)),
            Section("Remarks", (Listing(_remarks(fit)),)),
            Section("Torque", _torques(fit)),
            Section("Residual spectra", _spectra(fit)),
        ),
    )


def _errors(fit: Identification) -> tuple[Prose, Table]:
    fitted, held = fit.samples
    head = ("joint", "train %", "held out %", "not delayed %", "raw %", "cross-val. %", "lag ms", "terms")
    rows = []
    for joint in fit.train:
        shown = [
            f"{e[joint]:.2f}" if e else "-"
            for e in (fit.train, fit.held_out, fit.held_out_prompt, fit.held_out_raw, fit.validated)
        ]
        extra = [t for t in fit.terms[joint] if t not in COMMON]
        rows.append((joint, *shown, f"{1e3 * fit.lags[joint]:.1f}", " ".join(extra) or "-"))
    mean = fit.data["mean"]
    rows.append(("mean", *(f"{mean[k]:.2f}" if k in mean else "-" for k in _MEANS), "", ""))
    intro = (
        f"{fit.robot.name}: {fitted} samples fitted, {held} held out; errors are RMSE in % of the RMS torque, filtered "
        f"at {fit.filter.cutoff:.3g} Hz ({fit.filter.chosen})."
    )
    return Prose(intro), Table(head, tuple(rows))


_MEANS = ("train", "held_out", "held_out_without_delay", "held_out_raw", "cross_validated")


def _choices(fit: Identification) -> tuple[str, ...]:
    return tuple(f"{joint}: {'; '.join(reasons)}" for joint, reasons in fit.reasons.items())


def _parameters(fit: Identification) -> tuple[Table, Prose]:
    rows = tuple(
        (name, f"{value:.5g}", f"{error:.2g}", "" if abs(value) > SHOWN * error else "weak", fit.groups.get(name, ""))
        for name, (value, error) in fit.parameters.items()
    )
    condition = f"condition number {fit.condition[0]:.3g}, with the prior {fit.condition[1]:.3g}"
    head = ("parameter", "value", "std. error", "", "stands for")
    return Table(head, rows), Prose(f"{condition}; {fit.excitation.weakest}")


def _remarks(fit: Identification) -> tuple[str, ...]:
    consistent = "every link can exist" if fit.consistent else "not physically consistent: some link cannot exist"
    poor = (f"{joint}: {why}" for joint, why in fit.poor.items())
    return (consistent, *fit.verdict, *fit.warnings, *poor, *fit.notes)


def _torques(fit: Identification) -> tuple[Chart, ...]:
    t, measured, predicted, band = fit.shown
    return tuple(
        Chart(
            f"{joint} [N m, N]",
            "time [s]",
            (
                Curve.of("95 % band of the parameters", "band", t, predicted[:, j] - band[:, j]),
                Curve.of("", "band", t, predicted[:, j] + band[:, j]),
                Curve.of("measured", "other", t, measured[:, j]),
                Curve.of("predicted", "main", t, predicted[:, j]),
            ),
        )
        for j, joint in enumerate(fit.train)
    )


def _spectra(fit: Identification) -> tuple[Chart, ...]:
    t, measured, predicted, _ = fit.shown
    residual = measured - predicted
    window = np.hanning(len(residual))[:, None]
    size = np.log10(np.abs(np.fft.rfft(residual * window, axis=0)) + 1e-12)
    step = float(np.median(np.diff(t))) if len(t) > 1 else 1.0
    hertz = np.fft.rfftfreq(len(residual), step)
    return tuple(
        Chart(joint, "frequency [Hz]", (Curve.of("log10 of the residual", "main", hertz[1:], size[1:, j]),))
        for j, joint in enumerate(fit.train)
    )


def payload_section(load: Payload) -> Section:
    """Return a load: each number with its 95 % interval."""
    rows = tuple(
        (name, f"{v:.5g}", f"{v - 1.96 * e:.4g} to {v + 1.96 * e:.4g}", "" if abs(v) > SHOWN * e else "weak")
        for name, (v, e) in load.parameters.items()
    )
    centre = ", ".join(f"{x:.4g}" for x in load.com)
    intro = (
        f"load on {load.frame}: {load.mass:.4g} kg with its centre at ({centre}) m; the torque error falls from "
        f"{load.before:.2f} % to {load.after:.2f} %"
    )
    return Section("Load", (Prose(intro), Table(("about the frame", "value", "95 % interval", ""), rows)))
