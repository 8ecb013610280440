"""How a robot is written as URDF, for instance after its parameters have been identified.

Reading the text back gives the same robot. Merged links are written as links on fixed joints, as they were
described; what URDF has no word for goes into ``<taut .../>`` elements, which other programs skip.
"""

from __future__ import annotations

import math
import re
from dataclasses import fields
from xml.sax.saxutils import quoteattr

import numpy as np

from taut.errors import InputError
from taut.formats.formula_writer import to_formula
from taut.robot import DescribedJoint, Drive, Limits, Link, Placement, Tree, describe
from taut.robot.edit import numeric
from taut.robot.looping import single_mimics
from taut.robot.motion import Prismatic, Revolute
from taut.robot.placement import turns_of
from taut.robot.tree import STANDARD_GRAVITY
from taut.spatial import Inertia, Vec3, shift

_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters XML 1.0 cannot hold."""

_KINDS = {
    **{"fixed": "fixed", "free": "floating", "prismatic": "prismatic", "revolute": "revolute"},
    "ball": "spherical",  # as MuJoCo reads it
}
"""{kind: joint type of URDF}."""

_BEYOND_URDF = {f.name: f.default for f in fields(Drive) if f.name not in ("viscous", "coulomb")}


def write_urdf(tree: Tree) -> str:
    """Return the URDF text of a robot; symbols are replaced by their values."""
    tree = numeric(tree)
    if tree.loops or len(single_mimics(tree)) < len(tree.mimics):
        raise InputError("URDF has no word for loops, gears and cams", tree.name, "write taut TOML")
    links, joints = describe(tree)
    if tree.base != Placement():
        world = next(name for name in ("world", "_world", "_world_") if name not in tree.frame_names)
        links = [Link(world), *links]
        joints = [DescribedJoint(f"{tree.base_name} mount", world, tree.base_name, tree.base), *joints]
    coupled: dict[str, list[str]] = {}
    for drive, joint, ratio in tree.coupling:
        coupling = element("coupling", joint=tree.joints[joint].name, ratio=ratio)
        coupled.setdefault(tree.joints[drive].name, []).append(coupling)
    lines = ['<?xml version="1.0"?>', f"<robot name={quoted(tree.name)}>"]
    if tree.gravity_acceleration != STANDARD_GRAVITY:
        lines.append("  " + element("taut", gravity=vector(tree.gravity_acceleration)))
    for link in links:
        lines += _link(link)
    for described in joints:
        lines += _joint(described, coupled.get(described.name, []))
    return "\n".join([*lines, "</robot>", ""])


def _link(link: Link) -> list[str]:
    body = link.inertia
    if not any(body.parameters):
        return [f"  <link name={quoted(link.name)}/>"]
    centre, tensor = central(link.name, body)
    moments = {f"i{axes}": value for axes, value in zip(("xx", "xy", "yy", "xz", "yz", "zz"), tensor, strict=True)}
    return [
        f"  <link name={quoted(link.name)}>",
        "    <inertial>",
        "      " + element("origin", xyz=vector(centre), rpy="0 0 0"),
        "      " + element("mass", value=body.m),
        "      " + element("inertia", **moments),
        "    </inertial>",
        "  </link>",
    ]


def central(name: str, body: Inertia) -> tuple[Vec3, tuple[float, ...]]:
    """Return the centre of mass and the inertia about it."""
    if body.m == 0:
        if any(body.h):
            raise InputError(
                "a first moment without mass has no centre", f"link '{name}'", "URDF cannot hold it; write taut TOML"
            )
        return body.h, tuple(body.I)
    centre = Vec3(*(x / body.m for x in body.h))
    return centre, tuple(body.I - shift(centre, centre) * body.m)


def _joint(joint: DescribedJoint, coupled: list[str]) -> list[str]:
    kind = _KINDS.get(joint.motion.kind)
    if kind is None:
        raise InputError(f"URDF has no {joint.motion.kind} joint", f"joint '{joint.name}'", "write taut TOML")
    if kind == "revolute" and joint.limits.lower is None and joint.limits.upper is None:
        kind = "continuous"
    lines = [
        f"  <joint name={quoted(joint.name)} type={quoted(kind)}>",
        "    " + element("origin", xyz=vector(joint.placement.p), rpy=_rpy(joint.placement)),
        "    " + element("parent", link=joint.parent),
        "    " + element("child", link=joint.child),
    ]
    if isinstance(joint.motion, Revolute | Prismatic):
        lines.append("    " + element("axis", xyz=vector(joint.motion.axis)))
        lines += _limits(joint.limits, kind) + _drive(joint, coupled)
    if joint.mimic:
        leader, multiplier, offset = joint.mimic
        lines.append("    " + element("mimic", joint=leader, multiplier=multiplier, offset=offset))
    return [*lines, "  </joint>"]


def _limits(limits: Limits, kind: str) -> list[str]:
    given = {
        name: getattr(limits, name)
        for name in ("lower", "upper", "velocity", "effort")
        if getattr(limits, name) is not None
    }
    if not given and kind == "continuous":
        return []
    # Other readers insist on effort and velocity, and on limits of joints that are not continuous.
    unbounded = {"lower": -math.inf, "upper": math.inf} if kind != "continuous" else {}
    return ["    " + element("limit", **{**unbounded, "effort": math.inf, "velocity": math.inf, **given})]


def _drive(joint: DescribedJoint, coupled: list[str]) -> list[str]:
    drive, lines = joint.drive, []
    if drive.viscous or drive.coulomb:
        lines.append("    " + element("dynamics", damping=drive.viscous, friction=drive.coulomb))
    own = {name: getattr(drive, name) for name, usual in _BEYOND_URDF.items() if getattr(drive, name) != usual}
    if joint.formulas:
        own["formula"] = "; ".join(to_formula(f.node) for f in joint.formulas)
    if coupled:
        opening = element("taut", **own).removesuffix("/>") + ">"
        lines += [f"    {opening}", *(f"      {line}" for line in coupled), "    </taut>"]
    elif own:
        lines.append("    " + element("taut", **own))
    return lines


def _rpy(placement: Placement) -> str:
    """Return roll, pitch, yaw; angles that stand in that order already are kept as they are."""
    angles, below = [0.0, 0.0, 0.0], 3
    for axis, angle in placement.turns:
        if axis >= below:
            rows = placement.transform.R.matrix.rows
            turns = turns_of(np.array([[float(x) for x in row] for row in rows]))
            return _rpy(Placement(turns=turns))
        angles[axis], below = float(angle), axis
    return vector(angles)


def vector(numbers: Vec3 | list[float]) -> str:
    """Return numbers separated by blanks, all digits kept."""
    return " ".join(repr(float(x)) for x in numbers)


def element(tag: str, **attributes: str | float) -> str:
    """Return an empty XML element."""
    written = (
        f"{name}={quoted(value if isinstance(value, str) else repr(float(value)))}"
        for name, value in attributes.items()
    )
    return f"<{' '.join((tag, *written))}/>"


def quoted(text: str) -> str:
    """Return text as the quoted value of an XML attribute."""
    illegal = _ILLEGAL.search(text)
    if illegal:
        raise InputError(f"the name {text!r} holds {illegal[0]!r}, which XML cannot", advice="rename it")
    return quoteattr(text)
