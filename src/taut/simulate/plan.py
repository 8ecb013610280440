"""The plan of a simulation with fixed steps: segments of time between the moments at which something is due.

Due are a stored point, a sample of the controller, and the arrival of a sample's torque. Integration restarts at each:
a segment is divided into equal steps, none longer than the step asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

OUTPUT, SAMPLE, APPLY = 1, 2, 4
"""What is due at the start of a segment; the last segment has no steps."""

TOGETHER = 1e-9
"""Moments closer than this part of the step are one."""


@dataclass(frozen=True)
class Plan:
    """Segments in order.

    Attributes:
        start: when each begins (K) [s].
        h: its step [s].
        steps: how many.
        flags: what is due at its start.
    """

    start: np.ndarray
    h: np.ndarray
    steps: np.ndarray
    flags: np.ndarray

    @property
    def stage_times(self) -> np.ndarray:
        """Beginnings, middles and ends of all steps in order: two a step and one at the end of each segment."""
        counts = 2 * self.steps + 1
        segment = np.repeat(np.arange(len(counts)), counts)
        number = np.arange(len(segment)) - np.repeat(np.cumsum(counts) - counts, counts)
        return np.asarray(self.start[segment] + number * self.h[segment] / 2)

    @property
    def sample_times(self) -> np.ndarray:
        """When the controller samples."""
        return np.asarray(self.start[self.flags & SAMPLE > 0])

    def __getitem__(self, part: slice) -> Plan:
        return Plan(self.start[part], self.h[part], self.steps[part], self.flags[part])

    def chunks(self, most: int) -> Iterator[Plan]:
        """Yield the plan in parts of about ``most`` steps."""
        ends = np.cumsum(self.steps)
        at = 0
        while at < len(self.start):
            before = 0 if at == 0 else ends[at - 1]
            end = max(at + 1, int(np.searchsorted(ends, before + most, side="right")))
            yield self[at:end]
            at = end


def plan(times: np.ndarray, step: float, period: float = 0.0, delay: float = 0.0) -> Plan:
    """Return the plan of a simulation.

    Args:
        times: at which the motion is wanted, increasing [s].
        step: largest step [s].
        period: of the controller's samples, the first at the first time; 0 for none [s].
        delay: from a sample to the moment its torque acts [s].
    """
    moments, kinds = [times], [np.full(len(times), OUTPUT)]
    if period > 0:
        samples = times[0] + period * np.arange(np.ceil((times[-1] - times[0]) / period * (1 - 1e-12)))
        arrivals = samples + delay
        arrivals = arrivals[arrivals < times[-1]]
        moments += [samples, arrivals]
        kinds += [np.full(len(samples), SAMPLE), np.full(len(arrivals), APPLY)]
    moment, kind = np.concatenate(moments), np.concatenate(kinds)
    order = np.argsort(moment, kind="stable")
    moment, kind = moment[order], kind[order]
    first = np.concatenate([[True], np.diff(moment) > TOGETHER * min(step, times[-1] - times[0])])
    start = moment[first]
    flags = np.bitwise_or.reduceat(kind, np.flatnonzero(first))
    span = np.append(np.diff(start), 0.0)
    steps = np.ceil(span / step * (1 - 1e-9)).astype(np.intc)
    return Plan(start, span / np.maximum(steps, 1), steps, flags.astype(np.intc))
