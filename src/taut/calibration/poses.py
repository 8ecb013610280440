"""Measured poses read from a CSV file, with the mistakes people make in such files found and named.

Columns: the joint positions as ``q1``, ``q2`` ... or by joint name [rad, m]; the measured position ``x``, ``y``, ``z``
[m]; for full poses also the orientation as ``qx``, ``qy``, ``qz``, ``qw`` or ``roll``, ``pitch``, ``yaw`` [rad]. A ball
bar has one column ``length`` [m] instead of a position, the distance to a fixed point; where one point was touched
again and again there is no measured column at all.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from taut.errors import InputError
from taut.formats.columns import read_columns
from taut.robot import Tree
from taut.robot.placement import Placement, rpy
from taut.spatial import Rotation, from_quaternion

POSITION = ("x", "y", "z")
QUATERNION = ("qx", "qy", "qz", "qw")
ANGLES = ("roll", "pitch", "yaw")


@dataclass(frozen=True)
class Poses:
    """Joint positions and what was measured at each.

    Attributes:
        q: (N, nq).
        position: (N, 3), None where none was measured.
        rotation: (N, 3, 3), None where only positions were measured.
        length: (N,), distances to a fixed point, None for other instruments.
        quaternion: (N, 4), the orientations where they were written as quaternions.
        lines: line of the file of each pose.
    """

    q: np.ndarray
    position: np.ndarray | None = None
    rotation: np.ndarray | None = None
    length: np.ndarray | None = None
    quaternion: np.ndarray | None = None
    lines: tuple[int, ...] = ()

    def __len__(self) -> int:
        return len(self.q)

    def chosen(self, keep: np.ndarray) -> Poses:
        """Return some of the poses."""

        def part(x: np.ndarray | None) -> np.ndarray | None:
            return None if x is None else x[keep]

        lines = tuple(self.lines[k] for k in np.arange(len(self))[keep]) if self.lines else ()
        measured = part(self.position), part(self.rotation), part(self.length), part(self.quaternion)
        return Poses(self.q[keep], *measured, lines)


def read_poses(path: str | Path, tree: Tree) -> Poses:
    """Return the poses of a CSV file."""
    place = str(path)
    column = read_columns(path, "pose", f"q1, {', '.join(POSITION)}")

    def stacked(names: tuple[str, ...]) -> np.ndarray | None:
        missing = [name for name in names if name not in column]
        if len(missing) == len(names):
            return None
        if missing:
            raise InputError(f"column '{missing[0]}' is missing", place, f"give {', '.join(names)}")
        return np.column_stack([column[name] for name in names])

    q = _joint_positions(tree, column, place)
    quaternion, angles = stacked(QUATERNION), stacked(ANGLES)
    rotation = None
    if quaternion is not None:
        norms = np.linalg.norm(quaternion, axis=1)
        if np.any(np.abs(norms - 1) > 1e-3):
            worst = int(np.argmax(np.abs(norms - 1)))
            raise InputError(
                f"the quaternion in line {worst + 2} has length {norms[worst]:.4g}", place, "give unit ones"
            )
        quaternion = quaternion / norms[:, None]
        rotation = rotations(quaternion)
    elif angles is not None:
        if np.abs(angles).max() > 2 * np.pi * 1.01:
            raise InputError("roll, pitch, yaw exceed a full turn", place, "they look like degrees; give radians")
        rotation = np.array([_matrix(Placement(turns=rpy(*map(float, row)))) for row in angles])
    lines = tuple(range(2, len(q) + 2))
    return Poses(q, stacked(POSITION), rotation, column.get("length"), quaternion, lines)


def _joint_positions(tree: Tree, column: dict[str, np.ndarray], place: str) -> np.ndarray:
    names = tree.joint_names
    numbered = [f"q{k + 1}" for k in range(len(names))]
    for chosen in (names, numbered):
        if all(name in column for name in chosen):
            q = np.column_stack([column[name] for name in chosen])
            break
    else:
        given = numbered if any(name in column for name in numbered) else names
        missing = next(name for name in given if name not in column)
        raise InputError(
            f"column '{missing}' is missing", place, f"give {', '.join(numbered)} or {', '.join(names[:3])}, ..."
        )
    turning = [k for k, i in enumerate(tree.independent) if tree.joints[i].motion.pure_turn]
    if turning and np.abs(q[:, turning]).max() > 4 * np.pi:
        worst = turning[int(np.argmax(np.abs(q[:, turning]).max(axis=0)))]
        raise InputError(
            f"joint '{names[worst]}' is at {np.abs(q[:, worst]).max():.4g}",
            place,
            "it looks like degrees; give radians",
        )
    return q


def rotations(quaternions: np.ndarray) -> np.ndarray:
    """Return the rotation matrices (N, 3, 3) of unit quaternions [qx qy qz qw] (N, 4)."""
    turns = from_quaternion(*quaternions.T)
    return np.moveaxis(np.array([list(row) for row in Rotation((turns,)).matrix.rows]), -1, 0)


def _matrix(placement: Placement) -> np.ndarray:
    return np.array([[float(x) for x in row] for row in placement.transform.R.matrix.rows])
