"""Runs the searches of one derivation within its time, one after the other, and records how the count falls."""

from __future__ import annotations

import time
from collections.abc import Sequence

from taut.derive.checks.divisors import Divisors
from taut.derive.naming.model import DerivedRobot
from taut.derive.tightening.candidate import Candidate
from taut.derive.tightening.clock import Clock, Ended
from taut.derive.tightening.objective import OBJECTIVES, PRICES
from taut.derive.tightening.schedule import Phase, searched
from taut.derive.tightening.tighten import Progress
from taut.derive.tightening.workers import Hire, Workers


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
        """Record a count."""
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
        trace: records the counts.
        hire: gives those who run the searches; one at a time in this process by default.
        now: the clock of the seconds, that of ``trace.started``.

    Attributes:
        ended: what ended the searches so far.
        reserve: seconds of the derivation that are left to what follows the searches.
    """

    def __init__(
        self,
        robot: DerivedRobot,
        objective: str,
        seed: int,
        seconds: float | None,
        trace: Trace,
        hire: Hire = Workers,
        now: Clock = time.perf_counter,
    ) -> None:
        self._robot, self._seed, self._trace, self._hire, self._now = robot, seed, trace, hire, now
        self.reserve = 0.0
        self._measure, self._prices = OBJECTIVES[objective], PRICES[objective]
        self._end = None if seconds is None else trace.started + seconds
        self.ended = Ended.STEPS

    def __call__(
        self,
        pool: Sequence[Candidate],
        phases: Sequence[Phase],
        divisors: Divisors | None,
        share: float = 1.0,
        progress: Progress | None = None,
    ) -> list[Candidate]:
        """Return the pool with what was found within a share of the seconds that are left, the cheapest first."""
        began = self._now()
        left = None if self._end is None else (self._end - self.reserve - began) * share
        if phases and left is not None and left <= 0:
            self.ended = max(self.ended, Ended.TIME)
        found, ended = searched(
            pool,
            () if self.ended is Ended.CTRL_C or (left is not None and left <= 0) else phases,
            self._robot,
            self._measure,
            prices=self._prices,
            divisors=divisors,
            seed=self._seed,
            seconds=left,
            hire=self._hire,
            progress=progress or self._trace,
            now=self._now,
        )
        self.ended = max(self.ended, ended)
        return found

    @property
    def has_time(self) -> bool:
        """Whether there are seconds left and the search was not interrupted."""
        return self.ended is not Ended.CTRL_C and (self._end is None or self._now() + self.reserve < self._end)
