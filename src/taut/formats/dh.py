"""A robot from a Denavit-Hartenberg table, straight from Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from taut.errors import InputError
from taut.formats.convention import COLUMNS, KHALIL_LENGTHS, check_label
from taut.formats.document import JOINT, build
from taut.formats.table import nearest
from taut.graph import Graph
from taut.robot import Tree

_BESIDE = tuple(key for key in JOINT if key not in ("dh", "xyz", "rpy", "turns", "axis"))
"""What a row may hold besides its columns."""


def from_dh(
    label: str,
    rows: Sequence[Mapping[str, Any]],
    *,
    name: str = "robot",
    graph: Graph | None = None,
    **description: Any,
) -> Tree:
    """Return the robot of a DH table.

    Args:
        label: ``standard`` (Paul), ``modified`` (Craig) or ``khalil``; what the columns mean is in
            :mod:`taut.formats.convention`.
        rows: one mapping a joint: the convention's columns (absent ones are 0; the joint's own coordinate
            is added to theta or to the length along z), and any of ``name kind parent limits drive mimic
            link`` as in taut's TOML format. Lengths in metres, angles in radians or ``"90 deg"``; any
            number may be a formula, whose names become symbols.
        name: the robot's name.
        graph: owner of the symbols, when several robots are to share them.
        description: ``gravity``, ``base``, ``values``, ``frame`` ... as in taut's TOML format.

    >>> arm = from_dh("standard", [{"a": "l1"}, {"a": 0.3, "link": {"mass": 2, "com": [-0.15, 0, 0]}}])
    >>> arm.joint_names, arm.frame().name
    (('joint1', 'joint2'), 'flange')
    """
    check_label(label, name)
    joints: list[dict[str, Any]] = []
    for i, row in enumerate(rows):
        place = f"{name}: row {i + 1}"
        if not isinstance(row, Mapping):
            raise InputError("expected a mapping of columns to numbers", place, f"columns: {', '.join(COLUMNS[label])}")
        if label == "khalil" and "a" in row:
            raise InputError("'a' is no column of the khalil convention", place, KHALIL_LENGTHS)
        for key in row:
            if key not in COLUMNS[label] and key not in _BESIDE:
                raise InputError(f"unknown key '{key}'", place, nearest(key, (*COLUMNS[label], *_BESIDE)))
        dh = {column: row[column] for column in COLUMNS[label] if column in row}
        joints.append({"dh": dh, **{key: row[key] for key in _BESIDE if key in row}})
    return build({"name": name, "convention": label, "joint": joints, **description}, name, graph)
