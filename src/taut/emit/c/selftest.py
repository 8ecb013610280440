"""The self-test of generated C: sample states with results computed in more than double precision."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np

from taut.emit.c.module import Module
from taut.emit.constants import EXTENDED, off_line
from taut.emit.infix import number
from taut.emit.names import remark, wrapped
from taut.emit.routine import Routine
from taut.graph.evaluate import Arithmetic

SAMPLES = 9
"""States of the self-test: one more than the longest vector has, so that a batch has a rest."""

SEED = 7


def selftest(module: Module) -> str:
    """Return a program that compares every function with values computed in more than double precision."""
    R, real = module.prefix, module.number.real
    values = _values(module)
    rows = [f"/* Self-test of '{remark(module.robot)}': sample states, expected results; prints the largest errors. */"]
    rows += [f'#include "{R}.h"', "#include <math.h>", "#include <stdio.h>", ""]
    rows += [_CHECK.replace("@real@", real).replace("@samples@", str(SAMPLES))]
    for routine in module.routines:
        rows += _sample(module, routine, values)
    rows += ["int main(void)", "{", "    int failed = 0;"]
    if not module.baked:
        listed = ", ".join(number(values[name]) for name in module.parameters) or "0.0"
        rows += [f"    static const double parameters[] = {{{listed}}};"]
        rows += [f"    {R}_constants k;", f"    {R}_init(&k, parameters);"]
    handed = "" if module.baked else "&k"
    rows += [f"    failed += test_{routine.name}({handed});" for routine in module.routines]
    rows += ['    puts(failed ? "FAILED" : "passed");', "    return failed != 0;", "}"]
    return "\n".join(rows) + "\n"


def _values(module: Module) -> dict[str, float]:
    """Return the parameters' values, drawn where the robot has none."""
    draw = random.Random(SEED)
    known = dict(module.values)
    if not module.baked:
        known.update({name: round(draw.uniform(0.2, 0.8), 3) for name in module.parameters if name not in known})
    return known


def _sample(module: Module, routine: Routine, values: dict[str, float]) -> list[str]:
    R, real, letter = module.prefix, module.number.real, routine.result.letter
    states, expected, tolerance = samples(routine, values, module.number.real)
    taken = "void" if module.baked else f"const {R}_constants *k"
    rows = [f"static int test_{routine.name}({taken})", "{"]
    for name, rows_of_states in states.items():
        rows += _array(module, name, rows_of_states)
    rows += _array(module, "expected", expected)
    rows += [f"    {real} {letter}[{SAMPLES * routine.size}];"]
    k = "" if module.baked else "k, "
    moved = ", ".join(f"{name} + {len(s)} * i" for name, s in routine.arguments.items())
    rows += [f"    for (int i = 0; i < {SAMPLES}; ++i)"]
    rows += [f"        {R}_{routine.name}({k}{moved}, {letter} + {routine.size} * i);"]
    check = f'check("{routine.name}{{}}", {letter}, expected, {routine.size}, {module.number.literal(tolerance)})'
    rows += [f"    int failed = {check.format('')};"]
    if module.batch:
        rows += [
            f"    for (int i = 0; i < {SAMPLES * routine.size}; ++i)",
            f"        {letter}[i] = {module.number.literal(0.0)};",
        ]
        rows += [f"    {R}_{routine.name}_batch({k}{SAMPLES}, {', '.join(routine.arguments)}, {letter});"]
        rows += [f"    failed += {check.format(' (batch)')};"]
    return [*rows, "    return failed;", "}", ""]


def samples(routine: Routine, values: dict[str, float], real: str) -> tuple[dict[str, np.ndarray], np.ndarray, float]:
    """Return states, their results and the relative tolerance that rounding needs.

    The tolerance is at least that of the precision, and larger where the function itself amplifies rounding, as
    the program evaluated in that precision shows.
    """
    dtype = np.dtype(np.float64 if real == "double" else np.float32)
    draw = random.Random(SEED)
    states = {
        name: np.array([[draw.uniform(-2, 2) for _ in s] for _ in range(SAMPLES)]).astype(dtype)
        for name, s in routine.arguments.items()
    }
    own = Arithmetic(lambda x: dtype.type(float(x)), lambda x, e: x**e, EXTENDED.functions)
    exact = _evaluated(routine, values, states, np.dtype(np.longdouble), EXTENDED)
    rounded = _evaluated(routine, values, states, dtype, own)
    size = np.abs(exact).max(axis=1, keepdims=True) + 1e-30
    error = float((np.abs(rounded - exact) / size).max(initial=0.0))
    least = {"double": 1e-12, "float": 1e-5}[real]
    return states, exact.astype(float), max(least, 64 * error)


def _evaluated(
    routine: Routine, values: dict[str, float], states: dict[str, np.ndarray], dtype: np.dtype, arithmetic: Arithmetic
) -> np.ndarray:
    """Return the results in an arithmetic of its own, off-line numbers rounded once as in the code."""
    first, carried, rest = routine.offline
    known = off_line(first, {**routine.values, **values})
    symbols: dict[str, object] = {
        value.name: dtype.type(known[i]) for value, (_, i) in zip(carried, first.outputs, strict=True)
    }
    for name, names in routine.arguments.items():
        symbols.update({symbol: states[name][:, k].astype(dtype) for k, symbol in enumerate(names)})
    answers = rest.evaluate(symbols, arithmetic)
    return np.stack([np.broadcast_to(x, SAMPLES) for x in answers], axis=1)


def _array(module: Module, name: str, rows: Sequence[Sequence[float]] | np.ndarray) -> list[str]:
    literals = [module.number.literal(float(x)).strip("()") for row in rows for x in row]
    return [
        f"    static const {module.number.real} {name}[{len(literals)}] = {{",
        *(f"        {row}" for row in wrapped(literals)),
        "    };",
    ]


_CHECK = """\
/* Compare all results with what is expected, each relative to the largest number of its state. */
static int check(const char *name, const @real@ *found, const @real@ *expected, int size, @real@ tolerance)
{
    double worst = 0.0;
    for (int i = 0; i < @samples@; ++i) {
        double scale = 0.0, error = 0.0;
        for (int j = 0; j < size; ++j) {
            scale = fmax(scale, fabs((double)expected[size * i + j]));
            const double off = fabs((double)found[size * i + j] - (double)expected[size * i + j]);
            error = off <= error ? error : off; /* NaN stays */
        }
        const double relative = scale > 0.0 ? error / scale : error;
        worst = relative <= worst ? worst : relative;
    }
    const int failed = !(worst <= (double)tolerance);
    printf("%-44s error %.1e, allowed %.1e%s\\n", name, worst, (double)tolerance, failed ? "  FAILED" : "");
    return failed;
}
"""
