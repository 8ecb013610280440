"""The robot that an SDF text describes.

Read: one model with its links, inertials, frames, nested models and joints (revolute, continuous, prismatic, fixed,
ball, universal, revolute2, screw, gearbox), limits, and ``<dynamics>`` as friction and spring of the drive. A link
whose parent is the world is held there; otherwise the first link without a parent is the base. Of the joints that share
a child, the first with friction or a spring carries it, or else the first; the others close loops. One of these with
friction, a spring or a kind that no closure has becomes a joint of the tree all the same: it moves a link without mass,
which is welded to the child. A gearbox lets the faster of two joints follow the slower.
Left aside: shapes, sensors, plugins, lights, physics. A link without ``<inertial>`` has SDF's default, 1 kg and moments
of 1 kg m^2, and a warning. Refused: several models, included files, static models alone.
"""

from __future__ import annotations

import math
import re
import warnings
from dataclasses import dataclass, field, replace

from taut.errors import InputWarning
from taut.formats.assembled import assembled, recognised
from taut.formats.orientation import z_axis_turns
from taut.formats.sdf.frames import DEEPEST, GROUND, MODEL, WORLD, Frames, between
from taut.formats.sdf.joints import CLOSES, Reader, drive, limits, number, truth
from taut.formats.xml import Element, read_xml, shown
from taut.robot import DescribedClosure, DescribedJoint, DescribedLoops, Drive, Link, Placement, Tree, in_parts
from taut.robot.compound import Compound
from taut.robot.gathered import carried
from taut.robot.motion import SingleAxis
from taut.robot.tree import STANDARD_GRAVITY
from taut.spatial import ZERO, Inertia, Sym3, Vec3

PARALLEL = 1e-6
"""Sine of the angle between the axes of a gearbox and of the joint that it acts on."""


def read_sdf(text: str | bytes, place: str) -> Tree:
    """Return the robot of an SDF text.

    Args:
        text: the document.
        place: its name, for messages.
    """
    root = read_xml(text, place)
    if root.tag != "sdf":
        root.wrong(f"the outermost element is {shown(root.tag)}, expected <sdf>", "give one SDF model")
    version = tuple(int(part) for part in re.findall(r"\d+", root.attributes.get("version", "1.6"))[:2])
    worlds = root.all("world")
    holders = [root, *worlds]
    for holder in holders:
        for include in holder.all("include"):
            include.unsupported("an included model is not followed", "put its text in the place of <include>")
    model = _the_model(root, [model for holder in holders for model in holder.all("model")])
    parts = _Parts(version)
    parts.read(model, "", GROUND)
    gravity = next((g.values(3) for world in worlds for g in world.all("gravity")), None)
    if parts.held:
        parts.links.insert(0, Link(WORLD))
    tree = assembled(
        place,
        model.required("name"),
        parts.links,
        parts.joints,
        may_float=True,
        loops=DescribedLoops(closures=tuple(parts.closures)) if parts.closures else None,
        base=Placement() if parts.held else parts.base(model),
        gravity_acceleration=Vec3(*gravity) if gravity else STANDARD_GRAVITY,
    )
    return recognised(place, tree)


def _the_model(root: Element, models: list[Element]) -> Element:
    moving = [model for model in models if not truth(model.first("static"))]
    if not models:
        root.wrong("there is no <model>", "describe one")
    if not moving:
        models[0].wrong("the model is static, nothing of it moves", "remove <static>")
    if len(moving) > 1:
        names = ", ".join(shown(model.attributes.get("name", "")) for model in moving[:5])
        moving[1].wrong(f"{len(moving)} models ({names}), expected one", "give each robot a file of its own")
    return moving[0]


@dataclass
class _Parts:
    """Links and joints collected from a model and the models in it."""

    version: tuple[int, ...]
    frames: Frames = field(default_factory=Frames)
    links: list[Link] = field(default_factory=list)
    joints: list[DescribedJoint] = field(default_factory=list)
    closures: list[DescribedClosure] = field(default_factory=list)
    held: bool = False
    _carried: dict[str, str] = field(default_factory=dict)
    _directions: dict[str, Vec3] = field(default_factory=dict)

    def read(self, model: Element, scope: str, home: str) -> None:
        """Collect a model; ``home`` is the frame that it stands in."""
        found = self._models(model, scope, scope, home, 0)
        readers = [
            (joint, Reader(self.frames, inside, self.version))
            for inner, inside in found
            for joint in inner.all("joint")
        ]
        moving = [(joint, reader) for joint, reader in readers if joint.required("type") != "gearbox"]
        for joint, reader in sorted(moving, key=lambda pair: drive(pair[0].first("axis")) == Drive()):
            self._carried.setdefault(self._end(joint, reader, "child"), reader.scope + joint.required("name"))
        for joint, reader in moving:
            self._joint(joint, reader)
        for joint, reader in readers:
            if joint.required("type") == "gearbox":
                self._gearbox(joint, reader)

    def _end(self, joint: Element, reader: Reader, tag: str) -> str:
        """Return the link at one end of a joint."""
        return self.frames.link(self.frames.qualified(reader.scope, joint.child(tag).text.strip()), joint)

    def _models(self, model: Element, scope: str, around: str, home: str, depth: int) -> list[tuple[Element, str]]:
        """Note all links and frames of a model; return it and the models in it, with what their names begin with.

        ``scope`` is what names in the model begin with, ``around`` those of the model around it.
        """
        if depth == DEEPEST:
            model.wrong(f"models are nested more than {DEEPEST} deep", "write them flatter")
        if model.attributes.get("placement_frame"):
            model.unsupported("placement_frame is not followed", "give the pose of the model's own frame")
        for include in model.all("include"):
            include.unsupported("an included model is not followed", "put its text in the place of <include>")
        own = self.frames.add(model, around, home, scope + MODEL)
        for link in model.all("link"):
            name = self.frames.add(link, scope, own)
            self.frames.attached.setdefault(own, name)
            self.links.append(Link(name, _inertia(link)))
        for frame in model.all("frame"):
            attached = frame.attributes.get("attached_to")
            on = self.frames.qualified(scope, attached) if attached else own
            self.frames.attached[self.frames.add(frame, scope, on)] = on
        found = [(model, scope)]
        for inner in model.all("model"):
            found += self._models(inner, f"{scope}{inner.required('name')}::", scope, own, depth + 1)
            self.frames.attached.setdefault(own, f"{scope}{inner.required('name')}::{MODEL}")
        for joint in model.all("joint"):
            child = self.frames.qualified(scope, joint.child("child").text.strip())
            name = self.frames.add(joint, scope, child)
            self.frames.attached[name] = child
        return found

    def _joint(self, joint: Element, reader: Reader) -> None:
        name = reader.scope + joint.required("name")
        parent, child = self._end(joint, reader, "parent"), self._end(joint, reader, "child")
        if child == GROUND:
            joint.wrong("the child is the world", "exchange parent and child")
        self.held |= parent == GROUND
        at = self.frames.pose(name, joint)
        on_parent, on_child = (between(self.frames.pose(link, joint), at) for link in (parent, child))
        axes = [joint.first("axis"), joint.first("axis2")]
        body = child
        if self._carried[child] != name:
            if _closes_idly(joint):
                self._close(joint, reader, name, (parent, on_parent), (child, on_child))
                return
            body = f"{child} by {name}"
            self.links.append(Link(body))
            self.closures.append(DescribedClosure(f"{name} weld", "weld", body, child, Placement(), on_child))
        elif on_child != Placement():  # the joint's frame is the body's; the link's stands on it
            body = f"{child} at {name}"
            self.links.append(Link(body))
            self.joints.append(DescribedJoint(f"{child} mount", body, child, on_child.inverse))
        described = DescribedJoint(name, parent or WORLD, body, on_parent)
        motion = reader.motion(joint)
        if isinstance(motion, Compound):
            between_links, parts = in_parts(described, motion, list(map(drive, axes)), [limits(a, joint) for a in axes])
            self.links += between_links
            self.joints += parts
            return
        single = isinstance(motion, SingleAxis)
        if single:
            self._directions[name] = reader.direction(joint, "axis")
        driven = replace(described, motion=motion, drive=drive(axes[0]) if motion.nv else Drive())
        self.joints.append(replace(driven, limits=limits(axes[0], joint)) if single else driven)

    def _close(
        self, joint: Element, reader: Reader, name: str, parent: tuple[str, Placement], child: tuple[str, Placement]
    ) -> None:
        """Add the closure of a joint without friction and spring whose child has a parent already."""
        kind = joint.required("type")
        turns = () if kind in ("ball", "fixed") else z_axis_turns(joint, reader.axis(joint))
        (other, there), (link, here) = ((end, at.then(Placement(turns=turns))) for end, at in (parent, child))
        self.closures.append(DescribedClosure(name, CLOSES[kind], link, other or WORLD, here, there))

    def _gearbox(self, joint: Element, reader: Reader) -> None:
        """Let the faster of the two joints that a gearbox ties follow the slower: theta2 = -ratio theta1."""
        reference, *ends = (self._end(joint, reader, tag) for tag in ("gearbox_reference_body", "parent", "child"))
        first, second = (self._between(joint, reference, end) for end in ends)
        ratio = -number(joint.first("gearbox_ratio"), 1.0)
        for (k, turned), tag in zip((first, second), ("axis", "axis2"), strict=True):
            along = turned * float(self._directions[self.joints[k].name].dot(reader.direction(joint, tag)))
            if abs(abs(along) - 1) > PARALLEL:
                joint.unsupported(
                    "the axes of a gearbox that are not its joints' axes are not modelled", "correct them"
                )
            ratio *= math.copysign(1.0, along)
        leader, follower = first[0], second[0]
        if abs(ratio) < 1 and ratio != 0:
            leader, follower, ratio = follower, leader, 1 / ratio
        self.joints[follower] = replace(self.joints[follower], mimic=(self.joints[leader].name, ratio, 0.0))

    def _between(self, gearbox: Element, reference: str, link: str) -> tuple[int, int]:
        """Return the joint of one axis between two links, and whether it counts from the first or from the second."""
        for k, joint in enumerate(self.joints):
            if not isinstance(joint.motion, SingleAxis):
                continue
            ends = joint.parent, next((j.child for j in self.joints if j.parent == joint.child and not j.motion.nv), "")
            child = joint.child if joint.child in (reference, link) else ends[1]
            if (joint.parent, child) in ((reference, link), (link, reference)):
                return k, 1 if joint.parent == reference else -1
        gearbox.unsupported(
            f"no joint of one axis between the gearbox's reference {shown(reference)} and {shown(link)}",
            "describe the gear by a mimic joint",
        )

    def base(self, model: Element) -> Placement:
        """Return where the base link stands in the world."""
        root = next((link.name for link in self.links if link.name not in self._carried), None)
        return self.frames.pose(root, model) if root in self.frames.stands else Placement()


def _closes_idly(joint: Element) -> bool:
    """Whether a closure has the kind of a joint, and friction or springs do not act in it."""
    idle = drive(joint.first("axis"))
    return joint.required("type") in CLOSES and not (idle.viscous or idle.coulomb or idle.stiffness)


def _inertia(link: Element) -> Inertia:
    """Return the inertia about the link's origin."""
    inertial = link.first("inertial")
    if inertial is None:
        warnings.warn(
            f"{link.place}: no <inertial>; read with SDF's default, 1 kg and 1 kg m^2", InputWarning, stacklevel=2
        )
        return Inertia(1.0, ZERO, Sym3(1.0, 0.0, 1.0, 0.0, 0.0, 1.0))
    moments = inertial.first("inertia")
    usual = {"ixx": 1.0, "ixy": 0.0, "iyy": 1.0, "ixz": 0.0, "iyz": 0.0, "izz": 1.0}
    tensor = [number(moments.first(tag) if moments else None, value) for tag, value in usual.items()]
    centred = Inertia(number(inertial.first("mass"), 1.0), ZERO, Sym3(*tensor))
    frames = Frames()
    frames.add(inertial, "", GROUND, "inertial")
    return carried(frames.pose("inertial", inertial), centred)
