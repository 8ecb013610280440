"""How a robot is written as MJCF, for MuJoCo.

Bodies are nested, each with its joint at its origin; a chain of massless links becomes one body with several joints,
merged links become sites. A free joint is written where nothing places it: its pose is the world's.
Loops become equalities between sites (:mod:`taut.formats.mjcf_equalities`). Rotor inertia, viscous and dry friction and
a spring become armature, damping, frictionloss and stiffness. What MJCF has no word for (other friction, offsets,
harmonics, counterbalances, gear coupling) is named in a comment at the top.
"""

from __future__ import annotations

from dataclasses import fields
from itertools import accumulate

import numpy as np

from taut.errors import InputError
from taut.formats.mjcf_equalities import equalities, loop_sites
from taut.formats.urdf_writer import central, element, quoted, vector
from taut.robot import Drive, Joint, Placement, SingleAxis, Tree
from taut.robot.edit import numeric
from taut.spatial import ZERO, Inertia, Vec3

_TYPES = {"revolute": "hinge", "prismatic": "slide", "ball": "ball", "free": "free"}
"""{kind: joint type of MJCF}."""

WRITTEN = ("rotor_inertia", "coulomb", "viscous", "stiffness", "rest", "smoothing", "gear_ratio", "stribeck_speed")
"""Keys of a drive that MJCF holds, or that mean nothing alone."""

WORLD = "world"
"""The name of MuJoCo's world, which no other body may have."""

LEAST = 1e-14
"""Mass and moments of inertia below this MuJoCo refuses."""


def write_mjcf(tree: Tree) -> str:
    """Return the MJCF text of a robot; symbols are replaced by their values."""
    tree = numeric(tree)
    for joint in tree.joints:
        if joint.motion.kind not in _TYPES:
            raise InputError(f"MJCF has no {joint.motion.kind} joint", f"joint '{joint.name}'", "write taut TOML")
        if joint.motion.kind == "free" and (joint.parent >= 0 or tree.base.then(joint.placement) != Placement()):
            raise InputError(
                "MJCF has free joints at the world's origin alone", f"joint '{joint.name}'", "write URDF or taut TOML"
            )
    lines = [f"<mujoco model={quoted(tree.name)}>"]
    lost = _lost(tree)
    if lost:
        lines.append(f"  <!-- not held by MJCF: {', '.join(lost).replace('--', '- -')} -->")
    lines += [
        '  <compiler angle="radian" autolimits="true"/>',
        "  " + element("option", gravity=vector(tree.gravity_acceleration)),
        "  <worldbody>",
    ]
    grounded = tree.base_name == WORLD and tree.base == Placement()
    if not grounded:
        lines.append(f"    <body name={quoted(tree.base_name)} {_placed(tree.base)}>")
    lines += _sites(tree, -1, 6)
    roots = [i for i, joint in enumerate(tree.joints) if joint.parent < 0]
    for i in roots:
        if tree.joints[i].motion.kind != "free":
            lines += _body(tree, i, 6)
    if not grounded:
        lines.append("    </body>")
    for i in roots:
        if tree.joints[i].motion.kind == "free":
            lines += _body(tree, i, 4)
    lines.append("  </worldbody>")
    held = equalities(tree)
    if held:
        lines += ["  <equality>", *(f"    {line}" for line in held), "  </equality>"]
    return "\n".join([*lines, "</mujoco>", ""])


def _lost(tree: Tree) -> list[str]:
    usual = {f.name: f.default for f in fields(Drive)}
    lost = [
        f"{name} of {joint.name}"
        for joint in tree.joints
        for name, value in usual.items()
        if name not in WRITTEN and getattr(joint.drive, name) != value
    ]
    lost += [f"formula of {joint.name}" for joint in tree.joints if joint.formulas]
    return [*lost, *(f"coupling of {tree.joints[drive].name}" for drive, _, _ in tree.coupling)]


def _body(tree: Tree, i: int, depth: int) -> list[str]:
    chain = _chain(tree, i)
    last, space = chain[-1], " " * depth
    places = list(accumulate((tree.joints[k].placement.p for k in chain[1:]), Vec3.__add__, initial=ZERO))
    first, joint = tree.joints[i], tree.joints[last]
    body = first.placement.then(Placement(places[-1]))
    lines = [f"{space}<body name={quoted(joint.link.name)} {_placed(body)}>"]
    lines += [f"{space}  {_joint(tree.joints[k], p - places[-1])}" for k, p in zip(chain, places, strict=True)]
    lines += [f"{space}  {_inertial(joint.link.name, joint.link.inertia)}", *_sites(tree, last, depth + 2)]
    for k, child in enumerate(tree.joints):
        if child.parent == last:
            lines += _body(tree, k, depth + 2)
    return [*lines, f"{space}</body>"]


def _chain(tree: Tree, i: int) -> list[int]:
    """Return a body and those behind it up to the first with a mass, as long as they are one body with many joints."""
    chain = [i]
    while not any(tree.joints[chain[-1]].link.inertia.parameters):
        children = [k for k, joint in enumerate(tree.joints) if joint.parent == chain[-1]]
        held = len(children) != 1 or tree.joints[children[0]].placement.turns
        if held or any(frame.body == chain[-1] for frame in tree.frames):
            break
        chain += children
    return chain


def _joint(joint: Joint, at: Vec3) -> str:
    """Return a joint; ``at`` is its place in the body."""
    drive, limits = joint.drive, joint.limits
    given: dict[str, str | float] = {"name": joint.name, "type": _TYPES[joint.motion.kind]}
    if any(at):
        given["pos"] = vector(at)
    if isinstance(joint.motion, SingleAxis):
        given["axis"] = vector(joint.motion.axis)
    if limits.lower is not None and limits.upper is not None and np.isfinite([limits.lower, limits.upper]).all():
        given["range"] = vector([limits.lower, limits.upper])
    if limits.effort is not None and np.isfinite(limits.effort) and limits.effort > 0:
        given["actuatorfrcrange"] = vector([-limits.effort, limits.effort])
    numbers = {
        "armature": drive.rotor_inertia,
        "frictionloss": drive.coulomb,
        "damping": drive.viscous,
        "stiffness": drive.stiffness,
        "springref": drive.rest,
    }
    return element("joint", **given, **{name: float(x) for name, x in numbers.items() if x})


def _inertial(name: str, body: Inertia) -> str:
    centre, (xx, xy, yy, xz, yz, zz) = central(name, body)
    moments = np.linalg.eigvalsh(np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]], float))
    if not (body.m > LEAST and moments[0] > LEAST and moments[0] + moments[1] >= moments[2] * (1 - 1e-9)):
        raise InputError(
            "no body can have its mass and inertia",
            f"link '{name}'",
            "MuJoCo refuses it; give physically consistent numbers, e.g. those that 'taut identify' finds",
        )
    tensor = vector([xx, yy, zz, xy, xz, yz])
    return element("inertial", pos=vector(centre), mass=float(body.m), fullinertia=tensor)


def _sites(tree: Tree, body: int, depth: int) -> list[str]:
    """Return the frames of a body, and those of its loops."""
    frames = [(f.name, f.placement) for f in tree.frames if f.body == body] + loop_sites(tree, body)
    return [f"{' ' * depth}<site name={quoted(name)} {_placed(place)}/>" for name, place in frames]


def _placed(placement: Placement) -> str:
    """Return position and orientation as a quaternion w x y z."""
    from scipy.spatial.transform import Rotation

    rows = [[float(x) for x in row] for row in placement.transform.R.matrix.rows]
    x, y, z, w = Rotation.from_matrix(rows).as_quat()
    return f"pos={quoted(vector(placement.p))} quat={quoted(vector([w, x, y, z]))}"
