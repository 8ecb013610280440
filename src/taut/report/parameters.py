"""The parameters of a robot by name: what can be kept as an input at run time."""

from __future__ import annotations

from typing import Any

from taut.report.table import printable
from taut.robot import Tree
from taut.robot.records import records

LINE = "{symbol:<{width}}  {value:>14}  {about}"


def parameters_text(robot: Tree) -> str:
    """Return a line for each parameter: symbol, value, quantity, unit, body, reference point."""
    known = records(robot)
    width = max((len(record.symbol) for record in known), default=0)
    rows = [
        LINE.format(
            symbol=record.symbol,
            width=width,
            value="no value" if record.value is None else f"{record.value:.8g}",
            about=str(record),
        )
        for record in known
    ]
    head = f"{robot.name}: {len(known)} parameters; mass centres rx1 ry1 rz1 ... can be named in place of first moments"
    return "\n".join(printable(row) for row in [head, "", *rows])


def parameters_data(robot: Tree) -> list[dict[str, Any]]:
    """Return the same for a program to read."""
    keys = ("symbol", "value", "quantity", "unit", "of", "point")
    return [{key: getattr(record, key) for key in keys} for record in records(robot)]
