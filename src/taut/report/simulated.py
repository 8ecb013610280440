"""A simulated motion as a page: method, steps, energy audit, the state at the end, and the motion over time."""

from __future__ import annotations

from typing import Any

import numpy as np

from taut.report.page import Page
from taut.report.page.parts import Chart, Curve, Prose, Section, Table
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


def simulation_page(found: Simulation) -> Page:
    """Return the report."""
    kinetic, potential = found.energy[-1]
    lines = [
        f"{found.t[-1] - found.t[0]:.6g} s by {found.method}, {len(found.t)} points, {found.evaluations} evaluations",
        f"energy: kinetic {kinetic:.6g} J, potential {potential:.6g} J at the end; work {found.work[-1]:.6g} J",
        f"energy error of the integrator: {found.drift:.2g} of the largest kinetic energy",
    ]
    if found.events:
        last = found.events[-1]
        lines.append(f"{len(found.events)} events, the last: {last.what} of {last.joint} at {last.t:.6g} s")
    sections = (
        Section("", tuple(Prose(line) for line in lines)),
        Section("State at the end", (_end(found),)),
        Section("Motion", (*_charts(found, "q", found.q), *_charts(found, "tau", found.tau), _energy(found))),
    )
    return Page(f"{found.tree.name}: simulated motion", sections)


def _end(found: Simulation) -> Table:
    values = {"q": found.q, "qd": found.qd, "qdd": found.qdd, "tau": found.tau}
    of_q, of_rates = (_names(found, found.q.shape[-1]), _names(found, found.qd.shape[-1]))
    columns = [dict(zip(of_q if name == "q" else of_rates, rows[-1], strict=True)) for name, rows in values.items()]
    rows = [[f"{column[name]:.6g}" if name in column else "" for column in columns] for name in of_q]
    return Table(
        ("joint" if _single(found) else "", *values), tuple((name, *row) for name, row in zip(of_q, rows, strict=True))
    )


def _names(found: Simulation, count: int) -> tuple[str, ...]:
    """Return the joints of a vector's entries; numbers where joints have several."""
    placed = tuple(found.tree.joints[i].name for i in found.tree.placed)
    by_number = tuple(str(k + 1) for k in range(count))
    named = (found.joint_names, placed) if _single(found) else ()
    return next((names for names in named if len(names) == count), by_number)


def _single(found: Simulation) -> bool:
    """Whether every joint has one coordinate."""
    return all(joint.motion.nq == joint.motion.nv == 1 for joint in found.tree.joints)


def _charts(found: Simulation, name: str, values: np.ndarray) -> tuple[Chart, ...]:
    unit = {"q": "rad, m", "tau": "N m, N"}[name]
    return tuple(
        Chart(f"{name} of {joint} [{unit}]", "time [s]", (Curve.of(name, "main", found.t, values[:, k]),))
        for k, joint in enumerate(_names(found, values.shape[-1]))
    )


def _energy(found: Simulation) -> Chart:
    kinetic, potential = found.energy[:, 0], found.energy[:, 1]
    curves = (Curve.of("kinetic", "main", found.t, kinetic), Curve.of("potential", "other", found.t, potential))
    return Chart("energy [J]", "time [s]", curves)
