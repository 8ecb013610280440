"""What is known about a robot, as plain data: numbers, formulas as text, lists and dictionaries."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from taut.graph.text import to_text
from taut.report.base_count import base_parameter_count
from taut.report.numbers import plain
from taut.report.stand_in import unvalued
from taut.robot import PARAMETER_NAMES, Joint, Limits, Placement, Tree
from taut.robot.law import Law
from taut.robot.looping import described_loops
from taut.spatial import Inertia, Scalar

if TYPE_CHECKING:
    from taut.api import Robot


def summary(robot: Robot) -> dict[str, Any]:
    """Return all of a robot that ``taut show`` prints; SI units, radians."""
    tree = robot.tree
    convention = tree.convention
    return {
        "name": robot.name,
        "source": tree.source,
        "dof": robot.dof,
        "joint_names": list(robot.joint_names),
        "base_parameters": base_parameter_count(robot),
        "gravity": _list(tree.gravity_acceleration),
        "base": {"link": tree.base_name, "placement": _placement(tree.base)},
        "convention": convention and {"label": convention[0], "rows": [_list(row) for row in convention[1]]},
        "joints": [_joint(tree, joint) for joint in tree.joints],
        "links": [
            _link(tree.base_name, tree.base_inertia),
            *(_link(j.link.name, j.link.inertia) for j in tree.joints),
        ],
        "frames": [
            {"name": f.name, "link": _link_name(tree, f.body), "placement": _placement(f.placement)}
            for f in tree.frames
        ],
        "mimics": [
            {
                "joint": tree.joints[m.joint].name,
                "leader": tree.joints[m.leader].name,
                "multiplier": plain(m.multiplier),
                "offset": plain(m.offset),
                "law": None if m.law is None else _law(m.law),
            }
            for m in tree.mimics
        ],
        "closures": _closures(tree) if tree.loops or tree.loops.solved else None,
        "coupling": [
            {"drive": tree.joints[d].name, "joint": tree.joints[j].name, "ratio": plain(ratio)}
            for d, j, ratio in tree.coupling
        ],
        "values": {name: {"value": v.value, "tolerance": v.tolerance} for name, v in tree.values.items()},
        "symbols_without_values": unvalued(tree),
    }


def _joint(tree: Tree, joint: Joint) -> dict[str, Any]:
    axis = getattr(joint.motion, "axis", None)
    return {
        "name": joint.name,
        "kind": joint.motion.kind,
        "parent": _link_name(tree, joint.parent),
        "link": joint.link.name,
        "axis": None if axis is None else _list(axis),
        "placement": _placement(joint.placement),
        "limits": _limits(joint.limits),
        "drive": {f.name: plain(getattr(joint.drive, f.name)) for f in fields(joint.drive)},
    }


def _closures(tree: Tree) -> dict[str, Any]:
    """Return what closes the loops, and how many of its conditions are independent."""
    loops, described = tree.settled_loops, described_loops(tree)
    holding = [c for c in loops.closures if c.active]
    return {
        "loops": [
            {
                "name": c.name,
                "kind": c.kind,
                "link": c.link,
                "placement": _placement(c.placement),
                "to": c.other,
                "at": _placement(c.other_placement),
                "active": c.active,
                "solved": k >= len(loops.closures),
            }
            for k, c in enumerate(described.closures)
        ],
        "rolling": [
            {"name": row.name, "rates": {joint: _law(law) for joint, law in row.terms}, "active": row.active}
            for row in described.rate_rows
        ],
        "conditions": sum(c.rows for c in holding) + sum(row.active for row in loops.rate_rows),
        "independent_conditions": len(loops.pivots or ()),
        "position_names": [tree.joints[i].name for i in tree.placed],
        "actuated": list(described.actuated),
        "held": [tree.joints[i].link.name for i, _ in loops.held],
    }


def _law(law: Law) -> str:
    return to_text(law.expression)


def _link(name: str, inertia: Inertia) -> dict[str, Any]:
    return {"name": name, "parameters": dict(zip(PARAMETER_NAMES, _list(inertia.parameters), strict=True))}


def _link_name(tree: Tree, body: int) -> str:
    return tree.joints[body].link.name if body >= 0 else tree.base_name


def _placement(placement: Placement) -> dict[str, Any]:
    return {"xyz": _list(placement.p), "turns": [["xyz"[axis], plain(angle)] for axis, angle in placement.turns]}


def _limits(limits: Limits) -> dict[str, float | None]:
    """Return the limits; an infinite one limits nothing."""
    given = {f.name: getattr(limits, f.name) for f in fields(limits)}
    return {name: value if value is not None and math.isfinite(value) else None for name, value in given.items()}


def _list(numbers: Sequence[Scalar] | Any) -> list[float | str]:
    return [plain(x) for x in numbers]
