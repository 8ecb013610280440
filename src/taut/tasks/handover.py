"""The C that runs tasks and hands values over between them: one function a task, one triple buffer a pair."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from taut.emit.c.module import Module
from taut.emit.names import remark, wrapped
from taut.tasks.plan import Plan, Task


@dataclass(frozen=True)
class HandOver:
    """The buffers and the functions around the tasks.

    Attributes:
        plan: the tasks.
        module: their functions in C.
    """

    plan: Plan
    module: Module

    def pairs(self) -> list[tuple[str, str, tuple[str, ...]]]:
        """Return (writer, reader, labels of the values) of every buffer."""
        return [(task.name, target, labels) for task in self.plan.tasks for target, labels in task.hands.items()]

    def _signature(self, task: Task) -> str:
        R, real = self.module.prefix, self.module.number.real
        given = [f"const {real} *{name}" for name in task.arguments]
        answers = [f"{real} *{letter(answer.name)}" for answer in task.answers]
        used = ["taut_stamp *used"] if task.reads else []
        return f"void {R}_run_{task.name}({', '.join([f'{R}_tasks *tasks', *given, 'uint64_t now', *answers, *used])})"

    @cached_property
    def first_arguments(self) -> list[str]:
        """Arguments of all tasks that hand values on."""
        return list(dict.fromkeys(name for task in self.plan.tasks if task.hands for name in task.arguments))

    def _init_signature(self) -> str:
        R, real = self.module.prefix, self.module.number.real
        given = [f"const {real} *{name}" for name in self.first_arguments]
        return f"void {R}_tasks_init({', '.join([f'{R}_tasks *tasks', *given, 'uint64_t now'])})"

    def header(self) -> str:
        """Return the text of the header."""
        R, real = self.module.prefix, self.module.number.real
        rows = [f"/* Tasks of '{remark(self.plan.together.robot)}' and what they hand over, written by taut."]
        rows += [" * Each may run in a thread or interrupt of its own, one at a time each; see taut_handover.h. */"]
        rows += [f"#ifndef {R.upper()}_TASKS_H", f"#define {R.upper()}_TASKS_H", ""]
        rows += [f'#include "{R}.h"', '#include "taut_handover.h"', ""]
        for source, target, labels in self.pairs():
            rows += [f"/* From {source} to {target}:"]
            rows += [f" *   {row}" for row in wrapped([remark(label) for label in labels])]
            rows += [" */", "typedef struct {", f"    {real} value[{len(labels)}];", "    taut_stamp stamp;"]
            rows += [f"}} {R}_{source}_to_{target};", ""]
        rows += ["/* Yours: static, on a stack that stays, ... */", "typedef struct {"]
        rows += [f"    TAUT_HANDOVER({R}_{s}_to_{t}) {s}_to_{t};" for s, t, _ in self.pairs()] or ["    int unused;"]
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

    def source(self) -> str:
        """Return the text of the source."""
        R = self.module.prefix
        rows = [f'#include "{R}_tasks.h"', "#include <string.h>", ""]
        for task in self.plan.tasks:
            rows += [self._signature(task), "{", *(f"    {row}" for row in self._run(task)), "}", ""]
        rows += [self._init_signature(), "{"]
        if not self.pairs():
            rows += ["    (void)tasks;", "    (void)now;"]
        rows += [f"    taut_handover_init(&tasks->{s}_to_{t}.control);" for s, t, _ in self.pairs()]
        for task in self.plan.tasks:
            if task.hands:
                answers = [f"{self.module.number.real} {letter(one.name)}[{one.size}];" for one in task.answers]
                rows += ["    {", *(f"        {row}" for row in (*answers, self.call(task, "tasks", "NULL"))), "    }"]
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
            rows.append(f"{R}_{task.name}({', '.join([*given, letter(task.answers[0].name)])});")
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
            rows.append(f"memcpy({letter(answer.name)}, out + {at}, {answer.size} * sizeof *out);")
            at += answer.size
        if not task.hands:
            rows.append("(void)now;")
        if not task.hands and not task.reads:
            rows.append("(void)tasks;")
        if task.reads:
            rows += ["if (used) {", *(f"    used[{k}] = {s}->stamp;" for k, s in enumerate(task.reads)), "}"]
        return rows

    def call(self, task: Task, tasks: str, used: str, now: str = "now") -> str:
        """Return the statement that runs a task.

        Args:
            task: the task; its arguments and answers are arrays of their names.
            tasks: pointer to the buffers.
            used: pointer to where the stamps go.
            now: the time.
        """
        answers = [letter(answer.name) for answer in task.answers]
        given = [tasks, *task.arguments, now, *answers, *([used] if task.reads else [])]
        return f"{self.module.prefix}_run_{task.name}({', '.join(given)});"


def letter(answer: str) -> str:
    """Return the name of the array that an answer is written to."""
    return f"{answer}_out"
