"""A robot of numbers in place of a symbolic one: measured values first, seeded draws for the rest."""

from __future__ import annotations

import numpy as np

from taut.robot import Tree
from taut.robot.edit import numeric, symbols, with_values

SEED = 20
SMALLEST, LARGEST = 0.2, 0.8
"""Draws are lengths of an arm, masses and angles alike: away from 0 and from right angles."""


def unvalued(robot: Tree) -> list[str]:
    """Return the names of the symbols that have no measured value."""
    return sorted(symbols(robot) - set(robot.values))


def stand_in(robot: Tree) -> Tree:
    """Return the robot with every symbol replaced by its value, or by a draw where it has none."""
    missing = unvalued(robot)
    draws = np.random.default_rng(SEED).uniform(SMALLEST, LARGEST, len(missing))
    return numeric(with_values(robot, dict(zip(missing, map(float, draws), strict=True))))
