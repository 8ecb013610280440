"""The robot that a file's digits mean: every written angle decided before anything is computed from it.

Placements and inertias remember the steps they were put together from (:mod:`taut.robot.gathered`), so lengths and
moments are computed again from the decided angles instead of being mended afterwards. Deriving, base parameters,
explicit equations and closed forms all begin here; numeric evaluation keeps the file's digits.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import reduce

from taut.robot.closures import Closure, Loops
from taut.robot.gathered import Gathered
from taut.robot.motion import JointMotion, SingleAxis
from taut.robot.parts import Joint, Mimic
from taut.robot.placement import Placement
from taut.robot.tree import Tree
from taut.robot.written_angle import COARSE, angle_meant, axis_meant, check_snap, nearest, radians, turns_meant
from taut.spatial import Inertia, Scalar, Vec3

UNSEEN = 1e-14
"""Radians; decisions that move an angle by less are rounding and are not reported."""

Turns = Sequence[tuple[int, Scalar]]


@dataclass(frozen=True)
class Meaning:
    """A robot with its angles decided.

    Attributes:
        tree: the robot that is meant.
        taken: (as written, degrees) of every angle that was taken for a multiple of 15 degrees.
        coarse: the same of angles that kept their digits though a multiple is close.
        turned: what the taken angles changed by, added up [rad].
    """

    tree: Tree
    taken: tuple[tuple[str, int], ...] = ()
    coarse: tuple[tuple[str, int], ...] = ()
    turned: float = 0.0

    @property
    def note(self) -> str:
        """What was decided, as a sentence; empty where every angle keeps its digits."""
        if not self.taken:
            return ""
        right = all(degrees % 90 == 0 for _, degrees in self.taken)
        if len(self.taken) == 1:
            return f"1 angle taken for a {'right angle' if right else 'multiple of 15 degrees'} ({_listed(self.taken)})"
        kind = "right angles" if right else "multiples of 15 degrees"
        return f"{len(self.taken)} angles taken for {kind} ({_listed(self.taken)})"

    @property
    def needed(self) -> float:
        """The tolerance that would take every coarse angle for its multiple [rad]."""
        return 2e-3 if any(_distance(text) > 1e-3 for text, _ in self.coarse) else 1e-3

    @property
    def hint(self) -> str:
        """Which angles may be meant for multiples and are not taken for them; empty where none is."""
        if not self.coarse:
            return ""
        count = len(self.coarse)
        return f"{count} angle{'s' if count > 1 else ''} close to multiples of 15 degrees ({_listed(self.coarse)})"


def _distance(text: str) -> float:
    try:
        x = float(text)
    except ValueError:
        return 0.0
    return abs(x - float(radians(nearest(x))))


def _listed(angles: Sequence[tuple[str, int]]) -> str:
    counted = Counter(angles)
    shown = [f"{text} for {degrees}" for text, degrees in list(counted)[:4]]
    return ", ".join(shown) + (f" and {len(counted) - 4} other values" if len(counted) > 4 else "")


def decided(tree: Tree, snap: float | None = None) -> Meaning:
    """Return the robot that a robot's digits mean.

    Args:
        tree: the robot as its file has it.
        snap: radians within which an angle is taken for a multiple of 15 degrees as well; None goes by the digits
            written, 0 keeps every digit.
    """
    check_snap(snap)
    judge = _Judge(snap)
    joints = tuple(judge.joint(joint) for joint in tree.joints)
    meant = replace(
        tree,
        joints=joints,
        frames=tuple(replace(frame, placement=judge.placement(frame.placement)) for frame in tree.frames),
        base=judge.placement(tree.base),
        base_inertia=judge.inertia(tree.base_inertia),
        mimics=tuple(judge.mimic(mimic, tree) for mimic in tree.mimics),
        loops=judge.loops(tree.settled_loops),
    )
    return Meaning(meant, tuple(judge.taken), tuple(judge.coarse), judge.turned)


@dataclass
class _Judge:
    snap: float | None
    taken: list[tuple[str, int]] = field(default_factory=list)
    coarse: list[tuple[str, int]] = field(default_factory=list)
    turned: float = 0.0
    _known: dict[int, tuple[Placement, Placement]] = field(default_factory=dict)

    def joint(self, joint: Joint) -> Joint:
        return replace(
            joint,
            placement=self.placement(joint.placement),
            motion=self.motion(joint.motion),
            link=replace(joint.link, inertia=self.inertia(joint.link.inertia)),
        )

    def placement(self, place: Placement) -> Placement:
        return reduce(Placement.then, (self._step(step) for step in place.steps))

    def _step(self, step: Placement) -> Placement:
        if not step.turns:
            return step
        if id(step) not in self._known:  # a step that several frames and inertias share is reported once
            turns = turns_meant(step.turns, self.snap)
            self._report(step.turns, turns)
            self._known[id(step)] = step, Placement(step.p, turns)
        return self._known[id(step)][1]

    def _report(self, written: Turns, meant: Turns) -> None:
        if [axis for axis, _ in written] != [axis for axis, _ in meant]:
            self.taken.append(("a rotation", round(math.degrees(float(meant[0][1])) if meant else 0)))
            self.turned += _angle_between(written, meant)
            return
        for (_, x), (_, y) in zip(written, meant, strict=True):
            if isinstance(x, float):
                self._compared(x, y)

    def _compared(self, x: float, y: Scalar) -> None:
        multiple = nearest(x)
        apart = abs(x - float(radians(multiple))) if multiple % 24 else abs(math.remainder(x, 2 * math.pi))
        if isinstance(y, float) and x == y:
            if UNSEEN < apart <= COARSE and multiple and self.snap is None:
                self.coarse.append((f"{x:.12g}", 15 * multiple))
        elif apart > UNSEEN:
            self.taken.append((f"{x:.12g}", 15 * multiple))
            self.turned += apart

    def motion(self, motion: JointMotion) -> JointMotion:
        if not isinstance(motion, SingleAxis):
            return motion
        axis = axis_meant(motion.axis, self.snap)
        apart = math.dist([float(x) for x in axis], [float(x) for x in motion.axis])
        if apart > UNSEEN:
            self.turned += apart
            self.taken.append((f"the axis {_components(motion.axis)}", _degrees(axis)))
        return replace(motion, axis=axis)

    def inertia(self, body: Inertia) -> Inertia:
        if not isinstance(body, Gathered):
            return body
        parts = [self.placement(place).transform.inertia_to_parent(piece) for place, piece in body.pieces]
        return reduce(Inertia.__add__, parts)

    def loops(self, loops: Loops) -> Loops:
        def closure(c: Closure) -> Closure:
            return replace(c, placement=self.placement(c.placement), other_placement=self.placement(c.other_placement))

        return replace(loops, closures=tuple(map(closure, loops.closures)))

    def mimic(self, mimic: Mimic, tree: Tree) -> Mimic:
        if not tree.joints[mimic.joint].motion.pure_turn or not isinstance(mimic.offset, float):
            return mimic
        offset = angle_meant(mimic.offset, self.snap)
        self._compared(mimic.offset, offset)
        return replace(mimic, offset=float(offset) if not isinstance(offset, float) else offset)


def _angle_between(written: Turns, meant: Turns) -> float:
    """Return the angle of the rotation between two products of turns, as far as it is small [rad]."""
    rotations = [Placement(turns=tuple(turns)).transform.R.matrix.rows for turns in (written, meant)]
    apart = (float(x) - float(y) for a, b in zip(*rotations, strict=True) for x, y in zip(a, b, strict=True))
    return math.sqrt(sum(x * x for x in apart) / 2)


def _components(axis: Vec3) -> str:
    return " ".join(f"{float(x):.6g}" for x in axis)


def _degrees(axis: Vec3) -> int:
    return round(math.degrees(math.atan2(math.hypot(float(axis.x), float(axis.y)), float(axis.z))))
