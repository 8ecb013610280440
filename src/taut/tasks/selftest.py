"""The self-test that recombines tasks: all of them in each cycle, through their buffers, against right answers."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from taut.emit.names import remark, wrapped
from taut.tasks.handover import HandOver, letter


def selftest_tasks(
    hand_over: HandOver, states: Mapping[str, np.ndarray], expected: Mapping[str, np.ndarray], tolerance: float
) -> str:
    """Return a program that runs all tasks in each cycle and compares with right answers.

    Args:
        hand_over: the tasks.
        states: {argument: (cycles, width)}.
        expected: {answer: (cycles, size)}.
        tolerance: relative error that rounding may make.
    """
    plan, module = hand_over.plan, hand_over.module
    R, real = module.prefix, module.number
    count = len(next(iter(states.values())))
    rows = [f"/* Self-test: the tasks of '{remark(plan.together.robot)}' one after the other in each cycle against"]
    rows += [" * the textbook algorithm of each function; prints the largest errors. */"]
    rows += [f'#include "{R}_tasks.h"', "#include <math.h>", "#include <stdio.h>", ""]

    def array(name: str, values: np.ndarray) -> list[str]:
        literals = [real.literal(float(x)).strip("()") for x in values.ravel()]
        return [
            f"static const {real.real} {name}[{len(literals)}] = {{",
            *(f"    {row}" for row in wrapped(literals)),
            "};",
        ]

    for name, values in states.items():
        rows += array(f"all_{name}", values)
    for name, values in expected.items():
        rows += array(f"expected_{name}", values)
    rows += [f"static {R}_tasks tasks;", "", "int main(void)", "{", "    double worst = 0.0;"]
    rows += [f"    for (int i = 0; i < {count}; ++i) {{", "        const uint64_t now = (uint64_t)i;"]
    rows += [f"        const {real.real} *{name} = all_{name} + {v.shape[1]} * i;" for name, v in states.items()]
    rows += [f"        (void){name};" for name in states]
    rows += [f"        {real.real} {letter(name)}[{v.shape[1]}];" for name, v in expected.items()]
    rows += ["        taut_stamp used[8] = {{0, 0}};", "        if (i == 0)"]
    rows += [f"            {R}_tasks_init({', '.join(['&tasks', *hand_over.first_arguments, 'now'])});"]
    rows += [f"        {hand_over.call(task, '&tasks', 'used')}" for task in plan.tasks]
    rows += ["        if (used[0].time != now)" if hand_over.pairs() else "        if (used[0].number)"]
    rows += ["            worst = INFINITY; /* the synchronous task did not get the latest values */"]
    for name, v in expected.items():
        rows += ["        {", "            double scale = 0.0, error = 0.0;"]
        rows += [f"            for (int j = 0; j < {v.shape[1]}; ++j) {{"]
        rows += [f"                const double right = (double)expected_{name}[{v.shape[1]} * i + j];"]
        rows += [f"                const double off = fabs((double){letter(name)}[j] - right);"]
        rows += [
            "                scale = fmax(scale, fabs(right));",
            "                error = off <= error ? error : off;",
        ]
        rows += ["            }", "            error = scale > 0.0 ? error / scale : error;"]
        rows += ["            worst = error <= worst ? worst : error;", "        }"]
    rows += ["    }", f"    const int failed = !(worst <= {tolerance:.3g});"]
    rows += [
        f'    printf("{len(plan.tasks)} tasks recombined, {count} cycles: error %.1e, "',
        f'           "allowed {tolerance:.1e}\\n", worst);',
    ]
    rows += ['    puts(failed ? "FAILED" : "passed");', "    return failed;", "}"]
    return "\n".join(rows) + "\n"
