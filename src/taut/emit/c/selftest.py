"""The self-test of generated C: sample states with results computed in more than double precision."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from taut.emit.c.in_double import as_written, included_in_double
from taut.emit.c.module import Module
from taut.emit.infix import number
from taut.emit.names import remark, wrapped
from taut.emit.rounding import PRECISIONS, allowed_errors, evaluated
from taut.emit.routine import Routine
from taut.emit.samples import Samples
from taut.emit.trial import in_double

SAMPLES = 9
"""States that are drawn: one more than the longest vector has, so that a batch has a rest."""

SEED = 7


@dataclass(frozen=True)
class Form:
    """A text that is tested: as it is, or float code computed in double.

    Attributes:
        mark: in the names of its functions.
        real: the type of its numbers.
        text: what stands before its tests.
    """

    mark: str
    real: str
    text: str


def selftest(module: Module) -> str:
    """Return a program that compares every function with values computed in more than double precision."""
    R, values = module.prefix, _values(module)
    rows = [f"/* Self-test of '{remark(module.robot)}': sample states, expected results; prints the largest errors. */"]
    rows += [f'#include "{R}.h"', "#include <math.h>", "#include <stdio.h>", ""]
    calls = []
    for form in _forms(module):
        rows += [form.text, _CHECK.replace("@real@", form.real).replace("@mark@", form.mark)]
        for k, routine in enumerate(module.routines):
            rows += _test(module, form, routine, _samples(module, form, k, values))
        calls += _calls(module, form)
    rows += ["int main(void)", "{", "    int failed = 0;"]
    if not module.baked:
        listed = ", ".join(number(values[name]) for name in module.parameters) or "0.0"
        rows += [f"    static const double parameters[] = {{{listed}}};"]
    rows += [*calls, '    puts(failed ? "FAILED" : "passed");', "    return failed != 0;", "}"]
    return "\n".join(rows) + "\n"


def _forms(module: Module) -> list[Form]:
    own = Form("", module.number.real, "")
    return (
        [own] if own.real == "double" else [own, Form("in_double_", "double", _IN_DOUBLE + included_in_double(module))]
    )


def _calls(module: Module, form: Form) -> list[str]:
    """Return the rows of main that test one form."""
    R, k = module.prefix, f"{form.mark}k"
    made = [] if module.baked else [f"    {R}_{form.mark}constants {k};", f"    {R}_{form.mark}init(&{k}, parameters);"]
    handed = "" if module.baked else f"&{k}"
    return [*made, *(f"    failed += test_{form.mark}{routine.name}({handed});" for routine in module.routines)]


def _samples(module: Module, form: Form, k: int, values: Mapping[str, float]) -> tuple[Samples, np.ndarray]:
    """Return states and references of one routine, and the errors that rounding explains."""
    routine, real = module.routines[k], module.number.real
    given = routine.samples or _of_the_program(routine, values, real)
    if form.mark:
        wide = in_double(as_written(module.written[k]), values, given.states)
        return Samples(given.states, {}, wide.expected, None, np.zeros(routine.size), 0.0), wide.allowed
    return given, allowed_errors(routine, values, given.states, real, given.largest_scale)


def _values(module: Module) -> dict[str, float]:
    """Return the parameters' values, drawn where neither the robot nor the samples have one."""
    draw = random.Random(SEED)
    known = dict(module.values)
    if not module.baked:
        for routine in module.routines:
            known.update(routine.samples.parameters if routine.samples else {})
        known.update({name: round(draw.uniform(0.2, 0.8), 3) for name in module.parameters if name not in known})
    return known


def _test(module: Module, form: Form, routine: Routine, samples: tuple[Samples, np.ndarray]) -> list[str]:
    """Return the C function that tests one routine."""
    R, letter, (given, rounding) = f"{module.prefix}_{form.mark}".rstrip("_"), routine.result.letter, samples
    count = len(given.decided)
    taken = "void" if module.baked else f"const {R}_constants *k"
    rows = [f"static int test_{form.mark}{routine.name}({taken})", "{"]
    for name, rows_of_states in given.states.items():
        rows += _array(module, name, rows_of_states, form.real)
    checks = [("", "decided", "rounding")]
    rows += [f"    /* {sentence} */" for sentence in _about(routine, form)]
    rows += _array(module, "decided", given.decided, form.real)
    rows += _array(module, "rounding", rounding[None], "double")
    if given.written is not None:
        rows += [
            "    /* By the textbook algorithm in extended precision, on the file's digits; the stated difference. */"
        ]
        rows += _array(module, "written", given.written, form.real)
        rows += _array(module, "difference", (rounding + given.stated * given.scale)[None], "double")
        checks.append((", file's digits", "written", "difference"))
    rows += [f"    {form.real} {letter}[{count * routine.size}];", "    int failed = 0;"]
    k = "" if module.baked else "k, "
    moved = ", ".join(f"{name} + {len(s)} * i" for name, s in routine.arguments.items())
    rows += [f"    for (int i = 0; i < {count}; ++i)"]
    rows += [f"        {R}_{routine.name}({k}{moved}, {letter} + {routine.size} * i);"]

    def checked(how: str) -> list[str]:
        return [
            f'    failed += {form.mark}check("{routine.name}{how}{which}", {letter}, {expected}, {allowed}, '
            f"{count}, {routine.size});"
            for which, expected, allowed in checks
        ]

    rows += checked(" (in double)" if form.mark else "")
    if module.batch and not form.mark:
        rows += [
            f"    for (int i = 0; i < {count * routine.size}; ++i)",
            f"        {letter}[i] = {module.number.literal(0.0)};",
        ]
        rows += [f"    {R}_{routine.name}_batch({k}{count}, {', '.join(routine.arguments)}, {letter});"]
        rows += checked(" (batch)")
    return [*rows, "    return failed;", "}", ""]


def _about(routine: Routine, form: Form) -> list[str]:
    """Return what the first reference is, in sentences."""
    if form.mark:
        return ["By the program itself in extended precision, its numbers rounded to float."]
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
    return Samples(states, {}, evaluated(routine, values, states), None, np.zeros(routine.size), 0.0)


def _array(module: Module, name: str, rows: Sequence[Sequence[float]] | np.ndarray, real: str) -> list[str]:
    literal = number if real == "double" else module.number.literal
    literals = [literal(float(x)).strip("()") for row in rows for x in row]
    return [
        f"    static const {real} {name}[{len(literals)}] = {{",
        *(f"        {row}" for row in wrapped(literals)),
        "    };",
    ]


_IN_DOUBLE = """\
/* The same text computed in double. Its numbers keep their suffix and stay those of the float code: one that is off
 * by less than the rounding of float stands out here. */
"""

_CHECK = """\
/* Compare the results of n states with what is expected; every output has an error of its own that is allowed. */
static int @mark@check(const char *name, const @real@ *found, const @real@ *expected, const double *allowed, int n,
                 int size)
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
