"""Records of a robot's numbers, and numbers exchanged for symbols or for other numbers by name.

A record holds: symbol, quantity, unit, the body or joint it belongs to, the reference point, the value, and whether it
is read at run time or written into the code. Names are those of :mod:`taut.robot.places`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from taut.errors import InputError
from taut.graph.node import Graph, Node
from taut.graph.operation import Op
from taut.graph.walk import names_of, symbols_of
from taut.robot.inertial import PARAMETER_NAMES
from taut.robot.parts import Measure, Value
from taut.robot.placement import QuarterTurns, right_angle
from taut.robot.places import CENTRE, INERTIAL, Place, each_number, file_symbols, inertial_name, places
from taut.robot.tree import Tree
from taut.spatial import NO_TENSOR, Inertia, Scalar, Sym3, Vec3, is_exactly

ROUNDING = 1e-13
"""Part of a link's largest inertia that is left by rounding when an inertia is moved to the mass centre."""


@dataclass(frozen=True)
class Record(Measure):
    """One number of a robot.

    Attributes:
        symbol: its name in every output.
        value: the number, None for a symbol without one.
        run_time: whether it is an input of generated code; else it is written into the code.
    """

    symbol: str = ""
    value: float | None = None
    run_time: bool = False

    @classmethod
    def of_measure(cls, measure: Measure, symbol: str, value: float | None, run_time: bool) -> Record:
        """Return the record of a symbol with a measure."""
        return cls(measure.quantity, measure.unit, measure.of, measure.point, symbol, value, run_time)

    def __str__(self) -> str:
        """Return quantity, unit, body and reference point as one phrase."""
        return f"{self.quantity} [{self.unit}], {self.of}" + (f", {self.point}" if self.point else "")


# -- records --------------------------------------------------------------------


def records(tree: Tree) -> tuple[Record, ...]:
    """Return a record of every number of the robot that is not zero or a right angle, symbols of the file included."""
    return tuple(_records(tree))


def _records(tree: Tree) -> Iterator[Record]:
    named = symbol_records(tree)
    for place, x in places(tree):
        if isinstance(x, Node):
            inside = sorted(names_of([x]))
            yield from (named.pop(name) for name in inside if name in named)
        elif not _structural(place, x):
            yield Record.of_measure(place, place.symbol, place.sign * float(x), run_time=False)


def _structural(place: Place, x: Scalar) -> bool:
    """Whether a number is zero, a right angle or a plain gear ratio: part of the structure, not a parameter."""
    if place.kind == "angle" and isinstance(right_angle(x), QuarterTurns):
        return True
    return is_exactly(x, 0) or (place.converts and is_exactly(x, 1))


def symbol_records(tree: Tree) -> dict[str, Record]:
    """Return {name: its record} of the symbols of the file: as the file describes one, or by the place of its use."""
    inside: dict[str, None] = {}
    alone: dict[str, Measure] = {}
    for place, x in places(tree):
        if isinstance(x, Node):
            inside.update({node.name: None for node in symbols_of([x])})
            for symbol in (x, -x):
                if symbol.op is Op.SYMBOL:
                    alone.setdefault(symbol.name, place)
    unknown = Measure("symbol of the robot file", "SI", f"robot '{tree.name}'")

    def record(name: str) -> Record:
        known = tree.values.get(name)
        measure = tree.measures.get(name) or alone.get(name, unknown)
        value, run_time = (known.value, known.run_time is not False) if known else (None, True)
        return Record.of_measure(measure, name, value, run_time)

    return {name: record(name) for name in inside}


# -- symbols in place of numbers ------------------------------------------------


def with_symbols(tree: Tree, graph: Graph, wanted: Callable[[Place, Scalar], bool]) -> tuple[Tree, dict[str, Record]]:
    """Return the robot with symbols in place of the numbers that are wanted, and the records of these symbols.

    Args:
        tree: the robot.
        graph: owner of all symbols; those of the robot are moved into it.
        wanted: whether the number at a place becomes a symbol.
    """
    records: dict[str, Record] = {}

    def visit(place: Place, x: Scalar) -> Scalar:
        if isinstance(x, Node):
            return graph.lift(x)
        if not wanted(place, x):
            return x
        records[place.symbol] = Record.of_measure(place, place.symbol, place.sign * float(x), run_time=True)
        symbol = graph.symbol(place.symbol)
        return symbol if place.sign > 0 else -symbol

    return each_number(tree, visit), records


def with_named_symbols(tree: Tree, graph: Graph, names: Collection[str]) -> tuple[Tree, dict[str, Record]]:
    """Return the robot with symbols in place of the numbers of the given names, and their records.

    Symbols of the file stay what they are. With a coordinate of a mass centre, ``rz7``, the link is described by mass,
    mass centre and inertia about it: its mass then takes first moments and inertia about the joint along.
    """
    own = symbol_records(tree)
    left = [name for name in names if name not in own]
    centred = _of_centred_links(tree, left)
    tree, records = _centre_records(tree, graph, centred)
    rest = set(left) - set(centred)
    tree, others = with_symbols(tree, graph, lambda place, _: place.symbol in rest)
    if missing := [name for name in left if name in rest and name not in others]:
        raise unknown_name(tree, missing[0])
    return tree, {name: own[name] for name in names if name in own} | records | others


def with_numbers(tree: Tree, values: Mapping[str, float]) -> Tree:
    """Return the robot with other numbers, by name: symbols of the file, places, coordinates of mass centres.

    >>> from taut.robot import Joint, Link, Placement, Revolute
    >>> arm = Tree("arm", (Joint("j", -1, Placement(Vec3(0.3, 0.0, 0.0)), Revolute(), Link("l")),))
    >>> with_numbers(arm, {"a1": 0.4}).joints[0].placement.p.x
    0.4
    """
    if not values:
        return tree  # loops keep their dependent rates
    own = file_symbols(tree)
    centred = _of_centred_links(tree, [name for name in values if name not in own])
    left = {name: float(x) for name, x in values.items() if name not in own and name not in centred}
    tree = _recentred(tree, {name: float(values[name]) for name in centred})

    def visit(place: Place, x: Scalar) -> Scalar:
        known = place.symbol in left and not isinstance(x, Node)
        return place.sign * left.pop(place.symbol) if known else x

    changed = each_number(tree, visit)
    if left:
        raise unknown_name(tree, next(iter(left)))
    given = {name: Value(float(values[name]), run_time=_wish(tree, name)) for name in values if name in own}
    loops = replace(changed.loops, pivots=None)
    return replace(changed, values=MappingProxyType({**changed.values, **given}), loops=loops)


def _wish(tree: Tree, name: str) -> bool | None:
    return tree.values[name].run_time if name in tree.values else None


def unknown_name(tree: Tree, name: str) -> InputError:
    """Return the error of a parameter that a robot does not have."""
    known = [record.symbol for record in records(tree)]
    listed = ", ".join(known[:8]) + (f" and {len(known) - 8} more" if len(known) > 8 else "")
    advice = f"it has {listed}; 'taut show --parameters' lists them"
    return InputError(f"robot '{tree.name}' has no symbol or parameter '{name}'", advice=advice)


# -- mass centres -----------------------------------------------------------------


def _of_centred_links(tree: Tree, names: Collection[str]) -> list[str]:
    """Return the names that describe links by their mass centre: ``rx7``, and then ``m7`` with it."""
    centred = {name[2:] for name in names if name[:2] in CENTRE and name[2:].isdigit()}
    for name in names:
        if any(name == inertial_name(p, int(n)) for n in centred for p in PARAMETER_NAMES[1:]):
            advice = "name mass centres, or first moments and inertias"
            raise InputError(f"'{name}' and a mass centre of the same link", f"robot '{tree.name}'", advice)
    return [
        name
        for name in names
        if (name[2:] in centred and name[:2] in CENTRE) or (name[0] == "m" and name[1:] in centred)
    ]


def _centre_records(tree: Tree, graph: Graph, names: Collection[str]) -> tuple[Tree, dict[str, Record]]:
    records = {}
    for name in names:
        k, number = (CENTRE.index(name[:2]), int(name[2:])) if name[0] == "r" else (None, int(name[1:]))
        mass, centre, _ = _by_centre(tree, number - 1, name)
        joint = tree.joints[number - 1]
        if k is None:
            measure = Measure(*INERTIAL["m"], f"link '{joint.link.name}'", "mass centre and inertia about it held")
            records[name] = Record.of_measure(measure, name, float(mass), run_time=True)
        else:
            point = f"from the origin of joint '{joint.name}', in its axes"
            measure = Measure(f"mass centre {'xyz'[k]}", "m", f"link '{joint.link.name}'", point)
            records[name] = Record.of_measure(measure, name, float(tuple(centre)[k]), run_time=True)
    return _recentred(tree, {name: graph.symbol(name) for name in names}), records


def _recentred(tree: Tree, chosen: Mapping[str, Scalar]) -> Tree:
    """Return the robot with given masses and coordinates of mass centres; inertias about the centres stay."""
    joints = list(tree.joints)
    for number in sorted({int(name.lstrip("mrxyz")) for name in chosen}):
        first = next(name for name in chosen if name.endswith(str(number)))
        mass, centre, tensor = _by_centre(tree, number - 1, first)
        place = Vec3(*(chosen.get(f"{r}{number}", x) for r, x in zip(CENTRE, centre, strict=True)))
        inertia = Inertia.about_centre(chosen.get(f"m{number}", mass), place, tensor)
        joint = joints[number - 1]
        joints[number - 1] = replace(joint, link=replace(joint.link, inertia=inertia))
    return replace(tree, joints=tuple(joints)) if chosen else tree


def _by_centre(tree: Tree, i: int, name: str) -> tuple[Scalar, Vec3, Sym3]:
    """Return mass, mass centre and the inertia about it of a link that is given by numbers."""
    if not 0 <= i < len(tree.joints):
        raise unknown_name(tree, name)
    body, link = tree.joints[i].link.inertia, tree.joints[i].link.name
    if any(isinstance(x, Node) for x in body.parameters) or not body.m:
        where = f"link '{link}'"
        raise InputError(f"'{name}': the mass centre is no number", where, "name symbols of the file or first moments")
    centre = body.h * (1 / body.m)
    size = max(abs(x) for x in body.I)
    about = body.I - Inertia.about_centre(body.m, centre, NO_TENSOR).I
    return body.m, centre, Sym3(*(0 if abs(x) <= ROUNDING * size else x for x in about))
