"""Runs the searches of one derivation within its time, one after the other, and records how the count falls."""

from __future__ import annotations

import time
from collections.abc import Sequence

from taut.derive.checks.divisors import Divisors
from taut.derive.naming.model import DerivedRobot
from taut.derive.tightening.candidate import Candidate
from taut.derive.tightening.objective import OBJECTIVES, PRICES
from taut.derive.tightening.schedule import Phase, searched
from taut.derive.tightening.tighten import Progress

PROCESSES = 2
"""Searches that run at once where an effort has several."""

SHORTEST = 0.1
"""Seconds of search left where tracing has used up the time."""


class Trace:
    """The lowest count so far at every moment it fell, and the caller's own progress.

    Args:
        started: when the derivation began, on the clock of :func:`time.perf_counter`.
        progress: called with the name of the pass and the lowest count.
    """

    def __init__(self, started: float, progress: Progress | None) -> None:
        self.started, self._progress = started, progress
        self._points: list[tuple[float, int]] = []

    def __call__(self, name: str, cost: int) -> None:
        """Take note of a count."""
        self._note(cost)
        if self._progress:
            self._progress(name, self._points[-1][1])

    def ended(self, cost: int) -> tuple[tuple[float, int], ...]:
        """Return (seconds, count) of every moment it fell, the last one included."""
        self._note(cost)
        return tuple(self._points)

    def _note(self, cost: int) -> None:
        if not self._points or cost < self._points[-1][1]:
            self._points.append((round(time.perf_counter() - self.started, 3), cost))


class TimedSearches:
    """Searches one after the other, all within the seconds of one derivation.

    Args:
        robot: whose programs are searched.
        objective: what is to become small.
        seed: of all random choices.
        seconds: of the whole derivation, None for no limit.
        trace: takes note of the counts.

    Attributes:
        finished: whether all searches so far ended by their steps, not by the clock or Ctrl-C.
    """

    def __init__(self, robot: DerivedRobot, objective: str, seed: int, seconds: float | None, trace: Trace) -> None:
        self._robot, self._seed, self._trace = robot, seed, trace
        self._measure, self._prices = OBJECTIVES[objective], PRICES[objective]
        self._end = None if seconds is None else trace.started + seconds
        self._interrupted = False
        self.finished = True

    def __call__(
        self,
        pool: Sequence[Candidate],
        phases: Sequence[Phase],
        divisors: Divisors | None,
        share: float = 1.0,
        progress: Progress | None = None,
    ) -> list[Candidate]:
        """Return the pool with what was found within a share of the seconds that are left, the cheapest first."""
        began = time.perf_counter()
        left = None if self._end is None else max(self._end - began, SHORTEST) * share
        found, by_steps = searched(
            pool,
            () if self._interrupted else phases,
            self._robot,
            self._measure,
            prices=self._prices,
            divisors=divisors,
            seed=self._seed,
            seconds=left,
            processes=PROCESSES,
            progress=progress or self._trace,
        )
        self.finished &= by_steps
        self._interrupted |= not by_steps and (left is None or time.perf_counter() - began < left)
        return found
