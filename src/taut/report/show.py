"""A robot on one page of text: tree, geometry, inertias, limits, drives, and its zero pose."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from taut.formats.convention import ANGLES, COLUMNS
from taut.report.check import Check
from taut.report.drawing import characters
from taut.report.numbers import angle_text, plain, text
from taut.report.stand_in import unvalued
from taut.report.summary import summary
from taut.report.table import cut, paragraph, printable, table
from taut.robot import PARAMETER_NAMES, Drive, Tree
from taut.robot.edit import numeric
from taut.spatial import NO_INERTIA

if TYPE_CHECKING:
    from taut.api import Robot

MOST_DRAWN = 60
"""Most joints of a robot that is drawn in text."""


def show(robot: Robot) -> str:
    """Return all properties of a robot, as text."""
    known = summary(robot)
    parts = [_title(known), _tree(known), _joints(known), _convention(known), _links(robot.tree), _frames(known)]
    parts += [_limits(known), _drives(known), _ties(known), _values(known)]
    if len(robot.tree.joints) <= MOST_DRAWN:
        drawn = "Zero pose"
        if known["symbols_without_values"]:
            drawn += " (lengths without a value drawn at random)"
        parts.append(f"{drawn}\n{characters(robot.tree)}")
    return "\n".join(printable(line) for part in parts if part for line in [*part.split("\n"), ""]).rstrip()


def verdict(found: Check) -> str:
    """Return what a check found, one line a finding."""
    lines = [f"  link '{link}': {fault}" for link, fault in found.faults]
    lines += [f"  note: {place}: {note}" for place, note in found.notes]
    count = len(found.faults)
    head = "every link that has numbers is physical" if found.passed else f"{count} fault{'s' * (count > 1)}"
    return "\n".join(printable(line) for line in [f"Check: {head}", *lines])


def _title(known: dict[str, Any]) -> str:
    kinds = "".join(joint["kind"][0].upper() for joint in known["joints"])
    count = known["base_parameters"]
    lines = [f"{known['name']}: {known['dof']} degrees of freedom, {_run(kinds)}"]
    if known["source"]:
        lines.append(paragraph("  source           ", known["source"]))
    lines.append(f"  gravity          ({', '.join(map(text, known['gravity']))}) m/s^2")
    lines.append(f"  base parameters  {'not counted' if count is None else count} of {10 * len(known['joints'])}")
    return "\n".join(lines)


def _run(kinds: str) -> str:
    return kinds if len(kinds) <= 24 else f"{kinds[:21]}... ({len(kinds)} joints)"


def _tree(known: dict[str, Any]) -> str:
    below: dict[str, list[dict[str, Any]]] = {}
    for joint in known["joints"]:
        below.setdefault(joint["parent"], []).append(joint)

    def lines() -> Iterator[str]:
        yield f"  {known['base']['link']}"
        stack = _branches(below.get(known["base"]["link"], []), 0)
        while stack:
            joint, mark, depth = stack.pop()
            yield f"  {'  ' * min(depth, 30)}{mark}{cut(joint['name'])} -> {cut(joint['link'])}"
            stack += _branches(below.get(joint["link"], []), depth + len(mark) // 2)

    return "Tree\n" + "\n".join(lines())


def _branches(children: list[dict[str, Any]], depth: int) -> list[tuple[dict[str, Any], str, int]]:
    """Return what to write next, last first: a chain stays flush, each of several branches gets a dash."""
    mark = "- " if len(children) > 1 else ""
    return [(child, mark, depth) for child in reversed(children)]


def _joints(known: dict[str, Any]) -> str:
    rows = [
        [j["name"], j["kind"], _axis(j["axis"]), *map(text, j["placement"]["xyz"]), _turns(j["placement"])]
        for j in known["joints"]
    ]
    head = ["joint", "kind", "axis", "x", "y", "z", "turned"]
    return f"Joints, placed in the parent link's frame [m]\n{table(head, rows, left=2)}"


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


def _convention(known: dict[str, Any]) -> str:
    if known["convention"] is None:
        return ""
    label, rows = known["convention"]["label"], known["convention"]["rows"]
    columns = COLUMNS[label]
    cells = [
        [str(k), *(angle_text(x) if name in ANGLES else text(x) for name, x in zip(columns, row, strict=True))]
        for k, row in enumerate(rows, 1)
    ]
    return f"Denavit-Hartenberg, {label} convention [m]\n{table(['row', *columns], cells)}"


def _links(tree: Tree) -> str:
    """Return the ten parameters of each link; symbols at their values, since formulas of inertias are long."""
    valued = not unvalued(tree)
    shown = numeric(tree) if valued else tree
    bodies = [
        (shown.base_name, shown.base_inertia),
        *((j.link.name, j.link.inertia) for j in shown.joints),
    ]
    rows = [
        [name, *(text(plain(x), 5) for x in body.parameters)]
        for name, body in bodies
        if name != shown.base_name or body != NO_INERTIA
    ]
    title = "Inertias about the joint frame's origin [kg, kg m, kg m^2]"
    if valued and tree.values:
        title += ", symbols at their values"
    return f"{title}\n{table(['link', *PARAMETER_NAMES], rows)}"


def _frames(known: dict[str, Any]) -> str:
    rows = [[f["name"], f["link"], *map(text, f["placement"]["xyz"]), _turns(f["placement"])] for f in known["frames"]]
    head = ["frame", "on link", "x", "y", "z", "turned"]
    return f"Frames\n{table(head, rows, left=2)}" if rows else ""


def _limits(known: dict[str, Any]) -> str:
    names = ("lower", "upper", "velocity", "effort")
    rows = [
        [j["name"], *("-" if j["limits"][n] is None else text(j["limits"][n]) for n in names)] for j in known["joints"]
    ]
    given = any(value is not None for j in known["joints"] for value in j["limits"].values())
    return f"Limits [rad, m, N m, N, s]\n{table(['joint', *names], rows)}" if given else ""


def _drives(known: dict[str, Any]) -> str:
    usual = vars(Drive())
    names = [n for n in usual if any(j["drive"][n] != usual[n] for j in known["joints"])]
    rows = [[j["name"], *(text(j["drive"][n]) for n in names)] for j in known["joints"]]
    head = ["joint", *(n.replace("_", " ") for n in names)]
    return f"Drives, at the joint [SI]\n{table(head, rows)}" if names else ""


def _ties(known: dict[str, Any]) -> str:
    lines = [f"  {m['joint']} = {text(m['multiplier'])} * {m['leader']} + {text(m['offset'])}" for m in known["mimics"]]
    lines += [f"  drive of {c['drive']} turns by {text(c['ratio'])} * {c['joint']}" for c in known["coupling"]]
    return "Tied joints\n" + "\n".join(lines) if lines else ""


def _values(known: dict[str, Any]) -> str:
    rows = [
        [name, text(v["value"]), "-" if v["tolerance"] is None else text(v["tolerance"])]
        for name, v in known["values"].items()
    ]
    lines = [f"Values of symbols\n{table(['symbol', 'value', 'tolerance'], rows)}"] if rows else []
    if known["symbols_without_values"]:
        lines.append(paragraph("Symbols without a value  ", ", ".join(known["symbols_without_values"])))
    return "\n".join(lines)
