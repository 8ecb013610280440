"""Numbers in, numbers out: run a function of scalars on NumPy states of any leading shape.

A batch enters an algorithm as one array a component, so the algorithm's text is the one that
also runs on floats and on symbols, and no Python loop runs over states. Large batches go through
in blocks that stay in the cache.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from taut.errors import InputError

BLOCK = 2048
"""States a block: a few hundred live arrays of this length fit a second-level cache."""


def as_states(name: str, value: Any, width: int, meaning: str) -> np.ndarray:
    """Return ``value`` as floats of shape (..., width), or say what is wrong with it."""
    try:
        array = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise InputError("not an array of numbers", name, f"give {width} numbers: {meaning}") from None
    if array.ndim == 0 or array.shape[-1] != width:
        found = "a single number" if array.ndim == 0 else f"shape {array.shape}"
        raise InputError(f"{found}, expected (..., {width})", name, f"the last axis is {meaning}")
    if not np.isfinite(array).all():
        raise InputError("holds NaN or infinity", name, "give finite numbers")
    return array


def evaluate(compute: Callable[..., Any], states: Mapping[str, np.ndarray], shape: tuple[int, ...]) -> np.ndarray:
    """Return ``compute(**states)`` of shape (leading axes of the states, *shape).

    Args:
        compute: takes each state as a list of scalars and returns nested lists of scalars.
        states: arrays (..., width); leading axes broadcast against each other.
        shape: of one answer.
    """
    try:
        leading = np.broadcast_shapes(*(array.shape[:-1] for array in states.values()))
    except ValueError:
        listed = ", ".join(f"{name} {array.shape}" for name, array in states.items())
        raise InputError(f"leading axes do not fit together: {listed}", advice="give the same batch shape") from None
    if int(np.prod(leading)) == 1:  # plain floats are several times faster than arrays of one
        answer = compute(**{name: array.ravel().tolist() for name, array in states.items()})
        return np.array(answer, dtype=float).reshape(*leading, *shape)
    flat = {
        name: np.ascontiguousarray(np.broadcast_to(array, (*leading, array.shape[-1])).reshape(-1, array.shape[-1]).T)
        for name, array in states.items()
    }
    count = int(np.prod(leading))
    result = np.empty((count, *shape))
    for start in range(0, count, BLOCK):
        stop = min(start + BLOCK, count)
        block = {name: list(columns[:, start:stop]) for name, columns in flat.items()}
        _fill(result[start:stop], compute(**block))
    return result.reshape(*leading, *shape)


def _fill(target: np.ndarray, answer: Sequence[Any]) -> None:
    for index, entry in enumerate(answer):
        if isinstance(entry, (list, tuple)):
            _fill(target[:, index], entry)
        else:
            target[:, index] = entry
