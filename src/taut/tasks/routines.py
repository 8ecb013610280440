"""Tasks as what an emitter needs to know: a function each, with all numbers in the code."""

from __future__ import annotations

from collections.abc import Sequence

from taut.emit.routine import Routine
from taut.questions.quantity import Quantity
from taut.tasks.plan import Plan, Task

OUT = Quantity("out", "values for the later tasks, then the answers")


def task_routines(plan: Plan, remarks: Sequence[str] = ()) -> list[Routine]:
    """Return a function a task, all numbers in the code; remarks are said of each."""
    return [_routine(plan, task, remarks) for task in plan.tasks]


def _routine(plan: Plan, task: Task, remarks: Sequence[str]) -> Routine:
    count = task.operations
    delivered = ", ".join(answer.label for answer in task.answers)
    purpose = f"delivers {delivered}" if delivered else f"computes values for {' and '.join(task.hands)}"
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
    return Routine(task.name, task.program, arguments, (at,), OUT, plan.together.values, True, (*said, *remarks))
