"""Builds a robot from a description: one builder for every text format but XML.

A description is a nest of tables as ``taut.formats.toml`` documents it; other readers translate
their own words into the same tables, so every check and every conversion is here once.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import Any

from taut.errors import InputError
from taut.formats import loops
from taut.formats.assembled import assembled
from taut.formats.convention import (
    ANGLES,
    COLUMNS,
    KHALIL_LENGTHS,
    check_label,
    inertia_on_body,
    place_row,
)
from taut.formats.formula import parse, parse_angle, parse_constant, torque_formula
from taut.formats.formula_grammar import plain
from taut.formats.measures import Described, measures
from taut.formats.table import Table, nearest
from taut.graph import Graph
from taut.robot import (
    COMPOUNDS,
    DescribedJoint,
    Drive,
    Fixed,
    Frame,
    Helical,
    Limits,
    Link,
    Measure,
    Placement,
    TorqueFormula,
    Tree,
    Value,
    in_parts,
)
from taut.robot.assembly import LARGEST
from taut.robot.compound import Compound
from taut.robot.linear_loops import with_linear_loops
from taut.robot.motion import KINDS, JointMotion, SingleAxis
from taut.robot.placement import rpy
from taut.robot.tree import STANDARD_GRAVITY
from taut.spatial import NO_INERTIA, NO_TENSOR, ZERO, Inertia, Scalar, Sym3, Vec3, is_exactly

LINK = ("name", "mass", "com", "moment", "inertia", "about")
PLACE = ("xyz", "rpy", "turns")
JOINT = ("name", "kind", "parent", "dh", *PLACE, "axis", "axis2", "pitch", "limits", "drive", "mimic", "link")
TOP = (
    *("name", "source", "gravity", "base", "base_link", "convention", "given_as", "coupling", "values"),
    *("joint", "frame", *loops.TABLES),
)
_POINTLESS = {
    "fixed": ("axis", "limits", "drive", "mimic"),
    "free": ("axis", "mimic", "dh"),
    "ball": ("axis", "limits", "mimic", "dh"),
    **dict.fromkeys(COMPOUNDS, ("mimic", "dh")),
}
_ONE_KIND = {"axis2": "universal", "pitch": "helical"}
"""{key: the kind of joint that has it}."""
AXES = ("x", "y", "z")
LIMITS = tuple(f.name for f in fields(Limits))
DRIVE = tuple(f.name for f in fields(Drive))
FLANGE = "flange"
"""Name of the standard convention's last link frame."""
UNIT = 1e-12
"""How far an axis' length may be from 1 to be taken as written."""


@dataclass(frozen=True)
class _Entry:
    """One joint as read, before it is known where its parent's link frame is."""

    table: Table
    name: str
    link: Link
    kind: str
    parent: str
    before: Placement
    after: Placement
    row: tuple[Scalar, ...] | None


def build(data: Mapping[str, Any], place: str = "", graph: Graph | None = None) -> Tree:
    """Return the robot that a description tells of.

    Args:
        data: the tables.
        place: the file, for errors.
        graph: owner of the symbols; numbers in ``data`` may already be nodes of it.
    """
    top = Table(data, place, graph or Graph(), TOP)
    base = _base_link(top)
    entries = _entries(top, base.name)
    if not entries and all(is_exactly(x, 0) for x in base.inertia.parameters):
        raise InputError("no joints", top.place, "describe at least one [[joint]]")
    outlets = {base.name: Placement(), **{entry.link.name: entry.after for entry in entries}}
    links, joints = [base, *(entry.link for entry in entries)], []
    for entry in entries:
        between, parts = _described(entry, outlets)
        links += between
        joints += parts
    tree = assembled(
        place,
        top.text("name", "robot"),
        links,
        joints,
        may_float=not entries,  # a single body is a robot once its base floats
        coupling=_coupling(top, entries),
        loops=loops.described_loops(
            top, base.name, outlets, [entry.name for entry in entries if entry.kind != "fixed"], _placement
        ),
        base=_placement(top.table("base", PLACE)),
        gravity_acceleration=top.vector("gravity", STANDARD_GRAVITY),
        values=_values(top),
        measures=_measures(top, entries),
        source=top.text("source", ""),
        convention=_convention(top, entries),
    )
    tree = _with_frames(tree, top, entries, outlets)
    try:
        return with_linear_loops(tree.map(plain))
    except InputError as error:  # a loop that does not close
        raise error.at(place or tree.name) from None


def _measures(top: Table, entries: Sequence[_Entry]) -> Mapping[str, Measure]:
    parts = [Described(e.name, e.link.name, e.table.table("link", LINK), e.row) for e in entries]
    return measures(top.data.get("convention"), parts)


# -- joints -------------------------------------------------------------------


def _entries(top: Table, base: str) -> list[_Entry]:
    entries: list[_Entry] = []
    if "joint" in top and len(top.entries("joint")) > LARGEST:
        raise InputError(f"more than {LARGEST} joints", top.place, "split the description")
    for i, table in enumerate(top.tables("joint", JOINT, "joint")):
        kind = table.choice("kind", (*KINDS, *COMPOUNDS), "revolute")
        _refuse_misplaced(table, kind)
        row, before, after = None, Placement(), Placement()
        if "dh" in table:
            label = check_label(top.data.get("convention"), top.where("convention"))
            numbers = _dh_row(table, label)
            row = tuple(numbers[column] for column in COLUMNS[label])
            before, after = place_row(label, numbers, kind)
        else:
            before = _placement(table)
        described = table.table("link", LINK)
        link = Link(described.text("name", f"link{i + 1}"), inertia_on_body(after, _inertia(described)))
        name = table.text("name", f"joint{i + 1}")
        if not name or not link.name:
            raise InputError("an empty name", table.place, "give the joint and its link a name")
        parent = table.text("parent", entries[-1].link.name if entries else base)
        entries.append(_Entry(table, name, link, kind, parent, before, after, row))
    return entries


def _refuse_misplaced(table: Table, kind: str) -> None:
    pointless = [(f"a {kind} joint", key) for key in _POINTLESS.get(kind, ())]
    pointless += [(f"a {kind} joint", key) for key, owner in _ONE_KIND.items() if kind != owner]
    if "dh" in table:
        pointless += [("a joint with a dh row", key) for key in ("axis", *PLACE)]
    for bearer, key in pointless:
        if key in table:
            raise InputError(f"'{key}' makes no sense for {bearer}", table.place, f"remove {key}")


def _dh_row(table: Table, label: str) -> dict[str, Scalar]:
    if label == "khalil" and isinstance(table.data["dh"], Mapping) and "a" in table.data["dh"]:
        raise InputError("'a' is no column of the khalil convention", table.where("dh"), KHALIL_LENGTHS)
    row = table.table("dh", COLUMNS[label])
    return {c: row.angle(c, 0.0) if c in ANGLES else row.number(c, 0.0) for c in COLUMNS[label]}


def _described(entry: _Entry, outlets: Mapping[str, Placement]) -> tuple[list[Link], list[DescribedJoint]]:
    """Return a joint as one, or as its parts and the massless links between them."""
    table = entry.table
    if entry.parent not in outlets:
        raise InputError(f"no link '{entry.parent}'", table.where("parent"), nearest(entry.parent, outlets))
    mimic = None
    if "mimic" in table:
        given = table.table("mimic", ("joint", "multiplier", "offset"))
        mimic = (given.text("joint"), given.number("multiplier", 1.0), given.number("offset", 0.0))
    joint = DescribedJoint(entry.name, entry.parent, entry.link.name, outlets[entry.parent].then(entry.before))
    if entry.kind in COMPOUNDS:
        compound = COMPOUNDS[entry.kind](**_axes(table))
        drives = [_drive(part) for part in _of_each_part(table, "drive", DRIVE, compound)]
        limits = [_limits(part) for part in _of_each_part(table, "limits", LIMITS, compound)]
        return in_parts(joint, compound, drives, limits)
    drive, bounds = table.table("drive", (*DRIVE, "formula")), _limits(table.table("limits", LIMITS))
    motion, formulas = _motion(table, entry.kind), _formulas(drive)
    for key in ("rest" if motion.springs else "stiffness", "formula"):
        if motion.nv > 1 and drive.data.get(key):
            raise InputError(f"{key} on a {entry.kind} joint is not modelled", drive.place, f"remove {key}")
    return [], [replace(joint, motion=motion, drive=_drive(drive), limits=bounds, mimic=mimic, formulas=formulas)]


def _of_each_part(table: Table, key: str, known: Sequence[str], motion: Compound) -> list[Table]:
    """Return the tables of a joint's parts, one each."""
    if key not in table:
        return []
    given = list(table.tables(key, known, key))
    if len(given) != len(motion.parts):
        words = ", ".join(word for word, _ in motion.parts)
        raise InputError(
            f"found {len(given)} tables, expected {len(motion.parts)}", table.where(key), f"give one each: {words}"
        )
    return given


def _drive(table: Table) -> Drive:
    return Drive(**{key: table.number(key) for key in DRIVE if key in table})


def _formulas(drive: Table) -> tuple[TorqueFormula, ...]:
    """Return the torques that a drive states as formulas of q and qd: one text, or a list of them."""
    if "formula" not in drive:
        return ()
    given, place = drive.data["formula"], drive.where("formula")
    texts = [given] if isinstance(given, str) else drive.entries("formula")
    return tuple(torque_formula(text, place) for text in texts)


def _motion(table: Table, kind: str) -> JointMotion | Fixed:
    motion = KINDS[kind]
    if issubclass(motion, Helical):
        if "pitch" not in table:
            raise InputError("'pitch' is missing", table.place, "give the way per angle in m/rad")
        return motion(**_axes(table), pitch=table.constant("pitch"))
    return motion(**_axes(table))


def _axes(table: Table) -> dict[str, Vec3]:
    return {key: _axis(table, key) for key in ("axis", "axis2") if key in table}


def _axis(table: Table, key: str) -> Vec3:
    numbers = [parse_constant(x, f"{table.where(key)}[{i}]") for i, x in enumerate(table.entries(key, 3))]
    length = math.hypot(*numbers)
    if length < 1e-100 or math.isinf(length):
        raise InputError(f"found {numbers}, which is no direction", table.where(key), "give e.g. [0, 0, 1]")
    return Vec3(*numbers) if abs(length - 1) < UNIT else Vec3(*(x / length for x in numbers))


def _limits(table: Table) -> Limits:
    limits = Limits(**{key: table.constant(key) for key in LIMITS if key in table})
    if limits.lower is not None and limits.upper is not None and limits.lower > limits.upper:
        raise InputError(f"lower {limits.lower:g} is above upper {limits.upper:g}", table.place, "exchange them")
    for key in ("velocity", "effort"):
        bound = getattr(limits, key)
        if bound is not None and bound < 0:
            raise InputError(f"{key} is {bound:g}, expected 0 or more", table.place, "give its size")
    return limits


# -- places and bodies --------------------------------------------------------


def _placement(table: Table) -> Placement:
    if "rpy" in table and "turns" in table:
        raise InputError("both rpy and turns", table.place, "give one of them")
    turns: tuple[tuple[int, Scalar], ...] = ()
    if "rpy" in table:
        turns = rpy(*table.angles("rpy", 3))
    elif "turns" in table:
        turns = tuple(_turn(table, i, entry) for i, entry in enumerate(table.entries("turns")))
    return Placement().then(Placement(table.vector("xyz", ZERO), turns))


def _turn(table: Table, i: int, entry: object) -> tuple[int, Scalar]:
    place = f"{table.where('turns')}[{i}]"
    if not isinstance(entry, Sequence) or isinstance(entry, str) or len(entry) != 2 or entry[0] not in AXES:
        raise InputError("expected an axis and an angle", place, 'write e.g. ["x", "-90 deg"]')
    return AXES.index(entry[0]), parse_angle(entry[1], table.graph, place)


def _base_link(top: Table) -> Link:
    given = top.data.get("base_link", "base")
    if isinstance(given, str) and given:
        return Link(given)
    table = Table(given, top.where("base_link"), top.graph, LINK)
    return Link(table.text("name"), _inertia(table))


def _inertia(table: Table) -> Inertia:
    """Return a link's inertia about the origin of the frame it is given in."""
    if not any(key in table for key in LINK[1:]):
        return NO_INERTIA
    mass = table.number("mass", 0.0)
    if "com" in table and ("moment" in table or "mass" not in table):
        raise InputError("com needs a mass and excludes moment", table.place, "give mass and com, or mass and moment")
    centre = table.vector("com", ZERO)
    moment = table.vector("moment", centre * mass if "com" in table else ZERO)
    if ("inertia" in table) != ("about" in table):
        advice = 'give inertia = [Ixx, Ixy, Iyy, Ixz, Iyz, Izz] and about = "com" or "origin"'
        raise InputError("inertia and about go together", table.place, advice)
    tensor = Sym3(*table.numbers("inertia", 6)) if "inertia" in table else NO_TENSOR
    if table.choice("about", ("com", "origin"), "origin") == "origin" and "inertia" in table:
        return Inertia(mass, moment, tensor)
    if "moment" in table and "inertia" in table:
        raise InputError("moment with an inertia about the com", table.place, 'give com instead, or about = "origin"')
    # Without a tensor the mass is a point at the centre of mass.
    return Inertia.about_centre(mass, centre, tensor) if "moment" not in table else Inertia(mass, moment, tensor)


def _with_frames(tree: Tree, top: Table, entries: list[_Entry], outlets: Mapping[str, Placement]) -> Tree:
    places = {name: tree.frame(name) for name in tree.frame_names}
    frames = list(tree.frames)

    def add(name: str, link: str, placement: Placement) -> None:
        home = places[link]
        places[name] = Frame(name, home.body, home.placement.then(placement))
        frames.append(places[name])

    tables = list(top.tables("frame", ("name", "link", *PLACE), "frame"))
    last = next((entry for entry in reversed(entries) if entry.row is not None), None)
    taken = FLANGE in places or any(table.data.get("name") == FLANGE for table in tables)
    if last is not None and top.data["convention"] == "standard" and not taken:
        add(FLANGE, last.link.name, last.after)
    for table in tables:
        name, link = table.text("name"), table.text("link")
        if name in places:
            raise InputError(f"the name '{name}' is taken", table.place, "choose another name")
        if link not in places:
            raise InputError(f"no link '{link}'", table.where("link"), nearest(link, places))
        add(name, link, outlets.get(link, Placement()).then(_placement(table)))
    return replace(tree, frames=tuple(frames))


# -- the rest -----------------------------------------------------------------


def _coupling(top: Table, entries: list[_Entry]) -> dict[tuple[str, str], Scalar]:
    moving = [entry.name for entry in entries if entry.kind in KINDS and issubclass(KINDS[entry.kind], SingleAxis)]
    coupling: dict[tuple[str, str], Scalar] = {}
    for table in top.tables("coupling", ("drive", "joint", "ratio"), "coupling"):
        pair = table.text("drive"), table.text("joint")
        for key, name in zip(("drive", "joint"), pair, strict=True):
            if name not in moving:
                raise InputError(f"no single-axis joint '{name}'", table.where(key), nearest(name, moving))
        if pair in coupling:
            raise InputError(f"drive '{pair[0]}' and joint '{pair[1]}' are coupled twice", table.place, "keep one")
        coupling[pair] = table.number("ratio")
    return coupling


def _values(top: Table) -> Mapping[str, Value]:
    given = top.data.get("values", {})
    table = Table(given, top.where("values"), top.graph, given if isinstance(given, Mapping) else ())
    values: dict[str, Value] = {}
    for name, entry in table.data.items():
        if isinstance(entry, Mapping):
            measured = table.table(name, ("value", "tolerance", "source", "run_time"))
            tolerance = measured.constant("tolerance") if "tolerance" in measured else None
            if tolerance is not None and tolerance < 0:
                raise InputError(f"tolerance is {tolerance:g}, expected 0 or more", measured.place, "give its size")
            source, run_time = measured.text("source", ""), measured.truth("run_time")
            values[name] = Value(measured.constant("value"), tolerance, source, run_time)
        else:
            values[name] = Value(table.constant(name))
    return MappingProxyType(values)


def _convention(top: Table, entries: list[_Entry]) -> tuple[str, tuple[tuple[Scalar, ...], ...]] | None:
    rows = tuple(entry.row for entry in entries if entry.row is not None)
    if rows:
        if "given_as" in top:
            raise InputError("both dh rows and given_as", top.place, "remove given_as")
        return str(top.data["convention"]), rows
    if "convention" in top:
        check_label(top.data["convention"], top.where("convention"))
    if "given_as" not in top:
        return None
    table = top.table("given_as", ("convention", "rows"))
    label = check_label(table.data.get("convention"), table.where("convention"))
    return label, tuple(_shown_row(table, i, row, len(COLUMNS[label])) for i, row in enumerate(table.entries("rows")))


def _shown_row(table: Table, i: int, row: object, length: int) -> tuple[Scalar, ...]:
    place = f"{table.where('rows')}[{i}]"
    if not isinstance(row, Sequence) or isinstance(row, str) or len(row) != length:
        raise InputError(f"expected a list of {length} numbers", place, "one for each column of the convention")
    return tuple(plain(parse(x, table.graph, place)) for x in row)
