"""A simulated motion for a reader: method, steps, energy audit and the state at the end."""

from __future__ import annotations

from typing import Any

from taut.report.table import table
from taut.simulate.result import Simulation


def simulation_data(found: Simulation) -> dict[str, Any]:
    """Return the end of the motion and its audit for a program."""
    return {
        "method": found.method,
        "seconds": float(found.t[-1] - found.t[0]),
        "points": len(found.t),
        "evaluations": found.evaluations,
        "work": float(found.work[-1]),
        "kinetic": float(found.energy[-1, 0]),
        "potential": float(found.energy[-1, 1]),
        "energy_drift": found.drift,
        "events": [{"t": event.t, "what": event.what, "joint": event.joint} for event in found.events],
        "joints": list(found.joint_names),
        "q": found.q[-1].tolist(),
        "qd": found.qd[-1].tolist(),
        "qdd": found.qdd[-1].tolist(),
        "tau": found.tau[-1].tolist(),
    }


def simulation_text(found: Simulation) -> str:
    """Return a few lines and the state at the end."""
    kinetic, potential = found.energy[-1]
    lines = [
        f"{found.t[-1] - found.t[0]:.6g} s by {found.method}, {len(found.t)} points, {found.evaluations} evaluations",
        f"energy: kinetic {kinetic:.6g} J, potential {potential:.6g} J at the end; work {found.work[-1]:.6g} J",
        f"energy error of the integrator: {found.drift:.2g} of the largest kinetic energy",
    ]
    if found.events:
        last = found.events[-1]
        lines.append(f"{len(found.events)} events, the last: {last.what} of {last.joint} at {last.t:.6g} s")
    lines.append("")
    if found.q.shape[-1] == found.qd.shape[-1]:
        columns = (found.q[-1], found.qd[-1], found.qdd[-1], found.tau[-1])
        rows = [
            [name, *(f"{x:.6g}" for x in row)]
            for name, row in zip(found.joint_names, zip(*columns, strict=True), strict=True)
        ]
        lines.append(table(["joint", "q", "qd", "qdd", "tau"], rows))
    else:
        named = (("q", found.q), ("qd", found.qd), ("qdd", found.qdd), ("tau", found.tau))
        lines += [f"{name:3}  {'  '.join(f'{x:.6g}' for x in rows[-1])}" for name, rows in named]
    return "\n".join(lines)
