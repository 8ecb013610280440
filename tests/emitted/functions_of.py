"""Derived functions, routines and states that the tests of emitted code share; each derived once."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

import taut
from taut.derive.function import Function
from taut.emit.routine import Routine


@lru_cache
def derived(robot: str, name: str, parameters: str | None = None) -> Function:
    return taut.load(robot).derive(name, parameters=parameters, effort="none")


def routines(robot: str, names: tuple[str, ...], parameters: str | None = None) -> list[Routine]:
    return [derived(robot, name, parameters).routine() for name in names]


def states_of(function: Function, count: int, dtype: type = np.float64, seed: int = 3) -> dict[str, np.ndarray]:
    """Return states, rounded to a precision and given as doubles."""
    draw = np.random.default_rng(seed)
    return {
        name: draw.uniform(-3, 3, (count, len(symbols))).astype(dtype).astype(float)
        for name, symbols in function.arguments.items()
    }


def relative_error(found: np.ndarray, expected: np.ndarray) -> float:
    """Return the largest difference, each state's relative to the largest number of its answer."""
    expected = expected.reshape(len(expected), -1)
    scale = np.abs(expected).max(axis=1, keepdims=True)
    return float((np.abs(found.reshape(expected.shape) - expected) / np.where(scale > 0, scale, 1)).max())
