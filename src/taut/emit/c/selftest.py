"""The self-test of generated C: sample states with results computed in more than double precision."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

import numpy as np

from taut.emit.c.module import Module
from taut.emit.constants import EXTENDED
from taut.emit.infix import number
from taut.emit.names import remark, wrapped
from taut.emit.rounding import PRECISIONS, allowed_errors, evaluated
from taut.emit.routine import Routine
from taut.emit.samples import Samples

SAMPLES = 9
"""States that are drawn: one more than the longest vector has, so that a batch has a rest."""

SEED = 7


def selftest(module: Module) -> str:
    """Return a program that compares every function with values computed in more than double precision."""
    R, real = module.prefix, module.number.real
    values = _values(module)
    rows = [f"/* Self-test of '{remark(module.robot)}': sample states, expected results; prints the largest errors. */"]
    rows += [f'#include "{R}.h"', "#include <math.h>", "#include <stdio.h>", ""]
    rows += [_CHECK.replace("@real@", real)]
    for routine in module.routines:
        rows += _test(module, routine, values)
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
    """Return the parameters' values, drawn where neither the robot nor the samples have one."""
    draw = random.Random(SEED)
    known = dict(module.values)
    if not module.baked:
        for routine in module.routines:
            known.update(routine.samples.parameters if routine.samples else {})
        known.update({name: round(draw.uniform(0.2, 0.8), 3) for name in module.parameters if name not in known})
    return known


def _test(module: Module, routine: Routine, values: dict[str, float]) -> list[str]:
    """Return the C function that tests one routine."""
    R, real, letter = module.prefix, module.number.real, routine.result.letter
    given = routine.samples or _of_the_program(routine, values, real)
    count = len(given.decided)
    rounding = allowed_errors(routine, values, given.states, real, given.largest_scale)
    taken = "void" if module.baked else f"const {R}_constants *k"
    rows = [f"static int test_{routine.name}({taken})", "{"]
    for name, rows_of_states in given.states.items():
        rows += _array(module, name, rows_of_states)
    checks = [("", "decided", "rounding")]
    rows += [f"    /* {sentence} */" for sentence in _about(routine)]
    rows += _array(module, "decided", given.decided)
    rows += _array(module, "rounding", rounding[None], "double")
    if given.written is not None:
        rows += [
            "    /* By the textbook algorithm in extended precision, on the file's digits; the stated difference. */"
        ]
        rows += _array(module, "written", given.written)
        rows += _array(module, "difference", (rounding + given.stated * given.scale)[None], "double")
        checks.append((", file's digits", "written", "difference"))
    rows += [f"    {real} {letter}[{count * routine.size}];", "    int failed = 0;"]
    k = "" if module.baked else "k, "
    moved = ", ".join(f"{name} + {len(s)} * i" for name, s in routine.arguments.items())
    rows += [f"    for (int i = 0; i < {count}; ++i)"]
    rows += [f"        {R}_{routine.name}({k}{moved}, {letter} + {routine.size} * i);"]

    def checked(form: str) -> list[str]:
        return [
            f'    failed += check("{routine.name}{form}{which}", {letter}, {expected}, {allowed}, '
            f"{count}, {routine.size});"
            for which, expected, allowed in checks
        ]

    rows += checked("")
    if module.batch:
        rows += [
            f"    for (int i = 0; i < {count * routine.size}; ++i)",
            f"        {letter}[i] = {module.number.literal(0.0)};",
        ]
        rows += [f"    {R}_{routine.name}_batch({k}{count}, {', '.join(routine.arguments)}, {letter});"]
        rows += checked(" (batch)")
    return [*rows, "    return failed;", "}", ""]


def _about(routine: Routine) -> list[str]:
    """Return what the first reference is, in sentences."""
    if routine.samples is None:
        return ["By the program itself in extended precision."]
    if routine.samples.written is None:
        return ["By the textbook algorithm in extended precision, on the file's digits."]
    return ["By the textbook algorithm in extended precision, on the robot that the file's digits mean."]


def _of_the_program(routine: Routine, values: Mapping[str, float], real: str) -> Samples:
    """Return states and their results by the program itself in extended precision."""
    draw = random.Random(SEED)
    states = {
        name: np.array([[draw.uniform(-2, 2) for _ in s] for _ in range(SAMPLES)]).astype(PRECISIONS[real])
        for name, s in routine.arguments.items()
    }
    exact = evaluated(routine, values, states, np.dtype(np.longdouble), EXTENDED)
    return Samples(states, {}, exact, None, np.zeros(routine.size), 0.0)


def _array(module: Module, name: str, rows: Sequence[Sequence[float]] | np.ndarray, kind: str = "") -> list[str]:
    literal = number if kind else module.number.literal
    literals = [literal(float(x)).strip("()") for row in rows for x in row]
    return [
        f"    static const {kind or module.number.real} {name}[{len(literals)}] = {{",
        *(f"        {row}" for row in wrapped(literals)),
        "    };",
    ]


_CHECK = """\
/* Compare the results of n states with what is expected; every output has an error of its own that is allowed. */
static int check(const char *name, const @real@ *found, const @real@ *expected, const double *allowed, int n, int size)
{
    double worst = 0.0, error = 0.0, bound = 0.0;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < size; ++j) {
            const double off = fabs((double)found[size * i + j] - (double)expected[size * i + j]);
            const double share = off == 0.0 ? 0.0 : off / allowed[j];
            if (!(share <= worst)) { /* NaN stays */
                worst = share;
                error = off;
                bound = allowed[j];
            }
        }
    const int failed = !(worst <= 1.0);
    printf("%-44s error %.1e, allowed %.1e%s\\n", name, error, bound, failed ? "  FAILED" : "");
    return failed;
}
"""
