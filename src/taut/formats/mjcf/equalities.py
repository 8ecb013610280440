"""Equalities of MJCF: joints that follow others, and bodies held together.

MuJoCo's equalities are soft, with forces of springs; here they hold exactly. A ``joint`` equality makes its first joint
follow the second by a polynomial, or holds it still where there is no second. ``connect`` is a ball and ``weld`` a weld
between two sites or two bodies. The second of two bodies is held where it stands at the reference pose, in which every
joint is at its ``ref``, unless a weld states ``relpose``, the pose of the second body in the first. The anchor of a
weld is the point where MuJoCo measures its error, without effect on an exact one. Inactive equalities are left aside.
"""

from __future__ import annotations

import math
import warnings
from collections import Counter
from dataclasses import dataclass, field, replace

from taut.errors import InputWarning
from taut.formats.formula import parse
from taut.formats.mjcf.replicate import REFERENCES
from taut.formats.mjcf.settings import MAIN
from taut.formats.mjcf.source import Source
from taut.formats.orientation import quaternion_turns
from taut.formats.xml import Element, shown
from taut.graph import Graph
from taut.graph.node import Node
from taut.robot import DescribedJoint, Placement
from taut.robot.closures import DescribedClosure, DescribedGear, DescribedLoops
from taut.robot.law import ARGUMENT, Law
from taut.spatial import Vec3

CLOSES = {"connect": "ball", "weld": "weld"}
"""{equality between bodies: kind of closure}."""


@dataclass
class Reference:
    """Where everything stands at the reference pose, and what the equalities make of it.

    Attributes:
        world: name of the link that carries all bodies.
        joints: as described; followers are noted here.
        poses: {body: its pose in the world}.
        starts: {hinge or slide: its position}.
        index: {hinge or slide: its index in ``joints``}.
        free: {free joint: its body}.
        sites: {site: the link that stands there}.
        taken: every name of the model.
        mocap: bodies that the user moves.
        closures: bodies held together.
        gears: joints that follow others by a polynomial.
        held: {joint: its position} of joints that equalities hold still.
        led: the joints of ``gears``.
        used: names of the closures.
        repeated: how many closures have had a name with a smaller number.
    """

    world: str
    joints: list[DescribedJoint]
    poses: dict[str, Placement]
    starts: dict[str, float] = field(default_factory=dict)
    index: dict[str, int] = field(default_factory=dict)
    free: dict[str, str] = field(default_factory=dict)
    sites: dict[str, str] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)
    mocap: set[str] = field(default_factory=set)
    closures: list[DescribedClosure] = field(default_factory=list)
    gears: list[DescribedGear] = field(default_factory=list)
    held: dict[str, float] = field(default_factory=dict)
    led: set[str] = field(default_factory=set)
    used: set[str] = field(default_factory=set)
    repeated: Counter[str] = field(default_factory=Counter)

    @property
    def loops(self) -> DescribedLoops | None:
        """The closures, nonlinear followers, and the reference pose near which they close; None without any."""
        if not (self.closures or self.gears):
            return None
        start: list[tuple[str, tuple[float, ...]]] = [
            (name, (x,)) for name, x in self.starts.items() if x and name not in self.held
        ]
        start += [(joint, _free_position(self.poses[body])) for joint, body in self.free.items()]
        return DescribedLoops(tuple(self.closures), tuple(self.gears), start=tuple(start))

    def read(self, equality: Element, source: Source) -> None:
        """Note what an equality ties together."""
        tied = {key: equality.attributes[key] for key in REFERENCES if key in equality.attributes}
        if source.depth and any(source.name(name) not in self.taken for name in tied.values()):
            return  # of an attached model, what does not lie in the attached body is left behind
        filled = source.settings.filled(source.renamed(equality, tied), MAIN, "equality")
        if filled.attributes.get("active", "true") == "false" or self._drives_from_outside(filled):
            return
        if filled.tag == "joint":
            self._follow(filled)
        elif filled.tag in CLOSES:
            self._close(filled)
        else:
            filled.unsupported(f"the constraint <{filled.tag}> is not modelled", "remove it or set active=false")

    def _drives_from_outside(self, equality: Element) -> bool:
        """Return whether a constraint ties the robot to a mocap body, which the user moves."""
        bodies = [equality.attributes.get(name) for name in ("body1", "body2")]
        mocap = next((name for name in bodies if name in self.mocap), None)
        if equality.tag not in CLOSES or mocap is None:
            return False
        warnings.warn(
            f"{equality.place}: the mocap body {shown(mocap)} drives the robot from outside; read without it",
            InputWarning,
            stacklevel=2,
        )
        return True

    # -- joints -------------------------------------------------------------------------

    def _follow(self, equality: Element) -> None:
        """Make a joint follow another: y - y0 = c0 + c1 (x - x0) + ..., x0 and y0 being the reference positions."""
        follower = self._single(equality, "joint1")
        coefficients = equality.numbers("polycoef", default=(0.0, 1.0)) or [0.0]
        if self.joints[self.index[follower]].mimic or follower in self.led:
            equality.wrong(f"joint {shown(follower)} follows two joints", "keep one equality")
        if "joint2" not in equality.attributes:
            self.held[follower] = self.starts[follower] + coefficients[0]
            return
        leader = self._single(equality, "joint2")
        shift, ratio, *higher = (*coefficients, 0.0, 0.0)[: max(2, len(coefficients))]
        if not any(higher):
            offset = self.starts[follower] + shift - ratio * self.starts[leader]
            index = self.index[follower]
            self.joints[index] = replace(self.joints[index], mimic=(leader, ratio, offset))
            return
        x = f"({ARGUMENT} - ({self.starts[leader]!r}))"
        terms = [f"({c!r})*{x}**{k}" if k else f"({c!r})" for k, c in enumerate(coefficients) if c]
        law = parse(" + ".join([f"({self.starts[follower]!r})", *terms]), Graph(), equality.place)
        assert isinstance(law, Node)
        self.led.add(follower)
        self.gears.append(DescribedGear(follower, ((leader, 1.0),), 0.0, Law(law)))

    def _single(self, equality: Element, role: str) -> str:
        name = equality.required(role)
        if name not in self.starts:
            equality.wrong(f"joint {shown(name)} is no hinge or slide of the model", f"correct {role}")
        return name

    # -- bodies -------------------------------------------------------------------------

    def _close(self, equality: Element) -> None:
        """Hold two sites or two bodies together."""
        given = equality.attributes
        link, other, here, there = self._at_sites(equality) if "site1" in given else self._of_bodies(equality)
        name = given.get("name") or f"{equality.tag} {given.get('body1') or given.get('site1')}"
        self.closures.append(DescribedClosure(self._named(name), CLOSES[equality.tag], link, other, here, there))

    def _named(self, name: str) -> str:
        """Return the name of a closure, numbered where another has it."""
        while (numbered := f"{name} {self.repeated[name] + 1}" if self.repeated[name] else name) in self.used:
            self.repeated[name] += 1
        self.used.add(numbered)
        return numbered

    def _at_sites(self, equality: Element) -> tuple[str, str, Placement, Placement]:
        links = []
        for role in ("site1", "site2"):
            name = equality.required(role)
            if name not in self.sites:
                equality.wrong(f"{role} {shown(name)} does not exist", "name a site")
            links.append(self.sites[name])
        return links[0], links[1], Placement(), Placement()

    def _of_bodies(self, equality: Element) -> tuple[str, str, Placement, Placement]:
        first, second = equality.required("body1"), equality.attributes.get("body2", self.world)
        for role, name in (("body1", first), ("body2", second)):
            if name not in self.poses:
                equality.wrong(f"{role} {shown(name)} does not exist", "name a body")
        between = self.poses[first].inverse.then(self.poses[second])
        if equality.tag == "connect":
            if "anchor" not in equality.attributes:
                equality.wrong("no anchor", "give the point in body1")
            anchor = Placement(Vec3(*equality.numbers("anchor", 3)))
            return first, second, anchor, Placement(between.inverse.then(anchor).p)
        stated = equality.numbers("relpose", 7, default=(0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0))
        if any(stated[3:]):
            between = Placement(Vec3(*stated[:3]), quaternion_turns(equality, stated[3:]))
        return first, second, between, Placement()


def _free_position(pose: Placement) -> tuple[float, ...]:
    """Return the position [x y z, qx qy qz qw] of a free joint whose body has a pose."""
    q = (0.0, 0.0, 0.0, 1.0)
    for axis, angle in pose.turns:
        s, c = math.sin(float(angle) / 2), math.cos(float(angle) / 2)
        q = _product(q, tuple(s * (k == axis) for k in range(3)), c)
    return (*(float(x) for x in pose.p), *q)


def _product(q: tuple[float, ...], v: tuple[float, ...], w: float) -> tuple[float, float, float, float]:
    """Return q (v, w) of quaternions, the scalar last."""
    a, b = Vec3(*q[:3]), Vec3(*v)
    x, y, z = a * w + b * q[3] + a.cross(b)
    return float(x), float(y), float(z), float(q[3] * w - a.dot(b))
