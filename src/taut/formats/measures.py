"""What the symbols of a description measure: read from the fields they stand in, before these are put together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import MappingProxyType
from typing import NamedTuple

from taut.formats.convention import ANGLES, COLUMNS
from taut.formats.table import Table
from taut.graph import Node
from taut.graph.operation import Op
from taut.graph.walk import symbols_of
from taut.robot import PARAMETER_NAMES, Measure
from taut.robot.places import INERTIAL
from taut.spatial import Scalar

FRAME = "in the link's frame"


class Described(NamedTuple):
    """A joint and its link as a description has them."""

    joint: str
    link: str
    fields: Table
    row: tuple[Scalar, ...] | None


def measures(convention: object, parts: Sequence[Described]) -> MappingProxyType[str, Measure]:
    """Return {symbol: what it measures}; a symbol that only stands in formulas measures a part of something.

    Args:
        convention: label of the Denavit-Hartenberg rows, if there are any.
        parts: the joints and links.
    """
    alone: dict[str, Measure] = {}
    inside: dict[str, Measure] = {}
    for part in parts:
        for x, measure in (*_row(part, convention), *_link(part)):
            if not isinstance(x, Node):
                continue
            names = [node.name for node in symbols_of([x])]
            if x.op is Op.SYMBOL or (-x).op is Op.SYMBOL:
                alone.setdefault(names[0], measure)
            for name in names:
                inside.setdefault(name, Measure(f"part of the {measure.quantity}", "SI", measure.of, measure.point))
    return MappingProxyType(inside | alone)


def _row(part: Described, convention: object) -> Iterator[tuple[Scalar, Measure]]:
    if part.row is None or not isinstance(convention, str):
        return
    for column, x in zip(COLUMNS[convention], part.row, strict=True):
        angle = column in ANGLES
        quantity = f"{'angle' if angle else 'length'} {column}"
        point = f"{convention} Denavit-Hartenberg row"
        yield x, Measure(quantity, "rad" if angle else "m", f"joint '{part.joint}'", point)


def _link(part: Described) -> Iterator[tuple[Scalar, Measure]]:
    table, of = part.fields, f"link '{part.link}'"
    if "mass" in table:
        yield table.number("mass"), Measure("mass", "kg", of)
    for key, quantity, unit in (("com", "mass centre", "m"), ("moment", "first moment m", "kg m")):
        if key in table:
            for axis, x in zip("xyz", table.numbers(key, 3), strict=True):
                yield x, Measure(f"{quantity} {axis}", unit, of, FRAME)
    if "inertia" in table:
        about = "about the mass centre" if table.data.get("about") == "com" else "about the origin of the link's frame"
        for name, x in zip(PARAMETER_NAMES[4:], table.numbers("inertia", 6), strict=True):
            yield x, Measure(*INERTIAL[name], of, f"{about}, in its axes")
