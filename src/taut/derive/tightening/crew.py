"""Where searches run: in processes of this machine, or on the workers of a Dask cluster.

A search is the same wherever it runs, and so is what comes of several: results are taken in the order of the jobs.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from taut.analysis.opcount import count
from taut.cluster import DASK, cluster_client
from taut.derive.tightening.clock import Clock, Ended
from taut.derive.tightening.tighten import Progress, Tightened
from taut.derive.tightening.workers import Hire, Job, Lowest, Workers
from taut.errors import TautError


def crew(engine: str, processes: int) -> Hire:
    """Return what runs the jobs: ``dask``, or this many processes here."""
    return ClusterWorkers if engine == DASK else partial(Workers, processes=processes)


class ClusterWorkers(Workers):
    """Runs jobs on a Dask cluster, as many at once as its workers have threads; a single job is run here.

    Args:
        deadline: as of :class:`Workers`.
        progress: called with the lowest count after each job.
        now: the clock.
    """

    def __init__(self, deadline: float | None, progress: Progress | None, now: Clock) -> None:
        self._client = cluster_client()
        super().__init__(deadline, progress, now, sum(self._client.nthreads().values()))

    def _hired(self) -> bool:
        return True

    def _shared(self, jobs: Sequence[Job]) -> list[Tightened | None]:
        from dask.distributed import as_completed

        results: list[Tightened | None] = [None] * len(jobs)
        waiting, lowest = list(enumerate(jobs))[::-1], Lowest(self._progress)
        places: dict[Any, int] = {}
        ready = as_completed()

        def give() -> None:
            if waiting and (timed := self._timed(waiting[-1][1])) is not None:
                future = self._client.submit(_run, timed, pure=False)
                places[future] = waiting.pop()[0]
                ready.add(future)

        try:
            for _ in range(self._processes):
                give()
            for future in ready:
                try:
                    result: Tightened = future.result()
                except Exception as error:
                    raise TautError(f"a worker of the cluster failed: {type(error).__name__}: {error}") from error
                results[places.pop(future)] = result
                self.ended = max(self.ended, result.ended)
                lowest("search", count(result.program).total)
                give()
        except KeyboardInterrupt:  # what has come back is kept
            self.ended = Ended.CTRL_C
        finally:
            self._client.cancel(list(places))
        return results


def _run(job: Job) -> Tightened:
    return job.run(None)
