"""What rounding does to a routine: its program evaluated in the precision of the code and in a longer one."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from taut.emit.constants import EXTENDED, off_line
from taut.emit.routine import Routine
from taut.graph.evaluate import Arithmetic

PRECISIONS: dict[str, np.dtype] = {"double": np.dtype(np.float64), "float": np.dtype(np.float32)}

LEAST = {"double": 1e-12, "float": 1e-5}
"""Part of the largest result that may be lost in any program."""


def rounding(routine: Routine, values: Mapping[str, float], states: Mapping[str, np.ndarray], real: str) -> float:
    """Return the part of a state's largest result that rounding may change.

    It is at least that of the precision, and larger where the program amplifies rounding, as it shows when it is
    evaluated in that precision and in a longer one.
    """
    dtype = PRECISIONS[real]
    own = Arithmetic(lambda x: dtype.type(float(x)), lambda x, e: x**e, EXTENDED.functions)
    exact = evaluated(routine, values, states, np.dtype(np.longdouble), EXTENDED)
    rounded = evaluated(routine, values, states, dtype, own)
    size = np.abs(exact).max(axis=1, keepdims=True) + 1e-30
    return max(LEAST[real], 64 * float((np.abs(rounded - exact) / size).max(initial=0.0)))


def evaluated(
    routine: Routine,
    values: Mapping[str, float],
    states: Mapping[str, np.ndarray],
    dtype: np.dtype,
    arithmetic: Arithmetic,
) -> np.ndarray:
    """Return the results of states in an arithmetic of its own, off-line numbers rounded once as in the code."""
    first, carried, rest = routine.offline
    known = off_line(first, {**routine.values, **values})
    symbols: dict[str, object] = {
        value.name: dtype.type(known[i]) for value, (_, i) in zip(carried, first.outputs, strict=True)
    }
    for name, names in routine.arguments.items():
        symbols.update({symbol: states[name][:, k].astype(dtype) for k, symbol in enumerate(names)})
    answers = rest.evaluate(symbols, arithmetic)
    count = len(next(iter(states.values())))
    return np.stack([np.broadcast_to(x, count) for x in answers], axis=1)
