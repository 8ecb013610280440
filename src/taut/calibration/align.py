"""Where the robot stands in the world of the measurements: a first guess of its base, and mistakes it reveals."""

from __future__ import annotations

import numpy as np

from taut.calibration.chain import Chain
from taut.calibration.poses import Poses, rotations
from taut.errors import InputError

CLEARLY = 5.0
"""How many times better a reading of the file must fit before it is taken for what was meant."""


def aligned_base(chain: Chain, poses: Poses) -> np.ndarray:
    """Return the pose of the base that brings the nominal positions closest to the measured ones.

    .. math:: \\min_{R, p} \\sum \\| x_i - R\\,x_i^{nominal} - p \\|^2

    by the singular value decomposition of the covariance [Kabsch 1976].
    """
    assert poses.position is not None
    nominal = chain.poses(poses.q, {}, [])[0]
    a, b = nominal[:, :3, 3], poses.position
    ca, cb = a.mean(axis=0), b.mean(axis=0)
    U, _, Vt = np.linalg.svd((a - ca).T @ (b - cb))
    flip = np.diag([1.0, 1.0, np.sign(np.linalg.det(U @ Vt)) or 1.0])
    R = (U @ flip @ Vt).T
    move = np.eye(4)
    move[:3, :3], move[:3, 3] = R, cb - R @ ca
    return move @ chain.base


def misfit(chain: Chain, poses: Poses) -> float:
    """Return the root mean square distance between nominal and measured positions after alignment."""
    assert poses.position is not None
    moved = Chain(chain.tree, chain.frame, chain.joints, aligned_base(chain, poses))
    found = moved.poses(poses.q, {}, [])[0]
    return float(np.sqrt(np.mean(np.sum((found[:, :3, 3] - poses.position) ** 2, axis=1))))


def refuse_mistakes(chain: Chain, poses: Poses, place: str) -> None:
    """Refuse poses in millimetres, joint positions in degrees and quaternions with their parts in another order."""
    if np.ptp(poses.q, axis=0).max() < 1e-9 and len(poses) > 1:
        raise InputError("all poses are alike", place, "measure poses in which every joint has moved")
    if poses.position is None:
        return
    nominal = chain.poses(poses.q, {}, [])[0][:, :3, 3]
    spread = [float(np.sqrt(np.mean(np.var(x, axis=0).sum()))) for x in (nominal, poses.position)]
    if spread[1] > 100 * max(spread[0], 1e-6):
        raise InputError(
            f"the measured positions spread over {spread[1]:.4g} m, the robot's over {spread[0]:.4g} m",
            place,
            "they look like millimetres; give metres",
        )
    here = misfit(chain, poses)
    turning = [k for k, i in enumerate(chain.tree.independent) if chain.tree.joints[i].motion.pure_turn]
    q = poses.q.copy()
    q[:, turning] = np.radians(q[:, turning])
    if here > 0.05 and misfit(chain, Poses(q, poses.position)) * CLEARLY < here:
        raise InputError("the joint positions fit far better as degrees", place, "give radians")
    if poses.quaternion is not None:
        _refuse_order(chain, poses, place)


def _refuse_order(chain: Chain, poses: Poses, place: str) -> None:
    """Refuse quaternions written with w first."""
    assert poses.rotation is not None and poses.quaternion is not None
    moved = Chain(chain.tree, chain.frame, chain.joints, aligned_base(chain, poses))
    nominal = moved.poses(poses.q, {}, [])[0][:, :3, :3]
    swapped = rotations(np.roll(poses.quaternion, -1, axis=1))
    if _disagreement(nominal, poses.rotation) > CLEARLY * _disagreement(nominal, swapped):
        raise InputError(
            "the orientations fit far better with w first", place, "name the columns qw, qx, qy, qz as they stand"
        )


def _disagreement(nominal: np.ndarray, measured: np.ndarray) -> float:
    """Return how much R_nominal^T R_measured varies over the poses: a constant tool turn does not count."""
    relative = np.swapaxes(nominal, 1, 2) @ measured
    mean = relative.mean(axis=0)
    return float(np.sqrt(np.mean(np.sum((relative - mean) ** 2, axis=(1, 2))))) + 1e-12
