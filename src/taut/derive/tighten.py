"""Pull a program tight: search for cheaper definitions, rescale freely, again and again.

Each round is a fixed number of search steps and one free rescaling; the best program seen is
kept. Rounds end when two in a row change nothing, when they are used up, or when time is.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from taut.analysis.opcount import Operations, count
from taut.graph.program import Program
from taut.passes.rescale import rescale
from taut.search import resubstitute

Progress = Callable[[str, int], None]
"""Called with the name of the pass and the count so far."""


@dataclass(frozen=True)
class Budget:
    """How much search is allowed: steps for a result that any machine repeats, seconds as a cap."""

    rounds: int
    steps: int
    seconds: float | None = None


@dataclass(frozen=True)
class Tightened:
    """The best program, the count after each pass, and whether it ended by steps, not by the clock."""

    program: Program
    steps: tuple[tuple[str, Operations], ...]
    reproducible: bool


def tighten(program: Program, budget: Budget, seed: int = 1, progress: Progress | None = None) -> Tightened:
    """Return the cheapest program found within the budget; Ctrl-C ends the search and keeps it."""
    deadline = None if budget.seconds is None else time.monotonic() + budget.seconds
    best, best_cost = program, count(program).total
    steps: list[tuple[str, Operations]] = []
    idle, interrupted = 0, False
    for k in range(budget.rounds):
        before = best_cost
        for name, run in (("search", _search), ("rescale", _rescale)):
            try:
                program = run(program, budget.steps, seed + k, deadline, progress)
            except KeyboardInterrupt:
                interrupted = True
            operations = count(program)
            if operations.total < best_cost:
                best, best_cost = program, operations.total
                steps.append((f"{name}, round {k + 1}", operations))
            if progress:
                progress(name, best_cost)
        late = deadline is not None and time.monotonic() > deadline
        if late or interrupted:
            return Tightened(best, tuple(steps), reproducible=False)
        idle = idle + 1 if best_cost == before else 0
        if idle == 2:
            break
    return Tightened(best, tuple(steps), reproducible=True)


def _search(program: Program, steps: int, seed: int, deadline: float | None, progress: Progress | None) -> Program:
    def still_wanted(cost: int) -> bool:
        if progress:
            progress("search", cost)
        return deadline is None or time.monotonic() <= deadline

    return resubstitute(program, steps, seed=seed, progress=still_wanted)


def _rescale(program: Program, *_: object) -> Program:
    return rescale(program)
