"""Runs of parallel joints: along them angles add up, and links turn at the sum of the joints' rates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from taut.robot.tree import Tree
from taut.spatial import Vec3, is_exactly


class Axis(Protocol):
    """A joint of a tree, as far as parallel joints are concerned; bodies in screw form are such joints."""

    @property
    def parent(self) -> int:
        """Number of the joint before it, -1 for none."""

    @property
    def pure_turn(self) -> bool:
        """Whether it turns about its axis and nothing else."""

    @property
    def pure_slide(self) -> bool:
        """Whether it slides along its axis and nothing else."""

    @property
    def parallel(self) -> int:
        """1 where its axis is parallel to its parent's, -1 where antiparallel, else 0."""


def parallel_before(joints: Sequence[Axis]) -> dict[int, tuple[int, int]]:
    """Return {revolute joint: (the parallel revolute joint before it, -1 where antiparallel, else 1)}.

    Prismatic joints between the two do not turn anything and are passed over.
    """
    runs = {}
    for j, joint in enumerate(joints):
        sign, before = joint.parallel, joint.parent
        while sign and before >= 0 and joints[before].pure_slide:
            sign, before = sign * joints[before].parallel, joints[before].parent
        if sign and before >= 0 and joint.pure_turn and joints[before].pure_turn:
            runs[j] = (before, sign)
    return runs


class _TreeAxis(NamedTuple):
    parent: int
    pure_turn: bool
    pure_slide: bool
    parallel: int


def independent_axes(tree: Tree) -> list[Axis]:
    """Return the joints of a tree; those that follow another one are neither revolute nor prismatic here."""
    independent, directions = set(tree.independent), [_direction(tree, i) for i in range(len(tree.joints))]
    axes: list[Axis] = []
    for i, joint in enumerate(tree.joints):
        free, motion = i in independent, joint.motion
        sign = _sign(tree.rest_poses[i].R @ directions[i], directions[joint.parent]) if joint.parent >= 0 else 0
        axes.append(_TreeAxis(joint.parent, free and motion.pure_turn, free and motion.pure_slide, sign))
    return axes


def _direction(tree: Tree, i: int) -> Vec3:
    motion = tree.joints[i].motion
    return motion.columns[0].w if motion.pure_turn else motion.columns[0].v


def _sign(axis: Vec3, before: Vec3) -> int:
    if all(is_exactly(a - b, 0) for a, b in zip(axis, before, strict=True)):
        return 1
    return -1 if all(is_exactly(a + b, 0) for a, b in zip(axis, before, strict=True)) else 0
