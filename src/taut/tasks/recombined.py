"""What the tasks must compute together: textbook algorithms on random states, in more than double precision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from taut.emit.constants import EXTENDED
from taut.graph.program import Program
from taut.tasks.plan import Plan

STATES = 9
SEED = 11
LEAST = {"double": 1e-11, "float": 1e-4}
"""Relative errors that rounding alone may make."""


def random_states(plan: Plan, quaternions: Sequence[int], count: int, seed: int) -> dict[str, np.ndarray]:
    """Return {argument: (count, width)}; quaternions have length one."""
    rng = np.random.default_rng(seed)
    states = {name: rng.uniform(-2, 2, (count, len(symbols))) for name, symbols in plan.together.arguments.items()}
    for start in quaternions:
        part = states["q"][:, start : start + 4]
        states["q"][:, start : start + 4] = part / np.linalg.norm(part, axis=1, keepdims=True)
    return states


def expected_answers(
    plan: Plan, references: Mapping[str, Program], quaternions: Sequence[int], real: str
) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray], float]:
    """Return states, {answer: its right values (states, size)} and the relative error that rounding may make.

    Args:
        plan: the tasks.
        references: {function: program of its textbook algorithm}.
        quaternions: places of unit quaternions in q.
        real: ``double`` or ``float``.
    """
    dtype = np.float64 if real == "double" else np.float32
    states = {n: x.astype(dtype) for n, x in random_states(plan, quaternions, STATES, SEED).items()}
    symbols: dict[str, object] = {name: np.longdouble(value) for name, value in plan.together.values.items()}
    for name, names in plan.together.arguments.items():
        symbols.update({symbol: states[name][:, k].astype(np.longdouble) for k, symbol in enumerate(names)})
    expected = {}
    for answer in plan.together.answers:
        found = references[answer.label].evaluate(symbols, EXTENDED)
        expected[answer.name] = np.stack([np.broadcast_to(x, STATES) for x in found], axis=1).astype(float)
    return states, expected, LEAST[real]
