"""Tightens several programs, each in a process of its own, or one after the other.

The processes are plain interpreters that run ``python -m taut.derive.tightening.worker`` and are sent their jobs: a
script that derives needs no ``if __name__ == "__main__"``. A job's result does not depend on the process that runs it,
nor on when it runs.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from queue import SimpleQueue
from typing import IO, Any, Self

from taut.derive.checks.divisors import Divisors
from taut.derive.tightening.clock import Clock, Ended
from taut.derive.tightening.tighten import Budget, Progress, Tightened, tighten
from taut.errors import TautError
from taut.graph import Graph
from taut.graph.program import Program

HIRING = 5.0
"""Seconds that must be left for other processes to be started: each takes about one to begin."""


@dataclass(frozen=True)
class Job:
    """One call of :func:`taut.derive.tightening.tighten.tighten`; ``extra`` is the program of the free expressions."""

    program: Program
    budget: Budget
    seed: int
    values: Mapping[str, float]
    spheres: Sequence[Sequence[str]]
    extra: Program | None
    prices: tuple[int, int, int] = (1, 1, 1)
    divisors: Divisors | None = None

    def run(self, progress: Progress | None, now: Clock = time.monotonic) -> Tightened:
        """Run the job in this process, with this clock."""
        return tighten(
            self.program,
            self.budget,
            self.seed,
            values=self.values,
            spheres=self.spheres,
            extra=self.extra.trace(Graph()) if self.extra else (),
            progress=progress,
            prices=self.prices,
            divisors=self.divisors,
            now=now,
        )


class Workers:
    """Runs jobs, several at once where asked for.

    Args:
        deadline: on the clock ``now``; jobs end then with their best, others are not begun.
        progress: called with the lowest count of all jobs.
        now: the clock.
        processes: how many at once; 1 runs them in this process.

    Attributes:
        ended: what ended the jobs so far.
    """

    def __init__(
        self,
        deadline: float | None = None,
        progress: Progress | None = None,
        now: Clock = time.monotonic,
        processes: int = 1,
    ) -> None:
        self.ended, self._now = Ended.STEPS, now
        self._processes, self._deadline, self._progress = processes, deadline, progress
        self._crew: list[_Worker] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._crew:
            worker.close()

    def run(self, jobs: Sequence[Job]) -> list[Tightened | None]:
        """Return the result of each job; None where it was not begun."""
        left = None if self._deadline is None else self._deadline - self._now()
        if left is not None and left <= 0:
            self.ended = max(self.ended, Ended.TIME)
            return [None] * len(jobs)
        if min(self._processes, len(jobs)) > 1 and (left is None or left > HIRING) and self._hired():
            return self._shared(jobs)
        results: list[Tightened | None] = [None] * len(jobs)
        lowest = Lowest(self._progress)
        for k, job in enumerate(jobs):
            if (timed := self._timed(job)) is None:
                break
            try:
                results[k] = result = timed.run(lowest, self._now)
                self.ended = max(self.ended, result.ended)
            except KeyboardInterrupt:  # between two searches: what is there is kept
                self.ended = Ended.CTRL_C
        return results

    def _timed(self, job: Job) -> Job | None:
        """Return the job with the time that is left; None where there is none or the search was interrupted."""
        left = None if self._deadline is None else self._deadline - self._now()
        if left is not None and left <= 0:
            self.ended = max(self.ended, Ended.TIME)
        if self.ended:
            return None
        return replace(job, budget=replace(job.budget, seconds=left))

    def _hired(self) -> bool:
        """Start the processes once; False where the system refuses."""
        if not self._crew:
            try:
                self._crew = [_Worker() for _ in range(self._processes)]
            except OSError:
                self._processes = 1
        return bool(self._crew)

    def _shared(self, jobs: Sequence[Job]) -> list[Tightened | None]:
        results: list[Tightened | None] = [None] * len(jobs)
        inbox: SimpleQueue[tuple[_Worker, int, Any]] = SimpleQueue()
        waiting = list(enumerate(jobs))[::-1]
        lowest = Lowest(self._progress)
        busy = 0

        def give(worker: _Worker) -> int:
            if waiting and (timed := self._timed(waiting[-1][1])) is not None:
                worker.begin(waiting.pop()[0], timed, inbox)
                return 1
            return 0

        busy = sum(give(worker) for worker in self._crew)
        while busy:
            try:
                worker, k, message = inbox.get()
                if isinstance(message, tuple):
                    lowest(*message)
                    continue
                busy -= 1
                if isinstance(message, Tightened):
                    results[k] = message
                    self.ended = max(self.ended, message.ended)
                    busy += give(worker)
                elif not self.ended:
                    raise TautError(f"a process of the search failed: {message}")
            except KeyboardInterrupt:  # the others end with the best they have
                self.ended = Ended.CTRL_C
                for each in self._crew:
                    each.stop()
        return results


Hire = Callable[[float | None, Progress | None, Clock], Workers]
"""(deadline, progress, clock) -> those who run jobs."""


class Lowest:
    """Passes on the lowest count of several searches."""

    def __init__(self, progress: Progress | None) -> None:
        self._progress = progress
        self._count: int | None = None

    def __call__(self, name: str, count: int) -> None:
        """Report a count where it is the lowest."""
        self._count = count if self._count is None else min(count, self._count)
        if self._progress:
            self._progress(name, self._count)


class _Worker:
    """One process and the thread that listens to it."""

    def __init__(self) -> None:
        root = str(Path(__file__).parents[3])
        paths = os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH")]))
        self._process = subprocess.Popen(
            [sys.executable, "-m", "taut.derive.tightening.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": paths},
        )

    def begin(self, number: int, job: Job, inbox: SimpleQueue[Any]) -> None:
        """Send a job; what comes back goes to the inbox."""
        self._send(job)
        threading.Thread(target=self._listen, args=(number, inbox), daemon=True).start()

    def stop(self) -> None:
        """Ask it to end its job with the best so far."""
        self._send(None)

    def close(self) -> None:
        """End the process by closing its input."""
        _pipe(self._process.stdin).close()
        _pipe(self._process.stdout).close()
        self._process.wait()

    def _send(self, message: Job | None) -> None:
        try:
            pickle.dump(message, _pipe(self._process.stdin))
            _pipe(self._process.stdin).flush()
        except OSError:
            pass  # it has ended; whoever listens to it says so

    def _listen(self, number: int, inbox: SimpleQueue[Any]) -> None:
        message: Any = None
        while not isinstance(message, (Tightened, str)):
            try:
                message = pickle.load(_pipe(self._process.stdout))
            except (EOFError, OSError, ValueError):
                message = "it ended"
            inbox.put((self, number, message))


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None
    return stream
