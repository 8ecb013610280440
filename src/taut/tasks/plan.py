"""Functions cut into tasks: what each computes, reads and hands on, and what it costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from taut.analysis.opcount import Operations, count
from taut.batch import as_states, evaluate
from taut.errors import InputError
from taut.graph.evaluate import REAL, Arithmetic
from taut.graph.program import Program
from taut.graph.recompute import recomputed
from taut.graph.split import Carried, Part, parted
from taut.graph.stage import Stage
from taut.tasks.grouping import Slot, refuse_unreached
from taut.tasks.together import Together, Wanted


@dataclass(frozen=True)
class Task:
    """One task.

    Attributes:
        name: by which it is called.
        program: its outputs are the values for each later task in turn, then its answers.
        reads: {earlier task: names of the values it hands over}.
        hands: {later task: labels of the values for it}.
        answers: what it delivers.
        arguments: {argument: its symbols} that it takes.
    """

    name: str
    program: Program
    reads: Mapping[str, tuple[str, ...]]
    hands: Mapping[str, tuple[str, ...]]
    answers: tuple[Wanted, ...]
    arguments: Mapping[str, tuple[str, ...]]

    @cached_property
    def operations(self) -> Operations:
        """Its count."""
        return count(self.program)

    def handed(self, real: int = 8) -> int:
        """Return the bytes that it hands over in each run, numbers of ``real`` bytes."""
        return real * sum(map(len, self.hands.values()))


@dataclass(frozen=True)
class Plan:
    """Tasks, slowest first; run in this order in each cycle, they compute what the one-rate functions compute."""

    together: Together
    tasks: tuple[Task, ...]

    def __repr__(self) -> str:
        tasks = ", ".join(f"{task.name} {task.operations.total}" for task in self.tasks)
        answers = ", ".join(answer.label for answer in self.together.answers)
        return f"<Plan of {answers}: operations {tasks}>"[:580]

    def evaluate(self, symbols: Mapping[str, Any], arithmetic: Arithmetic = REAL) -> list[Any]:
        """Return the answers, task by task, each from fresh values of the tasks before it."""
        handed: dict[tuple[str, str], list[Any]] = {}
        answers: dict[str, list[Any]] = {}
        for task in self.tasks:
            known = dict(symbols)
            for source, names in task.reads.items():
                known.update(zip(names, handed[source, task.name], strict=True))
            found = task.program.evaluate(known, arithmetic)
            for target, names in task.hands.items():
                handed[task.name, target], found = found[: len(names)], found[len(names) :]
            for answer in task.answers:
                answers[answer.name], found = found[: answer.size], found[answer.size :]
        return [x for answer in self.together.answers for x in answers[answer.name]]

    def __call__(self, **states: Any) -> dict[str, np.ndarray]:
        """Return {function: its answer} for states with any leading axes, all tasks one after the other.

        Args:
            states: one array (..., width) an argument, the load among them: ``q=..., qd=..., qdd=...``.
        """
        arguments = self.together.arguments
        if states.keys() != arguments.keys():
            raise InputError(f"arguments {', '.join(states) or 'none'}", "tasks", f"give {', '.join(arguments)}")
        given = {
            name: as_states(name, states[name], len(symbols), f"{len(symbols)} numbers")
            for name, symbols in arguments.items()
        }

        def compute(**scalars: Any) -> Any:
            symbols: dict[str, Any] = dict(self.together.values)
            for name, names in arguments.items():
                symbols.update(zip(names, scalars[name], strict=True))
            return self.evaluate(symbols)

        flat = evaluate(compute, given, (sum(answer.size for answer in self.together.answers),))
        found, begin = {}, 0
        for answer in self.together.answers:
            found[answer.label] = flat[..., begin : begin + answer.size].reshape(*flat.shape[:-1], *answer.shape)
            begin += answer.size
        return found

    def as_json(self) -> dict[str, Any]:
        """Return counts and hand-over of every task for a program to read."""
        return {
            task.name: {
                "mul": task.operations.mul,
                "add": task.operations.add,
                "total": task.operations.total,
                "trig": task.operations.trig,
                "arguments": list(task.arguments),
                "hands": {target: list(labels) for target, labels in task.hands.items()},
                "handed_bytes": task.handed(),
                "answers": [answer.label for answer in task.answers],
            }
            for task in self.tasks
        }


def plan(together: Together, slots: Sequence[Slot], worth: int = 0) -> Plan:
    """Return functions cut into tasks.

    By default the tasks that run often are small: whatever an earlier task can compute is handed over. With ``worth``
    the hand-over between background tasks is small instead: a value crosses only where that saves as many operations.
    The last task never computes again what another has.

    Args:
        together: the functions.
        slots: the tasks.
        worth: operations that one handed value must save.
    """
    program = together.program
    refuse_unreached(program, slots, " and ".join(answer.label for answer in together.answers))
    part = [next(k for k, slot in enumerate(slots) if line.stage <= slot.last) for line in program.lines]
    changing = {symbol for name in ("load", "parameters") for symbol in together.arguments.get(name, ())}
    known = {
        i
        for i, line in enumerate(program.lines)
        if line.stage <= Stage.PARAMETER or (line.op == "input" and line.data not in changing)
    }
    delivers: list[int] = []
    begin = 0
    for answer in together.answers:
        lines = [i for _, i in program.outputs[begin : begin + answer.size]]
        delivers += [max((part[i] for i in lines if program.lines[i].stage > Stage.PARAMETER), default=0)] * answer.size
        begin += answer.size
    again = {k: recomputed(program, part, k, known, worth) for k in range(1, len(slots) - 1)} if worth else None
    parts = parted(program, part, delivers, known, [slot.name for slot in slots], again)
    tasks = (_task(together, slots, k, one) for k, one in enumerate(parts))
    return Plan(together, tuple(task for task in tasks if task.program.outputs))


def _task(together: Together, slots: Sequence[Slot], k: int, part: Part) -> Task:
    given = {value.name for values in part.reads.values() for value in values}
    used = {line.data for line in part.program.lines if line.op == "input"} - given
    answers, begin = [], 0
    for answer in together.answers:
        if begin in part.delivers:
            answers.append(answer)
        begin += answer.size

    def labels(values: Sequence[Carried]) -> tuple[str, ...]:
        return tuple(together.labels.get(value.line, value.name) for value in values)

    return Task(
        slots[k].name,
        part.program,
        {slots[j].name: tuple(value.name for value in values) for j, values in part.reads.items()},
        {slots[j].name: labels(values) for j, values in part.hands.items()},
        tuple(answers),
        {name: symbols for name, symbols in together.arguments.items() if used & set(symbols)},
    )
