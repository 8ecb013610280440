"""Cross-checks of a sheet: contradictions between its measurements, each named with both numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from taut.errors import InputError
from taut.formats.table import Table, nearest
from taut.graph import Node
from taut.measuring.ledger import CENTRE, TENSOR, Found, Ledger
from taut.measuring.units import parse_quantity


@dataclass(frozen=True)
class Finding:
    """A contradiction, or a remark where the numbers agree within their tolerances."""

    text: str
    failed: bool


def findings(ledger: Ledger, top: Table) -> Iterator[Finding]:
    """Yield what the checks of a sheet find, contradictions and remarks."""
    for name, quantity, unit, found in ledger.quantities():
        yield from _repeated(ledger, name, quantity, unit, found)
    for name in ledger.bodies:
        yield from _inertia(ledger, name)
    for table in top.tables("sum", ("whole", "parts"), "sum"):
        yield from _sum(ledger, table)
    for table in top.tables("hull", ("body", *CENTRE), "hull"):
        yield from _hull(ledger, table)


def _repeated(ledger: Ledger, name: str, quantity: str, unit: str, found: list[Found]) -> Iterator[Finding]:
    for i, second in enumerate(found):
        for first in found[:i]:
            gap, slack = _difference(ledger, first.formula, second.formula)
            if gap > slack:
                yield Finding(
                    f"{quantity} of {name} is {_shown(ledger, first)} by {first.source} and "
                    f"{_shown(ledger, second)} by {second.source}: {gap:.4g} {unit} apart, {slack:.2g} allowed",
                    failed=True,
                )


def _difference(ledger: Ledger, first: Node, second: Node) -> tuple[float, float]:
    """Return the distance of two values and the sum of their tolerances."""
    spread = ledger.spread({"first": first, "second": second})
    a, b = map(float, spread.values)
    slack = sum(t or 0.0 for t in spread.tolerances.values())
    return abs(a - b), slack + 1e-12 * max(abs(a), abs(b))


def _inertia(ledger: Ledger, name: str) -> Iterator[Finding]:
    """Check that the inertia of a body could be that of a distribution of mass."""
    formulas = {key: ledger.best(found) for key in TENSOR if (found := ledger.bodies[name].get(key))}
    if not {"Ixx", "Iyy", "Izz"} <= set(formulas):
        return
    spread = ledger.spread(formulas)
    number = dict(zip(spread.names, map(float, spread.values), strict=True))
    xx, xy, yy, xz, yz, zz = (number.get(key, 0.0) for key in TENSOR)
    principal = np.linalg.eigvalsh(np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]))
    excess = principal[2] - principal[0] - principal[1]
    if principal[0] >= 0 and excess <= 1e-12 * principal[2]:
        return
    rms = math.sqrt(sum((t or 0.0) ** 2 for key, t in spread.tolerances.items() if key in ("Ixx", "Iyy", "Izz")))
    values = ", ".join(f"{x:.4g}" for x in principal)
    if principal[0] < -rms or excess > rms:
        end = f"beyond its tolerance of {rms:.2g}"
    else:
        end = f"within its tolerance of {rms:.2g}"
    yield Finding(
        f"inertias of {name} about its principal axes are {values} kg m^2: the largest exceeds the sum of the "
        f"others by {excess:.2g}, {end}",
        failed=principal[0] < -rms or excess > rms,
    )


def _sum(ledger: Ledger, table: Table) -> Iterator[Finding]:
    """Check that the masses of parts add up to that of the whole."""
    whole, parts = table.text("whole"), [str(part) for part in table.entries("parts")]
    for name in (whole, *parts):
        if "mass" not in ledger.bodies.get(name, {}):
            raise InputError(f"the mass of '{name}' was not measured", table.place, nearest(name, ledger.bodies))
    mass = {name: float(ledger.spread({"m": ledger.mass(name, table.place)}).values[0]) for name in (whole, *parts)}
    total = ledger.graph.lift(sum(ledger.mass(part, table.place) for part in parts))
    gap, slack = _difference(ledger, ledger.mass(whole, table.place), total)
    listed = " + ".join(f"{part} {mass[part]:.4g}" for part in parts)
    made = sum(mass[part] for part in parts)
    text = f"mass of {whole} is {mass[whole]:.4g} kg, its parts {listed} make {made:.4g} kg"
    text += f": {gap:.3g} apart, {slack:.2g} allowed"
    if gap > slack:
        yield Finding(f"masses do not add up: {text}{_suspect(mass, whole, parts)}", failed=True)
    else:
        yield Finding(f"masses add up: {text}", failed=False)


def _suspect(mass: dict[str, float], whole: str, parts: list[str]) -> str:
    """Return what each mass would have to be for the others to hold."""
    wanted = {part: mass[whole] - sum(mass[other] for other in parts if other != part) for part in parts}
    listed = ", or ".join(f"{part} {x:.4g} instead of {mass[part]:.4g}" for part, x in wanted.items() if x > 0)
    return f"; the sum holds with {listed}" if listed else ""


def _hull(ledger: Ledger, table: Table) -> Iterator[Finding]:
    """Check that a mass centre lies inside the body's outer dimensions."""
    name = table.text("body")
    if name not in ledger.bodies:
        raise InputError(f"body '{name}' was not measured", table.place, nearest(name, ledger.bodies))
    for axis in CENTRE:
        if axis not in table:
            continue
        low, high = (parse_quantity(x, "m", table.where(axis)).value for x in table.entries(axis, 2))
        spread = ledger.spread({axis: ledger.best(ledger.bodies[name].get(axis))})
        value, slack = float(spread.values[0]), spread.tolerances[axis] or 0.0
        if not low - slack <= value <= high + slack:
            yield Finding(
                f"mass centre of {name} is at {axis} = {value:.4g} m, outside the body's {low:g} to {high:g} m",
                failed=True,
            )


def _shown(ledger: Ledger, found: Found) -> str:
    spread = ledger.spread({"x": found.formula})
    tolerance = spread.tolerances["x"]
    return f"{float(spread.values[0]):.5g}" + (f" +- {tolerance:.2g}" if tolerance else "")
