"""Pull a program tight: search for cheaper definitions, rescale freely, again and again.

Each round is a fixed number of search steps and one free rescaling; the best program seen is
kept. Rounds end when two in a row change nothing, when they are used up, or when time is.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from taut.analysis.opcount import Operations, count
from taut.graph import Node, Stage
from taut.graph.program import Program, Signed
from taut.passes.rescale import rescale
from taut.search import Interrupted, resubstitute

Progress = Callable[[str, int], None]
"""Called with the name of the pass and the count so far."""

LARGEST_RATIO = 1e9
"""Constants spread wider than this, by rescaling, would cost digits."""


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


def tighten(
    program: Program,
    budget: Budget,
    seed: int = 1,
    *,
    values: Mapping[str, float] | None = None,
    spheres: Sequence[Sequence[str]] = (),
    extra: Sequence[Node] = (),
    progress: Progress | None = None,
) -> Tightened:
    """Return the cheapest program found within the budget; Ctrl-C ends the search and keeps it.

    Args:
        program: where to start.
        budget: rounds, steps and seconds.
        seed: of the search.
        values: of parameters; a rescaling that divides by a constant which is zero for them is not taken.
        spheres: quaternions among the symbols.
        extra: expressions that cost nothing, such as sines of angle sums.
        progress: called while the count falls.
    """
    deadline = math.inf if budget.seconds is None else time.monotonic() + budget.seconds
    best, best_cost = program, count(program).total
    steps: list[tuple[str, Operations]] = []
    idle, interrupted = 0, False

    def still_wanted(cost: int) -> bool:
        if progress:
            progress("search", min(cost, best_cost))
        return time.monotonic() <= deadline

    def keep(name: str, candidate: Program) -> None:
        nonlocal best, best_cost
        operations = count(candidate)
        if operations.total < best_cost:
            best, best_cost = candidate, operations.total
            steps.append((name, operations))

    for k in range(budget.rounds):
        before = best_cost
        try:
            program = resubstitute(program, budget.steps, seed + k, extra=extra, progress=still_wanted, spheres=spheres)
        except Interrupted as stop:
            program, interrupted = stop.program, True
        keep(f"search, round {k + 1}", program)
        if interrupted or time.monotonic() > deadline:
            return Tightened(best, tuple(steps), reproducible=False)
        rescaled = rescale(program)
        if sound(rescaled, values or {}):
            program = rescaled
            keep(f"rescale, round {k + 1}", program)
        idle = idle + 1 if best_cost == before else 0
        if idle == 2:
            break
    return Tightened(best, tuple(steps), reproducible=True)


def sound(program: Program, values: Mapping[str, float]) -> bool:
    """Whether the off-line constants are finite and of reasonable size for the given parameters.

    With a parameter left open there is nothing to judge.
    """
    offline = [line for line in program.lines if line.stage <= Stage.PARAMETER]
    if any(line.op == "input" and line.data not in values for line in offline):
        return True
    everything = Program(tuple(offline), tuple(Signed(1, i) for i in range(len(offline))))
    try:
        sizes = [abs(x) for x in everything.evaluate(values)]
    except ZeroDivisionError:
        return False
    used = {arg for line in program.lines[len(offline) :] for arg in line.args if arg < len(offline)}
    constants = [sizes[i] for i in used]
    return all(math.isfinite(x) for x in sizes) and all(x == 0 or x < LARGEST_RATIO for x in constants)
