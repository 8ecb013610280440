"""Closures: what makes loops of a tree of joints.

A robot with loops is a tree and closures. A closure holds a frame on one body and a frame on another body, or on the
base, together; its kind decides which of the six relative motions it stops, named by the axes of the second frame. A
rate row is a linear condition on joint rates alone, A(q) qd = 0, as a wheel that rolls without slipping has.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from taut.robot.law import Law
from taut.robot.placement import Placement
from taut.spatial import Scalar

if TYPE_CHECKING:
    from taut.robot.tree import Tree

STOPPED: dict[str, tuple[str, str]] = {
    "pin": ("xyz", "xy"),
    "ball": ("xyz", ""),
    "slide": ("xy", "xyz"),
    "cylinder": ("xy", "xy"),
    "weld": ("xyz", "xyz"),
    "plane": ("z", "xy"),
    "point_on_line": ("xy", ""),
    "point_on_plane": ("z", ""),
}
"""{kind: (axes along which a closure stops sliding, axes about which it stops turning)}, of the second frame."""


@dataclass(frozen=True)
class Closure:
    """A frame on ``body`` held to a frame on ``other``; -1 is the base.

    Attributes:
        name: of the closure.
        kind: one of :data:`STOPPED`: ``pin`` lets the z axes turn about each other, ``slide`` lets one slide along z.
        body: that carries the first frame.
        other: that carries the second frame.
        placement: the first frame in its body.
        other_placement: the second frame in its body.
        active: whether it holds; a foot that is off the ground does not.
    """

    name: str
    kind: str
    body: int
    other: int
    placement: Placement = field(default_factory=Placement)
    other_placement: Placement = field(default_factory=Placement)
    active: bool = True

    @property
    def rows(self) -> int:
        """How many conditions it is."""
        return sum(map(len, STOPPED[self.kind]))

    @property
    def slides(self) -> int:
        """How many of them, the first ones, stop sliding; the others stop turning."""
        return len(STOPPED[self.kind][0])


@dataclass(frozen=True)
class RateRow:
    """A condition on rates: the sum of coefficient times rate over single-axis joints is zero.

    Attributes:
        name: of the row.
        terms: (joint, coefficient); a coefficient is a law of the positions of joints, by the joints' names.
        active: whether it holds.
    """

    name: str
    terms: tuple[tuple[int, Law], ...]
    active: bool = True


@dataclass(frozen=True)
class Dyad:
    """Two joints whose positions follow from those of the other joints of a planar loop, see :mod:`taut.robot.dyads`.

    Attributes:
        closure: which one of the loops.
        joints: the two joints, in the order of the tree.
        branch: signs of the root at both joints; of a joint that slides and one that turns, of the way.
    """

    closure: int
    joints: tuple[int, int]
    branch: tuple[int, ...] = (1, 1)

    def moved(self, by: int) -> Dyad:
        """Return the dyad of a tree with ``by`` joints put before all others."""
        a, b = self.joints
        return replace(self, joints=(a + by, b + by))


@dataclass(frozen=True)
class Loops:
    """What closes loops of a tree.

    Attributes:
        closures: frames held together.
        rate_rows: conditions on rates alone.
        start: (joint, position) near which the robot is put together; other joints start at their neutral position.
        wanted: joints whose rates are to be the independent ones, in order of preference; none is a free choice.
        actuated: joints with a motor; empty where the description names none.
        pivots: (condition, rate) of every elimination that gives a dependent rate, see
            :mod:`taut.robot.dependent_rates`; None before they are chosen.
        held: (joint, which of its rates) that are held at zero: spins of rods that nothing else shares.
        solved: closures that hold by the whole ratios of :mod:`taut.robot.linear_loops`.
        followers: joints that follow others by these ratios.
        dyads: pairs of joints whose positions follow in closed form and are not in q, in the order of their solution.
        skeleton: the tree whose frames the closures are given in, where the robot's own frames were moved.
    """

    closures: tuple[Closure, ...] = ()
    rate_rows: tuple[RateRow, ...] = ()
    start: tuple[tuple[int, tuple[float, ...]], ...] = ()
    wanted: tuple[int, ...] = ()
    actuated: tuple[int, ...] = ()
    pivots: tuple[tuple[int, int], ...] | None = None
    held: tuple[tuple[int, int], ...] = ()
    solved: tuple[Closure, ...] = ()
    followers: tuple[int, ...] = ()
    dyads: tuple[Dyad, ...] = ()
    skeleton: Tree | None = None

    def __bool__(self) -> bool:
        return bool(self.closures or self.rate_rows)

    def map(self, number: Callable[[Scalar], Scalar], angle: Callable[[Scalar], Scalar]) -> Loops:
        """Return the loops with every number replaced."""

        def mapped(c: Closure) -> Closure:
            first, second = (place.map(number, angle) for place in (c.placement, c.other_placement))
            return replace(c, placement=first, other_placement=second)

        return replace(
            self,
            closures=tuple(map(mapped, self.closures)),
            solved=tuple(map(mapped, self.solved)),
            rate_rows=tuple(
                replace(row, terms=tuple((i, law.map(number)) for i, law in row.terms)) for row in self.rate_rows
            ),
            skeleton=None if self.skeleton is None else self.skeleton.map(number, angle=angle),
        )

    def moved(self, by: int) -> Loops:
        """Return the loops of a tree with ``by`` joints put before all others."""

        def carried(c: Closure) -> Closure:
            return replace(c, body=c.body + by, other=c.other + by)

        return Loops(
            tuple(map(carried, self.closures)),
            tuple(replace(row, terms=tuple((i + by, law) for i, law in row.terms)) for row in self.rate_rows),
            tuple((i + by, q) for i, q in self.start),
            tuple(i + by for i in self.wanted),
            tuple(i + by for i in self.actuated),
            solved=tuple(map(carried, self.solved)),
            followers=tuple(i + by for i in self.followers),
            dyads=tuple(dyad.moved(by) for dyad in self.dyads),
        )


@dataclass(frozen=True)
class DescribedClosure:
    """A closure as a description file states it, by link names."""

    name: str
    kind: str
    link: str
    other: str
    placement: Placement = field(default_factory=Placement)
    other_placement: Placement = field(default_factory=Placement)
    active: bool = True


@dataclass(frozen=True)
class DescribedGear:
    """A joint that follows others: q = offset + sum of ratio times q_leader; or by a law of one, as of a cam."""

    joint: str
    terms: tuple[tuple[str, Scalar], ...]
    offset: Scalar = 0.0
    law: Law | None = None


@dataclass(frozen=True)
class DescribedRateRow:
    """A condition on rates by joint names."""

    name: str
    terms: tuple[tuple[str, Law], ...]
    active: bool = True


@dataclass(frozen=True)
class DescribedLoops:
    """Loops as a description file states them, by the names of links and joints; see :class:`Loops`."""

    closures: tuple[DescribedClosure, ...] = ()
    gears: tuple[DescribedGear, ...] = ()
    rate_rows: tuple[DescribedRateRow, ...] = ()
    start: tuple[tuple[str, tuple[float, ...]], ...] = ()
    wanted: tuple[str, ...] = ()
    actuated: tuple[str, ...] = ()
