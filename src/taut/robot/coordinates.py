"""From the independent coordinates of a robot to all of its joints, and back.

.. math:: q_j = f(q), \\quad \\dot q_j = G \\dot q, \\quad \\ddot q_j = G \\ddot q + \\dot G \\dot q, \\quad
    \\tau = G^T \\tau_j

where j stands for all joints. Two things tie joints together, and this is the one place that handles them. A
mimicking joint follows others, at constant ratios or by the law of a cam: it has no coordinate of its own. Closures
and rolling make rates depend on each other: q has the positions of all joints that follow none, and qd their
independent rates; joints of loops with a closed form (:mod:`taut.robot.dyads`) are left out of q, too. Values of joints
are lists, one per joint.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from taut.errors import InputError
from taut.robot import dyads
from taut.robot.elimination import Elimination
from taut.robot.loop_rows import Conditions
from taut.spatial import Scalar, is_exactly

if TYPE_CHECKING:
    from taut.robot.parts import Mimic
    from taut.robot.tree import Tree

Parts = list[list[Scalar]]
"""One list per joint."""

PerJoint = Sequence[Sequence[Scalar]]
"""Positions, rates, accelerations or forces of the joints, one list per joint."""


@dataclass(frozen=True, eq=False)
class Spread:
    """The joints of a robot at a position of its coordinates.

    Attributes:
        tree: the robot.
        q: its coordinates; None where only rates and torques are asked for, which is enough as long as G is constant.
    """

    tree: Tree
    q: Sequence[Scalar] | None = None

    @cached_property
    def positions(self) -> Parts:
        """The position of every joint."""
        loops, parts = self.tree.loops, self._split(self._given, "nq", self.tree.placed)
        waiting = _placed(self.tree.mimics, parts)
        for dyad in loops.dyads:
            for i, position in dyads.positions(dyad, loops.skeleton or self.tree, loops.closures, parts).items():
                parts[i] = [position]
            waiting = _placed(waiting, parts)
        return parts

    def rates(self, qd: Sequence[Scalar]) -> Parts:
        """Return G qd: the rate of every joint."""
        return self._followed(self._split(self._widened(qd), "nv", self.tree.own))

    def accelerations(
        self, qd: Sequence[Scalar], qdd: Sequence[Scalar], moving: Sequence[Scalar] | None = None
    ) -> Parts:
        """Return G qdd + dG/dt qd: the acceleration of every joint; G changes with the rates ``moving``, or qd."""
        parts = self.rates(qdd)
        return _summed(parts, self.ratio_rate(qd if moving is None else moving, qd)) if self.bends else parts

    def gather(self, torques: Sequence[Sequence[Scalar]]) -> list[Scalar]:
        """Return G^T tau_j: the torque of a joint that follows others acts on them."""
        parts = [list(part) for part in torques]
        for mimic, ratio in zip(self.tree.mimics, self._ratios, strict=True):
            [leader], [follower] = parts[mimic.leader], parts[mimic.joint]
            parts[mimic.leader] = [leader + ratio * follower]
        own = [x for i in self.tree.own for x in parts[i]]
        if not self.tree.loops:
            return own
        found = [own[k] for k in self.closing.independent]
        for c, ratios in self.closing.ratios.items():
            found = [x if is_exactly(r, 0) else x + r * own[c] for x, r in zip(found, ratios, strict=True)]
        return found

    def reduced(self, full: list[list[Scalar]]) -> list[list[Scalar]]:
        """Return G^T A G of a matrix over all joints."""
        if not self.tree.tied:
            return full
        return _transposed(self.reduced_rows(_transposed(self.reduced_rows(full))))

    def reduced_rows(self, rows: list[Any]) -> list[Any]:
        """Return G^T A, for rows of scalars or of matrices."""
        if not self.tree.tied:
            return rows
        left, parts = iter(rows), []
        for joint in self.tree.joints:
            parts.append([_Row(next(left)) for _ in range(joint.motion.nv)])
        return [row.entries for row in self.gather(parts)]

    # -- ratios that change with q ------------------------------------------------

    @property
    def bends(self) -> bool:
        """Whether G depends on q."""
        return bool(self.tree.loops) or any(mimic.law is not None for mimic in self.tree.mimics)

    def ratio_rate(self, a: Sequence[Scalar], b: Sequence[Scalar]) -> Parts:
        """Return dG/dt b where the robot moves at the rates a; one list a joint."""
        A, B = self.rates(a), self.rates(b)
        curved: list[Scalar] = [0] * len(self.tree.joints)
        for mimic in self.tree.mimics:
            if mimic.law is not None:
                x = A[mimic.leader][0] * B[mimic.leader][0]
                curved[mimic.joint] = mimic.curvature(self.positions[mimic.leader][0]) * x
        own: list[Scalar] = [0] * sum(self.tree.joints[i].motion.nv for i in self.tree.own)
        if self.tree.loops:
            drift = self.conditions.drift(A, B)
            right = [-x - _inner(row, curved) for x, row in zip(drift, self.conditions.rows, strict=True)]
            for c, x in self.closing.solve(right).items():
                own[c] = x
        parts = self._followed(self._split(own, "nv", self.tree.own))
        return [[p[0] + c] if len(p) == 1 and not is_exactly(c, 0) else p for p, c in zip(parts, curved, strict=True)]

    # -- closures -------------------------------------------------------------------

    @cached_property
    def conditions(self) -> Conditions:
        """The conditions of the closures."""
        return Conditions(self.tree, self.positions)

    @cached_property
    def own_rows(self) -> list[list[Scalar]]:
        """The closures' J over the rates of the joints that follow none, one after the other."""
        starts, width = {}, 0
        for i in self.tree.own:
            starts[i] = width
            width += self.tree.joints[i].motion.nv
        dense = []
        for row in self.conditions.rows:
            entries: list[Scalar] = [0] * width
            for (i, k), x in row.items():
                if i in starts:
                    entries[starts[i] + k] = entries[starts[i] + k] + x
            for mimic, ratio in zip(self.tree.mimics, self._ratios, strict=True):
                if (mimic.joint, 0) in row:
                    at = starts[mimic.leader]
                    entries[at] = entries[at] + ratio * row[mimic.joint, 0]
            dense.append(entries)
        return dense

    @cached_property
    def closing(self) -> Elimination:
        """The closures solved for the dependent rates."""
        loops = self.tree.settled_loops
        assert loops.pivots is not None
        width = sum(self.tree.joints[i].motion.nv for i in self.tree.own)
        return Elimination(self.own_rows, loops.pivots, width)

    # -- parts ------------------------------------------------------------------------

    @property
    def _given(self) -> Sequence[Scalar]:
        if self.q is None:
            raise InputError(
                f"the ratios between the joint rates of '{self.tree.name}' change with its position",
                advice="ask for joint_torque, which takes the position",
            )
        return self.q

    @cached_property
    def _ratios(self) -> list[Scalar]:
        """The ratio of every mimicking joint."""
        return [
            mimic.multiplier if mimic.law is None else mimic.ratio(self.positions[mimic.leader][0])
            for mimic in self.tree.mimics
        ]

    def _widened(self, x: Sequence[Scalar]) -> Sequence[Scalar]:
        """Return the rates of all joints that follow none."""
        if not self.tree.loops:
            return x
        own: list[Scalar] = [0] * (len(self.closing.independent) + len(self.closing.dependent))
        for k, value in zip(self.closing.independent, x, strict=True):
            own[k] = value
        for c, ratios in self.closing.ratios.items():
            terms = [r * value for r, value in zip(ratios, x, strict=True) if not is_exactly(r, 0)]
            own[c] = sum(terms[1:], terms[0]) if terms else 0
        return own

    def _followed(self, parts: Parts) -> Parts:
        for mimic, ratio in zip(self.tree.mimics, self._ratios, strict=True):
            part = ratio * parts[mimic.leader][0]
            parts[mimic.joint] = [parts[mimic.joint][0] + part] if parts[mimic.joint] else [part]
        return parts

    def _split(self, x: Sequence[Scalar], size: str, joints: Sequence[int]) -> Parts:
        parts: Parts = [[] for _ in self.tree.joints]
        start = 0
        for i in joints:
            stop = start + getattr(self.tree.joints[i].motion, size)
            parts[i] = list(x[start:stop])
            start = stop
        return parts


def _placed(mimics: Sequence[Mimic], parts: Parts) -> list[Mimic]:
    """Give followers their positions, or their part of it; return those whose leader has none yet."""
    waiting = []
    for mimic in mimics:
        if not parts[mimic.leader]:
            waiting.append(mimic)
            continue
        part = mimic.position(parts[mimic.leader][0])
        parts[mimic.joint] = [parts[mimic.joint][0] + part] if parts[mimic.joint] else [part]
    return waiting


def _inner(row: dict[tuple[int, int], Scalar], x: Sequence[Scalar]) -> Scalar:
    total: Scalar = 0
    for (i, _), coefficient in row.items():
        if not is_exactly(x[i], 0):
            total = total + coefficient * x[i]
    return total


def _summed(a: PerJoint, b: PerJoint) -> Parts:
    return [[x + y for x, y in zip(p, r, strict=True)] for p, r in zip(a, b, strict=True)]


class _Row:
    """Nested lists of scalars that add and scale entry by entry."""

    __array_ufunc__ = None  # arrays leave products with rows to them

    def __init__(self, entries: Any) -> None:
        self.entries = entries

    def __add__(self, other: _Row) -> _Row:
        return _Row(_entrywise(lambda x, y: x + y, self.entries, other.entries))

    def __rmul__(self, factor: Scalar) -> _Row:
        return _Row(_entrywise(lambda x, _: factor * x, self.entries, self.entries))


def _entrywise(operation: Callable[[Any, Any], Any], a: Any, b: Any) -> Any:
    if isinstance(a, list):
        return [_entrywise(operation, x, y) for x, y in zip(a, b, strict=True)]
    return operation(a, b)


def _transposed(rows: Sequence[Sequence[Scalar]]) -> list[list[Scalar]]:
    return [list(column) for column in zip(*rows, strict=True)]
