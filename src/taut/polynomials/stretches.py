"""The angles that occur in a formula: of single joints, and sums over runs of parallel joints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from taut.graph import Node

MOST_SUMMED = 3
"""Joints of a run up to which every choice of independent sums is tried; 16 choices for three."""

Sum = tuple[int, int]
"""A stretch of a run of parallel joints, from its first to its last."""


@dataclass(frozen=True)
class Angle:
    """An angle with a name of its own.

    Attributes:
        label: what follows C and S: ``2``, ``23``, ``12m4`` for q1 + q2 - q4.
        node: the angle itself.
        terms: {single angle: 1 or -1}, by number.
    """

    label: str
    node: Node
    terms: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Run:
    """Consecutive joints with parallel axes.

    Attributes:
        joints: (number of the single angle, 1 or -1 for the sense of its axis), base first.
    """

    joints: tuple[tuple[int, int], ...]

    @property
    def sums(self) -> list[Sum]:
        """Every stretch of two joints or more."""
        n = len(self.joints)
        return [(i, j) for i in range(n) for j in range(i + 1, n)]

    def bases(self) -> Iterator[tuple[Sum, ...]]:
        """Yield sets of stretches from which every joint's angle follows by addition, the plain ones first.

        Stretch (i, j) joins the nodes i and j + 1 of a path; a set of stretches is a basis when it is a tree.
        """
        n = len(self.joints)
        plain = tuple((i, i) for i in range(n))
        yield plain
        if n == 1:
            return
        if n > MOST_SUMMED:
            yield tuple((0, j) for j in range(n))
            yield tuple((i, n - 1) for i in range(n))
            return
        stretches = [(i, j) for i in range(n) for j in range(i, n)]
        for chosen in combinations(stretches, n):
            if chosen != plain and _is_tree(chosen):
                yield chosen

    def joint_in(self, basis: Sequence[Sum], joint: int) -> list[tuple[Sum, int]]:
        """Return the angle of a joint, turned to the sense of the run, as a signed sum over a basis."""
        neighbours: dict[int, list[tuple[int, Sum, int]]] = {}
        for i, j in basis:
            neighbours.setdefault(i, []).append((j + 1, (i, j), 1))
            neighbours.setdefault(j + 1, []).append((i, (i, j), -1))
        paths: dict[int, list[tuple[Sum, int]]] = {joint: []}
        queue = [joint]
        while joint + 1 not in paths:
            at = queue.pop(0)
            for other, stretch, sign in neighbours[at]:
                if other not in paths:
                    paths[other] = [*paths[at], (stretch, sign)]
                    queue.append(other)
        return paths[joint + 1]


def _is_tree(stretches: Sequence[Sum]) -> bool:
    group = list(range(len(stretches) + 1))
    for i, j in stretches:
        a, b = group[i], group[j + 1]
        if a == b:
            return False
        group = [a if g == b else g for g in group]
    return True
