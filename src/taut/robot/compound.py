"""Joints that are chains of one-axis joints: planar, universal and cylindrical.

The columns of such a joint's S change with its position, those of its parts do not; so the joint is described as its
parts, with massless links between them, and every algorithm serves it. Coordinates and rates are those of the parts,
named after the joint: ``wheel_x``, ``wheel_y``, ``wheel_turn``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import ClassVar

from taut.robot.motion import Prismatic, Revolute, SingleAxis
from taut.robot.parts import DescribedJoint, Drive, Limits, Link
from taut.robot.placement import Placement
from taut.spatial import X_AXIS, Y_AXIS, Z_AXIS, Vec3


class Compound(ABC):
    """A joint of several axes, moved by one after the other."""

    kind: ClassVar[str]

    @property
    @abstractmethod
    def parts(self) -> tuple[tuple[str, SingleAxis], ...]:
        """What each part is called and how it moves, from the parent outward."""


@dataclass(frozen=True)
class Planar(Compound):
    """Slides x and y in a plane, then a turn about its normal.

    x and y are the axes of the joint frame after the smallest turn that brings z onto the normal.
    """

    axis: Vec3 = Z_AXIS
    kind = "planar"

    @property
    def parts(self) -> tuple[tuple[str, SingleAxis], ...]:
        """What each part is called and how it moves."""
        x, y = _across(self.axis)
        return ("x", Prismatic(x)), ("y", Prismatic(y)), ("turn", Revolute(self.axis))


@dataclass(frozen=True)
class Universal(Compound):
    """Turns about ``axis`` of the parent, then about ``axis2`` of the cross that the first turn moves."""

    axis: Vec3 = X_AXIS
    axis2: Vec3 = Y_AXIS
    kind = "universal"

    @property
    def parts(self) -> tuple[tuple[str, SingleAxis], ...]:
        """What each part is called and how it moves."""
        return ("turn1", Revolute(self.axis)), ("turn2", Revolute(self.axis2))


@dataclass(frozen=True)
class Cylindrical(Compound):
    """A turn about an axis and a slide along it."""

    axis: Vec3 = Z_AXIS
    kind = "cylindrical"

    @property
    def parts(self) -> tuple[tuple[str, SingleAxis], ...]:
        """What each part is called and how it moves."""
        return ("turn", Revolute(self.axis)), ("slide", Prismatic(self.axis))


COMPOUNDS: dict[str, type[Planar] | type[Universal] | type[Cylindrical]] = {
    kind.kind: kind for kind in (Planar, Universal, Cylindrical)
}
"""Every joint of several axes by the name that a robot file gives it."""


def in_parts(
    joint: DescribedJoint, motion: Compound, drives: Sequence[Drive] = (), limits: Sequence[Limits] = ()
) -> tuple[list[Link], list[DescribedJoint]]:
    """Return the massless links and the joints of one axis that a joint of several axes consists of.

    Args:
        joint: names, links and placement.
        motion: its parts.
        drives: one a part, from the first on.
        limits: one a part, from the first on.
    """
    links: list[Link] = []
    joints: list[DescribedJoint] = []
    parent, placement = joint.parent, joint.placement
    for k, ((word, axis), drive, bounds) in enumerate(zip_longest(motion.parts, drives, limits)):
        last = k == len(motion.parts) - 1
        child = joint.child if last else f"{joint.child}_{word}"
        if not last:
            links.append(Link(child))
        part = replace(joint, name=f"{joint.name}_{word}", parent=parent, child=child, placement=placement, motion=axis)
        joints.append(replace(part, drive=drive or Drive(), limits=bounds or Limits()))
        parent, placement = child, Placement()
    return links, joints


def _across(normal: Vec3) -> tuple[Vec3, Vec3]:
    """Return x and y turned by the smallest turn from z to a unit normal."""
    a, b, c = (float(component) for component in normal)
    if c <= -1 + 1e-12:  # a half turn about x
        return X_AXIS, Vec3(0.0, -1.0, 0.0)
    k = 1 / (1 + c)
    return Vec3(1 - a * a * k, -a * b * k, -a), Vec3(-a * b * k, 1 - b * b * k, -b)
