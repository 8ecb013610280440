"""Regrouping coefficients without a formula, by least squares over random states.

The pattern of the null space is exact by then: which kept columns an eliminated one is made of is known.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from taut.batch import evaluate
from taut.questions.table import QUESTIONS
from taut.robot import Tree
from taut.robot.edit import numeric
from taut.robot.states import random_states

SEED = 43
STATES = 60


def numeric_coefficients(
    robot: Tree, columns: Sequence[int], supports: Mapping[int, Iterable[int]]
) -> dict[int, dict[int, float]]:
    """Return {eliminated: {kept: coefficient}} by least squares.

    Args:
        robot: its symbols need values.
        columns: of the regressor followed by the drive regressor.
        supports: {eliminated: the kept ones it is made of}, as indices into ``columns``.
    """
    Y = stacked_regressor(robot, columns)
    found = {}
    for eliminated, support in supports.items():
        kept = list(support)
        sizes = np.linalg.norm(Y[:, kept], axis=0)
        solution, *_ = np.linalg.lstsq(Y[:, kept] / sizes, Y[:, eliminated], rcond=None)
        found[eliminated] = dict(zip(kept, (float(x) for x in solution / sizes), strict=True))
    return found


FALL = 1e-9
"""Length of what is left of a column, relative to the column, below which it is made of those kept before."""


NOISE = 1e-12
"""Length of a column, relative to the longest, below which it is rounding of zeros: its parameter has no effect."""


@dataclass(frozen=True)
class Regrouped:
    """Columns of a regressor by elimination over numbers.

    Attributes:
        coefficients: {eliminated: {kept: coefficient}}.
        smallest: least part of a kept column, relative to the column, that those kept before it do not give.
        largest: the same of the eliminated ones, the largest: zero but for rounding.
    """

    coefficients: dict[int, dict[int, float]]
    smallest: float
    largest: float


def regrouped_on_loops(robot: Tree, columns: Sequence[int], order: Sequence[int]) -> Regrouped:
    """Return how columns of a robot with loops regroup, by their elimination at assembled positions.

    Args:
        robot: its symbols need values.
        columns: of the regressor.
        order: all of them, from the first to be eliminated to the last.
    """
    Y = stacked_regressor(robot, columns, max(STATES, 3 * len(columns) // robot.nv))
    sizes = np.linalg.norm(Y, axis=0)
    noise = NOISE * sizes.max(initial=0.0)
    basis = np.zeros((len(Y), 0))
    kept: list[int] = []
    eliminated = []
    smallest, largest = 1.0, 0.0
    for k in reversed(order):
        rest = Y[:, k] - basis @ (basis.T @ Y[:, k])
        rest = rest - basis @ (basis.T @ rest)
        part = float(np.linalg.norm(rest) / sizes[k]) if sizes[k] > noise else 0.0
        if part <= FALL:
            eliminated.append(k)
            largest = max(largest, part)
        else:
            kept.append(k)
            smallest = min(smallest, part)
            basis = np.column_stack([basis, rest / np.linalg.norm(rest)])
    found: dict[int, dict[int, float]] = {}
    for k in eliminated:
        if sizes[k] <= noise:
            found[k] = {}
            continue
        solution = np.linalg.lstsq(Y[:, kept], Y[:, k], rcond=None)[0]
        found[k] = {
            j: float(x) for j, x in zip(kept, solution, strict=True) if abs(x) > FALL * np.max(np.abs(solution))
        }
    return Regrouped(found, smallest, largest)


def stacked_regressor(robot: Tree, columns: Sequence[int], states: int = STATES) -> np.ndarray:
    """Return [Y, Y_drive] of a robot with values at seeded states, one below the other, for the given columns."""
    tree = numeric(robot)
    rng = np.random.default_rng(SEED)
    known = dict(zip(("q", "qd", "qdd"), random_states(tree, rng, (states,), limited=False), strict=True))
    blocks = []
    for name in ("regressor",) if tree.at().bends else ("regressor", "drive_regressor"):
        function = QUESTIONS[name]
        taken = {key: known[key] for key in function.arguments}
        blocks.append(evaluate(lambda f=function, **s: f.compute(tree, **s), taken, function.shape(tree)))
    return np.concatenate(blocks, axis=2).reshape(states * tree.nv, -1)[:, list(columns)]
