"""The number of combinations of inertial parameters that torques can distinguish.

.. math:: \\tau = Y(q, \\dot q, \\ddot q)\\, \\pi

The number of base parameters is the rank of Y stacked over enough states [Gautier, Khalil 1990]; it is counted
exactly. Which single parameters have an effect is seen in a stacked Y of floats.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from taut.identify import base_parameters
from taut.report.stand_in import SEED
from taut.robot.states import random_states

if TYPE_CHECKING:
    from taut.api import Robot

STATES = 40
"""Four times the ten parameters of a link: even one joint alone gives more rows than columns."""

MOST_LINKS = 100
"""Beyond this a count can take minutes."""

SHORT = 1e-8
"""Columns shorter than this part of the longest have no effect.

A length that matters is above 1e-4 of a robot's reach and enters by its square at most. What is shorter
comes from rounding, or from right angles that a file gives with few digits.
"""


def base_parameter_count(robot: Robot) -> int | None:
    """Return the number of base parameters of the rigid links, or None for a robot too large to count.

    The count is exact, and that of the general geometry: a symbol stands for any value.
    """
    return None if len(robot.tree.joints) > MOST_LINKS else base_parameters.base_parameter_count(robot.tree)


def matters(columns: np.ndarray) -> np.ndarray:
    """Return which columns of a stacked regressor are more than rounding: the parameters with an effect."""
    lengths = np.linalg.norm(columns, axis=0)
    return lengths > SHORT * lengths.max()


def stacked_regressor(robot: Robot) -> np.ndarray:
    """Return the regressor of a numeric robot at seeded states, one below the other."""
    q, qd, qdd = random_states(robot.tree, np.random.default_rng(SEED), (STATES,), limited=False)
    return robot.regressor(q, qd, qdd).reshape(STATES * robot.nv, -1)
