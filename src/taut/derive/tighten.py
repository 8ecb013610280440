"""Pull a program tight: search for cheaper definitions, rescale freely, again and again.

Each round is a fixed number of search steps and one free rescaling; the best program seen is
kept. Rounds end when two in a row change nothing, when they are used up, or when time is; then the
search may begin again from the same program with other random choices.
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

LARGEST_CONSTANT = 1e9
"""Constants that a rescaling drives beyond this would cost digits."""


@dataclass(frozen=True)
class Budget:
    """How much search is allowed: steps for a result that any machine repeats, seconds as a cap.

    Attributes:
        rounds: of search and rescaling, at most, from one start.
        steps: of the search in one round.
        starts: how often to begin again with other random choices.
        seconds: when to stop at the latest.
    """

    rounds: int
    steps: int
    starts: int = 1
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
    best = _Best(program, progress)

    def still_wanted(cost: int) -> bool:
        best.report("search", cost)
        return time.monotonic() <= deadline

    for start in range(budget.starts):
        current, idle = program, 0
        for k in range(budget.rounds):
            round_seed = seed + k + 1000 * start
            before = best.cost_of_start
            interrupted = False
            try:
                current = resubstitute(
                    current, budget.steps, round_seed, extra=extra, progress=still_wanted, spheres=spheres
                )
            except Interrupted as stop:
                current, interrupted = stop.program, True
            best.offer(f"search, round {k + 1}", current)
            if interrupted or time.monotonic() > deadline:
                return Tightened(best.program, tuple(best.steps), reproducible=False)
            rescaled = rescale(current)
            if sound(rescaled, values or {}):
                current = rescaled
                best.offer(f"rescale, round {k + 1}", current)
            idle = idle + 1 if best.cost_of_start == before else 0
            if idle == 2:
                break
        best.begin_again()
    return Tightened(best.program, tuple(best.steps), reproducible=True)


class _Best:
    """The cheapest program so far, of all starts and of this one, and how it was reached."""

    def __init__(self, program: Program, progress: Progress | None) -> None:
        self.program, self.steps = program, list[tuple[str, Operations]]()
        self.cost = self.cost_of_start = self._first = count(program).total
        self._progress = progress

    def offer(self, name: str, candidate: Program) -> None:
        """Keep a program if it is cheaper."""
        operations = count(candidate)
        self.cost_of_start = min(self.cost_of_start, operations.total)
        if operations.total < self.cost:
            self.program, self.cost = candidate, operations.total
            self.steps.append((name, operations))
        self.report(name.partition(",")[0], operations.total)

    def report(self, name: str, cost: int) -> None:
        """Tell the caller the lowest count."""
        if self._progress:
            self._progress(name, min(cost, self.cost))

    def begin_again(self) -> None:
        """Forget how far this start came."""
        self.cost_of_start = self._first


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
    return all(math.isfinite(x) for x in sizes) and all(x < LARGEST_CONSTANT for x in constants)
