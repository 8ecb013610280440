"""A measurement sheet: its sections read in order, its quantities with tolerances, and the robot they describe.

The keys of a sheet; a quantity is text with a unit (see :mod:`taut.measuring.units`)::

    name = "my_arm"                       # of the robot that comes out
    robot = "puma560"                     # a robot of the library or a file: geometry, limits, what is not measured
    gravity = "9.81 m/s^2"                # default: that of the robot

    [[measurement]]                       # one section a measurement, in the order they build on one another
    kind = "balance"                      # see taut.measuring.methods.METHODS
    body = "link2"                        # a link of the robot, or any name ("link3_with_wrist")
    mass = "17.40 kg +- 0.01 kg + 1 %"
    instrument = "beam balance"           # kept in the robot file

    [[sum]]                               # masses that must add up
    whole = "link3_with_wrist"
    parts = ["link3", "wrist"]

    [[hull]]                              # outer dimensions, which hold the mass centre
    body = "link2"
    x = ["-0.2 m", "0.6 m"]
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import dataclass, replace
from types import MappingProxyType

from taut.errors import InputError
from taut.explicit.tolerance import Spread
from taut.formats.table import Table
from taut.graph import Node
from taut.measuring.arm import Arm
from taut.measuring.checks import Finding, findings
from taut.measuring.ledger import CENTRE, TENSOR, Ledger
from taut.measuring.methods import method
from taut.robot import Tree, Value
from taut.robot.edit import numeric, symbols
from taut.spatial import NO_INERTIA, Inertia, Scalar, Sym3, Vec3

_TOP = ("name", "robot", "gravity", "measurement", "sum", "hull")
_COMMON = ("kind", "body", "joint", "instrument")
_DRIVE = {"rotor_inertia": "Im", "coulomb": "Fc", "viscous": "Fv", "offset": "Fo"}
"""Quantities of a joint that a robot file holds, and the letters of their symbols."""


@dataclass(frozen=True)
class Result:
    """One quantity that a sheet measures.

    Attributes:
        owner: the body or joint.
        quantity: e.g. ``mass``, ``x``, ``Ixx``, ``rotor_inertia``.
        value: in SI units.
        tolerance: None where every reading counts as exact.
        unit: its unit.
        source: how it was measured.
    """

    owner: str
    quantity: str
    value: float
    tolerance: float | None
    unit: str
    source: str


@dataclass(frozen=True)
class Sheet:
    """The content of a measurement sheet.

    Attributes:
        name: of the robot that comes out.
        tree: the robot whose links are measured, None for a sheet of loose bodies.
        ledger: readings and formulas.
        findings: of the cross-checks.
    """

    name: str
    tree: Tree | None
    ledger: Ledger
    findings: tuple[Finding, ...]

    def __repr__(self) -> str:
        failed = sum(finding.failed for finding in self.findings)
        return f"<Sheet of {self.name}: {len(self.findings)} cross-checks, {failed} failed>"

    @property
    def consistent(self) -> bool:
        """Whether no cross-check failed."""
        return not any(finding.failed for finding in self.findings)

    def results(self) -> list[Result]:
        """Return every quantity with its tolerance and origin."""
        rows = list(self.ledger.quantities())
        spread = self.spread()
        return [
            Result(owner, quantity, float(value), spread.tolerances[name], unit, "; ".join(f.source for f in found))
            for (owner, quantity, unit, found), name, value in zip(rows, spread.names, spread.values, strict=True)
        ]

    def spread(self) -> Spread:
        """Return values, tolerances and covariance of all quantities, named ``owner quantity``."""
        return self.ledger.spread(self.formulas())

    def formulas(self) -> dict[str, Node]:
        """Return the formula of every quantity in the raw readings."""
        return {f"{o} {q}": self.ledger.best(found) for o, q, _, found in self.ledger.quantities()}

    def robot(self) -> Tree:
        """Return the robot with the measured numbers as symbols that know value, tolerance and origin."""
        if self.tree is None:
            raise InputError("the sheet names no robot", "robot", 'add robot = "..." to write a robot file')
        tree, measured = self.tree, {(r.owner, r.quantity): r for r in self.results()}
        for owner in self.ledger.bodies:
            if (owner, "mass") not in measured and any(joint.link.name == owner for joint in tree.joints):
                raise InputError(f"link '{owner}' has no mass", "robot", "add a balance section for it")
        bare = replace(tree, joints=tuple(replace(j, link=replace(j.link, inertia=NO_INERTIA)) for j in tree.joints))
        taken, values = symbols(bare), dict(tree.values)

        def symbol(result: Result | None, letter: str) -> Scalar:
            if result is None or (result.value == 0 and not result.tolerance):
                return 0
            name = letter if letter not in taken else f"{letter}_measured"
            values[name] = Value(result.value, result.tolerance, result.source)
            return self.ledger.graph.symbol(name)

        joints = []
        for i, joint in enumerate(tree.joints):
            number, link = i + 1, joint.link
            if (link.name, "mass") in measured:
                mass = symbol(measured[link.name, "mass"], f"m{number}")
                centre = [symbol(measured.get((link.name, key)), f"r{key}{number}") for key in CENTRE]
                tensor = [symbol(measured.get((link.name, key)), f"{key}{number}") for key in TENSOR]
                link = replace(link, inertia=Inertia.about_centre(mass, Vec3(*centre), Sym3(*tensor)))
            drive = {
                key: symbol(measured[joint.name, key], f"{letter}{number}")
                for key, letter in _DRIVE.items()
                if (joint.name, key) in measured
            }
            joints.append(replace(joint, link=link, drive=replace(joint.drive, **drive)))
        built = replace(tree, name=self.name, joints=tuple(joints))
        used = symbols(built)
        kept = {name: value for name, value in values.items() if name in used}
        return replace(built, values=MappingProxyType(kept))


def read_sheet(text: str, place: str, robot: Callable[[str], Tree]) -> Sheet:
    """Return the sheet that a TOML text holds.

    Args:
        text: of the sheet.
        place: its name, for errors.
        robot: finds the robot a sheet names.
    """
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"not TOML: {error}", place, "correct the text there") from None
    ledger = Ledger()
    top = Table(data, place, ledger.graph, _TOP)
    tree = robot(top.text("robot")) if "robot" in top else None
    arm = Arm(None if tree is None else numeric(tree), _gravity(ledger, top, tree))
    sections = list(top.entries("measurement")) if "measurement" in top else []
    if not sections:
        raise InputError("the sheet has no [[measurement]]", place, "add one section for each measurement")
    for number, section in enumerate(sections, 1):
        owner = section.get("body", section.get("joint", "")) if isinstance(section, dict) else ""
        where = f"{place}: measurement {number} ({owner})" if owner else f"{place}: measurement {number}"
        if not isinstance(section, dict):
            raise InputError("is not a table", where, "write [[measurement]]")
        kind, how = method(section, where)
        how.run(ledger, Table(section, f"{where}: {kind}", ledger.graph, (*_COMMON, *how.keys)), arm)
    found = tuple(findings(ledger, top))
    return Sheet(top.text("name", tree.name if tree is not None else "sheet"), tree, ledger, found)


def _gravity(ledger: Ledger, top: Table, tree: Tree | None) -> Node:
    if "gravity" in top or tree is None:
        return ledger.read(top, "gravity", "m/s^2", positive=True, default=9.81)
    size = sum(float(x) ** 2 for x in numeric(tree).gravity_acceleration) ** 0.5
    return ledger.graph.constant(size or 9.81)
