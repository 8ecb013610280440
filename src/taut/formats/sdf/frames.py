"""Where the frames of an SDF model stand: poses relative to the model, or to what ``relative_to`` names.

Links stand in their model, joints in their child, frames in what they are attached to, nested models in the model
around them, unless they name another frame. Names of a nested model are ``nested::name`` from outside.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from taut.formats.orientation import quaternion_turns
from taut.formats.xml import Element, shown
from taut.robot import Placement
from taut.robot.placement import rpy
from taut.spatial import Vec3

MODEL = "__model__"
WORLD = "world"
GROUND = ""
"""Full name of the world, where no link is called so."""

DEEPEST = 100
"""Frames that are placed in one another, and models that are nested."""


@dataclass
class Frames:
    """Every named frame of a document: where it stands, and the link that carries it."""

    stands: dict[str, tuple[str, Placement]] = field(default_factory=dict)
    attached: dict[str, str] = field(default_factory=dict)

    def add(self, element: Element, scope: str, home: str, name: str | None = None) -> str:
        """Note the frame of an element and return its full name.

        Args:
            element: a model, link, joint or frame.
            scope: what the names of its model begin with.
            home: full name of the frame that its pose is relative to by default.
            name: its full name; its own in its model by default.
        """
        full = scope + element.required("name") if name is None else name
        if full in self.stands:
            element.wrong(f"the name {shown(full)} is used twice", "give every link, joint and frame its own name")
        pose = element.first("pose")
        relative = (pose.attributes.get("relative_to") or pose.attributes.get("frame")) if pose else None
        self.stands[full] = (
            self.qualified(scope, relative) if relative else home,
            _pose(pose) if pose else Placement(),
        )
        return full

    def pose(self, name: str, element: Element) -> Placement:
        """Return where a frame stands in the world; ``element`` names it, for messages."""
        placement = Placement()
        for _ in range(DEEPEST):
            if name == GROUND:
                return placement
            home, own = self.stands[self.known(name, element)]
            placement, name = own.then(placement), home
        element.wrong(f"the pose of {shown(name)} refers to itself", "place it relative to another frame")

    def link(self, name: str, element: Element) -> str:
        """Return the full name of the link that carries a frame, or that a model begins with."""
        for _ in range(DEEPEST):
            name = self.known(name, element) if name != GROUND else name
            if name == GROUND or self.attached.get(name, name) == name:
                return name
            name = self.attached[name]
        element.wrong(f"{shown(name)} is attached to itself", "attach it to a link")

    def qualified(self, scope: str, name: str) -> str:
        """Return the full name of what a text calls ``name`` inside a model."""
        return GROUND if name == WORLD and scope + WORLD not in self.stands else scope + name

    def known(self, name: str, element: Element) -> str:
        """Return the full name of a frame or model, which must exist."""
        for full in (name, f"{name}::{MODEL}"):
            if full in self.stands:
                return full
        element.wrong(f"there is no link, joint, frame or model {shown(name)}", "correct the name")


def between(first: Placement, second: Placement) -> Placement:
    """Return the second placement as seen in the first; turns that both begin with cancel exactly."""
    common = 0
    while common < min(len(first.turns), len(second.turns)) and first.turns[common] == second.turns[common]:
        common += 1
    way = first.transform.R.T @ (second.p - first.p)
    start, end = Placement(turns=first.turns[common:]), Placement(turns=second.turns[common:])
    return Placement(way).then(start.inverse.then(end))


def _pose(pose: Element) -> Placement:
    if not pose.text.strip():
        return Placement()
    if pose.attributes.get("rotation_format", "euler_rpy") == "quat_xyzw":
        *p, x, y, z, w = pose.values(7)
        return Placement(Vec3(*p), quaternion_turns(pose, (w, x, y, z)))
    *p, roll, pitch, yaw = pose.values(6)
    unit = 0.017453292519943295 if pose.attributes.get("degrees") in ("true", "1") else 1.0
    return Placement(Vec3(*p), rpy(roll * unit, pitch * unit, yaw * unit))
