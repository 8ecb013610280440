"""Loops in a description: the tables ``loop``, ``gear``, ``cam`` and ``rolling``, and the choices that go with them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from taut.errors import InputError
from taut.formats.formula import parse, parse_constant
from taut.formats.spline import spline
from taut.formats.table import Table, nearest
from taut.graph import Node
from taut.graph.walk import symbols_of
from taut.robot import Placement
from taut.robot.closures import STOPPED, DescribedClosure, DescribedGear, DescribedLoops, DescribedRateRow
from taut.robot.law import ARGUMENT, Law
from taut.spatial import Scalar

PLACE = ("xyz", "rpy", "turns")
TABLES = ("loop", "gear", "cam", "rolling", "independent", "actuated", "start")
"""Keys of a description that belong to loops."""

Placed = Callable[[Table], Placement]
"""Reads xyz with rpy or turns."""


def described_loops(
    top: Table, base: str, outlets: Mapping[str, Placement], moving: Sequence[str], placed: Placed
) -> DescribedLoops | None:
    """Return the loops of a description, None where it has none.

    Args:
        top: the whole description.
        base: name of the base link.
        outlets: {link: its own frame as seen from its joint's frame}.
        moving: names of the joints that move.
        placed: reads a placement.
    """
    if not any(key in top for key in TABLES):
        return None
    return DescribedLoops(
        tuple(_closure(top, i, base, outlets, placed) for i in range(len(_listed(top, "loop")))),
        tuple(_gears(top)) + tuple(_cams(top)),
        tuple(_rollings(top, moving)),
        tuple(_start(top, moving)),
        _names(top, "independent", moving),
        _names(top, "actuated", moving),
    )


def _listed(top: Table, key: str) -> Sequence[object]:
    return top.entries(key) if key in top else ()


def _closure(top: Table, i: int, base: str, outlets: Mapping[str, Placement], placed: Placed) -> DescribedClosure:
    known = ("name", "kind", "link", "to", "at", *PLACE, "active")
    table = list(top.tables("loop", known, "loop"))[i]
    kind = table.choice("kind", tuple(STOPPED))
    link, other = table.text("link"), table.text("to", base)
    for key, name in (("link", link), ("to", other)):
        if name not in outlets:
            raise InputError(f"no link '{name}'", table.where(key), nearest(name, outlets))
    first = Table({key: table.data[key] for key in PLACE if key in table}, table.place, top.graph, PLACE)
    here = outlets[link].then(placed(first))
    there = outlets[other].then(placed(table.table("at", PLACE)))
    return DescribedClosure(
        table.text("name", f"loop{i + 1}"), kind, link, other, here, there, table.truth("active") is not False
    )


def _gears(top: Table) -> Sequence[DescribedGear]:
    found = []
    for table in top.tables("gear", ("joint", "follows", "offset"), "gear"):
        ratios = table.data.get("follows")
        leaders = table.table("follows", ratios if isinstance(ratios, Mapping) else ())
        terms = tuple((name, leaders.number(name)) for name in leaders.data)
        found.append(DescribedGear(table.text("joint"), terms, table.number("offset", 0.0)))
    return found


def _cams(top: Table) -> Sequence[DescribedGear]:
    found = []
    for table in top.tables("cam", ("joint", "follows", "law", "points"), "cam"):
        if ("law" in table) == ("points" in table):
            raise InputError("a cam needs a law or points, not both", table.place, 'write e.g. law = "0.1*sin(x)"')
        law = _law(table, "law", (ARGUMENT,)) if "law" in table else _through(table)
        found.append(DescribedGear(table.text("joint"), ((table.text("follows"), 1.0),), 0.0, law))
    return found


def _through(table: Table) -> Law:
    points = []
    for i, pair in enumerate(table.entries("points")):
        place = f"{table.where('points')}[{i}]"
        if not isinstance(pair, Sequence) or isinstance(pair, str) or len(pair) != 2:
            raise InputError("expected a position and the follower's position", place, "write e.g. [0.5, 0.01]")
        points.append((parse_constant(pair[0], place), parse_constant(pair[1], place)))
    return Law(spline(points, ARGUMENT, table.where("points")))


def _rollings(top: Table, moving: Sequence[str]) -> Sequence[DescribedRateRow]:
    found = []
    for i, table in enumerate(top.tables("rolling", ("name", "rates", "active"), "rolling")):
        given = table.data.get("rates")
        rates = table.table("rates", given if isinstance(given, Mapping) else ())
        if not rates.data:
            raise InputError("no rates", table.place, 'write e.g. rates = { x = "cos(yaw)", wheel = -0.1 }')
        terms = tuple((name, _law(rates, name, moving)) for name in rates.data)
        active = table.truth("active") is not False
        found.append(DescribedRateRow(table.text("name", f"rolling{i + 1}"), terms, active))
    return found


def _law(table: Table, key: str, positions: Sequence[str]) -> Law:
    """Return a formula; names that are no positions are parameters."""
    expression = parse(table.data.get(key), table.graph, table.where(key))
    node = expression if isinstance(expression, Node) else table.graph.constant(expression)
    named = {x.name: x for x in symbols_of([node]) if x.name not in positions}
    parameters: tuple[tuple[str, Scalar], ...] = tuple(named.items())
    return Law(node, parameters)


def _start(top: Table, moving: Sequence[str]) -> Sequence[tuple[str, tuple[float, ...]]]:
    table = top.table("start", moving)
    found = []
    for name, value in table.data.items():
        listed = value if isinstance(value, Sequence) and not isinstance(value, str) else [value]
        found.append((name, tuple(parse_constant(x, table.where(name)) for x in listed)))
    return found


def _names(top: Table, key: str, moving: Sequence[str]) -> tuple[str, ...]:
    names = tuple(top.entries(key)) if key in top else ()
    for name in names:
        if name not in moving:
            raise InputError(f"no joint '{name}' that moves", top.where(key), nearest(name, moving))
    return names
