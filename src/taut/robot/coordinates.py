"""From the independent coordinates of a robot to all of its joints, and back.

.. math:: q_j = f(q), \\quad \\dot q_j = G \\dot q, \\quad \\ddot q_j = G \\ddot q + \\dot G \\dot q, \\quad
    \\tau = G^T \\tau_j

where j stands for all joints. A mimicking joint follows its leader at a constant ratio: G is constant and its
derivative zero. Values of joints are lists, one per joint.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from taut.spatial import Scalar

if TYPE_CHECKING:
    from taut.robot.tree import Tree

Parts = list[list[Scalar]]
"""One list per joint."""

PerJoint = Sequence[Sequence[Scalar]]
"""Positions, rates, accelerations or forces of the joints, one list per joint."""


@dataclass(frozen=True, eq=False)
class Spread:
    """The joints of a robot at a position of its independent coordinates.

    Attributes:
        tree: the robot.
        q: its independent coordinates; None where only rates and torques are asked for, which is enough as long as
            G is constant.
    """

    tree: Tree
    q: Sequence[Scalar] | None = None

    @cached_property
    def positions(self) -> Parts:
        """The position of every joint."""
        assert self.q is not None, "positions need q"
        parts = self._split(self.q, "nq")
        for mimic in self.tree.mimics:
            parts[mimic.joint] = [mimic.multiplier * parts[mimic.leader][0] + mimic.offset]
        return parts

    def rates(self, qd: Sequence[Scalar]) -> Parts:
        """Return G qd: the rate of every joint."""
        parts = self._split(qd, "nv")
        for mimic in self.tree.mimics:
            parts[mimic.joint] = [mimic.multiplier * parts[mimic.leader][0]]
        return parts

    def accelerations(self, qd: Sequence[Scalar], qdd: Sequence[Scalar]) -> Parts:
        """Return G qdd + dG/dt qd: the acceleration of every joint."""
        return self.rates(qdd)  # the ratios of mimicking joints are constant

    def gather(self, torques: Sequence[Sequence[Scalar]]) -> list[Scalar]:
        """Return G^T tau_j: a mimicking joint's torque acts on its leader."""
        parts = [list(part) for part in torques]
        for mimic in self.tree.mimics:
            [leader], [follower] = parts[mimic.leader], parts[mimic.joint]
            parts[mimic.leader] = [leader + mimic.multiplier * follower]
        return [x for i in self.tree.independent for x in parts[i]]

    def reduced(self, full: list[list[Scalar]]) -> list[list[Scalar]]:
        """Return G^T A G of a matrix over all joints."""
        if not self.tree.mimics:
            return full
        return _transposed(self.reduced_rows(_transposed(self.reduced_rows(full))))

    def reduced_rows(self, rows: list[Any]) -> list[Any]:
        """Return G^T A, for rows of scalars or of matrices."""
        if not self.tree.mimics:
            return rows
        left, parts = iter(rows), []
        for joint in self.tree.joints:
            parts.append([_Row(next(left)) for _ in range(joint.motion.nv)])
        return [row.entries for row in self.gather(parts)]

    def _split(self, x: Sequence[Scalar], size: str) -> Parts:
        parts: Parts = [[] for _ in self.tree.joints]
        start = 0
        for i in self.tree.independent:
            stop = start + getattr(self.tree.joints[i].motion, size)
            parts[i] = list(x[start:stop])
            start = stop
        return parts


class _Row:
    """Nested lists of scalars that add and scale entry by entry."""

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
