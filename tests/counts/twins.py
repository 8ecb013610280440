"""A robot's twin: the same arm with other names, one more offset and one other twist.

A count that only holds for the arm everybody knows would not survive here.
"""

from __future__ import annotations

from dataclasses import replace

from taut.robot import Placement, Tree
from taut.robot.placement import QuarterTurns
from taut.spatial import Vec3

OFFSET = 0.137
"""[m], a length no other number of a robot equals."""

TWIST = 0.4
"""[rad], no right angle."""


def renamed(tree: Tree) -> Tree:
    """Return the robot with other names for everything that has one, symbols excepted."""
    joints = tuple(
        replace(joint, name=f"hinge_{i}", link=replace(joint.link, name=f"part_{i}"))
        for i, joint in enumerate(tree.joints)
    )
    frames = tuple(replace(frame, name=f"place_{i}") for i, frame in enumerate(tree.frames))
    return replace(tree, name=f"{tree.name}_twin", joints=joints, frames=frames, base_name="ground", convention=None)


def twin(tree: Tree, right: bool) -> Tree:
    """Return the robot renamed, with an offset more between two joints and a twist more between two others.

    Args:
        tree: the robot.
        right: whether the twist is a right angle or a general one.
    """
    joints = list(renamed(tree).joints)
    longer, twisted = len(joints) // 2, len(joints) - 1
    turn = Placement(turns=((0, QuarterTurns(1) if right else TWIST),))
    joints[longer] = replace(joints[longer], placement=Placement(Vec3(OFFSET, 0, 0)).then(joints[longer].placement))
    joints[twisted] = replace(joints[twisted], placement=turn.then(joints[twisted].placement))
    return replace(renamed(tree), joints=tuple(joints))
