"""The difference between measured and computed poses, and its derivative by the geometric errors.

Four instruments: full poses (position and rotation vector of the difference), positions alone, the length of a ball
bar to an unknown centre, and one unknown point touched in every pose. The unknown point adds three parameters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from taut.calibration.chain import Chain
from taut.calibration.parameters import Parameter
from taut.calibration.poses import Poses

POINT = tuple(Parameter("point", axis, "m") for axis in "xyz")
"""Coordinates of the fixed point of a ball bar or of touching."""


@dataclass(frozen=True)
class Instrument:
    """What was measured in a set of poses.

    Attributes:
        rows: rows of a pose's [linear; angular] motion that the measurement sees.
        point: whether a fixed point is unknown.
        lengths: number of metre rows of a pose, before the radian rows.
    """

    rows: tuple[int, ...]
    point: bool
    lengths: int

    @classmethod
    def of(cls, poses: Poses) -> Instrument:
        """Return the instrument that a file of poses tells."""
        if poses.length is not None:
            return cls((0, 1, 2), True, 1)
        if poses.position is None:
            return cls((0, 1, 2), True, 3)
        if poses.rotation is None:
            return cls((0, 1, 2), False, 3)
        return cls((0, 1, 2, 3, 4, 5), False, 3)


def residuals(
    chain: Chain, poses: Poses, errors: Mapping[str, float], wanted: Sequence[Parameter], torques: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray]:
    """Return measured minus computed, (N, rows), and the derivative of the computed, (N, rows, parameters)."""
    geometric = [p for p in wanted if p not in POINT]
    T, J = chain.poses(poses.q, errors, geometric, torques)
    p = T[:, :3, 3]
    if poses.position is not None and poses.length is None:
        r, A = poses.position - p, J[:, :3]
        if poses.rotation is not None:
            turned = poses.rotation @ np.swapaxes(T[:, :3, :3], 1, 2)
            r, A = np.hstack([r, _rotation_vectors(turned)]), J
        return r, A
    centre = np.array([errors.get(f"point.{axis}", 0.0) for axis in "xyz"])
    away = p - centre
    if poses.length is None:
        return -away, _with_point(wanted, geometric, J[:, :3], np.broadcast_to(-np.eye(3), (len(p), 3, 3)))
    distance = np.linalg.norm(away, axis=1)
    unit = (away / distance[:, None])[:, None, :]
    return (poses.length - distance)[:, None], _with_point(wanted, geometric, unit @ J[:, :3], -unit)


def _with_point(
    wanted: Sequence[Parameter], geometric: Sequence[Parameter], J: np.ndarray, by_point: np.ndarray
) -> np.ndarray:
    """Return columns in the order wanted, those of the fixed point among them."""
    place = {p: k for k, p in enumerate(geometric)}
    point = {p: k for k, p in enumerate(POINT)}
    if not wanted:
        return J
    return np.stack([J[:, :, place[p]] if p in place else by_point[:, :, point[p]] for p in wanted], axis=2)


def _rotation_vectors(R: np.ndarray) -> np.ndarray:
    """Return the rotation vectors (axis times angle) of rotation matrices."""
    w = np.stack([R[:, 2, 1] - R[:, 1, 2], R[:, 0, 2] - R[:, 2, 0], R[:, 1, 0] - R[:, 0, 1]], axis=1) / 2
    sine = np.linalg.norm(w, axis=1)
    angle = np.arctan2(sine, (np.trace(R, axis1=1, axis2=2) - 1) / 2)
    return w * np.where(sine > 1e-12, angle / np.maximum(sine, 1e-300), 1.0)[:, None]
