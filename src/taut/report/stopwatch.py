"""Times calls: functions take turns, many times over; the least process CPU time of each counts.

Functions of C are called in a loop of C, ``stopwatch.c``, those of Python in a loop of Python. States are few enough
to stay in the first-level cache; each answer is written over the last.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from taut.runtime.timing import confirmed
from taut.toolchain.compiler import load

Key = TypeVar("Key")

SLICE = 2e5
"""Nanoseconds of one measurement: long against the clock, short against an interruption."""

STOPWATCH = Path(__file__).with_suffix(".c").read_text("utf-8")

Measurement = Callable[[int], float]
"""Takes how often to go through all states; returns nanoseconds a state."""


def pointer(array: np.ndarray | None) -> ctypes.c_void_p:
    """Return the address of an array's numbers."""
    return ctypes.c_void_p(None if array is None else array.ctypes.data)


def of_c(function: Any, states: Sequence[np.ndarray], answer: np.ndarray | None) -> Measurement:
    """Return what times ``f(q, v, x, out)`` of C.

    Args:
        function: of a library loaded by ctypes.
        states: q, v, x, one row a state.
        answer: where one answer goes; None for a function that keeps it.
    """
    run, address = _entry("time_one"), ctypes.cast(function, ctypes.c_void_p)

    def measured(loops: int) -> float:
        q, v, x = states
        given = (len(q), pointer(q), q.shape[1], pointer(v), pointer(x), v.shape[1], pointer(answer))
        return float(run(address, loops, *given))

    return measured


def of_c_batch(function: Any, states: Sequence[np.ndarray], answers: np.ndarray) -> Measurement:
    """Return what times ``f(n, q, v, x, out)`` of C on all states at once."""
    run, address = _entry("time_many"), ctypes.cast(function, ctypes.c_void_p)

    def measured(loops: int) -> float:
        return float(run(address, loops, len(states[0]), *map(pointer, (*states, answers))))

    return measured


def of_python(call: Callable[..., Any], states: Sequence[np.ndarray]) -> Measurement:
    """Return what times a call of one state from Python."""
    rows = list(zip(*states, strict=True))

    def measured(loops: int) -> float:
        start = time.process_time_ns()
        for _ in range(loops):
            for row in rows:
                call(*row)
        return (time.process_time_ns() - start) / loops / len(rows)

    return measured


def of_python_batch(call: Callable[..., Any], states: Sequence[np.ndarray]) -> Measurement:
    """Return what times a call of all states at once from Python."""

    def measured(loops: int) -> float:
        start = time.process_time_ns()
        for _ in range(loops):
            call(*states)
        return (time.process_time_ns() - start) / loops / len(states[0])

    return measured


def least(
    measurements: Mapping[Key, tuple[int, Measurement]], rounds: int, progress: Callable[[int], None] | None = None
) -> dict[Key, float]:
    """Return the least nanoseconds a state of everyone, all taking turns.

    Args:
        measurements: {who: (states it goes through, what times it)}.
        rounds: how often everyone has a turn.
        progress: called after each round with its number.
    """
    times = {key: [measure(1) for _ in range(3)] for key, (_, measure) in measurements.items()}
    loops = {key: max(1, round(SLICE / (min(times[key]) * count))) for key, (count, _) in measurements.items()}
    for k in range(rounds):
        for key, (_, measure) in measurements.items():
            times[key].append(measure(loops[key]))
        if progress:
            progress(k + 1)
    return {key: confirmed(found) for key, found in times.items()}


def _entry(name: str) -> Any:
    function = getattr(load(STOPWATCH, ("-O2",)), name)
    function.restype = ctypes.c_double
    return function
