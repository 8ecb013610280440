"""An identification as text: errors, what was chosen and why, what cannot be trusted."""

from __future__ import annotations

from taut.identify.estimate.identification import Identification
from taut.identify.estimate.payload import Payload
from taut.report.table import paragraph, table

SHOWN = 4
"""Standard errors below a quarter of the value: the parameter is well determined."""


def identification_text(fit: Identification) -> str:
    """Return the report for a terminal."""
    return "\n\n".join(part for part in (_errors(fit), _choices(fit), _parameters(fit), _remarks(fit)) if part)


def _errors(fit: Identification) -> str:
    fitted, held = fit.samples
    head = ["joint", "train %", "held out %", "not delayed %", "raw %", "cross-val. %", "lag ms", "terms"]
    rows = []
    for joint in fit.train:
        shown = [
            f"{e[joint]:.2f}" if e else "-"
            for e in (fit.train, fit.held_out, fit.held_out_prompt, fit.held_out_raw, fit.validated)
        ]
        extra = [t for t in fit.terms[joint] if t not in ("rotor_inertia", "viscous", "offset", "coulomb")]
        rows.append([joint, *shown, f"{1e3 * fit.lags[joint]:.1f}", " ".join(extra) or "-"])
    mean = fit.data["mean"]
    rows.append(["mean", *(f"{mean[k]:.2f}" if k in mean else "-" for k in _MEANS), "", ""])
    intro = (
        f"{fit.robot.name}: {fitted} samples fitted, {held} held out; errors are RMSE in % of the RMS torque, filtered "
        f"at {fit.filter.cutoff:.3g} Hz ({fit.filter.chosen})"
    )
    return f"{paragraph('', intro)}\n{table(head, rows)}"


_MEANS = ("train", "held_out", "held_out_without_delay", "held_out_raw", "cross_validated")


def _choices(fit: Identification) -> str:
    lines = [paragraph(f"  {joint}: ", "; ".join(reasons)) for joint, reasons in fit.reasons.items()]
    return "\n".join(["terms chosen by blocked cross-validation:", *lines])


def _parameters(fit: Identification) -> str:
    rows = [
        [name, f"{value:.5g}", f"{error:.2g}", "" if abs(value) > SHOWN * error else "weak", fit.groups.get(name, "")]
        for name, (value, error) in fit.parameters.items()
    ]
    head = ["parameter", "value", "std. error", "", "stands for"]
    condition = f"condition number {fit.condition[0]:.3g}, with the prior {fit.condition[1]:.3g}"
    return f"{table(head, rows)}\n{condition}; {fit.excitation.weakest}"


def _remarks(fit: Identification) -> str:
    consistent = "every link can exist" if fit.consistent else "not physically consistent: some link cannot exist"
    lines = [
        consistent,
        *fit.verdict,
        *fit.warnings,
        *(f"{joint}: {why}" for joint, why in fit.poor.items()),
        *fit.notes,
    ]
    return "\n".join(paragraph("  - ", line) for line in lines)


def payload_text(load: Payload) -> str:
    """Return a load for a terminal: each number with its 95 % interval."""
    rows = [
        [name, f"{v:.5g}", f"{v - 1.96 * e:.4g} to {v + 1.96 * e:.4g}", "" if abs(v) > SHOWN * e else "weak"]
        for name, (v, e) in load.parameters.items()
    ]
    centre = ", ".join(f"{x:.4g}" for x in load.com)
    intro = (
        f"load on {load.frame}: {load.mass:.4g} kg with its centre at ({centre}) m; the torque error falls from "
        f"{load.before:.2f} % to {load.after:.2f} %"
    )
    return f"{paragraph('', intro)}\n{table(['about the frame', 'value', '95 % interval', ''], rows)}"
