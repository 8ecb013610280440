"""What is known of inertial parameters before the samples: a weak prior that decides where motion does not.

Without a model it is how large they can be in a robot of this size: masses of m, first moments of m L, inertias of
m L^2 / 2, with L the mean distance between joints and m the mass that the largest torque would hold at half the reach.
In base parameters the covariance is B S B^T. With the bodies of a model the prior is their log-det divergence
(:mod:`taut.identify.estimate.log_det`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from taut.identify.base_parameters import BaseParameters
from taut.identify.estimate.log_det import covariance, whitener
from taut.robot import Tree

GRAVITY = 9.81
SHORT = 0.2
"""Metres taken for L where joints coincide."""


@dataclass(frozen=True)
class Prior:
    """Scales of the parameters of links and rotors.

    Attributes:
        mass: m [kg].
        length: L [m].
        scales: standard deviation of every parameter of pi.
        mean: of pi; zeros without a prior model.
        precision: inverse covariance of the base parameters.
        bodies: W of every link of the model whose log-det divergence is the prior; empty where the scales are.
    """

    mass: float
    length: float
    scales: np.ndarray
    mean: np.ndarray
    precision: np.ndarray
    bodies: tuple[np.ndarray, ...] = ()

    @property
    def covariance(self) -> np.ndarray:
        """Covariance of pi: of the log-det divergence to second order, rotors by their scales."""
        found = np.diag(self.scales**2)
        for i, W in enumerate(self.bodies):
            found[10 * i : 10 * i + 10, 10 * i : 10 * i + 10] = covariance(W)
        return found

    def completed(self, B: np.ndarray, x: np.ndarray) -> np.ndarray:
        """Return the most likely pi whose base parameters B pi are x."""
        spread = self.covariance @ B.T
        found: np.ndarray = self.mean + spread @ np.linalg.solve(B @ spread, x - B @ self.mean)
        return found


def plausible(
    robot: Tree, base: BaseParameters, torques: np.ndarray, mean: np.ndarray | None = None, log_det: bool = False
) -> Prior:
    """Return the prior for a robot.

    Args:
        robot: its geometry gives the lengths.
        base: its base parameters.
        torques: RMS of each joint's torque.
        mean: of pi; zeros where None.
        log_det: whether the links' distance from the mean is the log-det divergence.
    """
    links = len(robot.joints)
    distances = [np.linalg.norm([float(x) for x in pose.p]) for pose in robot.rest_poses]
    length = float(np.mean(distances)) or SHORT
    mass = float(torques.max()) / GRAVITY / (length * links / 2)
    ten = np.array([mass, *[mass * length] * 3, *[mass * length**2 / 2] * 6])
    scales = np.concatenate([np.tile(ten, links), np.full(len(base.parameters) - 10 * links, mass * length**2)])
    if mean is None:
        mean = np.zeros(len(scales))
    bodies: tuple[np.ndarray, ...] = ()
    if log_det:
        bodies = tuple(whitener(mean[10 * i : 10 * i + 10], j.link.name) for i, j in enumerate(robot.joints))
    prior = Prior(mass, length, scales, mean, np.zeros((0, 0)), bodies)
    B = base.matrix
    return replace(prior, precision=np.linalg.inv(B @ prior.covariance @ B.T))
