"""The robot that an MJCF (MuJoCo) text describes.

The world is the base. Hinge, slide, ball and free joints are read, several on one body as a chain of massless
links; ``ref`` shifts the zero of a joint, ``stiffness`` and ``springref`` become its spring, ``damping``,
``frictionloss`` and ``armature`` its drive. A link's frame stands at its joint: where MuJoCo's body frame
stands elsewhere, it is kept as a frame with the body's name, and every named site becomes a frame.

Taken as exact although MuJoCo treats them as soft: equalities, see :mod:`taut.formats.mjcf.equalities`.
Left aside, because they act on the robot without being part of it: actuators, contacts, sensors, fluid,
gravity compensation, constraints that tie the robot to a mocap body, and tendons without spring, damper,
friction or armature of their own.
Refused, because dropping them would change the robot: other tendons, equalities of tendons, deformable parts, bodies
made by ``<composite>`` and ``<flexcomp>``, springs of free joints.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from taut.errors import InputError
from taut.formats.assembled import assembled, recognised
from taut.formats.files import Files
from taut.formats.mjcf.equalities import Reference
from taut.formats.mjcf.inertia import Placed, body_inertia, scaled
from taut.formats.mjcf.settings import MAIN, Settings
from taut.formats.mjcf.source import Source
from taut.formats.orientation import axis_angle_turns, joint_axis
from taut.formats.xml import LARGEST_NUMBER, Element, read_xml, shown
from taut.robot import Ball, DescribedJoint, Drive, Fixed, Free, Limits, Link, Placement, Prismatic, Revolute, Tree
from taut.robot.assembly import LARGEST
from taut.robot.tree import STANDARD_GRAVITY
from taut.spatial import Z_AXIS, ZERO, Vec3

WORLD = "world"

DEEPEST_FRAME = 100
"""Frames within frames."""

_TENDON_FORCES = ("stiffness", "damping", "frictionloss", "armature")


def read_mjcf(text: str | bytes, place: str, files: Files | None = None) -> Tree:
    """Return the robot of an MJCF text.

    Args:
        text: the document.
        place: its name, for messages.
        files: that the document may name: includes and meshes; none by default.
    """
    bodies = Bodies.of(text, place, files or Files())
    root = bodies.sources[0].root
    for one in bodies.sources:
        for tendons in one.root.all("tendon"):
            _refuse_forces(one.settings, tendons)
        for equalities in one.root.all("equality"):
            for equality in equalities:
                bodies.reference.read(equality, one)
    try:
        links = bodies.weighed_links()
    except InputError as error:
        raise error.at(place) from None
    name = root.attributes.get("model") or "mujoco"
    reference = bodies.reference
    tree = assembled(place, name, links, bodies.joints, gravity_acceleration=_gravity(root), loops=reference.loops)
    return recognised(place, tree, reference.held)


def _gravity(root: Element) -> Vec3:
    gravity = STANDARD_GRAVITY
    for option in root.all("option"):
        gravity = Vec3(*option.numbers("gravity", 3, default=tuple(gravity)))
    disabled = any(
        flag.attributes.get("gravity") == "disable" for option in root.all("option") for flag in option.all("flag")
    )
    return ZERO if disabled else gravity


def _refuse_forces(settings: Settings, tendons: Element) -> None:
    for tendon in tendons:
        filled = settings.filled(tendon, MAIN, "tendon")
        for name in _TENDON_FORCES:
            if any(filled.numbers(name, default=(0.0,))):
                tendon.unsupported(f"a tendon with {name} is not modelled", f"remove {name}")


@dataclass
class _Opened:
    """A body on the way down the tree: where it hangs, and what its children inherit."""

    element: Element
    parent: str
    placement: Placement
    child_class: str
    moves: bool
    source: Source


class Bodies:
    """Links, joints and geoms collected from the bodies of a world."""

    @classmethod
    def of(cls, text: str | bytes, place: str, files: Files) -> Bodies:
        """Return what a document holds; arguments as for :func:`read_mjcf`."""
        source = Source.of(read_xml(text, place), files)
        found = cls(source)
        for world in source.root.all("worldbody"):
            found.read(world)
        return found

    def __init__(self, source: Source) -> None:
        self.sources: list[Source] = []
        self._place = source.root.file
        self.links = [Link(WORLD)]
        self.joints: list[DescribedJoint] = []
        self.geoms: list[tuple[str, Source, Placed]] = []
        self._taken, self._links_named = {WORLD}, {WORLD}
        self.reference = Reference(WORLD, self.joints, {WORLD: Placement()}, taken=self._taken)
        self._used: dict[str, int] = {}
        self._reserve(source, source.root)

    def _reserve(self, source: Source, part: Element) -> None:
        """Note the names in a part of a document before its bodies are read."""
        self.sources.append(source)
        named = [element for element in part.everything() if element.attributes.get("name")]
        self._taken |= {source.named(element) for element in named}
        self._links_named |= {source.named(element) for element in named if element.tag == "body"}
        self.reference.mocap |= {
            source.named(element) for element in named if element.attributes.get("mocap") == "true"
        }

    def read(self, world: Element) -> None:
        """Collect a world's bodies, depth first."""
        waiting = self._children(world, WORLD, MAIN, self.sources[0], moves=False)
        while waiting:
            body = waiting.pop()
            waiting.extend(self._body(body))

    def weighed_links(self) -> list[Link]:
        """Return the links, scaled to the total mass if the document asks for one."""
        wanted = self.sources[0].settings.total_mass
        present = sum(link.inertia.m for link in self.links)
        if wanted <= 0:
            return self.links
        if present * LARGEST_NUMBER <= wanted:
            raise InputError(
                f"masses of {present:g} kg cannot be scaled to settotalmass {wanted:g}", advice="remove it"
            )
        return [replace(link, inertia=scaled(link.inertia, wanted / present)) for link in self.links]

    def _children(self, element: Element, link: str, child_class: str, source: Source, *, moves: bool) -> list[_Opened]:
        """Return the bodies in an element, last first."""
        found = []
        for child, around, inherited in _unframed(source.settings, element, child_class):
            if child.tag == "body":
                found.append(
                    _Opened(child, link, around.then(source.settings.placement(child)), inherited, moves, source)
                )
            elif child.tag == "attach":
                origin, body, inside = source.attached(child)
                self._reserve(origin, body)
                found.append(_Opened(body, link, around.then(origin.settings.placement(body)), inside, moves, origin))
        self._add_sites(element, link, child_class, source)
        return found[::-1]

    def _add_sites(self, element: Element, link: str, child_class: str, source: Source) -> None:
        for child, around, inherited in _unframed(source.settings, element, child_class):
            if child.tag == "site" and child.attributes.get("name"):
                filled = source.settings.filled(child, inherited)
                given = source.named(child)
                name = given if given not in self._links_named else self._fresh(f"{given} site")
                self.reference.sites[given] = name
                self._mount(name, link, around.then(source.settings.placement(filled)))

    def _mount(self, link: str, parent: str, placement: Placement) -> None:
        self._add(Link(link))
        self.joints.append(DescribedJoint(self._fresh(f"{link} mount"), parent, link, placement, Fixed()))

    def _add(self, link: Link) -> None:
        if len(self.links) > LARGEST:
            raise InputError(f"more than {LARGEST} links", self._place, "split the description")
        self.links.append(link)

    def _body(self, body: _Opened) -> list[_Opened]:
        """Collect one body and return the bodies it carries."""
        source, settings, element = body.source, body.source.settings, body.element
        child_class = element.attributes.get("childclass", body.child_class)
        name = source.named(element) or self._fresh("body")
        self.reference.poses[name] = self.reference.poses[body.parent].then(body.placement)
        parts: dict[str, list[Placed]] = {"joint": [], "freejoint": [], "geom": [], "inertial": []}
        for child, around, inherited in _unframed(settings, element, child_class):
            if child.tag in parts:
                parts[child.tag].append((settings.filled(child, inherited), around))
        joints = parts["joint"] + parts["freejoint"]
        if len(joints) > LARGEST:
            element.wrong(f"a body has more than {LARGEST} joints", "remove what is not the robot")
        moves = body.moves or bool(joints)
        inertial = parts["inertial"][0] if parts["inertial"] else None
        self._joints(body, name, joints)
        self.geoms += [(name, source, geom) for geom in parts["geom"]]
        self._add(Link(name, body_inertia(settings, source.meshes, inertial, parts["geom"], moves=moves)))
        return self._children(element, name, child_class, source, moves=moves)

    def _joints(self, body: _Opened, name: str, joints: list[Placed]) -> None:
        """Hang a body on its parent by its joints, each moving what the one before it has moved."""
        free = [joint for joint, _ in joints if joint.tag == "freejoint" or joint.attributes.get("type") == "free"]
        if free:
            self._free_joint(free[0], body, name, alone=len(joints) == 1)
            return
        settings = body.source.settings
        parent, placement, anchor = body.parent, body.placement, ZERO
        for count, (joint, around) in enumerate(joints, start=1):
            kind = joint.attributes.get("type", "hinge")
            axis = Z_AXIS
            if kind != "ball":
                axis = around.transform.R @ joint_axis(joint, joint.numbers("axis", 3, default=(0.0, 0.0, 1.0)))
            at = around.transform.point(Vec3(*joint.numbers("pos", 3, default=(0.0, 0.0, 0.0))))
            at = anchor if kind == "slide" else at  # a slide acts the same wherever it stands
            angular = settings.angle if kind == "hinge" else float
            start = angular(joint.number("ref", 0.0))
            joint_name = body.source.named(joint) or self._fresh(f"{name} joint")
            last = count == len(joints) and all(x == 0 for x in at)
            child = name if last else self._fresh(f"{name} at {joint_name}")
            if not last:
                self._add(Link(child))
            motion: Revolute | Prismatic | Ball
            if kind == "hinge":
                motion, zero = Revolute(axis), Placement(at - anchor, axis_angle_turns(joint, tuple(axis), -start))
            elif kind == "slide":
                motion, zero = Prismatic(axis), Placement(at - anchor - axis * start)
            elif kind == "ball":
                motion, zero = Ball(), Placement(at - anchor)
            else:
                joint.wrong(f"unknown joint type {shown(kind)}", "use hinge, slide, ball or free")
            drive, limits = (
                (_drive(settings, joint, kind), _limits(settings, joint, kind))
                if kind != "ball"
                else (_drive_of_several(joint), Limits())
            )
            self.joints.append(DescribedJoint(joint_name, parent, child, placement.then(zero), motion, drive, limits))
            if kind != "ball":
                self.reference.starts[joint_name] = start
                self.reference.index[joint_name] = len(self.joints) - 1
            parent, placement, anchor = child, Placement(), at
        if parent != name:
            mount = self._fresh(f"{name} mount")
            self.joints.append(DescribedJoint(mount, parent, name, placement.then(Placement(-anchor)), Fixed()))

    def _free_joint(self, joint: Element, body: _Opened, name: str, *, alone: bool) -> None:
        """Add a free joint; its position is the body's in the world, whatever the body's placement."""
        if body.parent != WORLD or not alone:
            joint.wrong("a free joint must be the only joint of a body of the world", "correct the model")
        if joint.attributes.get("align", "auto") == "true":
            joint.unsupported("align moves the frame of a free body", "remove it")
        drive = _drive_of_several(joint) if joint.tag == "joint" else Drive()
        joint_name = body.source.named(joint) or self._fresh(f"{name} joint")
        self.reference.free[joint_name] = name
        self.joints.append(DescribedJoint(joint_name, body.parent, name, Placement(), Free(), drive))

    def _fresh(self, name: str) -> str:
        """Return a name nothing has: the one given, or it with a number."""
        fresh = name
        while fresh in self._taken:
            self._used[name] = self._used.get(name, 1) + 1
            fresh = f"{name} {self._used[name]}"
        self._taken.add(fresh)
        return fresh


def _drive(settings: Settings, joint: Element, kind: str) -> Drive:
    if any(joint.numbers("springdamper", default=(0.0,))):
        joint.unsupported("springdamper is not modelled", "give stiffness and damping")
    rest = joint.number("springref", 0.0)
    return Drive(
        rotor_inertia=joint.number("armature", 0.0),
        coulomb=joint.number("frictionloss", 0.0),
        viscous=_linear(joint, "damping"),
        stiffness=_linear(joint, "stiffness"),
        rest=settings.angle(rest) if kind == "hinge" else rest,
    )


def _drive_of_several(joint: Element) -> Drive:
    """Return the drive of a free or ball joint, which acts on each of its rates."""
    kind = joint.attributes.get("type", "free")
    springs = kind == "ball"
    for number in ("springdamper",) if springs else ("stiffness", "springdamper"):
        if any(joint.numbers(number, default=(0.0,))):
            joint.unsupported(f"{number} on a {kind} joint is not modelled", f"set {number} to 0")
    return Drive(
        rotor_inertia=joint.number("armature", 0.0),
        coulomb=joint.number("frictionloss", 0.0),
        viscous=_linear(joint, "damping"),
        stiffness=_linear(joint, "stiffness") if springs else 0.0,
    )


def _limits(settings: Settings, joint: Element, kind: str) -> Limits:
    effort = None
    if "actuatorfrcrange" in joint.attributes:
        effort = max(abs(x) for x in joint.numbers("actuatorfrcrange", 2))
    limited = joint.attributes.get("limited", "auto")
    if limited == "false" or (limited == "auto" and not settings.auto_limits) or "range" not in joint.attributes:
        return Limits(effort=effort)
    lower, upper = joint.numbers("range", 2)
    if lower > upper:
        joint.wrong(f"range {lower:g} to {upper:g} has its end before its start", "exchange them")
    if kind == "hinge":
        lower, upper = settings.angle(lower), settings.angle(upper)
    return Limits(lower, upper, effort=effort)


def _linear(joint: Element, name: str) -> float:
    """Return the coefficient of a force law; MuJoCo also has higher orders."""
    first, *higher = joint.numbers(name, default=(0.0,)) or [0.0]
    if any(higher):
        joint.unsupported(f"{name} of higher order is not modelled", f"give one number for {name}")
    return first


def _unframed(settings: Settings, element: Element, child_class: str) -> Iterator[tuple[Element, Placement, str]]:
    """Yield the children of a body, those in ``<frame>`` elements too, with the frame's placement and class."""
    waiting = [(child, Placement(), child_class, 0) for child in reversed(element.children)]
    while waiting:
        child, around, inherited, depth = waiting.pop()
        if child.tag != "frame":
            yield child, around, inherited
            continue
        if depth == DEEPEST_FRAME:
            child.wrong(f"frames are nested more than {DEEPEST_FRAME} deep", "write them flatter")
        inside = around.then(settings.placement(child))
        own_class = child.attributes.get("childclass", inherited)
        waiting.extend((inner, inside, own_class, depth + 1) for inner in reversed(child.children))
