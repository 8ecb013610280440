"""Dependencies and significance as Izaguirre, Hashimoto, Paul and Hayward [1992, section 6 and 7] find them.

Columns of the regressor at random points are taken one by one; a column whose matrix with those before has a smallest
singular value of the order of 1e-10 depends on them and is dropped. A parameter is significant if its largest
contribution to some joint's torque over all trajectories is at least 1 % of the largest torque measured there. taut's
own base parameters (:mod:`taut.identify.base_parameters`) are exact; this is printed next to them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from taut.batch import evaluate
from taut.identify.parameters import parameters
from taut.questions.table import QUESTIONS
from taut.robot import Tree
from taut.robot.edit import numeric
from taut.robot.states import random_states

POINTS = 100
SINGULAR = 1e-9
"""Smallest singular values up to here are of the order of 1e-10."""

SIGNIFICANT = 0.01


@dataclass(frozen=True)
class PublishedParameters:
    """Parameters in the published order: rotor inertias, links from the last to the first, frictions.

    Attributes:
        names: of all.
        columns: of the regressor followed by the drive regressor.
        kept: indices of the independent ones.
    """

    names: tuple[str, ...]
    columns: tuple[int, ...]
    kept: tuple[int, ...]

    @property
    def independent(self) -> tuple[str, ...]:
        """Names of the independent parameters."""
        return tuple(self.names[k] for k in self.kept)


def full_regressor(robot: Tree, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> np.ndarray:
    """Return the regressor followed by the drive regressor at states (samples, joints)."""
    tree = numeric(robot)
    rigid, driven = QUESTIONS["regressor"], QUESTIONS["drive_regressor"]
    Y = evaluate(lambda **s: rigid.compute(tree, **s), {"q": q, "qd": qd, "qdd": qdd}, rigid.shape(tree))
    D = evaluate(lambda **s: driven.compute(tree, **s), {"qd": qd, "qdd": qdd}, driven.shape(tree))
    return np.concatenate([Y, D], -1)


def published_parameters(robot: Tree, seed: int = 1) -> PublishedParameters:
    """Return the parameters that torques can tell apart, columns taken one by one."""
    asked = parameters(robot, drives=True, friction=True)
    order = _published_order(robot, len(asked.names))
    columns = [asked.columns[k] for k in order]
    states = random_states(numeric(robot), np.random.default_rng(seed), (POINTS,))
    W = full_regressor(robot, *states)[..., columns].reshape(-1, len(columns))
    return PublishedParameters(tuple(asked.names[k] for k in order), tuple(columns), independent_columns(W))


def _published_order(robot: Tree, count: int) -> list[int]:
    links = len(robot.joints)
    driven = sum(joint.motion.nv == 1 for joint in robot.joints)
    rotors = [10 * links + 3 * k for k in range(driven)]
    moments = [10 * i + k for i in reversed(range(links)) for k in (0, 1, 2, 3, 4, 6, 9, 5, 8, 7)]
    frictions = [10 * links + 3 * k + kind for kind in (1, 2) for k in range(driven)]
    return [*rotors, *moments, *frictions][:count]


def independent_columns(W: np.ndarray) -> tuple[int, ...]:
    """Return the columns that do not depend on those before them."""
    kept: list[int] = []
    for k in range(W.shape[1]):
        values = np.linalg.svd(W[:, [*kept, k]], compute_uv=False)
        if values[-1] > SINGULAR:
            kept.append(k)
    return tuple(kept)


def torque_shares(W: Sequence[np.ndarray], tau: Sequence[np.ndarray], x: np.ndarray) -> np.ndarray:
    """Return each parameter's largest contribution over the largest torque of its joint, over all trajectories.

    Args:
        W: regressors of the trajectories, each (samples, joints, parameters).
        tau: measured torques, each (samples, joints).
        x: parameters.
    """
    most = np.max([np.abs(t).max(0) for t in tau], axis=0)
    parts = np.max([np.abs(w * x).max(0) for w in W], axis=0)  # (joints, parameters)
    shares: np.ndarray = (parts / most[:, None]).max(0)
    return shares
