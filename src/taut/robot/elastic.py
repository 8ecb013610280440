"""Elastic joints: a robot whose motors have coordinates of their own.

Between motor and joint stands a spring of stiffness ``gear_stiffness`` [Spong 1987, Modeling and control of elastic
joint robots]. A joint with such a drive becomes two on the same axis with a massless link between them: ``NAME_motor``
with the drive, and ``NAME_spring``, which deflects. The joint's position is the sum of both.
"""

from __future__ import annotations

from dataclasses import fields, replace

from taut.errors import UnsupportedError
from taut.robot.assembly import assemble, describe
from taut.robot.parts import DescribedJoint, Drive, Limits, Link
from taut.robot.placement import Placement
from taut.robot.tree import Tree
from taut.spatial import is_exactly

OF_THE_MOTOR = frozenset(
    ("rotor_inertia", "gear_ratio", "coulomb", "viscous", "offset", "smoothing", "stribeck", "stribeck_speed", "root")
) | {"square", "asymmetry", "rest"}
"""Numbers of a drive that act on the motor."""


def is_elastic(drive: Drive) -> bool:
    """Return whether a spring stands between a motor and its joint."""
    return not is_exactly(drive.gear_stiffness, 0)


def check_elastic(tree: Tree) -> None:
    """Refuse a robot whose elastic joints are tied to others, have other axes, or springs besides."""
    if not any(is_elastic(joint.drive) for joint in tree.joints):
        raise UnsupportedError(f"robot '{tree.name}' has no elastic joint", advice="give drives a gear_stiffness")
    if tree.mimics or tree.coupling or tree.loops:
        raise UnsupportedError(
            f"robot '{tree.name}' has joints that are tied to others", advice="elastic joints are modelled without them"
        )
    for joint in tree.joints:
        if not joint.motion.turns_or_slides:
            raise UnsupportedError(f"joint '{joint.name}' is {joint.motion.kind}", f"robot '{tree.name}'", "fix it")
        usual = Drive()
        for name in (f.name for f in fields(Drive)):
            given = getattr(joint.drive, name)
            if (
                is_elastic(joint.drive)
                and name not in OF_THE_MOTOR | {"gear_stiffness"}
                and given != getattr(usual, name)
            ):
                raise UnsupportedError(
                    f"{name} of the elastic joint '{joint.name}' acts behind its spring",
                    f"robot '{tree.name}'",
                    "remove it",
                )


def with_motor_coordinates(tree: Tree) -> Tree:
    """Return the robot with two joints in place of each elastic one; limits stay with the motor."""
    check_elastic(tree)
    links, joints = describe(tree)
    parts: list[DescribedJoint] = []
    for joint in joints:
        if not is_elastic(joint.drive):
            parts.append(joint)
            continue
        between = f"{joint.child}_motor"
        links.append(Link(between))
        motor, spring = replace(joint.drive, gear_stiffness=0.0), Drive(stiffness=joint.drive.gear_stiffness)
        parts.append(replace(joint, name=f"{joint.name}_motor", child=between, drive=motor))
        behind = replace(joint, name=f"{joint.name}_spring", parent=between, placement=Placement(), drive=spring)
        parts.append(replace(behind, limits=Limits(), formulas=()))
    built = assemble(tree.name, links, parts)
    return replace(tree, convention=None, joints=built.joints, frames=built.frames)
