"""Which numbers of a robot can change at run time: symbols take their places, one for each.

Equal numbers of different places are different symbols; only a name that the file uses twice is a tie. Names and
records are those of :mod:`taut.robot.places`.

* ``symbolic``: ten symbols for each link, and one for every other number that is not zero or a right angle.
* ``pattern``, ``base``: the same, and inertial numbers that are zero stay zero.
* ``numeric``: the names to be kept; every other number is written into the code.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING

from taut.derive.checks.truth import on_file_digits
from taut.derive.naming.constants import Constants
from taut.derive.naming.negligible import Numbers, largest_of_each, without_negligible
from taut.errors import InputError, UnsupportedError
from taut.graph import Graph, Node, topological
from taut.graph.operation import Op
from taut.graph.walk import numbers_of
from taut.robot import PARAMETER_NAMES, Joint, Tree, Value
from taut.robot.edit import numeric
from taut.robot.motion import Ball, SingleAxis
from taut.robot.parts import Measure
from taut.robot.placement import Placement, QuarterTurns, right_angle
from taut.robot.places import INERTIAL, Place, each_number, file_symbols
from taut.robot.records import Record, symbol_records, with_named_symbols
from taut.robot.screws import ball_way, screw_way
from taut.spatial import Inertia, Scalar, is_exactly

if TYPE_CHECKING:
    from taut.derive.naming.parameters import Naming

LOAD = "load_"
"""Begin of the names of a load's ten parameters."""

ROUNDING = 1e-13
"""Rounding noise of a right angle [rad]."""


def with_kept_symbols(tree: Tree, naming: Naming, keep: Collection[str]) -> Tree:
    """Return the robot with numbers in place of all symbols but those to be kept.

    Args:
        tree: the robot.
        naming: takes the records of what is kept.
        keep: names of symbols of the file or of :mod:`taut.robot.places`; what the file itself asks to be read at
            run time is kept, too.
    """
    own = file_symbols(tree)
    asked = [name for name, value in tree.values.items() if value.run_time and name in own]
    asked += [name for name in keep if name not in asked]
    if not asked:
        return numeric(tree)
    tree, records = with_named_symbols(tree, naming.graph, asked)
    for record in records.values():
        naming.record(replace(record, run_time=True))
    return numeric(tree, asked)


def with_run_time_symbols(tree: Tree, mode: str, naming: Naming, on_screws: bool = True) -> Tree:
    """Return the robot with a symbol of its own for every number that a mode lets change at run time.

    Args:
        tree: the robot.
        mode: ``symbolic``, ``pattern`` or ``base``.
        naming: takes the records.
        on_screws: whether the result must have a screw form where the robot has one.
    """
    for record in symbol_records(tree).values():
        naming.record(record)
    if mode != "symbolic":
        tree = _without_rounding(tree, naming)
    links = {f"link '{joint.link.name}'" for joint in tree.joints}
    records: dict[str, Record] = {}
    elsewhere = Graph()  # symbols enter the graph of a derivation where they are first used, as those of the file do

    def symbol(place: Place, value: float | None, graph: Graph) -> Node:
        records[place.symbol] = Record.of_measure(place, place.symbol, value, run_time=True)
        node = graph.symbol(place.symbol)
        return node if place.sign > 0 else -node

    def visit(place: Place, x: Scalar) -> Scalar:
        carried = place.kind == "inertial" and place.of in links
        if isinstance(x, Node):
            if carried and (x.op is not Op.SYMBOL if mode == "symbolic" else _measured(x)):
                return symbol(place, naming.known(x), naming.graph)
            return naming.graph.lift(x) if carried and mode == "symbolic" else x
        wanted = (carried and mode == "symbolic") or _changes(place, x, naming)
        graph = naming.graph if carried and mode == "symbolic" else elsewhere
        return symbol(place, place.sign * float(x), graph) if wanted else x

    named = each_number(tree, visit)
    if on_screws:
        named = _with_screw_form(tree, named, naming)
    used = file_symbols(named)
    for name, record in records.items():
        if name in used:
            naming.record(record)
    return named


def with_load_symbols(tree: Tree, naming: Naming, frame: str) -> Tree:
    """Return the robot with a load on a frame whose ten parameters are symbols, zero by default."""
    place = tree.frame(frame)
    if place.body < 0:
        raise InputError(f"frame '{place.name}' does not move", "load", "name a frame on a moving link")
    for name in PARAMETER_NAMES:
        about = "" if name == "m" else f"about the origin of frame '{place.name}', in its axes"
        measure = Measure(*INERTIAL[name], f"load on frame '{place.name}'", about)
        naming.record(Record.of_measure(measure, LOAD + name, 0.0, run_time=True))
    load = Inertia.from_parameters(tuple(naming.graph.symbol(LOAD + name) for name in PARAMETER_NAMES))
    joint = tree.joints[place.body]
    inertia = joint.link.inertia + place.transform.inertia_to_parent(load)
    loaded = replace(joint, link=replace(joint.link, inertia=inertia))
    return replace(tree, joints=(*tree.joints[: place.body], loaded, *tree.joints[place.body + 1 :]))


def _changes(place: Place, x: Scalar, naming: Naming) -> bool:
    """Whether a number of a file is a parameter, not part of the structure."""
    if place.kind == "angle" or (place.kind == "offset" and place.unit == "rad"):
        return not isinstance(right_angle(x, ROUNDING), QuarterTurns) and not is_exactly(x, 0)
    if place.kind == "length":
        return abs(x) > naming.smallest
    return not is_exactly(x, 0) and not place.converts and not (place.kind == "ratio" and float(x).is_integer())


def _without_rounding(tree: Tree, naming: Naming) -> Tree:
    """Return the robot with zeros for inertial numbers that have no effect on any torque."""
    known = MappingProxyType({name: Value(value) for name, value in naming.values.items()})

    def with_inertias(numbers: Numbers) -> Tree:
        joints = (
            replace(joint, link=replace(joint.link, inertia=Inertia.from_parameters(tuple(row))))
            for joint, row in zip(tree.joints, numbers, strict=True)
        )
        return replace(tree, joints=tuple(joints))

    numbers = [list(joint.link.inertia.parameters) for joint in tree.joints]
    sizes = largest_of_each(numbers, "mhhhIIIIII")
    return with_inertias(
        without_negligible(numbers, sizes, lambda x: on_file_digits(replace(with_inertias(x), values=known)))
    )


def _measured(formula: Node) -> bool:
    """Whether a formula holds a number that is no small fraction."""
    numbers = (x for node in topological([formula]) for x in numbers_of(node))
    return any(Fraction(x).denominator > 12 for x in numbers)


# -- placements that keep their numbers -----------------------------------------


def _with_screw_form(tree: Tree, named: Tree, naming: Naming) -> Tree:
    """Return the named robot; a placement whose symbols would leave no screw form keeps its angles, or all numbers."""
    is_zero = Constants(Graph()).is_zero  # a graph apart: the order in which symbols come into a graph is kept
    roots = [joint for joint in named.joints if joint.parent < 0]
    if named.base != tree.base and not _placed(named, roots, is_zero):
        named = replace(named, base=tree.base)
        naming.notes.append("the placement of the base is written into the code")
    joints = list(named.joints)
    for i, (old, new) in enumerate(zip(tree.joints, named.joints, strict=True)):
        if old.placement == new.placement or _placed(named, [new], is_zero):
            continue
        turned = replace(new, placement=Placement(new.placement.p, old.placement.turns))
        joints[i] = turned if _placed(named, [turned], is_zero) else replace(new, placement=old.placement)
        what = "angles" if joints[i] is turned else "offsets and angles"
        naming.notes.append(f"{what} of joint '{new.name}' are written into the code")
    return replace(named, joints=tuple(joints))


def _placed(tree: Tree, joints: Collection[Joint], is_zero: Callable[[Scalar], bool]) -> bool:
    """Whether joints of a robot have a place in screw form."""
    try:
        for joint in joints:
            if isinstance(joint.motion, SingleAxis):
                screw_way(tree, joint, is_zero)
            elif isinstance(joint.motion, Ball):
                ball_way(tree, joint)
    except UnsupportedError:
        return False
    return True
