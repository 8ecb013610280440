"""A robot on one page: tree, geometry, inertias, limits, drives, and its zero pose."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import dedent
from typing import TYPE_CHECKING, Any

from taut.formats.convention import ANGLES, COLUMNS
from taut.report.check import Check
from taut.report.drawing import characters
from taut.report.numbers import angle_text, plain, text
from taut.report.page import Page
from taut.report.page.parts import Lines, Listing, Part, Prose, Section, Table
from taut.report.stand_in import unvalued
from taut.report.summary import summary
from taut.report.table import cut
from taut.robot import PARAMETER_NAMES, Drive, Tree
from taut.robot.edit import numeric
from taut.spatial import NO_INERTIA

if TYPE_CHECKING:
    from taut.api import Robot

MOST_DRAWN = 60
"""Most joints of a robot that is drawn in text."""


def robot_page(robot: Robot, found: Check | None = None) -> Page:
    """Return all properties of a robot, and what a check of it found."""
    known = summary(robot)
    sections = [_about(known), _tree(known), _joints(known), _convention(known), _links(robot.tree), _frames(known)]
    sections += [_limits(known), _drives(known), _ties(known), _closures(known), _values(known)]
    if len(robot.tree.joints) <= MOST_DRAWN:
        drawn = "Assembled position" if robot.tree.loops else "Zero pose"
        if known["symbols_without_values"]:
            drawn += " (lengths without a value drawn at random)"
        sections.append(Section(drawn, (Lines(tuple(dedent(characters(robot.tree)).split("\n"))),)))
    if found is not None:
        sections.append(_verdict(found))
    kinds = "".join(joint["kind"][0].upper() for joint in known["joints"])
    title = f"{known['name']}: {known['dof']} degree{'s' * (known['dof'] != 1)} of freedom, {_run(kinds)}"
    return Page(title, tuple(section for section in sections if section is not None))


def _verdict(found: Check) -> Section:
    """Return what a check found, one line a finding."""
    lines = [f"link '{link}': {fault}" for link, fault in found.faults]
    lines += [f"note: {place}: {note}" for place, note in found.notes]
    count = len(found.faults)
    head = "every link that has numbers is physical" if found.passed else f"{count} fault{'s' * (count > 1)}"
    return Section("", (Prose(f"Check: {head}"), Listing(tuple(lines))))


def _about(known: dict[str, Any]) -> Section:
    count = known["base_parameters"]
    lines = [f"source: {' '.join(known['source'].split())}"] if known["source"] else []
    lines.append(f"gravity: ({', '.join(map(text, known['gravity']))}) m/s^2")
    lines.append(f"base parameters: {'not counted' if count is None else count} of {10 * len(known['joints'])}")
    return Section("", tuple(Prose(line) for line in lines))


def _run(kinds: str) -> str:
    return kinds if len(kinds) <= 24 else f"{kinds[:21]}... ({len(kinds)} joints)"


def _tree(known: dict[str, Any]) -> Section:
    below: dict[str, list[dict[str, Any]]] = {}
    for joint in known["joints"]:
        below.setdefault(joint["parent"], []).append(joint)

    def lines() -> Iterator[str]:
        yield known["base"]["link"]
        stack = _branches(below.get(known["base"]["link"], []), 0)
        while stack:
            joint, mark, depth = stack.pop()
            yield f"{'  ' * min(depth, 30)}{mark}{cut(joint['name'])} -> {cut(joint['link'])}"
            stack += _branches(below.get(joint["link"], []), depth + len(mark) // 2)

    return Section("Tree", (Lines(tuple(lines())),))


def _branches(children: list[dict[str, Any]], depth: int) -> list[tuple[dict[str, Any], str, int]]:
    """Return what to write next, last first: a chain stays flush, each of several branches gets a dash."""
    mark = "- " if len(children) > 1 else ""
    return [(child, mark, depth) for child in reversed(children)]


def _joints(known: dict[str, Any]) -> Section:
    rows = tuple(
        (j["name"], j["kind"], _axis(j["axis"]), *map(text, j["placement"]["xyz"]), _turns(j["placement"]))
        for j in known["joints"]
    )
    head = ("joint", "kind", "axis", "x", "y", "z", "turned")
    return Section("Joints, placed in the parent link's frame [m]", (Table(head, rows, left=2),))


def _axis(numbers: Sequence[float | str] | None) -> str:
    if numbers is None:
        return "-"
    for sign in (1, -1):
        for k, name in enumerate("xyz"):
            if all(x == (sign if j == k else 0) for j, x in enumerate(numbers)):
                return name if sign > 0 else f"-{name}"
    return " ".join(text(x, 4) for x in numbers)


def _turns(placement: dict[str, Any]) -> str:
    return ", ".join(f"{axis} {angle_text(angle)}" for axis, angle in placement["turns"]) or "-"


def _convention(known: dict[str, Any]) -> Section | None:
    if known["convention"] is None:
        return None
    label, rows = known["convention"]["label"], known["convention"]["rows"]
    columns = COLUMNS[label]
    cells = tuple(
        (str(k), *(angle_text(x) if name in ANGLES else text(x) for name, x in zip(columns, row, strict=True)))
        for k, row in enumerate(rows, 1)
    )
    return Section(f"Denavit-Hartenberg, {label} convention [m]", (Table(("row", *columns), cells),))


def _links(tree: Tree) -> Section:
    """Return the ten parameters of each link; symbols at their values, since formulas of inertias are long."""
    valued = not unvalued(tree)
    shown = numeric(tree) if valued else tree
    bodies = [
        (shown.base_name, shown.base_inertia),
        *((j.link.name, j.link.inertia) for j in shown.joints),
    ]
    rows = tuple(
        (name, *(text(plain(x), 5) for x in body.parameters))
        for name, body in bodies
        if name != shown.base_name or body != NO_INERTIA
    )
    title = "Inertias about the joint frame's origin [kg, kg m, kg m^2]"
    if valued and tree.values:
        title += ", symbols at their values"
    return Section(title, (Table(("link", *PARAMETER_NAMES), rows),))


def _frames(known: dict[str, Any]) -> Section | None:
    rows = tuple(
        (f["name"], f["link"], *map(text, f["placement"]["xyz"]), _turns(f["placement"])) for f in known["frames"]
    )
    head = ("frame", "on link", "x", "y", "z", "turned")
    return Section("Frames", (Table(head, rows, left=2),)) if rows else None


def _limits(known: dict[str, Any]) -> Section | None:
    names = ("lower", "upper", "velocity", "effort")
    rows = tuple(
        (j["name"], *("-" if j["limits"][n] is None else text(j["limits"][n]) for n in names)) for j in known["joints"]
    )
    given = any(value is not None for j in known["joints"] for value in j["limits"].values())
    return Section("Limits [rad, m, N m, N, s]", (Table(("joint", *names), rows),)) if given else None


def _drives(known: dict[str, Any]) -> Section | None:
    usual = vars(Drive())
    names = [n for n in usual if any(j["drive"][n] != usual[n] for j in known["joints"])]
    rows = tuple((j["name"], *(text(j["drive"][n]) for n in names)) for j in known["joints"])
    head = ("joint", *(n.replace("_", " ") for n in names))
    return Section("Drives, at the joint [SI]", (Table(head, rows),)) if names else None


def _ties(known: dict[str, Any]) -> Section | None:
    lines = list(_followed(known["mimics"]))
    lines += [f"drive of {c['drive']} turns by {text(c['ratio'])} * {c['joint']}" for c in known["coupling"]]
    return Section("Tied joints", (Listing(tuple(lines)),)) if lines else None


def _followed(mimics: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Yield the formula of every joint that follows others."""
    for joint in dict.fromkeys(m["joint"] for m in mimics):
        own = [m for m in mimics if m["joint"] == joint]
        if own[0]["law"] is not None:
            yield f"{joint} = {own[0]['law']}, x = {own[0]['leader']}"
            continue
        terms = [f"{text(m['multiplier'])} * {m['leader']}" for m in own]
        yield f"{joint} = {' + '.join([*terms, text(own[0]['offset'])])}"


def _closures(known: dict[str, Any]) -> Section | None:
    found = known["closures"]
    if found is None:
        return None
    rows = tuple(
        (c["name"], c["kind"], c["link"], _place(c["placement"]), c["to"], _place(c["at"]), _state(c))
        for c in found["loops"]
    )
    parts: list[Part] = [Table(("loop", "kind", "link", "at [m]", "to", "at [m]", "held"), rows)] if rows else []
    lines = []
    for row in found["rolling"]:
        terms = " + ".join(f"({law}) * rate of {joint}" for joint, law in row["rates"].items())
        lines.append(f"{row['name']}: {terms} = 0{'' if row['active'] else ', open'}")
    if found["conditions"]:
        rest = found["conditions"] - found["independent_conditions"]
        redundant = f", {rest} follow{'s' * (rest == 1)} from them" if rest else ""
        lines.append(f"independent conditions: {found['independent_conditions']} of {found['conditions']}{redundant}")
        lines.append(f"independent rates: {', '.join(known['joint_names'])}")
        lines.append(f"positions in q: {', '.join(found['position_names'])}")
    lines += [f"motors: {', '.join(found['actuated'])}"] if found["actuated"] else []
    lines += [f"idle spins held: {', '.join(found['held'])}"] if found["held"] else []
    return Section("Loops", (*parts, Listing(tuple(lines))))


def _place(placement: dict[str, Any]) -> str:
    turned = _turns(placement)
    return " ".join(map(text, placement["xyz"])) + ("" if turned == "-" else f", {turned}")


def _state(loop: dict[str, Any]) -> str:
    """Return by what a loop is held."""
    if loop["solved"]:
        return "by the tied joints"
    return "closed" if loop["active"] else "open"


def _values(known: dict[str, Any]) -> Section | None:
    rows = tuple(
        (name, text(v["value"]), "-" if v["tolerance"] is None else text(v["tolerance"]))
        for name, v in known["values"].items()
    )
    parts: list[Part] = [Table(("symbol", "value", "tolerance"), rows)] if rows else []
    if known["symbols_without_values"]:
        parts.append(Prose(f"without a value: {', '.join(known['symbols_without_values'])}"))
    return Section("Symbols", tuple(parts)) if parts else None
