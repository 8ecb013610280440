"""Writes a robot as taut's own TOML, which reads back to an equal robot."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields

from taut.errors import InputError
from taut.formats.formula_writer import to_formula
from taut.graph import Node
from taut.robot import Drive, Helical, Joint, Limits, Placement, SingleAxis, Tree, Value
from taut.robot.closures import DescribedLoops
from taut.robot.looping import described_loops, single_mimics
from taut.robot.tree import STANDARD_GRAVITY
from taut.spatial import Inertia, Scalar, Vec3, is_exactly

_AXES = "xyz"
_BARE = re.compile("[A-Za-z0-9_-]+")


def write_toml(tree: Tree) -> str:
    """Return the TOML text of a robot.

    Joints are written by their placements and inertias about the joint frame's origin, whatever convention
    they came from; a DH table is kept for display. Numbers read back to the same bits, formulas to the same value.
    """
    return "\n".join(_lines(tree)) + "\n"


def _lines(tree: Tree) -> Iterator[str]:
    yield f"name = {_quoted(tree.name)}"
    if tree.source:
        yield f"source = {_quoted(tree.source)}"
    if tree.gravity_acceleration != STANDARD_GRAVITY:
        yield f"gravity = {_list(tree.gravity_acceleration)}"
    if tree.base != Placement():
        yield f"base = {_inline(dict(_placement(tree.base)))}"
    base = {"name": _quoted(tree.base_name), **dict(_inertia(tree.base_inertia))}
    yield f"base_link = {_inline(base) if len(base) > 1 else base['name']}"
    if tree.convention is not None:
        label, rows = tree.convention
        listed = ", ".join(_list(row) for row in rows)
        yield f"given_as = {{ convention = {_quoted(label)}, rows = [{listed}] }}"
    if tree.coupling:
        yield "coupling = ["
        for drive, other, ratio in tree.coupling:
            names = {"drive": _quoted(tree.joints[drive].name), "joint": _quoted(tree.joints[other].name)}
            yield f"  {_inline({**names, 'ratio': _number(ratio)})},"
        yield "]"
    yield from _choices(described_loops(tree))
    if tree.values:
        yield from ("", "[values]")
        yield from (f"{_key(name)} = {_value(value)}" for name, value in tree.values.items())
    mimics = {m.joint: m for m in single_mimics(tree)}
    for i, joint in enumerate(tree.joints):
        yield from ("", "[[joint]]", *_joint(tree, joint))
        if i in mimics:
            mimic = mimics[i]
            leader = _quoted(tree.joints[mimic.leader].name)
            numbers = {"multiplier": _number(mimic.multiplier), "offset": _number(mimic.offset)}
            yield f"mimic = {_inline({'joint': leader, **numbers})}"
        yield "[joint.link]"
        yield f"name = {_quoted(joint.link.name)}"
        yield from (f"{key} = {text}" for key, text in _inertia(joint.link.inertia))
    for frame in tree.frames:
        yield from ("", "[[frame]]", f"name = {_quoted(frame.name)}", f"link = {_quoted(_link(tree, frame.body))}")
        yield from (f"{key} = {text}" for key, text in _placement(frame.placement))
    yield from _loops(described_loops(tree))


def _choices(loops: DescribedLoops) -> Iterator[str]:
    """Yield the keys of loops that stand before all tables."""
    for key, names in (("independent", loops.wanted), ("actuated", loops.actuated)):
        if names:
            yield f"{key} = [{', '.join(map(_quoted, names))}]"
    if loops.start:
        given = {_key(name): _list(q) if len(q) > 1 else _number(q[0]) for name, q in loops.start}
        yield f"start = {_inline(given)}"


def _loops(loops: DescribedLoops) -> Iterator[str]:
    for closure in loops.closures:
        yield from ("", "[[loop]]", f"name = {_quoted(closure.name)}", f"kind = {_quoted(closure.kind)}")
        yield f"link = {_quoted(closure.link)}"
        yield from (f"{key} = {text}" for key, text in _placement(closure.placement))
        yield f"to = {_quoted(closure.other)}"
        if there := dict(_placement(closure.other_placement)):
            yield f"at = {_inline(there)}"
        yield from _inactive(closure.active)
    for gear in loops.gears:
        yield from ("", "[[gear]]" if gear.law is None else "[[cam]]", f"joint = {_quoted(gear.joint)}")
        if gear.law is not None:
            yield f"follows = {_quoted(gear.terms[0][0])}"
            yield f"law = {_quoted(to_formula(gear.law.expression))}"
        else:
            yield f"follows = {_inline({_key(name): _number(ratio) for name, ratio in gear.terms})}"
            yield f"offset = {_number(gear.offset)}"
    for row in loops.rate_rows:
        yield from ("", "[[rolling]]", f"name = {_quoted(row.name)}")
        yield f"rates = {_inline({_key(name): _quoted(to_formula(law.expression)) for name, law in row.terms})}"
        yield from _inactive(row.active)


def _inactive(active: bool) -> Iterator[str]:
    if not active:
        yield "active = false"


def _joint(tree: Tree, joint: Joint) -> Iterator[str]:
    yield f"name = {_quoted(joint.name)}"
    yield f"kind = {_quoted(joint.motion.kind)}"
    yield f"parent = {_quoted(_link(tree, joint.parent))}"
    yield from (f"{key} = {text}" for key, text in _placement(joint.placement))
    if isinstance(joint.motion, SingleAxis):
        yield f"axis = {_list(joint.motion.axis)}"
    if isinstance(joint.motion, Helical):
        yield f"pitch = {_number(joint.motion.pitch)}"
    bounds = {f.name: getattr(joint.limits, f.name) for f in fields(Limits)}
    kept = {key: _number(bound) for key, bound in bounds.items() if bound is not None and math.isfinite(bound)}
    if kept:
        yield f"limits = {_inline(kept)}"
    usual = Drive()
    driven = {f.name: getattr(joint.drive, f.name) for f in fields(Drive)}
    changed = {key: _number(x) for key, x in driven.items() if isinstance(x, Node) or x != getattr(usual, key)}
    if joint.formulas:
        changed["formula"] = "[" + ", ".join(_quoted(to_formula(f.node)) for f in joint.formulas) + "]"
    if changed:
        yield f"drive = {_inline(changed)}"


def _link(tree: Tree, body: int) -> str:
    return tree.joints[body].link.name if body >= 0 else tree.base_name


def _placement(placement: Placement) -> Iterator[tuple[str, str]]:
    if any(not is_exactly(x, 0) for x in placement.p):
        yield "xyz", _list(placement.p)
    if placement.turns:
        turns = ", ".join(f'["{_AXES[axis]}", {_angle(angle)}]' for axis, angle in placement.turns)
        yield "turns", f"[{turns}]"


def _inertia(body: Inertia) -> Iterator[tuple[str, str]]:
    if any(not is_exactly(x, 0) for x in body.parameters):
        yield "mass", _number(body.m)
        yield "moment", _list(body.h)
        yield "inertia", _list(body.I)
        yield "about", '"origin"'


def _value(value: Value) -> str:
    known = {"value": _number(value.value)}
    if value.tolerance is not None:
        known["tolerance"] = _number(value.tolerance)
    if value.source:
        known["source"] = _quoted(value.source)
    if value.run_time is not None:
        known["run_time"] = "true" if value.run_time else "false"
    return _inline(known) if len(known) > 1 else known["value"]


def _list(numbers: Vec3 | Iterable[Scalar]) -> str:
    return "[" + ", ".join(_number(x) for x in numbers) + "]"


def _inline(table: Mapping[str, str]) -> str:
    return "{ " + ", ".join(f"{key} = {text}" for key, text in table.items()) + " }"


def _number(x: Scalar) -> str:
    if isinstance(x, Node):
        return _quoted(to_formula(x))
    number = float(x)
    if not math.isfinite(number):
        raise InputError(f"the number {number} cannot be written to a robot file", advice="give a finite number")
    return str(int(number)) if number == int(number) and abs(number) < 1e15 else repr(number)


def _angle(x: Scalar) -> str:
    """Return an angle; with its unit where a bare number would be taken for degrees."""
    return _number(x) if isinstance(x, Node) or abs(float(x)) <= 2 * math.pi else f'"{_number(x)} rad"'


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _quoted(name)


def _quoted(text: str) -> str:
    """Return a TOML basic string."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InputError(f"the name {text!r} has characters that no file can hold", advice="rename it") from None
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
