"""Poses of robots with known geometric errors and known noise."""

import numpy as np

import taut
from taut.calibration.calibrate import geometry, told_apart
from taut.calibration.chain import Chain
from taut.calibration.parameters import parameters
from taut.calibration.poses import Poses
from taut.calibration.residual import Instrument
from taut.robot.states import random_positions

FULL = Instrument((0, 1, 2, 3, 4, 5), False, 3)
METRES, RADIANS = 2e-3, 5e-3
"""Size of the errors of lengths and angles."""


def quaternion(vector: np.ndarray) -> np.ndarray:
    angle = np.linalg.norm(vector)
    axis = vector / max(angle, 1e-300)
    return np.array([*(np.sin(angle / 2) * axis), np.cos(angle / 2)])


def turned(vector: np.ndarray) -> np.ndarray:
    x, y, z = vector
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    angle = np.linalg.norm(vector)
    if angle < 1e-15:
        return np.eye(3)
    return np.eye(3) + np.sin(angle) / angle * cross + (1 - np.cos(angle)) / angle**2 * cross @ cross


class Machine:
    """A robot whose geometry is off by known errors."""

    def __init__(self, name: str, seed: int, frames: bool = True) -> None:
        self.robot = taut.load(name)
        self.tree = geometry(self.robot.tree)
        self.chain = Chain.of(self.tree, None)
        rng = np.random.default_rng(seed)
        wanted = parameters(self.tree, None, frames=frames)
        kept = told_apart(self.chain, wanted, FULL, Poses(np.zeros((1, self.tree.nq)))).kept
        self.errors = {p.name: rng.normal() * (METRES if p.unit == "m" else RADIANS) for p in kept}

    def measured(self, count: int, seed: int, noise: float = 1e-4, q: np.ndarray | None = None) -> Poses:
        """Return full poses with noise in metres and radians."""
        rng = np.random.default_rng(seed)
        if q is None:
            q = random_positions(self.tree, rng, (count,))
        T, _ = self.chain.poses(q, self.errors, [])
        position = T[:, :3, 3] + noise * rng.normal(size=(len(q), 3))
        rotation = np.array([turned(noise * rng.normal(size=3)) @ R for R in T[:, :3, :3]])
        return Poses(q, position, rotation)


def write_csv(path, poses: Poses, order: str = "xyzw", scale: float = 1.0, degrees: bool = False) -> None:
    """Write poses as a calibration engineer would."""
    q = np.degrees(poses.q) if degrees else poses.q
    columns = {f"q{k + 1}": q[:, k] for k in range(q.shape[1])}
    if poses.position is not None:
        columns |= {axis: scale * poses.position[:, k] for k, axis in enumerate("xyz")}
    if poses.rotation is not None:
        quats = np.array([_from_matrix(R) for R in poses.rotation])
        columns |= dict(zip(("qx", "qy", "qz", "qw"), quats[:, ["xyzw".index(c) for c in order]].T, strict=True))
    if poses.length is not None:
        columns["length"] = poses.length
    rows = np.column_stack(list(columns.values()))
    path.write_text("\n".join([",".join(columns), *(",".join(f"{x!r}" for x in row.tolist()) for row in rows)]))


def _from_matrix(R: np.ndarray) -> np.ndarray:
    # The eigenvector of largest eigenvalue of Bar-Itzhack's symmetric matrix.
    K = np.array(
        [
            [R[0, 0] - R[1, 1] - R[2, 2], R[0, 1] + R[1, 0], R[0, 2] + R[2, 0], R[2, 1] - R[1, 2]],
            [R[0, 1] + R[1, 0], R[1, 1] - R[0, 0] - R[2, 2], R[1, 2] + R[2, 1], R[0, 2] - R[2, 0]],
            [R[0, 2] + R[2, 0], R[1, 2] + R[2, 1], R[2, 2] - R[0, 0] - R[1, 1], R[1, 0] - R[0, 1]],
            [R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1], R[0, 0] + R[1, 1] + R[2, 2]],
        ]
    )
    return np.linalg.eigh(K)[1][:, -1]
