"""The exact robot that the rounded numbers of a robot file stand for.

A rounded rotation is not orthogonal, and a right angle of 1.5708 is none, so a rank taken from such
numbers is one too large or has a tolerance in it. Here every number becomes exact:

* angles mean what :mod:`taut.robot.meaning` decides; multiples of 45 degrees are exact, any other numeric angle
  is a symbol, the same one for angles that are equal, opposite or differ by right angles;
* lengths are decimals of twelve digits, and zero below ``NOTHING`` times the longest;
* axes of joints are spherical coordinates of such angles;
* symbols of the robot file stay what they are: the result is that of the general geometry.

Inertias and drives do not enter a regressor and are dropped.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction

from taut.graph import Graph, Node
from taut.graph.angles import angle_terms
from taut.graph.operation import Op
from taut.robot import Joint, Mimic, SingleAxis, Tree
from taut.robot.meaning import decided
from taut.spatial import Scalar, Vec3, cos, is_exactly, sin

DUST = 1e-13
"""Rounding noise of multiples of 45 degrees [rad]."""

NOTHING = 1e-12
"""Part of the longest length below which a length is rounding."""

DIGITS = 12
"""Significant digits of the longest length that are kept, so that 0.1 + 0.2 is 0.3."""

SAME = 1e-9
"""Radians within which two angles are one."""


@dataclass(frozen=True)
class CirclePoint:
    """An angle known by its exact cosine and sine."""

    c: Scalar
    s: Scalar

    def cos(self) -> Scalar:
        """Exact cosine."""
        return self.c

    def sin(self) -> Scalar:
        """Exact sine."""
        return self.s

    def __neg__(self) -> CirclePoint:
        return CirclePoint(self.c, -self.s)

    def __add__(self, other: Scalar) -> CirclePoint:
        c, s = cos(other), sin(other)
        return CirclePoint(self.c * c - self.s * s, self.s * c + self.c * s)

    __radd__ = __add__


RIGHT_ANGLES = (CirclePoint(1, 0), CirclePoint(0, 1), CirclePoint(-1, 0), CirclePoint(0, -1))


@dataclass(frozen=True)
class ExactRobot:
    """A robot whose geometry is exact.

    Attributes:
        tree: its numbers are whole numbers, nodes of ``graph`` and circle points; no inertias, no frames.
        graph: holds every symbol.
        values: the numbers that symbols stand for, as far as they are known.
        angles: names of the symbols that were not in the robot file.
    """

    tree: Tree
    graph: Graph
    values: dict[str, float]
    angles: frozenset[str]


def exact_robot(tree: Tree) -> ExactRobot:
    """Return the exact robot that a robot's numbers mean."""
    tree = decided(tree).tree
    snap = _Snap(Graph(), max((abs(x) for x in _lengths(tree)), default=1.0) or 1.0)
    pull = max((abs(float(x)) for x in tree.gravity_acceleration if not isinstance(x, Node)), default=1.0) or 1.0
    exact = tree.map(snap.number, angle=snap.angle, inertial=_dropped, drive=_dropped)
    exact = replace(
        exact,
        joints=tuple(_straightened(joint, snap) for joint in exact.joints),
        frames=(),
        mimics=tuple(_followed(exact, new, old, snap) for new, old in zip(exact.mimics, tree.mimics, strict=True)),
        coupling=tuple((drive, moved, snap.ratio(ratio)) for drive, moved, ratio in tree.coupling),
        gravity_acceleration=Vec3(*(snap.length(x, pull) for x in tree.gravity_acceleration)),
    )
    values = {name: value.value for name, value in tree.values.items()}
    return ExactRobot(exact, snap.graph, {**values, **snap.values}, frozenset(snap.values))


@dataclass
class _Snap:
    graph: Graph
    scale: float
    values: dict[str, float] = field(default_factory=dict)

    def number(self, x: Scalar) -> Scalar:
        return self.length(x, self.scale)

    def length(self, x: Scalar, scale: float) -> Scalar:
        if isinstance(x, Node):
            return self.graph.lift(x)
        x = float(x)
        if abs(x) < NOTHING * scale:
            return 0
        digits = DIGITS - math.ceil(math.log10(scale))
        return self.graph.constant(Fraction(round(Fraction(x) * 10**digits), 10**digits) if digits >= 0 else round(x))

    def ratio(self, x: Scalar) -> Scalar:
        return self.length(x, 1.0 if isinstance(x, Node) else abs(float(x)) or 1.0)

    def angle(self, x: Scalar) -> Scalar:
        if not isinstance(x, Node):
            return self._numeric(float(x))
        x = self.graph.lift(x)
        constant, terms = angle_terms(x)
        if not constant:
            return x
        rest = self.graph.linear(0, [(c, atom) for atom, c in terms.items()])
        turn = self._numeric(float(constant))
        return turn if rest.is_zero else rest if is_exactly(turn, 0) else turn + rest

    def _numeric(self, x: float) -> Scalar:
        quarters = round(x / (math.pi / 2))
        rest = x - quarters * (math.pi / 2)
        right = RIGHT_ANGLES[quarters % 4]
        if abs(rest) <= DUST:
            return right if quarters % 4 else 0
        if abs(abs(rest) - math.pi / 4) <= DUST:
            half = self.graph.constant(Fraction(1, 2)).sqrt()
            return right + CirclePoint(half, half if rest > 0 else -half)
        symbol = self.graph.symbol(self._named(abs(rest)))
        return right + (symbol if rest > 0 else -symbol)

    def _named(self, size: float) -> str:
        for name, known in self.values.items():
            if abs(known - size) <= SAME:
                return name
        name = f"{size:.12g} rad"
        self.values[name] = size
        return name


def _straightened(joint: Joint, snap: _Snap) -> Joint:
    """Return a joint whose axis has length one exactly."""
    if not isinstance(joint.motion, SingleAxis):
        return joint
    x, y, z = (float(component) for component in joint.motion.axis)
    azimuth, polar = snap.angle(math.atan2(y, x)), snap.angle(math.atan2(math.hypot(x, y), z))
    if is_exactly(polar, 0) or polar == RIGHT_ANGLES[2]:
        azimuth = 0
    unit = Vec3(cos(azimuth) * sin(polar), sin(azimuth) * sin(polar), cos(polar))
    return replace(joint, motion=replace(joint.motion, axis=Vec3(*(_plain(component) for component in unit))))


def _followed(tree: Tree, new: Mimic, old: Mimic, snap: _Snap) -> Mimic:
    """Return a mimic with an exact ratio, and an exact angle for its offset where the follower turns."""
    new = replace(new, multiplier=snap.ratio(old.multiplier))
    if not tree.joints[new.joint].motion.pure_turn:
        return new
    offset = snap.angle(old.offset)
    return replace(new, offset=offset + CirclePoint(1, 0) if isinstance(offset, Node) else offset)


def _plain(x: Scalar) -> Scalar:
    """Return a whole number as an int: that a component is 0 or 1 is structure."""
    if isinstance(x, Node):
        return x.value if x.op is Op.CONSTANT else x
    return int(x)


def _dropped(_: Scalar) -> int:
    return 0


def _lengths(tree: Tree) -> list[float]:
    found: list[float] = []

    def note(x: Scalar) -> Scalar:
        if not isinstance(x, Node):
            found.append(float(x))
        return x

    keep: Callable[[Scalar], Scalar] = lambda x: x  # noqa: E731 - a name would say no more
    for joint in tree.joints:
        joint.placement.map(note, keep)
    return found
