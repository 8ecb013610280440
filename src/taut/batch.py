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

REAL_KINDS = "biufO"
"""Kinds of NumPy's types that may hold real numbers: whole ones, floats, and objects such as fractions."""


def as_states(name: str, value: Any, width: int, meaning: str) -> np.ndarray:
    """Return ``value`` as finite floats of shape (..., width); the error names what is wrong with it."""
    array = as_vectors(name, value, width, meaning)
    if not np.isfinite(array).all():
        raise InputError("holds NaN or infinity", name, "give finite numbers")
    return array


def as_vectors(name: str, value: Any, width: int, meaning: str, dtype: Any = float) -> np.ndarray:
    """Return ``value`` as real numbers of shape (..., width); the error names what is wrong with it."""
    try:
        given = np.asarray(value)
        if given.dtype.kind not in REAL_KINDS or (given.dtype.kind == "O" and any(map(_is_not_real, given.flat))):
            raise TypeError
        array = given.astype(dtype, copy=False)
    except (TypeError, ValueError, OverflowError):
        raise InputError("not an array of real numbers", name, f"give {width} numbers: {meaning}") from None
    if array.ndim == 0 or array.shape[-1] != width:
        found = "a single number" if array.ndim == 0 else f"shape {array.shape}"
        raise InputError(f"{found}, expected (..., {width})", name, f"the last axis is {meaning}")
    return array


def _is_not_real(entry: Any) -> bool:
    return entry is None or isinstance(entry, (str, bytes, complex))


def leading_axes(states: Mapping[str, np.ndarray]) -> tuple[int, ...]:
    """Return the common leading axes of arrays (..., width), broadcast against each other."""
    try:
        return np.broadcast_shapes(*(array.shape[:-1] for array in states.values()))
    except ValueError:
        listed = ", ".join(f"{name} {array.shape}" for name, array in states.items())
        raise InputError(f"leading axes do not fit together: {listed}", advice="give the same batch shape") from None


def broadcast(**states: np.ndarray) -> list[np.ndarray]:
    """Return arrays (..., width) with their common leading axes."""
    leading = leading_axes(states)
    return [np.broadcast_to(array, (*leading, array.shape[-1])) for array in states.values()]


def evaluate(
    compute: Callable[..., Any], states: Mapping[str, np.ndarray], shape: tuple[int, ...], dtype: Any = float
) -> np.ndarray:
    """Return ``compute(**states)`` of shape (leading axes of the states, *shape).

    Args:
        compute: takes each state as a list of scalars and returns nested lists of scalars.
        states: arrays (..., width); leading axes broadcast against each other.
        shape: of one answer.
        dtype: of the answer.
    """
    leading = leading_axes(states)
    if int(np.prod(leading)) == 1 and dtype is float:  # plain floats are several times faster than arrays of one
        answer = compute(**{name: array.ravel().tolist() for name, array in states.items()})
        return np.array(answer, dtype=float).reshape(*leading, *shape)
    flat = {
        name: np.ascontiguousarray(np.broadcast_to(array, (*leading, array.shape[-1])).reshape(-1, array.shape[-1]).T)
        for name, array in states.items()
    }
    count = int(np.prod(leading))
    result = np.empty((count, *shape), dtype)
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
