"""Every raw reading of a sheet as a symbol, and every quantity as a formula of readings.

A quantity of a body is its ``mass``, a coordinate ``x``, ``y``, ``z`` of its mass centre or an entry ``Ixx`` ...
``Izz`` of its inertia about the mass centre; a quantity of a joint is a number of its drive. Tolerances follow from
the formulas by their exact derivatives, combined as root of the sum of squares.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from taut.errors import InputError
from taut.explicit.tolerance import Spread, propagate
from taut.formats.table import Table, nearest
from taut.graph import Graph, Node
from taut.measuring.units import parse_quantity
from taut.robot import Value
from taut.spatial import Inertia, Scalar, Sym3, Vec3

CENTRE = ("x", "y", "z")
TENSOR = ("Ixx", "Ixy", "Iyy", "Ixz", "Iyz", "Izz")
BODY = {"mass": "kg", **dict.fromkeys(CENTRE, "m"), **dict.fromkeys(TENSOR, "kg m^2")}
"""Quantities of a body and their units."""

JOINT = {
    "inertia": "kg m^2",
    "rotor_inertia": "kg m^2",
    "motor_constant": "N m/A",
    "coulomb": "N m",
    "viscous": "N m s/rad",
    "offset": "N m",
}
"""Quantities of a joint and their units; ``inertia`` is the total about the axis, the arm's links included."""


@dataclass(frozen=True)
class Found:
    """What one measurement gives for one quantity."""

    formula: Node
    source: str


@dataclass
class Ledger:
    """Readings and what follows from them.

    Attributes:
        graph: owner of the symbols.
        readings: {symbol: value and tolerance} of every raw number.
        bodies: {body: {quantity: what was found}}.
        joints: {joint: {quantity: what was found}}.
    """

    graph: Graph = field(default_factory=Graph)
    readings: dict[str, Value] = field(default_factory=dict)
    bodies: dict[str, dict[str, list[Found]]] = field(default_factory=dict)
    joints: dict[str, dict[str, list[Found]]] = field(default_factory=dict)

    def read(self, table: Table, key: str, unit: str, *, positive: bool = False, default: float | None = None) -> Node:
        """Return the symbol of a raw reading; a default counts as exact."""
        if key not in table and default is not None:
            return self.graph.constant(default)
        return self.number(table.data.get(key), unit, table.where(key), positive)

    def number(self, text: object, unit: str, place: str, positive: bool = False) -> Node:
        """Return the symbol of one quantity as written in a sheet."""
        if text is None:
            raise InputError("is missing", place, f'give it with its unit, e.g. "0.5 {unit}"')
        quantity = parse_quantity(text, unit, place)
        if positive and quantity.value <= 0:
            raise InputError(f"is {quantity.value:g}, expected more than 0", place, "correct the number")
        self.readings[place] = Value(quantity.value, quantity.tolerance)
        return self.graph.symbol(place)

    def note(
        self, owner: dict[str, dict[str, list[Found]]], name: str, quantity: str, value: Scalar, source: str
    ) -> None:
        """Record what a measurement gives for a quantity of a body or joint."""
        owner.setdefault(name, {}).setdefault(quantity, []).append(Found(self.graph.lift(value), source))

    def body(self, name: str, place: str) -> Inertia:
        """Return a body's mass, first moment and inertia about its frame's origin; what was not measured is zero."""
        return Inertia.about_centre(
            self.mass(name, place),
            Vec3(*(self.best(self.bodies[name].get(key)) for key in CENTRE)),
            Sym3(*(self.best(self.bodies[name].get(key)) for key in TENSOR)),
        )

    def mass(self, name: str, place: str) -> Node:
        """Return the mass of a body that was measured in an earlier section."""
        if "mass" not in self.bodies.get(name, {}):
            known = [body for body, found in self.bodies.items() if "mass" in found]
            raise InputError(
                f"the mass of body '{name}' is not known here",
                place,
                f"measure it in a section before; {nearest(name, known)}",
            )
        return self.best(self.bodies[name]["mass"])

    def best(self, found: list[Found] | None) -> Node:
        """Return the mean of several measurements of one quantity, weighted by their tolerances; 0 without any."""
        if not found:
            return self.graph.constant(0)
        if len(found) == 1:
            return found[0].formula
        tolerances = [self.tolerance(one.formula) for one in found]
        weights = [1 / t**2 if t else 0.0 for t in tolerances] if all(tolerances) else [1.0] * len(found)
        total = sum(weights)
        return self.graph.lift(sum((w / total) * one.formula for w, one in zip(weights, found, strict=True)))

    def tolerance(self, formula: Node) -> float | None:
        """Return the tolerance of a formula of readings."""
        return self.spread({"x": formula}).tolerances["x"]

    def spread(self, formulas: Mapping[str, Node]) -> Spread:
        """Return values and tolerances of formulas of readings."""
        return propagate(formulas, self.readings)

    def quantities(self) -> Iterable[tuple[str, str, str, list[Found]]]:
        """Yield owner, quantity, unit and findings, bodies before joints."""
        for owners, units in ((self.bodies, BODY), (self.joints, JOINT)):
            for name, found in owners.items():
                for quantity, unit in units.items():
                    if quantity in found:
                        yield name, quantity, unit, found[quantity]
