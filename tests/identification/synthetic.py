"""Recordings made by a robot of known parameters."""

from __future__ import annotations

import numpy as np

from taut.api import Robot
from taut.recordings.recording import Recording


def excited(
    robot: Robot, seconds: float = 15.0, rate: float = 100.0, seed: int = 1, amplitude: float = 0.8
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return t, q, qd, qdd of sums of sines at several frequencies."""
    rng = np.random.default_rng(seed)
    t = np.arange(0, seconds, 1 / rate)
    w = 2 * np.pi * np.array([0.11, 0.23, 0.37, 0.61])
    a, b = rng.uniform(-1, 1, (2, robot.nv, 4)) * amplitude / (1 + w)
    phase = w[:, None] * t
    s, c = np.sin(phase), np.cos(phase)
    q = a @ s + b @ c
    qd = (a * w) @ c - (b * w) @ s
    qdd = -(a * w * w) @ s - (b * w * w) @ c
    return t, q.T, qd.T, qdd.T


def recording(robot: Robot, noise: float = 0.01, **options: float) -> Recording:
    """Return a recording with noise on the torque, in parts of its RMS."""
    t, q, qd, qdd = excited(robot, **options)  # type: ignore[arg-type]
    tau = robot.joint_torque(q, qd, qdd)
    rng = np.random.default_rng(9)
    tau = tau + noise * tau.std(0) * rng.normal(size=tau.shape)
    return Recording("made", t, q, tau)
