"""Pull a program tight: search for cheaper definitions, rescale freely, again and again.

Each round is a fixed number of search steps and one free rescaling; the best program seen is
kept. Rounds end when several in a row change nothing, when they are used up, or when time is; then the
search may begin again from the same program with other random choices. Every other start begins with a
rescaling: constants that the search has solved for fix the scales, and neither order is always the better one.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from taut.analysis.opcount import Operations, count
from taut.derive.checks.divisors import Divisors
from taut.derive.checks.health import Health
from taut.graph import Node
from taut.graph.program import Program
from taut.passes.rescale import rescale
from taut.search import Interrupted, resubstitute

Progress = Callable[[str, int], None]
"""Called with the name of the pass and the count so far."""
Prices = tuple[int, int, int]
"""Of a sum, a product and a quotient."""

TRIAL_STEPS = 6
"""Steps of a round of trials for one of another round."""


@dataclass(frozen=True)
class Budget:
    """How much search is allowed: steps for a result that any machine repeats, seconds as a cap.

    Attributes:
        rounds: of search and rescaling, at most, from one start.
        steps: of the search in one round.
        starts: how often to begin again with other random choices.
        seconds: when to stop at the latest.
        deep: steps in a thousand that look for definitions in three operations.
        trial: in every other round, steps of an attempt that begins by taking a line away; 0 for none.
        patience: rounds without a gain before a start is given up.
    """

    rounds: int
    steps: int
    starts: int = 1
    seconds: float | None = None
    deep: int = 0
    trial: int = 0
    patience: int = 2

    def round(self, k: int) -> dict[str, int]:
        """Return what the search of round k may try: three operations, or trials, which take many cheap steps."""
        if self.trial and k % 2:
            return {"steps": TRIAL_STEPS * self.steps, "trial": self.trial}
        return {"steps": self.steps, "deep": self.deep}


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
    prices: Prices = (1, 1, 1),
    divisors: Divisors | None = None,
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
        prices: of a sum, a product and a quotient in the search.
        divisors: the only ones that programs may have, so that they are right for all values of their parameters; None
            for any that do not vanish for the given ``values``.
    """
    safe = divisors is not None
    values = {} if safe else values or {}
    health = Health(program, values)
    deadline = math.inf if budget.seconds is None else time.monotonic() + budget.seconds
    best = _Best(program, prices, progress)

    def still_wanted(cost: int) -> bool:
        best.report("search", cost)
        return time.monotonic() <= deadline

    def offered(name: str, found: Program, k: int) -> bool:
        """Keep a program that loses no digits and divides by nothing that may vanish."""
        allowed = divisors is None or divisors.allow(found)
        return allowed and health.keeps_digits(found) and best.offer(f"{name}, round {k + 1}", found)

    try:
        for start in range(budget.starts):
            current, idle = program, 0
            if start % 2:
                rescaled = rescale(program, polynomial=safe)
                if best.price(rescaled) >= best.price(program) or not offered("rescale", rescaled, -1):
                    continue  # the same program and choices as in the start before, with the same result
                current = rescaled
            for k in range(budget.rounds):
                before = best.cost_of_start
                try:
                    found = resubstitute(
                        current,
                        seed=seed + k + 1000 * (start // 2),
                        extra=extra,
                        progress=still_wanted,
                        spheres=spheres,
                        values=values,
                        prices=prices,
                        polynomial=safe,
                        **budget.round(k),
                    )
                except Interrupted as stop:
                    offered("search", stop.program, k)
                    raise
                if offered("search", found, k):
                    current = found
                rescaled = rescale(current, polynomial=safe)
                if best.price(rescaled) < best.price(current) and offered("rescale", rescaled, k):
                    current = rescaled
                if time.monotonic() > deadline:
                    raise KeyboardInterrupt
                idle = idle + 1 if best.cost_of_start == before else 0
                if idle == budget.patience:
                    break
            best.begin_again()
    except KeyboardInterrupt:
        return Tightened(best.program, tuple(best.steps), reproducible=False)
    return Tightened(best.program, tuple(best.steps), reproducible=True)


class _Best:
    """The cheapest program so far, of all starts and of this one, and how it was reached."""

    def __init__(self, program: Program, prices: Prices, progress: Progress | None) -> None:
        self.program, self.steps = program, list[tuple[str, Operations]]()
        self._prices, self._progress = prices, progress
        self.cost = self.cost_of_start = self._first = self.price(program)
        self._count = count(program).total

    def price(self, program: Program) -> int:
        """Return what a program costs."""
        operations = count(program)
        plus, times, over = self._prices
        return plus * operations.add + times * (operations.mul - operations.div) + over * operations.div

    def offer(self, name: str, candidate: Program) -> bool:
        """Record a program if it is cheaper, and return True."""
        cost, operations = self.price(candidate), count(candidate)
        self.cost_of_start = min(self.cost_of_start, cost)
        if cost < self.cost:
            self.program, self.cost, self._count = candidate, cost, operations.total
            self.steps.append((name, operations))
        self.report(name.partition(",")[0], operations.total)
        return True

    def report(self, name: str, cost: int) -> None:
        """Tell the caller the lowest count."""
        if self._progress:
            self._progress(name, min(cost, self._count))

    def begin_again(self) -> None:
        """Forget how far this start came."""
        self.cost_of_start = self._first
