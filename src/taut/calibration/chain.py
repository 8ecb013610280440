"""The pose of a frame and its derivative by every geometric error, for many joint positions at once.

.. math:: T = B\\,E_b \\prod_i A_i E_i J_i(q_i + o_i) \\; F E_t, \\qquad E = Trans(x, y, z) R_z R_y R_x

with the nominal placements B, A_i, F, the errors E and the joint motions J. The derivative by an error is the
motion of the tool about or along the axis of that error: a column [linear; angular] in world axes at the tool.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from taut.calibration.parameters import BASE, SHIFTS, TOOL, TURNS, Parameter, path
from taut.robot import Placement, Tree
from taut.spatial import Transform, Vec3


@dataclass(frozen=True)
class Chain:
    """The joints between base and frame as constant matrices.

    Attributes:
        tree: the robot, numbers only.
        frame: name of the frame.
        joints: indices of the joints.
        base: pose of the robot's base in the world of the measurements.
    """

    tree: Tree
    frame: str
    joints: tuple[int, ...]
    base: np.ndarray

    @classmethod
    def of(cls, tree: Tree, frame: str | None, base: np.ndarray | None = None) -> Chain:
        """Return the chain to a frame; ``base`` replaces the pose of the robot's base."""
        found = matrix(tree.base.transform) if base is None else base
        return cls(tree, tree.frame(frame).name, tuple(path(tree, frame)), found)

    def positions(self, q: np.ndarray) -> list[np.ndarray]:
        """Return the position of every joint of the chain, mimicking joints included."""
        parts = self.tree.at(list(q.T)).positions
        return [np.asarray(parts[i][0]) * np.ones(len(q)) for i in self.joints]

    def poses(
        self, q: np.ndarray, errors: Mapping[str, float], wanted: Sequence[Parameter], torques: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the frame's poses (N, 4, 4) and the columns (N, 6, parameters) of the wanted errors.

        Args:
            q: joint positions, one row a pose.
            errors: {name: value}; absent ones are zero.
            wanted: the parameters to differentiate by.
            torques: gravity torque of every joint of the chain (N, joints), for compliances.
        """
        value = lambda place, kind: errors.get(f"{place}.{kind}", 0.0)  # noqa: E731
        axes: dict[tuple[str, str], tuple[np.ndarray | None, np.ndarray]] = {}  # (origin, direction); no origin: slides
        T = np.broadcast_to(self.base, (len(q), 4, 4))
        T = _displaced(T, BASE, errors, axes)
        for k, (i, position) in enumerate(zip(self.joints, self.positions(q), strict=True)):
            joint = self.tree.joints[i]
            T = _displaced(T @ matrix(joint.placement.transform), joint.name, errors, axes)
            shift = np.full(len(q), value(joint.name, "offset"))
            if torques is not None:
                shift = shift + value(joint.name, "compliance") * torques[:, k]
            shift = shift + value(joint.name, "sine") * np.sin(position)
            shift = shift + value(joint.name, "cosine") * np.cos(position)
            (column,) = joint.motion.columns
            along, about = (T[:, :3, :3] @ np.array([float(x) for x in part]) for part in (column.v, column.w))
            turning = bool(np.any(about))
            moving = (T[:, :3, 3], about) if turning else (None, along)
            scales = {"offset": 1.0, "sine": np.sin(position), "cosine": np.cos(position)}
            if torques is not None:
                scales["compliance"] = torques[:, k]
            for kind, scale in scales.items():
                axes[joint.name, kind] = (moving[0], moving[1] * np.reshape(scale, (-1, 1)))
            T = T @ matrix(joint.motion.transform([position + shift]), len(q))
        T = _displaced(T @ matrix(self.tree.frame(self.frame).transform), TOOL, errors, axes)
        columns = np.zeros((len(q), 6, len(wanted)))
        for k, parameter in enumerate(wanted):
            origin, direction = axes[parameter.place, parameter.kind]
            if origin is None:
                columns[:, :3, k] = direction
            else:
                columns[:, :3, k] = np.cross(direction, T[:, :3, 3] - origin)
                columns[:, 3:, k] = direction
        return T, columns


def error_matrix(place: str, errors: Mapping[str, float]) -> np.ndarray:
    """Return E = Trans(x, y, z) Rz Ry Rx of one place."""
    return matrix(error_placement(place, errors).transform)


def error_placement(place: str, errors: Mapping[str, float]) -> Placement:
    """Return the errors of one place as a placement."""
    shift = [errors.get(f"{place}.{kind}", 0.0) for kind in SHIFTS]
    turns = [(axis, errors.get(f"{place}.{TURNS[axis]}", 0.0)) for axis in (2, 1, 0)]
    return Placement(Vec3(*shift), tuple((axis, angle) for axis, angle in turns if angle))


def matrix(transform: Transform, length: int | None = None) -> np.ndarray:
    """Return a pose as a 4x4 array, or one for each of ``length`` states."""
    rows = [[*row, p] for row, p in zip(transform.R.matrix.rows, transform.p, strict=True)]
    shape = () if length is None else (length,)
    out = np.zeros((*shape, 4, 4))
    for i, row in enumerate(rows):
        for j, x in enumerate(row):
            out[..., i, j] = x
    out[..., 3, 3] = 1
    return out


def _displaced(
    T: np.ndarray,
    place: str,
    errors: Mapping[str, float],
    axes: dict[tuple[str, str], tuple[np.ndarray | None, np.ndarray]],
) -> np.ndarray:
    """Apply the errors of one place behind T and note the axis of each."""
    for k, kind in enumerate(SHIFTS):
        axes[place, kind] = (None, T[:, :3, k])
    T = T @ error_matrix(place, {name: x for name, x in errors.items() if name.split(".")[-1] in SHIFTS})
    for k in (2, 1, 0):
        axes[place, TURNS[k]] = (T[:, :3, 3], T[:, :3, k])
        turn = f"{place}.{TURNS[k]}"
        if errors.get(turn):
            T = T @ error_matrix(place, {turn: errors[turn]})
    return T
