"""What robot a URDF text describes.

Read: links with their inertials, joints of type revolute, continuous, prismatic, fixed, floating, planar (two slides
and a turn, see :mod:`taut.robot.compound`) and spherical, mimic, limits, and ``<dynamics damping friction>`` as the
drive's viscous and Coulomb friction. Shapes (:mod:`taut.formats.shapes` reads them for pictures), transmissions and
simulator tags are left aside. A link without ``<inertial>`` has no mass; an inertial that no real body could have is
read as it stands (checks of the robot report it). Angles are radians: a limit or an orientation that can only be
degrees is refused instead of being simulated at thirty turns.

``<taut .../>`` in the robot and in joints is written by :mod:`taut.formats.urdf_writer`; it holds what
URDF has no word for (gravity, rotor inertia, gear ratio, springs, gear coupling), and other programs skip it.
"""

from __future__ import annotations

import math
import warnings
from dataclasses import fields, replace

from taut.errors import InputWarning
from taut.formats.assembled import assembled
from taut.formats.formula import torque_formula
from taut.formats.orientation import joint_axis, quaternion_turns
from taut.formats.xml import Element, read_xml, shown
from taut.robot import (
    Ball,
    DescribedJoint,
    Drive,
    Fixed,
    Free,
    Limits,
    Link,
    Placement,
    Prismatic,
    Revolute,
    TorqueFormula,
    Tree,
    in_parts,
)
from taut.robot.compound import Planar
from taut.robot.gathered import carried
from taut.robot.motion import JointMotion
from taut.robot.placement import rpy
from taut.robot.tree import STANDARD_GRAVITY
from taut.spatial import NO_INERTIA, NO_TENSOR, X_AXIS, ZERO, Inertia, Sym3, Vec3

WORLD = "world"
"""The name of the link by which joints may start from the fixed world; some files do not describe it."""

MOST_TURNS = 4
"""Turns beyond which a fixed orientation cannot be meant in radians; 30 degrees, read as radians, are 4.8 turns."""

DEGREES_OF_A_JOINT = (80.0, 720.0)
"""Bounds of a revolute joint in this range are degrees: 13 to 115 turns of a joint that is not continuous.

Larger numbers (1000, 1e16) stand for "no limit" in published files, and so does 100.
"""


def read_urdf(text: str | bytes, place: str) -> Tree:
    """Return the robot of a URDF text.

    Args:
        text: the document; xacro must have been expanded.
        place: its name, for messages.
    """
    root = read_xml(text, place)
    if root.tag != "robot":
        root.wrong(f"the outermost element is <{shown(root.tag)[1:-1]}>, expected <robot>", "give one URDF robot")
    _refuse_macros(root)
    own = root.first("taut")
    gravity = Vec3(*own.numbers("gravity", 3)) if own else STANDARD_GRAVITY
    links = [_link(element) for element in root.all("link")]
    known = {element.attributes.get("name", "") for element in root.all("joint")}
    joints: list[DescribedJoint] = []
    for element in root.all("joint"):
        between, parts = _joint(element, known)
        links += between
        joints += parts
    if any(joint.parent == WORLD for joint in joints) and all(link.name != WORLD for link in links):
        _warn(root, f"link '{WORLD}' is not described; read as the fixed world")
        links.append(Link(WORLD, NO_INERTIA))
    coupling = _coupling(root.all("joint"))
    name = root.attributes.get("name") or "robot"
    return assembled(place, name, links, joints, coupling=coupling, may_float=True, gravity_acceleration=gravity)


def _refuse_macros(root: Element) -> None:
    """Refuse a text in which xacro still has work to do."""
    prefixes = {"xacro:"} | {
        f"{name.removeprefix('xmlns:')}:"
        for name, address in root.attributes.items()
        if name.startswith("xmlns:") and "xacro" in address
    }
    for element in root.everything():
        prefix, colon, _ = element.tag.partition(":")
        if prefix + colon in prefixes:
            element.wrong("xacro macros are not expanded", "expand the file with xacro first")


def _link(element: Element) -> Link:
    inertial = element.first("inertial")
    return Link(element.required("name"), _inertia(inertial) if inertial else NO_INERTIA)


def _inertia(inertial: Element) -> Inertia:
    """Return the inertia about the link's origin; ``<inertia>`` is about the centre of mass, in the inertial's axes.

    As in Pinocchio, an ``<inertial>`` without mass counts as none, and a mass without ``<inertia>`` is a point.
    """
    mass, moments = inertial.first("mass"), inertial.first("inertia")
    if mass is None:
        _warn(inertial, "<mass> is missing; read as a link without inertia")
        return NO_INERTIA
    tensor = NO_TENSOR
    if moments is None:
        _warn(inertial, "<inertia> is missing; read as a point mass")
    else:
        tensor = Sym3(*(moments.number(name) for name in ("ixx", "ixy", "iyy", "ixz", "iyz", "izz")))
    centred = Inertia(mass.number("value"), ZERO, tensor)
    return carried(origin(inertial), centred)


def origin(element: Element) -> Placement:
    """Return where the ``<origin>`` of an element puts it."""
    given = element.first("origin")
    if given is None:
        return Placement()
    p = Vec3(*given.numbers("xyz", 3, default=(0.0, 0.0, 0.0)))
    if "quat_xyzw" in given.attributes:
        x, y, z, w = given.numbers("quat_xyzw", 4)
        return Placement(p, quaternion_turns(given, (w, x, y, z)))
    angles = given.numbers("rpy", 3, default=(0.0, 0.0, 0.0))
    if max(abs(angle) for angle in angles) > MOST_TURNS * 2 * math.pi:
        given.wrong(f"rpy is {shown(given.attributes['rpy'])}, which can only be degrees", "give rpy in radians")
    return Placement(p, rpy(*angles))


def _joint(element: Element, known: set[str]) -> tuple[list[Link], list[DescribedJoint]]:
    """Return a joint as one, or as its parts and the massless links between them."""
    kind = element.required("type")
    joint = DescribedJoint(
        element.required("name"),
        element.child("parent").required("link"),
        element.child("child").required("link"),
        origin(element),
    )
    if kind == "planar":
        return in_parts(joint, Planar(_axis(element)))
    motion, mimic = _motion(element, kind), _mimic(element, known)
    if motion.nv == 1:
        joint = replace(joint, drive=_drive(element), limits=_limits(element, kind), formulas=_formulas(element))
    return [], [replace(joint, motion=motion, mimic=mimic)]


def _motion(element: Element, kind: str) -> JointMotion | Fixed:
    match kind:
        case "fixed":
            return Fixed()
        case "floating":
            return Free()
        case "revolute" | "continuous":
            return Revolute(_axis(element))
        case "prismatic":
            return Prismatic(_axis(element))
        case "spherical":
            return Ball()
    known = "revolute, continuous, prismatic, fixed, floating, planar or spherical"
    element.wrong(f"unknown joint type {shown(kind)}", f"use {known}")


def _axis(element: Element) -> Vec3:
    """Return the unit axis; URDF's default is x."""
    axis = element.first("axis")
    if axis is None:
        return X_AXIS
    return joint_axis(element, axis.numbers("xyz", 3, default=tuple(X_AXIS)))


def _limits(element: Element, kind: str) -> Limits:
    limit = element.first("limit")
    if limit is None:
        return Limits()
    velocity, effort = _size(limit, "velocity"), _size(limit, "effort")
    if kind == "continuous":
        return Limits(velocity=velocity, effort=effort)
    lower, upper = limit.bound("lower"), limit.bound("upper")
    if kind == "revolute":
        largest = max(abs(bound or 0.0) for bound in (lower, upper))
        least, most = DEGREES_OF_A_JOINT
        if least < largest <= most and largest != 100:
            element.wrong(
                f"limits {lower:g} to {upper:g} of a revolute joint can only be degrees"
                if lower is not None and upper is not None
                else f"a limit of {largest:g} on a revolute joint can only be degrees",
                "give them in radians, or make the joint continuous",
            )
    if lower is not None and upper is not None and lower > upper:
        _warn(limit, f"lower {lower:g} is above upper {upper:g}; read without them")
        lower = upper = None
    return Limits(lower, upper, velocity, effort)


def _size(limit: Element, name: str) -> float | None:
    """Return a bound that must not be negative; one that is stands for none."""
    bound = limit.bound(name)
    if bound is not None and bound < 0:
        _warn(limit, f"{name} is {bound:g}; read without it")
        return None
    return bound


def _warn(element: Element, message: str) -> None:
    warnings.warn(f"{element.place}: {message}", InputWarning, stacklevel=3)


def _drive(element: Element) -> Drive:
    dynamics, own = element.first("dynamics"), element.first("taut")
    given: dict[str, float] = {}
    if dynamics:
        given |= {"viscous": dynamics.number("damping", 0.0), "coulomb": dynamics.number("friction", 0.0)}
    if own:
        names = {f.name for f in fields(Drive)} - {"viscous", "coulomb"}
        given |= {name: own.number(name) for name in sorted(names) if name in own.attributes}
    return Drive(**given)


def _formulas(element: Element) -> tuple[TorqueFormula, ...]:
    own = element.first("taut")
    if own is None or "formula" not in own.attributes:
        return ()
    return tuple(torque_formula(text, own.place) for text in own.attributes["formula"].split(";"))


def _coupling(joints: list[Element]) -> dict[tuple[str, str], float]:
    return {
        (joint.required("name"), coupled.required("joint")): coupled.number("ratio")
        for joint in joints
        for own in joint.all("taut")
        for coupled in own.all("coupling")
    }


def _mimic(element: Element, known: set[str]) -> tuple[str, float, float] | None:
    """Return the joint that this one follows; where that is not in the file, the joint is free, as in other readers."""
    mimic = element.first("mimic")
    if mimic is None:
        return None
    leader = mimic.required("joint")
    if leader not in known:
        _warn(mimic, f"joint {shown(leader)} does not exist; the joint is read as independent")
        return None
    return leader, mimic.number("multiplier", 1.0), mimic.number("offset", 0.0)
