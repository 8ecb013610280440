"""What rounding may change in the results of generated code, output by output."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from taut.emit.constants import EXTENDED, off_line, rounded
from taut.emit.routine import Routine
from taut.graph.evaluate import Arithmetic

PRECISIONS: dict[str, np.dtype] = {"double": np.dtype(np.float64), "float": np.dtype(np.float32)}
"""The type of numbers of each precision."""

LONGEST = np.dtype(np.longdouble)
"""The type of references."""

ROUNDINGS = 10
"""Units in the last place of an output's largest value that are always allowed."""

MARGIN = 8
"""The allowed error is this times the one that is seen: another compiler orders and fuses operations otherwise."""


REFERENCE = 1e-12
"""Error of results that code is compared with, as a part of the largest output: the numbers of the decided robot are
rounded to double, and small outputs may be differences of large ones."""


def allowed_errors(
    routine: Routine,
    values: Mapping[str, float],
    states: Mapping[str, np.ndarray],
    precision: str,
    size: float = 0.0,
    numbers: np.dtype | None = None,
) -> np.ndarray:
    """Return the largest error (outputs) that rounding can explain at these states.

    The program is evaluated in the precision of the code and in a longer one, at the states and one unit in the last
    place above and below them, where an output that is a difference of close numbers shows it. Ten units in the last
    place of an output's largest value are allowed besides.

    Args:
        routine: the function.
        values: of the parameters.
        states: {argument: (n, width)}, exact in the precision.
        precision: ``double`` or ``float``.
        size: scale of the outputs where the rounded numbers of the robot change more than their size suggests:
            |M^-1| times the torques for accelerations.
        numbers: type of the numbers in the text where it is a shorter one than that of the operations.
    """
    dtype = PRECISIONS[precision]
    exact = evaluated(routine, values, states, LONGEST, numbers)
    above, below = (
        {name: np.nextafter(x.astype(dtype), dtype.type(end)) for name, x in states.items()}
        for end in (np.inf, -np.inf)
    )
    seen = np.zeros(routine.size)
    with np.errstate(all="ignore"):
        for given in (states, above, below):
            off = np.abs(evaluated(routine, values, given, dtype, numbers).astype(np.longdouble) - exact)
            seen = np.maximum(seen, off.max(axis=0, initial=0.0).astype(float))
        scale = np.abs(exact).max(axis=0, initial=0.0).astype(float)
    seen = np.where(np.isfinite(seen), seen, np.inf)  # a state that the precision cannot resolve shows nothing
    reference = REFERENCE * max(scale.max(initial=0.0), size)
    return MARGIN * seen + ROUNDINGS * float(np.finfo(dtype).eps) * scale + reference


def evaluated(
    routine: Routine,
    values: Mapping[str, float],
    states: Mapping[str, np.ndarray],
    dtype: np.dtype = LONGEST,
    numbers: np.dtype | None = None,
) -> np.ndarray:
    """Return the results (n, outputs) of operations in a type, off-line numbers rounded once as in the code.

    Args:
        routine: the function.
        values: of the parameters.
        states: {argument: (n, width)}.
        dtype: of the operations; long double by default.
        numbers: of the numbers in the text; by default they are exact in long double, else of the same type.
    """
    first, carried, rest = routine.offline
    known = _off_line_numbers(routine, {**routine.values, **values}, numbers)
    symbols: dict[str, object] = {
        value.name: dtype.type(known[i]) for value, (_, i) in zip(carried, first.outputs, strict=True)
    }
    for name, names in routine.arguments.items():
        symbols.update({symbol: states[name][:, k].astype(dtype) for k, symbol in enumerate(names)})
    answers = rest.evaluate(symbols, _arithmetic(dtype, numbers))
    count = len(next(iter(states.values())))
    return np.stack([np.broadcast_to(x, count) for x in answers], axis=1) if answers else np.zeros((count, 0))


def _off_line_numbers(routine: Routine, values: Mapping[str, float], numbers: np.dtype | None) -> Sequence[Any]:
    """Return the values of the off-line lines; of baked ones what stands in the text."""
    program = routine.offline.before
    if numbers is None or not routine.baked:
        return off_line(program, values)
    return [numbers.type(x) for x in rounded(program, values)]


def _arithmetic(dtype: np.dtype, numbers: np.dtype | None) -> Arithmetic:
    if numbers is None and dtype == LONGEST:
        return EXTENDED
    kept = numbers or dtype
    return Arithmetic(lambda x: dtype.type(kept.type(float(x))), lambda x, e: x**e, EXTENDED.functions)
