"""Where to measure next: the joint positions within the limits that lower the standard errors most."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from taut.calibration.calibrate import Calibration, gravity_torques
from taut.calibration.chain import Chain
from taut.robot.states import random_positions

CANDIDATES = 2000
"""Random joint positions to choose from."""

SWEEPS = 6
"""How often every chosen pose may be exchanged."""


def next_poses(
    calibration: Calibration, count: int = 10, seed: int = 1, candidates: int = CANDIDATES
) -> tuple[np.ndarray, dict[str, float]]:
    """Return joint positions (count, nq) to measure, and the standard errors they would leave.

    First the candidates that raise the determinant of the information matrix most, one by one (D-optimal); then each
    is exchanged for another as long as that lowers the largest standard error, metres and radians each measured by
    the noise of the instrument.
    """
    instrument = calibration.instrument
    chain = Chain.of(calibration.tree, calibration.frame, calibration.base)
    q = random_positions(calibration.tree, np.random.default_rng(seed), (candidates,))
    torques = gravity_torques(chain, q) if any(p.kind == "compliance" for p in calibration.fitted) else None
    _, J = chain.poses(q, calibration.fit.errors, calibration.fitted, torques)
    metres, radians = calibration.fit.noise
    rows = list(instrument.rows)
    scale = np.array([1 / metres] * instrument.lengths + [1 / radians] * (len(rows) - instrument.lengths))
    size = np.array([metres if p.unit.startswith("m") else radians for p in calibration.fitted])
    A = J[:, rows] * scale[None, :, None] * size  # parameters in units of the noise
    design = _Design(A, calibration.fit.covariance / np.outer(size, size))
    chosen: list[int] = []
    for _ in range(count):
        gain = design.determinants(chosen)
        gain[chosen] = -np.inf
        chosen.append(int(np.argmax(gain)))
    for _ in range(SWEEPS):
        before = list(chosen)
        for k in range(count):
            others = chosen[:k] + chosen[k + 1 :]
            worst = design.worst(others)
            worst[others] = np.inf
            chosen[k] = int(np.argmin(worst))
        if chosen == before:
            break
    left = np.sqrt(np.diag(design.covariance(chosen))) * size
    return q[chosen], {p.name: float(x) for p, x in zip(calibration.fitted, left, strict=True)}


@dataclass(frozen=True)
class _Design:
    """Candidates for measurement: their scaled columns (N, rows, parameters), and the covariance so far."""

    A: np.ndarray
    start: np.ndarray

    def covariance(self, chosen: list[int]) -> np.ndarray:
        """Return the covariance after measuring the chosen candidates, too."""
        C = self.start
        for k in chosen:
            a = self.A[k]
            C = C - C @ a.T @ np.linalg.solve(np.eye(len(a)) + a @ C @ a.T, a @ C)
        return C

    def determinants(self, chosen: list[int]) -> np.ndarray:
        """Return by how much each candidate raises the logarithm of the information's determinant."""
        C = self.covariance(chosen)
        gains: np.ndarray = np.linalg.slogdet(np.eye(self.A.shape[1]) + self.A @ C @ np.swapaxes(self.A, 1, 2))[1]
        return gains

    def worst(self, chosen: list[int]) -> np.ndarray:
        """Return the largest variance that each candidate would leave."""
        C = self.covariance(chosen)
        AC = self.A @ C
        middle = np.eye(self.A.shape[1]) + AC @ np.swapaxes(self.A, 1, 2)
        fall = np.sum(AC * np.linalg.solve(middle, AC), axis=1)
        left: np.ndarray = (np.diag(C) - fall).max(axis=1)
        return left
