"""The order of searches: many starts briefly, then the best of them longer, with other seeds.

A phase takes the cheapest programs found so far, tightens each with several seeds, and adds what comes out to the
pool. Everything is counted in steps: which of two processes ends first does not matter, and any machine repeats
the result. A clock, or Ctrl-C, ends the search with the best so far.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from taut.analysis.opcount import count
from taut.derive.checks.divisors import Divisors
from taut.derive.naming.model import DerivedRobot
from taut.derive.tightening.candidate import Candidate, shortened
from taut.derive.tightening.clock import Clock, Ended
from taut.derive.tightening.tighten import Budget, Progress, Tightened
from taut.derive.tightening.workers import Hire, Job, Workers
from taut.graph.lower import lower
from taut.graph.program import Program

TYPICAL, GROWTH, LEAST_STEPS, MOST_STEPS = 700, 1.5, 0.7, 6.0
"""Operations for which the steps of a phase are given, how the time of a step grows with them, and the least and the
most times as many steps."""

STEPS_A_LINE = 150
"""Most steps of a round for one operation of a program: a small one has few definitions to try."""

SETTLED = 8
"""Searches in a row that end with as many operations as the best one, and none with fewer: nothing is left to try."""

SMALL, MEDIUM = 150, 400
"""Operations up to which the ``seeds`` and the ``keep`` of a phase apply in full."""

FEW = 3
"""Programs that are kept however large they are, unless a phase has another number."""

Measure = Callable[[Program], float]
"""What a program costs."""

Task = tuple[Candidate, int]
"""What to tighten, and the number of its seed."""


@dataclass(frozen=True)
class Phase:
    """One round over the pool.

    Attributes:
        keep: how many of the cheapest programs go on, if they are not large.
        seeds: how often each is tightened, with other random choices.
        budget: of each tightening, its steps for a program of ``TYPICAL`` operations.
        anew: whether to begin with the programs from which the best so far came, not with these themselves; small
            programs as often as said, larger ones less often.
        least: how many of the cheapest programs go on if they are large.
        sizes: operations of the programs that are searched, None for any. The tables of a search grow with the square
            of them, and a step that looks for three operations takes long in a large program.
    """

    keep: int
    seeds: int
    budget: Budget
    anew: bool = False
    least: int = FEW
    sizes: range | None = None

    def chosen(self, first: Sequence[Candidate], found: Sequence[Candidate]) -> list[Task]:
        """Return what to tighten, each with the number of its seed."""
        size = max(1, count(found[0].program).total)
        if self.sizes is not None and size not in self.sizes:
            return []
        keep = max(min(self.keep, self.least), round(min(1.0, MEDIUM / size) * self.keep))
        seeds = max(1, round(min(1.0, SMALL / size) * self.seeds)) if self.anew else self.seeds
        pool = (_origins(first, found) if self.anew else found)[:keep]
        return [(one, k) for k in range(seeds) for one in pool]

    def sized(self, program: Program) -> Budget:
        """Return the budget for a program: a step takes longer in a larger one, and a smaller one gets more of them.

        A step that looks for three operations tries all pairs of lines: in a large program fewer steps are such.
        """
        size = max(1, count(program).total)
        share = max(LEAST_STEPS, min(MOST_STEPS, (TYPICAL / size) ** GROWTH))
        steps = max(1, min(round(self.budget.steps * share), STEPS_A_LINE * size))
        deep = self.budget.deep and max(1, round(self.budget.deep * min(1.0, (TYPICAL / size) ** 2)))
        return replace(self.budget, steps=steps, deep=deep)


def searched(
    pool: Sequence[Candidate],
    phases: Sequence[Phase],
    robot: DerivedRobot,
    measure: Measure,
    *,
    prices: tuple[int, int, int] = (1, 1, 1),
    divisors: Divisors | None = None,
    seed: int = 1,
    seconds: float | None = None,
    hire: Hire = Workers,
    progress: Progress | None = None,
    now: Clock = time.monotonic,
) -> tuple[list[Candidate], Ended]:
    """Return the pool with what was found, the cheapest first, and what ended the search.

    Args:
        pool: where to begin; at least one program.
        phases: what to do with it.
        robot: whose numbers, spheres and free angle sums the programs may use.
        measure: what is to become small.
        prices: of a sum, a product and a quotient in the search.
        divisors: the only ones that programs may have; None for any that do not vanish for the robot's numbers.
        seed: of all random choices.
        seconds: when to stop at the latest.
        hire: gives those who run the tightenings; one at a time in this process by default.
        progress: called while the count falls.
        now: the clock of the seconds.
    """
    deadline = None if seconds is None else now() + seconds
    extra = lower(list(robot.angle_sums)) if robot.angle_sums else None
    values, spheres = dict(robot.naming.values), [list(group) for group in robot.spheres]
    found = _cheapest(pool, measure)
    first = tuple(found)
    with hire(deadline, progress, now) as workers:
        for number, phase in enumerate(phases):
            for tasks in _batched(phase.chosen(first, found), SETTLED):
                jobs = [
                    Job(
                        one.program,
                        phase.sized(one.program),
                        seed + 1000 * (k + 100 * number),
                        values,
                        spheres,
                        extra,
                        prices,
                        divisors,
                    )
                    for one, k in tasks
                ]
                best = count(found[0].program).total
                ended = []
                for (one, _), result in zip(tasks, workers.run(jobs), strict=True):
                    if result is not None:
                        ended.append(count(result.program).total)
                        found.append(_after(one, result))
                found = _cheapest(found, measure)
                if workers.ended or (len(ended) == SETTLED and set(ended) == {best}):
                    return found, workers.ended
    return found, Ended.STEPS


def _after(one: Candidate, result: Tightened) -> Candidate:
    """Return a candidate after a search."""
    refused = one.refused + result.refused
    if not result.steps:
        return replace(one, refused=refused)
    made = replace(one, program=result.program, passes=one.passes + result.steps, refused=refused)
    return shortened(made)


def _batched(tasks: Sequence[Task], size: int) -> Iterator[list[Task]]:
    """Yield tasks in order, so many at a time."""
    waiting = iter(tasks)
    while some := list(islice(waiting, size)):
        yield some


def _origins(first: Sequence[Candidate], found: Sequence[Candidate]) -> list[Candidate]:
    """Return the programs the search began with, those first from which the cheapest came."""
    rank = {one.method: k for k, one in reversed(list(enumerate(found)))}
    return sorted(first, key=lambda one: rank[one.method])


def _cheapest(pool: Sequence[Candidate], measure: Measure) -> list[Candidate]:
    """Return the programs by cost, those found first where it is equal, none twice."""
    distinct: dict[Program, Candidate] = {}
    for one in pool:
        known = distinct.setdefault(one.program, one)
        if len(known.refused) < len(one.refused):
            distinct[one.program] = one
    costs: Mapping[Program, float] = {program: measure(program) for program in distinct}
    return sorted(distinct.values(), key=lambda one: costs[one.program])
