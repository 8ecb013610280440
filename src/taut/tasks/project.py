"""Tasks as C: a function each, the hand-over between them, a self-test that recombines them, two examples of use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files

import numpy as np

from taut.emit.c.module import Module
from taut.emit.c.readme import readme
from taut.emit.c.selftest import selftest
from taut.emit.names import remark, wrapped
from taut.emit.routine import Routine
from taut.graph.program import Program
from taut.questions.quantity import Quantity
from taut.tasks.plan import Plan, Task
from taut.tasks.recombined import expected_answers

OUT = Quantity("out", "values for the later tasks, then the answers")


@dataclass(frozen=True)
class TaskProject:
    """A directory of C with the tasks of a robot.

    Attributes:
        plan: the tasks.
        joints: names of the joints.
        neutral: the zero position, at which the examples stand.
        quaternions: where the quaternions of free joints begin.
        references: {function: its textbook program}, with which the self-test compares.
        precision: ``double`` or ``float``.
        trig: ``poly`` or ``libm``.
        name: that files and functions begin with.
        proof: what is known about the tasks, in one sentence.
    """

    plan: Plan
    joints: Sequence[str]
    neutral: Sequence[float]
    quaternions: Sequence[int]
    references: Mapping[str, Program]
    precision: str = "double"
    trig: str = "poly"
    name: str | None = None
    proof: str = ""

    @cached_property
    def routines(self) -> list[Routine]:
        """A function a task."""
        return task_routines(self.plan, self.proof)

    @cached_property
    def module(self) -> Module:
        """The functions in C."""
        return Module(
            self.plan.together.robot, self.routines, self.joints, self.precision, self.trig, batch=False, name=self.name
        )

    def files(self) -> dict[str, str]:
        """Return {file name: text}."""
        R = self.module.prefix
        return {
            f"{R}.c": self.module.source(),
            f"{R}.h": self.module.header(),
            f"{R}_tasks.h": self._header(),
            f"{R}_tasks.c": self._source(),
            "selftest.c": selftest(self.module),
            "selftest_tasks.c": self._selftest(),
            "taut_handover.h": runtime_text("taut_handover.h"),
            "stress.c": runtime_text("stress.c"),
            "posix_loop.c": self._filled("posix_loop.c", self._posix()),
            "bare_metal.c": self._filled("bare_metal.c", self._bare_metal()),
            "CMakeLists.txt": _CMAKE.replace("@R@", R),
            "README.md": readme(self.module) + _PAGE.replace("@R@", R) + self._table(),
        }

    # -- the hand-over -------------------------------------------------------------

    def _pairs(self) -> list[tuple[str, str, tuple[str, ...]]]:
        return [(task.name, target, labels) for task in self.plan.tasks for target, labels in task.hands.items()]

    def _signature(self, task: Task) -> str:
        R, real = self.module.prefix, self.module.number.real
        given = [f"const {real} *{name}" for name in task.arguments]
        answers = [f"{real} *{_letter(answer.name)}" for answer in task.answers]
        used = ["taut_stamp *used"] if task.reads else []
        return f"void {R}_run_{task.name}({', '.join([f'{R}_tasks *tasks', *given, 'uint64_t now', *answers, *used])})"

    @cached_property
    def _first_arguments(self) -> list[str]:
        """Arguments of all tasks that hand values on."""
        return list(dict.fromkeys(name for task in self.plan.tasks if task.hands for name in task.arguments))

    def _init_signature(self) -> str:
        R, real = self.module.prefix, self.module.number.real
        given = [f"const {real} *{name}" for name in self._first_arguments]
        return f"void {R}_tasks_init({', '.join([f'{R}_tasks *tasks', *given, 'uint64_t now'])})"

    def _header(self) -> str:
        R, real = self.module.prefix, self.module.number.real
        rows = [f"/* Tasks of '{remark(self.plan.together.robot)}' and what they hand over, written by taut."]
        rows += [" * Each may run in a thread or interrupt of its own, one at a time each; see taut_handover.h. */"]
        rows += [f"#ifndef {R.upper()}_TASKS_H", f"#define {R.upper()}_TASKS_H", ""]
        rows += [f'#include "{R}.h"', '#include "taut_handover.h"', ""]
        for source, target, labels in self._pairs():
            rows += [f"/* From {source} to {target}:"]
            rows += [f" *   {row}" for row in wrapped([remark(label) for label in labels])]
            rows += [" */", "typedef struct {", f"    {real} value[{len(labels)}];", "    taut_stamp stamp;"]
            rows += [f"}} {R}_{source}_to_{target};", ""]
        rows += ["/* Yours: static, on a stack that stays, ... */", "typedef struct {"]
        rows += [f"    TAUT_HANDOVER({R}_{s}_to_{t}) {s}_to_{t};" for s, t, _ in self._pairs()] or ["    int unused;"]
        rows += [f"}} {R}_tasks;", ""]
        rows += [
            "/* Run every task that hands values on once, before any of them starts. */",
            f"{self._init_signature()};",
            "",
        ]
        for task in self.plan.tasks:
            rows += [f"/* Task {task.name}; now is the time for the stamps, in any unit."]
            if task.reads:
                listed = ", ".join(f"used[{k}] by {source}" for k, source in enumerate(task.reads))
                rows += [f" * used, unless null: when the values it used were written: {listed}."]
            rows += [" */", f"{self._signature(task)};", ""]
        return "\n".join([*rows, "#endif"]) + "\n"

    def _source(self) -> str:
        R = self.module.prefix
        rows = [f'#include "{R}_tasks.h"', "#include <string.h>", ""]
        for task in self.plan.tasks:
            rows += [self._signature(task), "{", *(f"    {row}" for row in self._run(task)), "}", ""]
        rows += [self._init_signature(), "{"]
        if not self._pairs():
            rows += ["    (void)tasks;", "    (void)now;"]
        rows += [f"    taut_handover_init(&tasks->{s}_to_{t}.control);" for s, t, _ in self._pairs()]
        rows += [
            f"    {self._call(task, 'tasks', 'NULL')}" for task in self.plan.tasks if task.hands and not task.answers
        ]
        return "\n".join([*rows, "}"]) + "\n"

    def _run(self, task: Task) -> list[str]:
        R, real = self.module.prefix, self.module.number.real
        rows = []
        for source in task.reads:
            buffer = f"tasks->{source}_to_{task.name}"
            rows.append(
                f"const {R}_{source}_to_{task.name} *{source} = &{buffer}.slot[taut_latest(&{buffer}.control)];"
            )
        given = [*task.arguments, *(f"{source}->value" for source in task.reads)]
        alone = len(task.answers) == 1 and not task.hands
        if alone:
            rows.append(f"{R}_{task.name}({', '.join([*given, _letter(task.answers[0].name)])});")
        else:
            rows += [f"{real} out[{len(task.program.outputs)}];", f"{R}_{task.name}({', '.join([*given, 'out'])});"]
        at = 0
        for target, labels in task.hands.items():
            buffer = f"tasks->{task.name}_to_{target}"
            rows += ["{", f"    {R}_{task.name}_to_{target} *m = &{buffer}.slot[taut_to_write(&{buffer}.control)];"]
            rows += [f"    memcpy(m->value, out + {at}, sizeof m->value);"]
            rows += [
                f"    m->stamp = taut_stamp_now(&{buffer}.control, now);",
                f"    taut_publish(&{buffer}.control);",
                "}",
            ]
            at += len(labels)
        for answer in task.answers if not alone else ():
            rows.append(f"memcpy({_letter(answer.name)}, out + {at}, {answer.size} * sizeof *out);")
            at += answer.size
        if not task.hands:
            rows.append("(void)now;")
        if not task.hands and not task.reads:
            rows.append("(void)tasks;")
        if task.reads:
            rows += ["if (used) {", *(f"    used[{k}] = {s}->stamp;" for k, s in enumerate(task.reads)), "}"]
        return rows

    def _call(self, task: Task, tasks: str, used: str, now: str = "now") -> str:
        answers = [_letter(answer.name) for answer in task.answers]
        given = [tasks, *task.arguments, now, *answers, *([used] if task.reads else [])]
        return f"{self.module.prefix}_run_{task.name}({', '.join(given)});"

    # -- what goes with it -----------------------------------------------------------

    def _selftest(self) -> str:
        """Return a program that runs all tasks in each cycle and compares with the textbook algorithms."""
        R, real = self.module.prefix, self.module.number
        states, expected, tolerance = expected_answers(self.plan, self.references, self.quaternions, real.real)
        count = len(next(iter(states.values())))
        rows = [
            f"/* Self-test: the tasks of '{remark(self.plan.together.robot)}' one after the other in each cycle against"
        ]
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
        rows += [f"        {real.real} {_letter(name)}[{v.shape[1]}];" for name, v in expected.items()]
        rows += ["        taut_stamp used[8] = {{0, 0}};", "        if (i == 0)"]
        rows += [f"            {R}_tasks_init({', '.join(['&tasks', *self._first_arguments, 'now'])});"]
        rows += [f"        {self._call(task, '&tasks', 'used')}" for task in self.plan.tasks]
        rows += ["        if (used[0].time != now)" if self._pairs() else "        if (used[0].number)"]
        rows += ["            worst = INFINITY; /* the synchronous task did not get the latest values */"]
        for name, v in expected.items():
            rows += ["        {", "            double scale = 0.0, error = 0.0;"]
            rows += [f"            for (int j = 0; j < {v.shape[1]}; ++j) {{"]
            rows += [f"                const double right = (double)expected_{name}[{v.shape[1]} * i + j];"]
            rows += [f"                const double off = fabs((double){_letter(name)}[j] - right);"]
            rows += [
                "                scale = fmax(scale, fabs(right));",
                "                error = off <= error ? error : off;",
            ]
            rows += ["            }", "            error = scale > 0.0 ? error / scale : error;"]
            rows += ["            worst = error <= worst ? worst : error;", "        }"]
        rows += ["    }", f"    const int failed = !(worst <= {tolerance:.3g});"]
        rows += [
            f'    printf("{len(self.plan.tasks)} tasks recombined, {count} cycles: error %.1e, "',
            f'           "allowed {tolerance:.1e}\\n", worst);',
        ]
        rows += ['    puts(failed ? "FAILED" : "passed");', "    return failed;", "}"]
        return "\n".join(rows) + "\n"

    @cached_property
    def _state(self) -> dict[str, int]:
        """{argument: its length} of all tasks."""
        return {name: len(symbols) for task in self.plan.tasks for name, symbols in task.arguments.items()}

    def _motion(self) -> list[str]:
        """Return C that moves the state along sines; quaternions stand still."""
        rows = []
        held = {k for start in self.quaternions for k in range(start, start + 4)}
        for name, size in self._state.items():
            if name == "q":
                values = ", ".join(self.module.number.literal(float(x)).strip("()") for x in self.neutral)
                moving = ", ".join("0" if k in held else "1" for k in range(size))
                rows += [
                    f"    static const {self.module.number.real} neutral[] = {{{values}}}, moves[] = {{{moving}}};"
                ]
                formula = "neutral[j] + moves[j] * (@)sin(t + j) / 2"
            else:
                formula = {"qd": "(@)cos(t + j) / 2", "qdd": "-(@)sin(t + j) / 2"}.get(name, "0")
            formula = formula.replace("@", self.module.number.real)
            rows += [f"    for (int j = 0; j < {size}; ++j)", f"        {name}[j] = {formula};"]
        return rows

    @property
    def _last(self) -> Task:
        return self.plan.tasks[-1]

    def _filled(self, name: str, values: Mapping[str, str]) -> str:
        text = runtime_text(name)
        common = {"R": self.module.prefix, "robot": remark(self.plan.together.robot), "real": self.module.number.real}
        for key, value in {**common, **values}.items():
            text = text.replace(f"@{key}@", value)
        return text

    def _posix(self) -> dict[str, str]:
        real = self.module.number.real
        outputs = [f"{real} {_letter(answer.name)}[{answer.size}];" for answer in self._last.answers]
        return {
            "state_parameters": "".join(f", {real} *{name}" for name in self._state),
            "state_arguments": "".join(f", {name}" for name in self._state),
            "state_body": "\n".join(self._motion()) + "\n",
            "declare_state": " ".join(f"{real} {name}[{size}];" for name, size in self._state.items()),
            "init_arguments": "".join(f", {name}" for name in self._first_arguments),
            "background": "\n".join(f"        {row}" for row in self._background("NULL", "now")),
            "synchronous": self._call(self._last, "&tasks", "used", "woke"),
            "synchronous_outputs": " ".join(outputs),
            "sources": str(max(len(self._last.reads), 1)),
            "checksum": f"(double){_letter(self._last.answers[0].name)}[0]",
        }

    def _background(self, used: str, now: str) -> list[str]:
        rows = []
        for task in self.plan.tasks[:-1]:
            for answer in task.answers:
                rows.append(f"{self.module.number.real} {_letter(answer.name)}[{answer.size}];")
            rows.append(self._call(task, "&tasks", used, now))
        return rows

    def _bare_metal(self) -> dict[str, str]:
        real = self.module.number.real
        outputs = {_letter(answer.name): answer.size for answer in self._last.answers}
        state = {**self._state, **outputs}
        return {
            "static_state": "\n".join(f"static {real} {name}[{size}];" for name, size in state.items()),
            "sources": str(max(len(self._last.reads), 1)),
            "synchronous": self._call(self._last, "&tasks", "used", "ticks"),
            "init_arguments": "".join(f", {name}" for name in self._first_arguments),
            "background": "\n".join(f"        {row}" for row in self._background("NULL", "ticks")),
            "outputs": ", ".join(outputs),
        }

    def _table(self) -> str:
        rows = ["", "| task | multiplications | additions | sines, cosines | hands over |", "|---|---|---|---|---|"]
        for task in self.plan.tasks:
            handed = "; ".join(f"{len(labels)} values to {target}" for target, labels in task.hands.items()) or "-"
            count = task.operations
            rows.append(f"| {task.name} | {count.mul} | {count.add} | {count.trig} | {handed} |")
        return "\n".join(rows) + "\n"


def task_routines(plan: Plan, proof: str = "") -> list[Routine]:
    """Return a function a task, all numbers in the code."""
    return [_routine(plan, task, proof) for task in plan.tasks]


def _routine(plan: Plan, task: Task, proof: str) -> Routine:
    count = task.operations
    delivered = ", ".join(answer.label for answer in task.answers)
    purpose = f"delivers {delivered}" if delivered else f"computes what {' and '.join(task.hands)} reads"
    said = [f"Task '{task.name}': {purpose}."]
    said.append(f"Operations: {count.mul} multiplications, {count.add} additions, {count.trig} sines and cosines.")
    for other in plan.tasks:
        if task.name in other.hands:
            said.append(f"From {other.name}: {', '.join(other.hands[task.name])}.")
    at = 0
    for target, labels in task.hands.items():
        said.append(f"out[{at}..{at + len(labels) - 1}] for {target}: {', '.join(labels)}.")
        at += len(labels)
    for answer in task.answers:
        said.append(f"out[{at}..{at + answer.size - 1}]: {answer.result.text}.")
        at += answer.size
    arguments = {**task.arguments, **{f"from_{source}": names for source, names in task.reads.items()}}
    remarks = (*said, proof) if proof else tuple(said)
    return Routine(task.name, task.program, arguments, (at,), OUT, plan.together.values, True, remarks)


def runtime_text(name: str) -> str:
    """Return a hand-written file of the run-time part."""
    return (files("taut.tasks") / "c" / name).read_text("utf-8")


def _letter(answer: str) -> str:
    """Return the name of the array that an answer is written to."""
    return f"{answer}_out"


_PAGE = """
## Tasks

`@R@_tasks.h` has a function a task and hands the values over by triple buffers (`taut_handover.h`, C11 atomics, no
locks, no heap); `used[k].time` says when the values were written that a task used, so that their age is known.

```
cc -std=c11 -O2 selftest_tasks.c @R@_tasks.c @R@.c -lm -o selftest_tasks && ./selftest_tasks
cc -std=c11 -O2 -pthread stress.c -o stress && ./stress 10000000
cc -std=c11 -O2 -pthread posix_loop.c @R@_tasks.c @R@.c -lm -o posix_loop && ./posix_loop 1000 30
cc -std=c99 -ffreestanding -O2 -c bare_metal.c
```
"""

_CMAKE = """\
cmake_minimum_required(VERSION 3.10)
project(@R@ C)

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS ON) # lets the compiler fuse multiplications with additions
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release)
endif()
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads)

add_library(@R@ STATIC @R@.c @R@_tasks.c)
target_include_directories(@R@ PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
if(UNIX)
  target_link_libraries(@R@ PUBLIC m)
endif()

enable_testing()
foreach(test selftest selftest_tasks)
  add_executable(${test} ${test}.c)
  target_link_libraries(${test} PRIVATE @R@)
  add_test(NAME ${test} COMMAND ${test})
endforeach()
if(UNIX AND Threads_FOUND)
  add_executable(stress stress.c)
  target_link_libraries(stress PRIVATE Threads::Threads)
  add_test(NAME stress COMMAND stress 1000000)
  add_executable(posix_loop posix_loop.c)
  target_link_libraries(posix_loop PRIVATE @R@ Threads::Threads)
endif()
"""
