"""The arm as a chain of frames over exact polynomials: from the base to the frame whose velocity is asked for.

A vector may be taken from the axes of any link to those of any other; constant quarter turns, the turns of
joints and symbolic twists are applied one by one, so that nothing is multiplied out that need not be.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from taut.derive.checks.truth import of_decided, refuse_untrue
from taut.derive.naming.model import DerivedRobot, derived_robot
from taut.derive.naming.parameters import SNAP
from taut.errors import UnsupportedError
from taut.graph import Node, Stage, topological
from taut.graph.angles import angle_terms
from taut.graph.operation import Op
from taut.graph.walk import symbols_of
from taut.polynomials.algebra import Polynomial
from taut.polynomials.chain_ring import Ring
from taut.polynomials.stretches import Run
from taut.robot import Frame, Placement, Tree
from taut.robot.motion import Prismatic, Revolute
from taut.robot.placement import QuarterTurns
from taut.spatial import Rotation, Scalar, Turn, Vec3, is_exactly

Turns = list[tuple[int, Scalar]]
ORIGIN = Vec3(0, 0, 0)


@dataclass(frozen=True)
class Point:
    """A point that is fixed in a link: its number (0 is the base), its place there, its name."""

    link: int
    offset: Vec3
    name: str


@dataclass(frozen=True)
class Link:
    """A link of the chain: the way from the link before, and the joint it hangs on.

    Attributes:
        name: of the link.
        pure_turn: whether the joint turns; neither for the frame at the end.
        pure_slide: whether it slides.
        axis: of the joint, in the link's frame.
        R: axes of the link in those of the link before.
        p: origin of the link in the link before.
    """

    name: str
    pure_turn: bool
    pure_slide: bool
    axis: Vec3
    R: Rotation
    p: Vec3


class Chain:
    """The joints between the base and a frame.

    Attributes:
        model: the robot with its numbers named in one graph.
        frame: the frame at the end.
        bodies: the joints that move the frame, base first.
        ring: the polynomials everything is written in.
        difference: of the pose from the file's digits.
        links: from the first moving link to the frame itself; entry 0 is the first link.
    """

    def __init__(self, tree: Tree, frame: str | None = None) -> None:
        self.model: DerivedRobot = derived_robot(tree, "pattern", SNAP)
        self.difference = of_decided(tree, self.model.meaning, "forward_kinematics", tree.frame(frame).name)
        refuse_untrue(self.difference, "forward_kinematics", self.model.meaning, SNAP, None)
        self.tree = self.model.tree
        self.frame: Frame = self.tree.frame(frame)
        self.bodies = list(reversed(list(self.tree.support(self.frame.body))))
        self._check(tree)
        self._q = self.tree.at(self.model.symbols("q")).positions
        self._ways = [self._way(i) for i in self.bodies]
        self.ring = self._ring()
        self.links = [self._link(k) for k in range(len(self.bodies))]
        end = self.frame.placement
        R, p = self._rotation(list(end.turns)), self._vector(end.p)
        self.links.append(Link(self.frame.name, False, False, Vec3(0, 0, 0), R, p))

    @property
    def n(self) -> int:
        """Number of joints that move the frame."""
        return len(self.bodies)

    @property
    def numbers(self) -> list[int]:
        """The number of each joint among all of the robot, from 1, as q1, q2 are numbered."""
        return [self.tree.independent.index(i) + 1 for i in self.bodies]

    # -- frames -------------------------------------------------------------------

    def axes_name(self, at: int) -> str:
        """Return the name of the axes number ``at``: 0 is the world, n + 1 the frame at the end."""
        return "world" if at == 0 else self.links[at - 1].name

    def seen_in(self, v: Vec3, link: int, axes: int) -> Vec3:
        """Return a vector given in the axes of one link in the axes of another."""
        v = self._tidy(v)
        while link > axes:
            v = self._tidy(self.links[link - 1].R @ v)
            link -= 1
        while link < axes:
            link += 1
            v = self._tidy(self.links[link - 1].R.T @ v)
        return v

    def place_in(self, point: Point, link: int) -> Vec3:
        """Return where a point is, in the frame of a link."""
        at, r = point.link, self._tidy(point.offset)
        while at > link:
            step = self.links[at - 1]
            r = self._tidy(step.p + step.R @ r)
            at -= 1
        while at < link:
            at += 1
            step = self.links[at - 1]
            r = self._tidy(step.R.T @ (r - step.p))
        return r

    @cached_property
    def points(self) -> list[Point]:
        """Points of the last link: the frame's origin, origins of links, feet of common normals at right angles.

        Where the last axes meet, their point of intersection is among them.
        """
        found = [Point(self.n + 1, ORIGIN, f"origin of {self.frame.name}")]
        for k in range(self.n, 0, -1):
            link, child = self.links[k - 1], self.links[k]
            places = {f"origin of {link.name}": ORIGIN}
            other = self._tidy(child.R @ child.axis)  # its own motion leaves an axis where it is
            if child.pure_turn and self.ring.reduced(link.axis.dot(other)) == 0:
                one, two = self.numbers[k - 1], self.numbers[k]
                places[f"foot on axis {one} of its normal to axis {two}"] = link.axis * link.axis.dot(child.p)
                places[f"foot on axis {two} of its normal to axis {one}"] = child.p - other * other.dot(child.p)
            found += [Point(k, self._tidy(place), name) for name, place in places.items()]
        kept: dict[tuple[str, ...], Point] = {}
        for point in found:
            in_last = tuple(self.place_in(point, self.n + 1))
            if not any(self._moves(x) for x in in_last):
                kept.setdefault(tuple(map(str, in_last)), point)
        return list(kept.values())

    def _moves(self, x: Polynomial) -> bool:
        return any(
            power > 0 and generator.node.stage > Stage.PARAMETER
            for generator, power in zip(self.ring.generators, x.degrees(), strict=True)
        )

    def _tidy(self, v: Vec3) -> Vec3:
        return Vec3(*(self.ring.reduced(x) for x in v))

    # -- building -----------------------------------------------------------------

    def _check(self, tree: Tree) -> None:
        place = f"kinematics of '{tree.name}'"
        if not self.bodies:
            raise UnsupportedError(f"no joint moves frame '{self.frame.name}'", place, "choose another frame")
        followers = {mimic.joint for mimic in tree.mimics}
        for i in self.bodies:
            joint = self.tree.joints[i]
            if not isinstance(joint.motion, (Revolute, Prismatic)):
                raise UnsupportedError(f"joint '{joint.name}' is free", place, "load the robot with base='fixed'")
            if i in followers:
                raise UnsupportedError(f"joint '{joint.name}' follows another", place, "choose a frame before it")
            if sum(not is_exactly(x, 0) for x in joint.motion.axis) != 1:
                raise UnsupportedError(
                    f"joint '{joint.name}' turns about an axis that is no axis of its frame",
                    place,
                    "place the joint's frame so that its axis is x, y or z",
                )

    def _axis(self, i: int) -> tuple[int, int]:
        """Return which axis of its frame joint i moves along, and the sense."""
        motion = self.tree.joints[i].motion
        assert isinstance(motion, (Revolute, Prismatic))
        return _coordinate(motion.axis)

    def _way(self, i: int) -> tuple[Turns, Vec3]:
        """Return the turns and the translation from the frame of the link before to that of link i."""
        joint = self.tree.joints[i]
        placement: Placement = self.tree.base.then(joint.placement) if joint.parent < 0 else joint.placement
        turns, p = list(placement.turns), placement.p
        axis, sense = self._axis(i)
        if joint.motion.pure_turn:
            turns.append((axis, self._q[i][0] * sense))
        else:
            slide = Vec3(*(x * self._q[i][0] for x in _unit(axis, sense)))
            p = p + placement.transform.R @ slide
        return turns, p

    def _ring(self) -> Ring:
        symbols: list[Node] = []
        plain: list[Node] = []
        placements = [*self._ways, (list(self.frame.placement.turns), self.frame.placement.p)]
        for turns, p in placements:
            symbols += [node for _, angle in turns for node in _atoms(angle)]
            plain += [node for x in p for node in _letters(x)]
        symbols = list(dict.fromkeys(symbols))
        self._number_of = {node: k for k, node in enumerate(symbols)}
        inside = {node for symbol in symbols for node in (symbol.sin(), symbol.cos())}
        labels = [node.name.removeprefix("q") if node.name[1:].isdigit() else node.name for node in symbols]
        letters = [x for x in dict.fromkeys(plain) if x not in inside]
        return Ring(list(zip(labels, symbols, strict=True)), self._runs(), letters, self.model.symbols("q"))

    def _runs(self) -> list[Run]:
        """Return the runs of joints with parallel axes, slides between them left out."""
        runs: list[list[tuple[int, int]]] = []
        toward: tuple[int, int] | None = None  # the axis of the run, in the frame at hand
        for i, (turns, _) in zip(self.bodies, self._ways, strict=True):
            joint = self.tree.joints[i]
            moving = joint.motion.pure_turn
            fixed = turns[:-1] if moving else turns
            for axis, angle in fixed:
                toward = None if toward is None else _carried(toward, axis, angle)
            if not moving:
                continue
            own = self._axis(i)
            number = self._number_of[self._q[i][0]]
            if toward is None or toward[0] != own[0]:
                runs.append([])
                sign = 1
            else:
                sign = runs[-1][-1][1] * toward[1] * own[1]
            runs[-1].append((number, sign))
            toward = own
        return [Run(tuple(run)) for run in runs]

    def _link(self, k: int) -> Link:
        joint = self.tree.joints[self.bodies[k]]
        turns, p = self._ways[k]
        axis = Vec3(*_unit(*self._axis(self.bodies[k])))
        moves = joint.motion.pure_turn, joint.motion.pure_slide
        return Link(joint.link.name, *moves, axis, self._rotation(turns), self._vector(p))

    def _rotation(self, turns: Turns) -> Rotation:
        return Rotation(tuple(Turn(axis, *self._cos_sin(angle)) for axis, angle in turns))

    def _cos_sin(self, angle: Scalar) -> tuple[Polynomial, Polynomial]:
        if isinstance(angle, QuarterTurns):
            return self.ring.polynomial(angle.cos()), self.ring.polynomial(angle.sin())
        if not isinstance(angle, Node):
            assert is_exactly(angle, 0)
            return self.ring.one, self.ring.zero
        [(atom, sign)] = _signed(angle)
        return self.ring.turn([(self._number_of[atom], sign)])

    def _vector(self, p: Vec3) -> Vec3:
        return Vec3(*(self.ring.polynomial(x) for x in p))


def _signed(angle: Node) -> list[tuple[Node, int]]:
    """Return an angle as one single angle with a sign; a formula is an angle of its own."""
    constant, atoms = angle_terms(angle)
    if constant == 0 and len(atoms) == 1:
        [(atom, coefficient)] = atoms.items()
        if coefficient in (1, -1):
            return [(atom, int(coefficient))]
    return [(angle, 1)]


def _atoms(angle: Scalar) -> list[Node]:
    return [atom for atom, _ in _signed(angle)] if isinstance(angle, Node) else []


def _letters(x: Scalar) -> Iterable[Node]:
    """Return the generators of a length; an expression that is no polynomial is a generator itself."""
    if not isinstance(x, Node):
        return []
    nodes = topological([x])
    polynomial = all(
        node.op is not Op.FUNCTION and (node.op is not Op.PRODUCT or min(node.powers.exponents) > 0) for node in nodes
    )
    return symbols_of([x]) if polynomial else [x]


def _coordinate(axis: Vec3) -> tuple[int, int]:
    """Return which coordinate axis a vector is, and its sense."""
    [(k, x)] = [(k, x) for k, x in enumerate(axis) if not is_exactly(x, 0)]
    return k, 1 if x > 0 else -1


def _unit(axis: int, sense: int) -> tuple[int, int, int]:
    x, y, z = (sense if k == axis else 0 for k in range(3))
    return x, y, z


def _carried(axis: tuple[int, int], about: int, angle: Scalar) -> tuple[int, int] | None:
    """Return an axis of the frame before a turn as an axis of the frame after it, None where it is none."""
    k, sign = axis
    if k == about or is_exactly(angle, 0):
        return axis
    if not isinstance(angle, QuarterTurns):
        return None
    v: Sequence[Scalar] = tuple(Turn(about, angle.cos(), -angle.sin()) @ Vec3(*_unit(k, sign)))
    return _coordinate(Vec3(*v))
