"""The robot of one derivation: its numbers in one graph, in the form each algorithm wants.

``tree`` is the robot as the file has it, for kinematics and energies. ``screws`` is the same robot
in screw form, and ``regrouped`` has the same joint torques with as few constants as can be, for
everything that lives in joint space. Where a robot has no screw form, ``screws`` is None and the
textbook algorithms serve.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property

from taut.algorithms.second_moments import Lag
from taut.derive.constants import Constants
from taut.derive.parameters import SNAP, Naming, default_mode, prepared
from taut.errors import UnsupportedError
from taut.graph import Graph, Node, Stage
from taut.robot import Drive, Frame, Placement, Tree
from taut.robot.edit import numeric, symbols, with_values
from taut.robot.motion import Free, Prismatic, Revolute
from taut.robot.regroup import regrouped, slid_leaves, turned_leaves
from taut.robot.screws import Screw, screw_form
from taut.spatial import PseudoInertia, Scalar, Vec3, is_exactly


@dataclass(frozen=True)
class DerivedRobot:
    """A robot whose numbers are nodes of one graph.

    Attributes:
        graph: the graph.
        tree: the robot as the file has it.
        screws: the same in screw form, None if it has none.
        gravity: in the frame the first joints are placed in.
        naming: names, values and notes.
    """

    graph: Graph
    tree: Tree
    screws: tuple[Screw, ...] | None
    gravity: Vec3
    naming: Naming

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
        """Return the symbols of q, qd, qdd, tau or load."""
        stage, width = ARGUMENTS[argument]
        count = width if isinstance(width, int) else getattr(self.tree, width)
        return [self.graph.symbol(f"{argument}{k + 1}", stage) for k in range(count)]

    @cached_property
    def angle_sums(self) -> list[Node]:
        """Sines and cosines of sums over consecutive parallel revolute joints: they cost no operations."""
        positions = self.screw_tree.positions(self.symbols("q"))
        runs: list[list[Lag]] = []
        for body, q in zip(self.screws or (), positions, strict=False):
            inherited = [] if body.parent < 0 or not body.parallel else runs[body.parent]
            through = [(run if body.parallel > 0 else run.flipped()).plus(body.phi) for run in inherited]
            if body.kind == "revolute":
                through = [run.plus(body.theta).plus(q[0]) for run in [Lag(), *through]]
            runs.append(through)
        turns = [run.turn for through in runs for run in through]
        return list(dict.fromkeys(x for turn in turns for x in (turn.c, turn.s) if isinstance(x, Node)))

    @cached_property
    def spheres(self) -> list[list[str]]:
        """Names of the quaternions' symbols of free joints."""
        groups, at = [], 0
        for i in self.tree.independent:
            motion = self.tree.joints[i].motion
            if motion.kind == "free":
                groups.append([f"q{k + 1}" for k in range(at + 3, at + 7)])
            at += motion.nq
        return groups


ARGUMENTS: dict[str, tuple[Stage, str | int]] = {
    "q": (Stage.CONFIGURATION, "nq"),
    "qd": (Stage.VELOCITY, "nv"),
    "qdd": (Stage.ACCELERATION, "nv"),
    "tau": (Stage.APPLIED, "nv"),
    "load": (Stage.CONFIGURATION, 10),
}
"""Stage and width of every argument a function can have."""


MOMENTS = ("m", "hx", "hy", "hz", "Jxx", "Jxy", "Jyy", "Jxz", "Jyz", "Jzz")
"""Names of a link's moments in screw form."""


def derived_robot(tree: Tree, mode: str, snap: float) -> DerivedRobot:
    """Return the robot with its numbers named for a derivation."""
    graph = Graph()
    naming = Naming(graph, shared=mode != "pattern", snap=snap)
    tree = prepared(tree, default_mode(tree) if mode == "base" else mode, naming)
    constants = Constants(graph)
    try:
        bodies = screw_form(tree, constants.is_zero)
    except UnsupportedError:
        screws = None
    else:
        screws = tuple(_named(body, i + 1, naming) for i, body in enumerate(bodies))
        screws = _canonical(screws, constants)
        if mode == "base":
            screws = _base_constants(_canonical(regrouped(screws), constants), naming)
    named = _named_tree(tree, naming)
    return DerivedRobot(graph, named, screws, named.gravity_acceleration, naming)


def stated_robot(tree: Tree, snap: float = SNAP) -> Tree:
    """Return the robot whose equations a numeric derivation states: right angles and zeros are what the file means.

    Code of a file that says 1.5707963 is exact for this robot; the file's own differs from it by the snapping.
    """
    model = derived_robot(tree, "numeric", snap)
    known = {name: model.naming.values[name] for name in symbols(model.tree)}
    return numeric(with_values(model.tree, known))


def _named(body: Screw, number: int, naming: Naming) -> Screw:
    """Return a body with its floats named after its number."""
    moments = body.moments.moments
    size = max((abs(x) for x in moments if not isinstance(x, Node)), default=0.0)
    return replace(
        body,
        moments=PseudoInertia.from_moments(
            tuple(naming.inertial(x, f"{name}{number}", size) for name, x in zip(MOMENTS, moments, strict=True))
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
    """Return bodies whose regrouped moments are symbols of their own; each knows the formula it stands for."""

    def own(body: Screw, number: int) -> Screw:
        moments = [
            x if is_exactly(x, 0) else naming.standing_for(x, f"{name}{number}")
            for name, x in zip(MOMENTS, body.moments.moments, strict=True)
        ]
        return replace(body, moments=PseudoInertia.from_moments(tuple(moments)))

    return tuple(own(body, i + 1) for i, body in enumerate(bodies))


def _named_drive(drive: Drive, number: int, naming: Naming) -> Drive:
    return Drive(**{f.name: naming.inertial(getattr(drive, f.name), f"{f.name}{number}") for f in fields(Drive)})


def _named_tree(tree: Tree, naming: Naming) -> Tree:
    """Return the tree with every float named; numbers the screw form named already keep their names."""
    return tree.map(
        lambda x: naming.length(x, "length"),
        angle=lambda x: naming.angle(x, "angle"),
        inertial=lambda x: naming.inertial(x, "inertia"),
        drive=lambda x: naming.inertial(x, "drive"),
    )


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
        motion: Free | Revolute | Prismatic = Free()
        if body.kind != "free":
            motion = Revolute() if body.kind == "revolute" else Prismatic()
        link = replace(joint.link, inertia=body.moments.inertia)
        joints.append(replace(joint, placement=_placement(body), motion=motion, link=link, drive=body.drive))
    places = tuple(Frame(frame.name, frame.body) for frame in tree.frames)
    return replace(tree, joints=tuple(joints), base=Placement(), frames=places)


def _placement(body: Screw) -> Placement:
    turns: list[tuple[int, Scalar]] = [(2, body.phi), (0, body.alpha), (2, body.theta)]
    return Placement(body.rest_pose.p, tuple(turn for turn in turns if not is_exactly(turn[1], 0)))
