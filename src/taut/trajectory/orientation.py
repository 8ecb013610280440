"""Rotation matrices and rotation vectors: how far apart two orientations are, and those between them."""

from __future__ import annotations

import numpy as np


def rotation_vector(R: np.ndarray) -> np.ndarray:
    """Return axis times angle (..., 3) of rotation matrices, the angle between 0 and pi."""
    sine = 0.5 * np.stack([R[..., 2, 1] - R[..., 1, 2], R[..., 0, 2] - R[..., 2, 0], R[..., 1, 0] - R[..., 0, 1]], -1)
    s, c = np.linalg.norm(sine, axis=-1), 0.5 * (np.trace(R, axis1=-2, axis2=-1) - 1)
    angle = np.arctan2(s, c)
    ratio = np.divide(angle, s, out=np.ones_like(s), where=s > 0)
    vector = sine * ratio[..., None]
    half_turn = (c < 0) & (s < 1e-6)  # the axis is the largest column of R + 1
    if half_turn.any():
        columns = R[half_turn] + np.eye(3)
        k = np.argmax(np.diagonal(columns, axis1=-2, axis2=-1), axis=-1)
        axis = columns[np.arange(len(k)), :, k]
        vector[half_turn] = axis / np.linalg.norm(axis, axis=-1, keepdims=True) * angle[half_turn][:, None]
    return vector


def rotation_matrix(vector: np.ndarray) -> np.ndarray:
    """Return the rotation matrices (..., 3, 3) of rotation vectors (..., 3) by Rodrigues' formula."""
    angle = np.linalg.norm(vector, axis=-1)[..., None, None]
    K = np.zeros((*vector.shape, 3))
    K[..., 0, 1], K[..., 0, 2], K[..., 1, 2] = -vector[..., 2], vector[..., 1], -vector[..., 0]
    K = K - np.swapaxes(K, -1, -2)
    return np.asarray(np.eye(3) + np.sinc(angle / np.pi) * K + 0.5 * np.sinc(angle / (2 * np.pi)) ** 2 * K @ K)


def between(A: np.ndarray, B: np.ndarray, part: np.ndarray | float) -> np.ndarray:
    """Return orientations on the way from A to B about one axis; ``part`` goes from 0 to 1."""
    vector = rotation_vector(B @ A.T)
    return np.asarray(rotation_matrix(np.multiply.outer(np.asarray(part, float), vector)) @ A)
