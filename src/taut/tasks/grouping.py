"""Which stages of a computation make which task: ``two-rate``, or a list of the user's."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from taut.errors import InputError
from taut.graph.program import Program
from taut.graph.stage import Stage

TWO_RATE = "configuration,velocity,synchronous"
"""Izaguirre's structure: M and g follow the configuration and the velocity torques the rates, both in the background;
the torque is M qdd plus one vector."""

SYNCHRONOUS = "synchronous"
LAST = {
    **{stage.label: stage for stage in Stage if stage > Stage.PARAMETER},
    SYNCHRONOUS: max(Stage),
}
"""{name of a task: the last stage that it waits for}."""


class Slot(NamedTuple):
    """A task to be filled: its name and the last stage it waits for."""

    name: str
    last: Stage


def grouping(text: str) -> tuple[Slot, ...]:
    """Return the tasks that a text names, slowest first.

    Args:
        text: ``two-rate``, or names of stages and ``synchronous`` with commas between them: each task computes
            everything that waits for nothing later than its stage and that no task before it computes.

    >>> [slot.name for slot in grouping("two-rate")]
    ['configuration', 'velocity', 'synchronous']
    """
    names = [name.strip() for name in (TWO_RATE if text == "two-rate" else text).split(",")]
    for name in names:
        if name not in LAST:
            raise InputError(f"'{name}' is no task", "tasks", f"give two-rate, or a list of {', '.join(LAST)}")
    slots = [Slot(name, LAST[name]) for name in names]
    for before, after in pairwise(slots):
        if after.last <= before.last:
            raise InputError(
                f"task '{before.name}' would need '{after.name}', which comes later",
                "tasks",
                "name tasks in the order configuration, velocity, acceleration, synchronous",
            )
    return tuple(slots)


def refuse_unreached(program: Program, slots: Sequence[Slot], what: str) -> None:
    """Raise where a program waits for a later stage than any task."""
    latest = max((program.lines[i].stage for _, i in program.outputs), default=Stage.CONSTANT)
    if latest > slots[-1].last:
        raise InputError(
            f"task '{slots[-1].name}' would need the later stage '{latest.label}' for {what}",
            "tasks",
            f"add the task '{SYNCHRONOUS}'",
        )
