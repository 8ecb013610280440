"""Rows of a robot on which dry friction or a joint stop can act: a direction of the rates, bounds, and a level.

Dry friction of a drive acts on the rate of the drive, which gears may couple to several joints, and a follower's
on its leader. Rows along the same direction are one, their levels added.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from taut.errors import InputError
from taut.robot import Drive, Tree

DRY = ("coulomb", "stribeck", "root", "square", "asymmetry", "joint_coulomb")
"""Parameters of a drive whose friction changes sign with the rate."""


@dataclass(frozen=True)
class DryRow:
    """A direction on which something can hold.

    Attributes:
        along: the row of rates (nv); 1 at one joint where nothing is coupled.
        joint: name of the joint.
        drives: (ratio, drive) whose dry friction acts at ratio times the row's rate.
        place: index of the position with a stop, -1 for none.
        lower: stop [rad or m].
        upper: stop [rad or m].
    """

    along: np.ndarray
    joint: str
    drives: tuple[tuple[float, Drive], ...] = ()
    place: int = -1
    lower: float = -np.inf
    upper: float = np.inf

    @property
    def level(self) -> float:
        """The largest torque that holds the row at rest [N m or N]."""
        return float(sum(abs(r) * (d.coulomb + d.stribeck + d.joint_coulomb) for r, d in self.drives))

    @property
    def single(self) -> int:
        """The rate that the row is, -1 where it combines several."""
        at = np.flatnonzero(self.along)
        return int(at[0]) if len(at) == 1 else -1

    def friction(self, rate: float, direction: int) -> float:
        """Return the dry friction that opposes motion in a direction (1 or -1), smooth where the rate changes sign."""
        total = 0.0
        for ratio, d in self.drives:
            v = abs(ratio) * rate * direction
            fading = d.stribeck / (1 + (v / d.stribeck_speed) ** 2)
            size = d.coulomb + d.joint_coulomb + fading + d.root * np.sqrt(max(v, 0.0)) + d.square * v * v
            total += abs(ratio) * (size * direction + d.asymmetry * v * np.sign(ratio))
        return float(total)


def without_dry(tree: Tree) -> Tree:
    """Return the robot whose drives have no friction that changes sign with the rate, smoothed friction excepted."""

    def smooth(drive: Drive) -> Drive:
        return drive if drive.smoothing else replace(drive, **dict.fromkeys(DRY, 0.0))

    return replace(tree, joints=tuple(replace(j, drive=smooth(j.drive)) for j in tree.joints))


def dry_rows(tree: Tree, friction: bool, stops: bool) -> list[DryRow]:
    """Return the rows of a robot.

    Args:
        tree: the robot, without symbols.
        friction: whether dry friction of the drives acts.
        stops: whether the limits of the joints are stops.
    """
    found: list[DryRow] = []
    if friction:
        _refuse_load_friction(tree)
        spread = tree.at()
        units = [spread.rates(list(unit)) for unit in np.eye(tree.nv)]
        at_drive = np.array([[float(x) for x in tree.drive_rates(unit)] for unit in units]).T
        at_joint = np.array([[float(part[0]) if len(part) == 1 else 0.0 for part in unit] for unit in units]).T
        for joint, drive_row, joint_row in zip(tree.joints, at_drive, at_joint, strict=True):
            drive = joint.drive
            if drive.smoothing or not any(getattr(drive, name) for name in DRY):
                continue
            motor, own = replace(drive, joint_coulomb=0.0), Drive(joint_coulomb=drive.joint_coulomb)
            for part, row in ((motor, drive_row), (own, joint_row)):
                if any(getattr(part, name) for name in DRY) and row.any():
                    _merge(found, joint.name, row, part)
    if stops:
        at_q = at_v = 0
        for i in tree.independent:
            joint = tree.joints[i]
            limits = joint.limits
            if joint.motion.nv == 1 and (limits.lower is not None or limits.upper is not None):
                lower = -np.inf if limits.lower is None else float(limits.lower)
                upper = np.inf if limits.upper is None else float(limits.upper)
                if lower >= upper:  # some files write 0 for both where they know none
                    lower, upper = -np.inf, np.inf
                unit = np.eye(tree.nv)[at_v]
                known = next((k for k, row in enumerate(found) if row.single == at_v), None)
                if known is None:
                    found.append(DryRow(unit, joint.name, (), at_q, lower, upper))
                else:
                    found[known] = replace(found[known], place=at_q, lower=lower, upper=upper)
            at_q, at_v = at_q + joint.motion.nq, at_v + joint.motion.nv
    return found


def _refuse_load_friction(tree: Tree) -> None:
    """Refuse friction by load that holds at rest, or that is larger than the load itself."""
    for joint in tree.joints:
        mu = joint.drive.load_friction
        if mu and not joint.drive.smoothing:
            advice = "give its drive a smoothing speed: friction by load does not stick in a simulation"
            raise InputError(f"joint '{joint.name}' has load_friction and no smoothing", f"robot '{tree.name}'", advice)
        if not 0 <= mu < 1:
            advice = "give a number from 0 to below 1"
            raise InputError(f"load_friction {mu:g} of joint '{joint.name}'", f"robot '{tree.name}'", advice)


def _merge(found: list[DryRow], name: str, row: np.ndarray, drive: Drive) -> None:
    """Add a drive's friction to the row along its direction."""
    first = float(row[np.flatnonzero(row)[0]])
    along = row / first
    for k, known in enumerate(found):
        if np.array_equal(known.along, along):
            found[k] = replace(known, drives=(*known.drives, (first, drive)))
            return
    found.append(DryRow(along, name, ((first, drive),)))
