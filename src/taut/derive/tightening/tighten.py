"""Tightens one program: searching for cheaper definitions and rescaling take turns until neither gains.

Each round is a fixed number of search steps and one free rescaling; the best program seen is
kept. Rounds end when several in a row change nothing, when they are used up, or when time is; then the
search may begin again from the same program with other random choices. Every other start begins with a
rescaling: constants that the search has solved for fix the scales, and neither order is always the better one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from taut.analysis.opcount import Operations, count
from taut.derive.checks.divisors import Divisors
from taut.derive.checks.health import Health
from taut.derive.tightening.clock import Clock, Ended, Ending
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

ATTEMPTS = ((1, False), (1, True), (4, False), (16, False))
"""A round whose program loses digits is made again, first with constants that are polynomials of the parameters, which
divide by nothing small; then, the same moves up to an earlier one, with a fourth of its steps, and a sixteenth: (the
divisor of the steps, whether constants are polynomials)."""


@dataclass(frozen=True)
class Budget:
    """How much search is allowed: steps for a result that any machine repeats, seconds as a cap.

    Attributes:
        rounds: of search and rescaling, at most, from one start.
        steps: of the search in one round.
        starts: how often to begin again with other random choices.
        seconds: when to stop at the latest.
        trial: in every other round, or in all where ``deep`` is 0, steps of an attempt that begins by taking a line
            away; 0 for no such rounds.
            for no such rounds.
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
        if self.trial and (k % 2 or not self.deep):
            return {"steps": TRIAL_STEPS * self.steps, "trial": self.trial}
        return {"steps": self.steps, "deep": self.deep}


@dataclass(frozen=True)
class Tightened:
    """What a search has found.

    Attributes:
        program: the best program.
        steps: the name of each pass that gained something and the count after it.
        ended: by what.
        refused: passes whose programs were not taken, and why.
    """

    program: Program
    steps: tuple[tuple[str, Operations], ...]
    ended: Ended
    refused: tuple[str, ...] = ()


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
    now: Clock = time.monotonic,
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
        now: the clock of the budget.
    """
    safe = divisors is not None
    values = {} if safe else values or {}
    health = Health(program, values)
    ending = Ending(budget.seconds, now)
    best = _Best(program, prices, progress)
    attempts = [(part, True) for part, polynomial in ATTEMPTS if not polynomial] if safe else ATTEMPTS

    def still_wanted(cost: int) -> bool:
        best.report("search", cost)
        return ending.asked()

    def offered(name: str, found: Program, k: int) -> bool:
        """Keep a program that loses no digits and divides by nothing that may vanish."""
        name = f"{name}, round {k + 1}"
        if divisors is not None and not divisors.allow(found):
            return best.refuse(name, found, "a divisor can vanish")
        if not health.keeps_digits(found):
            return best.refuse(name, found, "digits are lost")
        return best.offer(name, found)

    def search(current: Program, seed: int, polynomial: bool, steps: int, **moves: int) -> Program:
        ending.begun()
        return resubstitute(
            current,
            steps,
            seed,
            extra=extra,
            progress=still_wanted,
            spheres=spheres,
            values={} if polynomial else values,
            prices=prices,
            polynomial=polynomial,
            **moves,
        )

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
                    moves = budget.round(k)
                    for part, polynomial in attempts:
                        steps = max(1, moves["steps"] // part)
                        chosen = seed + k + 1000 * (start // 2)
                        found = search(current, chosen, polynomial, **moves | {"steps": steps})
                        if offered("search", found, k):
                            current = found
                            break
                        if best.price(found) >= best.price(current):  # nothing is lost with it
                            break
                except Interrupted as stop:
                    offered("search", stop.program, k)
                    raise
                if ending.is_over():
                    return best.tightened(Ended.TIME)
                rescaled = rescale(current, polynomial=safe)
                if best.price(rescaled) < best.price(current) and offered("rescale", rescaled, k):
                    current = rescaled
                if ending.is_over():
                    return best.tightened(Ended.TIME)
                idle = idle + 1 if best.cost_of_start == before else 0
                if idle == budget.patience:
                    break
            best.begin_again()
    except KeyboardInterrupt:
        return best.tightened(Ended.CTRL_C)
    return best.tightened(Ended.STEPS)


class _Best:
    """The cheapest program so far, of all starts and of this one, and how it was reached."""

    def __init__(self, program: Program, prices: Prices, progress: Progress | None) -> None:
        self.program, self.steps, self._refused = program, list[tuple[str, Operations]](), list[str]()
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

    def refuse(self, name: str, candidate: Program, reason: str) -> bool:
        """Record why a program is not taken where it would have been the best, and return False."""
        if self.price(candidate) < self.cost:
            self._refused.append(f"{name}: {count(candidate).total} operations, {reason}")
        return False

    def tightened(self, ended: Ended) -> Tightened:
        """Return the result."""
        return Tightened(self.program, tuple(self.steps), ended, tuple(self._refused))

    def report(self, name: str, cost: int) -> None:
        """Report the lowest count to the caller."""
        if self._progress:
            self._progress(name, min(cost, self._count))

    def begin_again(self) -> None:
        """Reset the lowest cost of the current start."""
        self.cost_of_start = self._first
