"""How large inertial parameters of a robot of this size can be: a weak prior that decides where motion does not.

Masses of m, first moments of m L, inertias of m L^2 / 2, with L the mean distance between joints and m the mass that
the largest torque would hold at half the reach. In base parameters the covariance is B S B^T.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from taut.identify.base_parameters import BaseParameters
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
    """

    mass: float
    length: float
    scales: np.ndarray
    mean: np.ndarray
    precision: np.ndarray


def plausible(robot: Tree, base: BaseParameters, torques: np.ndarray, mean: np.ndarray | None = None) -> Prior:
    """Return the prior for a robot whose largest RMS torques are given; around ``mean`` where it is given."""
    links = len(robot.joints)
    distances = [np.linalg.norm([float(x) for x in pose.p]) for pose in robot.rest_poses]
    length = float(np.mean(distances)) or SHORT
    mass = float(torques.max()) / GRAVITY / (length * links / 2)
    ten = np.array([mass, *[mass * length] * 3, *[mass * length**2 / 2] * 6])
    scales = np.concatenate([np.tile(ten, links), np.full(len(base.parameters) - 10 * links, mass * length**2)])
    B = base.matrix
    covariance = (B * scales**2) @ B.T
    if mean is None:
        mean = np.zeros(len(scales))
    return Prior(mass, length, scales, mean, np.linalg.inv(covariance))
