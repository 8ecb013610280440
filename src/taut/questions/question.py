"""The record of a question: everything about one function of a robot that the rest of taut reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from taut.algorithms.rotors import spinning
from taut.errors import InputError
from taut.questions.quantity import UNKNOWN, Quantity
from taut.questions.recursions import Compute, Recursions
from taut.robot import Tree
from taut.robot.screws import Screw
from taut.spatial import Scalar

Vector = Sequence[Scalar]
Matrix = list[list[Scalar]]
Shape = Callable[[Tree], tuple[int, ...]]
"""(robot) -> the shape of the answer."""


class Space(Enum):
    """What an answer refers to; it decides which rearrangements of the robot leave the answer as it is."""

    JOINT = "joint"
    """Joint coordinates alone: frames of links may be placed anew and masses regrouped."""
    LINK = "link"
    """Parameters of links: their frames and masses stay as the file has them."""
    WORLD = "world"
    """Places of links or frames in the world: they stay as the file has them."""


@dataclass(frozen=True)
class Method:
    """A published algorithm that computes a question.

    Attributes:
        name: that ``method=`` takes.
        title: for a reader.
        authors: of the algorithm.
        options: keyword arguments that make the question's ``compute`` use it.
    """

    name: str
    title: str
    authors: str
    options: Mapping[str, Callable[..., Any]] = field(default_factory=dict, hash=False)


TEXTBOOK = Method("textbook", "textbook", "taut")
SECOND_MOMENTS = Method("second_moments", "second moments", "taut")


def _every_robot(_: Tree) -> bool:
    return True


def _every_body(_: Sequence[Screw]) -> bool:
    return True


def single_axis(robot: Tree) -> bool:
    """Whether every joint is revolute or prismatic."""
    return all(joint.motion.turns_or_slides for joint in robot.joints)


def symmetric_symbols(robot: Tree) -> bool:
    """Whether every joint is revolute or prismatic and C(q, x) y = C(q, y) x, as conditions on rates alone forbid."""
    return single_axis(robot) and not robot.loops.rate_rows


def free_or_single_axis(robot: Tree) -> bool:
    """Whether every joint is free, revolute or prismatic."""
    return all(joint.motion.turns_or_slides or joint.motion.floats for joint in robot.joints)


@dataclass(frozen=True)
class Way:
    """A way to compute a question by taut's tight recursions.

    Attributes:
        name: part of the method's name that a derived function reports.
        compute: makes the computation from the recursions on one arrangement of the bodies.
        serves: robots for which it is right and can save operations.
        pays: bodies for which it can save operations.
        outward: whether joint axes are carried outward instead of forces inward; such a program gains less from the
            search and is kept only where it is markedly cheaper before.
    """

    name: str
    compute: Callable[[Recursions], Compute]
    serves: Callable[[Tree], bool] = _every_robot
    pays: Callable[[Sequence[Screw]], bool] = _every_body
    outward: bool = False


Parts = Mapping[str, Vector]
"""{question: the entries of its answer, in order}."""


@dataclass(frozen=True)
class Composition:
    """How a question is put together from others that are tightened first.

    Attributes:
        parts: the other questions.
        join: (robot, parts, rates, one vector per argument of the question) -> the answer.
    """

    parts: tuple[str, ...]
    join: Callable[..., Vector]


@dataclass(frozen=True)
class Addition:
    """How a question is another one and a few terms more; the other is derived as a function of its own.

    Attributes:
        part: the other question, with the same arguments.
        terms: (robot, answer of the part, one vector per argument of the question) -> what is added to its answer.
    """

    part: str
    terms: Callable[..., Vector]


@dataclass(frozen=True)
class Question:
    """A function of a robot.

    Attributes:
        name: that users and generated code give it.
        compute: (robot, one vector per argument) -> the answer, on numbers or symbols; its first docstring line
            describes it.
        arguments: names of the table of arguments, in order.
        shape: of the answer.
        result: letter, meaning and unit of the answer.
        space: what the answer refers to.
        on_frame: whether ``compute`` takes ``frame``, the name of a frame.
        on_wrenches: whether ``compute`` takes ``wrenches``, external wrenches on frames.
        drive_numbers: whether it needs friction, offsets or springs of the drives.
        aliases: other names that users may give it.
        methods: published algorithms; the first is what proofs compare with.
        ways: by taut's tight recursions.
        as_printed: whether the published algorithm on regrouped bodies can end cheaper than all ways.
        composition: from other questions, where that can be cheaper.
        addition: the question that it adds a few terms to.
        on_loops: whether it serves robots whose joint ratios change with the position: those with loops or cams.
        parts: the questions that it answers together, one after the other; see :mod:`taut.questions.fusion`.
    """

    name: str
    compute: Compute
    arguments: tuple[str, ...]
    shape: Shape
    result: Quantity = UNKNOWN
    space: Space = Space.WORLD
    on_frame: bool = False
    on_wrenches: bool = False
    drive_numbers: bool = False
    aliases: tuple[str, ...] = ()
    methods: tuple[Method, ...] = (TEXTBOOK,)
    ways: tuple[Way, ...] = ()
    as_printed: bool = False
    composition: Composition | None = None
    addition: Addition | None = None
    on_loops: bool = False
    parts: tuple[Asked, ...] = ()

    def refuse_loops(self, robot: Tree) -> None:
        """Raise an error where a robot has loops or cams and the answer would be wrong for it."""
        if robot.at().bends and not (all(p.question.on_loops for p in self.parts) if self.parts else self.on_loops):
            advice = "functions of closed chains are listed in docs/closed_chains.md"
            raise InputError(f"{self.name} is not known for loops and cams", f"robot '{robot.name}'", advice)

    @property
    def summary(self) -> str:
        """The first line of the definition."""
        return (self.compute.__doc__ or "").partition("\n")[0]

    @property
    def in_joint_space(self) -> bool:
        """Whether frames may be placed anew and masses regrouped."""
        return self.space is Space.JOINT

    def rearranges(self, robot: Tree) -> bool:
        """Return whether frames of a robot may be placed anew: not where axes of spinning rotors stand in them."""
        return self.in_joint_space and not (self.drive_numbers and bool(spinning(robot)))

    def addition_for(self, robot: Tree) -> Addition | None:
        """Return the question that this one adds terms to, where that saves operations.

        Frames must be free to be placed anew for both, and joint ratios that change with the position are multiplied
        once by the sum of all torques, not by each.
        """
        return self.addition if self.rearranges(robot) and not robot.at().bends else None

    @property
    def choices(self) -> tuple[Method, ...]:
        """All that ``method=`` takes besides ``best``."""
        return (SECOND_MOMENTS, *self.methods) if self.ways else self.methods

    def ways_for(self, robot: Tree) -> tuple[Way, ...]:
        """Return the ways that serve a robot."""
        return tuple(way for way in self.ways if way.serves(robot))


@dataclass(frozen=True)
class Asked:
    """A question as a user spells it.

    Attributes:
        question: the record.
        frame: the frame, where one was named.
    """

    question: Question
    frame: str | None = None

    def frame_or(self, other: str | None, place: str) -> str | None:
        """Return the frame of the spelling or another that was given apart; two different ones are refused."""
        if self.frame and other and self.frame != other:
            raise InputError(f"two frames, {self.frame} and {other}", place, "name one")
        return self.frame or other

    @property
    def label(self) -> str:
        """The spelling with the question's own name."""
        return f"{self.question.name}:{self.frame}" if self.frame else self.question.name


def per_joint(robot: Tree) -> tuple[int, ...]:
    """Return the shape of a vector with one entry per rate."""
    return (robot.nv,)


def square(robot: Tree) -> tuple[int, ...]:
    """Return the shape of a matrix over the rates."""
    return (robot.nv, robot.nv)


def of_size(*shape: int) -> Shape:
    """Return a shape that is the same for every robot."""
    return lambda _: shape
