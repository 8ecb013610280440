"""The robot of one derivation: its numbers in one graph, in the form each algorithm needs.

``tree`` is the robot as the file has it, for kinematics and energies. ``screws`` is the same robot
in screw form, and ``regrouped`` has the same joint torques with as few constants as can be, for
everything that lives in joint space. Where a robot has no screw form, ``screws`` is None and the
textbook algorithms serve.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from types import MappingProxyType

from taut.derive.checks.truth import on_file_digits
from taut.derive.naming.constants import Constants
from taut.derive.naming.general_form import General, renamed
from taut.derive.naming.negligible import Numbers, largest_of_each, without_negligible
from taut.derive.naming.parameters import SNAP, Naming, prepared
from taut.derive.naming.run_time import with_load_symbols
from taut.errors import UnsupportedError
from taut.graph import Graph, Node
from taut.graph.lower import lower
from taut.questions.arguments import ARGUMENTS
from taut.recursions.second_moments import Lag
from taut.robot import Drive, Frame, Loops, Placement, Tree, Value
from taut.robot.edit import numeric, symbols, with_values
from taut.robot.meaning import Meaning
from taut.robot.motion import JointMotion, SingleAxis
from taut.robot.places import Place, drive_name, each_number
from taut.robot.regroup import regrouped, slid_leaves, turned_leaves
from taut.robot.screws import Screw, screw_form
from taut.spatial import PseudoInertia, Scalar, Vec3, cos, is_exactly, sin


@dataclass(frozen=True)
class DerivedRobot:
    """A robot whose numbers are nodes of one graph.

    Attributes:
        graph: the graph.
        tree: the robot as the file has it.
        screws: the same in screw form, None if it has none.
        gravity: in the frame the first joints are placed in.
        naming: names, values and notes.
        general: where all numbers are written into the code, the screw form of mode ``pattern`` besides.
    """

    graph: Graph
    tree: Tree
    screws: tuple[Screw, ...] | None
    gravity: Vec3
    naming: Naming
    general: General | None = None

    @property
    def forms(self) -> dict[str, DerivedRobot]:
        """The robot by the screw forms it has: in numbers first, in formulas of the file's numbers after it."""
        if self.general is None:
            return {NUMBERS: self}
        graph, screws, gravity = self.general.graph, self.general.screws, self.general.gravity
        tree, naming = replace(self.tree, gravity_acceleration=gravity), replace(self.naming, graph=graph)
        formulas = DerivedRobot(graph, tree, screws, gravity, naming)
        return {NUMBERS: replace(self, general=None), FORMULAS: formulas}

    @property
    def meaning(self) -> Meaning:
        """What the written angles were taken for."""
        return self.naming.meaning or Meaning(self.tree)

    @cached_property
    def regrouped(self) -> tuple[Screw, ...] | None:
        """The screw form with mass moved along the joint axes; constants that vanish are zero."""
        if self.screws is None:
            return None
        return _canonical(regrouped(slid_leaves(self.screws)), Constants(self.graph))

    @cached_property
    def turned(self) -> tuple[Screw, ...] | None:
        """The regrouped robot with the frames of its outermost links turned so that a first moment vanishes."""
        if self.regrouped is None:
            return None
        return _canonical(turned_leaves(self.regrouped), Constants(self.graph))

    @cached_property
    def screw_tree(self) -> Tree:
        """The robot in screw form as a tree, for the textbook algorithms; the plain tree if it has none."""
        return self.tree if self.screws is None else tree_of(self.tree, self.screws)

    @cached_property
    def light_tree(self) -> Tree:
        """The regrouped robot as a tree: the same joint torques from fewer constants."""
        return self.tree if self.regrouped is None else tree_of(self.tree, self.regrouped)

    def symbols(self, argument: str) -> list[Node]:
        """Return the symbols of an argument such as q, qd or tau."""
        known = ARGUMENTS[argument]
        return [self.graph.symbol(f"{argument}{k + 1}", known.stage) for k in range(known.width(self.tree))]

    @cached_property
    def angle_sums(self) -> list[Node]:
        """Sines and cosines of sums over consecutive parallel revolute joints that cost no operations.

        Those of an angle that a loop determines do: they are fractions of the loop's lengths.
        """
        positions = self.screw_tree.at(self.symbols("q")).positions
        runs: list[list[Lag]] = []
        for body, q in zip(self.screws or (), positions, strict=False):
            inherited = [] if body.parent < 0 or not body.parallel else runs[body.parent]
            through = [(run if body.parallel > 0 else run.flipped()).plus(body.phi) for run in inherited]
            if body.turns:
                through = [run.plus(body.theta).plus(q[0]) for run in [Lag(), *through]]
            runs.append(through)
        turns = [run.turn for through in runs for run in through]
        found = dict.fromkeys(x for turn in turns for x in (turn.c, turn.s) if isinstance(x, Node))
        return [x for x in found if not any(line.counted for line in lower([x]).lines)]

    @cached_property
    def spheres(self) -> list[list[str]]:
        """Names of the quaternions' symbols of free joints."""
        return [[f"q{k + 1}" for k in range(start, start + 4)] for start in self.tree.quaternions]


FORMS = NUMBERS, FORMULAS = "numbers", "formulas"
"""Names of the two screw forms of a robot whose numbers are written into the code."""

ONE_NAMING = (NUMBERS,)
"""The form of functions whose programs are put together: equal constants of both have one name."""

FEW_JOINTS = 12
"""Joints up to which the second one is made: it takes as long as the first."""

MOMENTS = ("m", "hx", "hy", "hz", "Jxx", "Jxy", "Jyy", "Jxz", "Jyz", "Jzz")
"""Names of a link's moments in screw form."""


def derived_robot(
    tree: Tree, mode: str, snap: float | None = SNAP, keep: Collection[str] = (), load: str | None = None
) -> DerivedRobot:
    """Return the robot with its numbers named for a derivation.

    Args:
        tree: the robot.
        mode: how parameters are treated, see :mod:`taut.derive.naming.parameters`.
        snap: what written angles mean, see :func:`taut.robot.meaning.decided`.
        keep: names of the parameters that stay symbols in mode ``numeric``.
        load: the frame that holds a load of ten symbols.
    """
    graph = Graph()
    naming = Naming(graph, snap=snap)
    written, tree = tree, prepared(tree, mode, naming, keep)
    if load is not None:
        tree = with_load_symbols(tree, naming, load)
    constants = Constants(graph)
    screws = _screws(tree, constants, naming)
    if mode == "base" and screws is not None:
        screws = _base_constants(_canonical(regrouped(screws), constants), naming)
    named = _named_tree(tree, naming)
    general = None
    alone = not (keep or load or tree.tied or tree.coupling) and len(tree.joints) <= FEW_JOINTS
    if mode == "numeric" and alone:
        free = derived_robot(written, "pattern", snap)
        general = free.screws and renamed(free.screws, free.gravity, free.naming, naming)
    return DerivedRobot(graph, named, screws, named.gravity_acceleration, naming, general or None)


def _screws(tree: Tree, constants: Constants, naming: Naming) -> tuple[Screw, ...] | None:
    """Return the bodies in screw form with every float named, None where they have none."""
    try:
        bodies = screw_form(tree, constants.is_zero)
    except UnsupportedError:
        return None
    kept = _without_rounding(tree, bodies, naming)
    return _canonical([_named(body, i + 1, naming) for i, body in enumerate(kept)], constants)


def stated_robot(tree: Tree, snap: float | None = SNAP) -> Tree:
    """Return the robot whose equations a numeric derivation states: right angles and zeros are what the file means.

    Code of a file with 1.5707963 is exact for this robot; the file's own differs from it by the snapping.
    """
    model = derived_robot(tree, "numeric", snap)
    axes = (joint.motion for joint in model.meaning.tree.joints)
    joints = (replace(joint, motion=motion) for joint, motion in zip(model.tree.joints, axes, strict=True))
    stated = replace(model.tree, joints=tuple(joints))
    known = {name: model.naming.values[name] for name in symbols(stated)}
    return numeric(with_values(stated, known))


def _without_rounding(tree: Tree, bodies: Sequence[Screw], naming: Naming) -> Sequence[Screw]:
    """Return bodies with zeros for the numbers that have no effect on any torque."""
    known = MappingProxyType({name: Value(value) for name, value in naming.values.items()})
    valued = replace(tree, values=known)

    def with_numbers(numbers: Numbers) -> list[Screw]:
        return [
            replace(body, moments=PseudoInertia.from_moments(tuple(row[:10])), r=row[10], a=row[11], d=row[12])
            for body, row in zip(bodies, numbers, strict=True)
        ]

    numbers = [[*body.moments.moments, body.r, body.a, body.d] for body in bodies]
    sizes = largest_of_each(numbers, (*"mhhhJJJJJJ", *"lll"))
    return with_numbers(without_negligible(numbers, sizes, lambda x: on_file_digits(tree_of(valued, with_numbers(x)))))


def _named(body: Screw, number: int, naming: Naming) -> Screw:
    """Return a body with its floats named after its number."""
    return replace(
        body,
        moments=PseudoInertia.from_moments(
            tuple(naming.inertial(x, f"{name}{number}") for name, x in zip(MOMENTS, body.moments.moments, strict=True))
        ),
        drive=_named_drive(body.drive, number, naming),
        phi=naming.angle(body.phi, f"phi{number}"),
        r=naming.length(body.r, f"r{number}"),
        a=naming.length(body.a, f"a{number}"),
        alpha=naming.angle(body.alpha, f"alpha{number}"),
        theta=naming.angle(body.theta, f"theta{number}"),
        d=naming.length(body.d, f"d{number}"),
    )


def _base_constants(bodies: Sequence[Screw], naming: Naming) -> tuple[Screw, ...]:
    """Return bodies whose regrouped moments are symbols of their own; each has the formula it stands for."""

    def own(body: Screw, number: int) -> Screw:
        moments = [
            x if is_exactly(x, 0) else naming.standing_for(x, f"{name}{number}")
            for name, x in zip(MOMENTS, body.moments.moments, strict=True)
        ]
        return replace(body, moments=PseudoInertia.from_moments(tuple(moments)))

    return tuple(own(body, i + 1) for i, body in enumerate(bodies))


def _named_drive(drive: Drive, number: int, naming: Naming) -> Drive:
    unused = {"gear_ratio"} | ({"stribeck_speed"} if is_exactly(drive.stribeck, 0) else set())
    names = [f.name for f in fields(Drive) if f.name not in unused]
    return replace(drive, **{n: naming.drive(getattr(drive, n), drive_name(n, number), n) for n in names})


def _named_tree(tree: Tree, naming: Naming) -> Tree:
    """Return the tree with every float named; numbers the screw form named already keep their names."""

    def visit(place: Place, x: Scalar) -> Scalar:
        if place.converts:
            return x
        if place.kind == "angle":
            return naming.angle(x, place.symbol)
        if place.kind == "inertial":
            return naming.inertial(x, place.symbol)
        if place.kind == "drive":
            return naming.drive(x, place.symbol, place.field)
        return place.sign * naming.length(place.sign * x, place.symbol, naming.smallest)

    named = each_number(tree, visit)
    joints = (replace(j, motion=_with_unit_axis(j.motion, i + 1, naming)) for i, j in enumerate(named.joints))
    return replace(named, joints=tuple(joints))


def _with_unit_axis(motion: JointMotion, number: int, naming: Naming) -> JointMotion:
    """Return a joint's motion with an axis whose squares add up to one in exact arithmetic, as two named angles."""
    if not isinstance(motion, SingleAxis) or any(isinstance(x, Node) for x in motion.axis):
        return motion
    x, y, z = (float(component) for component in motion.axis)
    if sum(component != 0 for component in (x, y, z)) == 1:
        return motion
    azimuth = naming.angle(math.atan2(y, x), f"azimuth{number}")
    polar = naming.angle(math.atan2(math.hypot(x, y), z), f"polar{number}")
    axis = Vec3(cos(azimuth) * sin(polar), sin(azimuth) * sin(polar), cos(polar))
    return replace(motion, axis=axis)


def _canonical(bodies: Sequence[Screw], constants: Constants) -> tuple[Screw, ...]:
    def tidy(body: Screw) -> Screw:
        moments = PseudoInertia.from_moments(tuple(constants.canonical(x) for x in body.moments.moments))
        lengths = {name: constants.canonical(getattr(body, name)) for name in ("r", "a", "d")}
        return replace(body, moments=moments, **lengths)

    return tuple(tidy(body) for body in bodies)


def tree_of(tree: Tree, bodies: Sequence[Screw]) -> Tree:
    """Return a tree with the given bodies, and the names, mimics and couplings of ``tree``."""
    joints = []
    for joint, body in zip(tree.joints, bodies, strict=True):
        link = replace(joint.link, inertia=body.moments.inertia)
        joints.append(replace(joint, placement=_placement(body), motion=body.motion, link=link, drive=body.drive))
    places = tuple(Frame(frame.name, frame.body) for frame in tree.frames)
    loops = tree.loops
    if loops and loops.skeleton is None:
        loops = replace(loops, skeleton=replace(tree, loops=Loops()))
    return replace(tree, joints=tuple(joints), base=Placement(), frames=places, loops=loops)


def _placement(body: Screw) -> Placement:
    turns: list[tuple[int, Scalar]] = [(2, body.phi), (0, body.alpha), (2, body.theta)]
    return Placement(body.rest_pose.p, tuple(turn for turn in turns if not is_exactly(turn[1], 0)))
