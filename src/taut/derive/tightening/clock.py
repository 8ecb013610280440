"""The time of a search: what ended it, and when to ask it to end, so that what follows it ends in time as well."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from enum import IntEnum

Clock = Callable[[], float]
"""Seconds since any fixed moment; tests have one of their own."""


class Ended(IntEnum):
    """What ended a search; of several searches the largest counts."""

    STEPS = 0
    TIME = 1
    CTRL_C = 2


class Ending:
    """When a search has to end.

    A search that is asked to end still has to turn what it found into a program. How long that takes is measured: at
    first by the time it took to read the program that it began with, then by the rounds before.

    Args:
        seconds: from now on, None for no end.
        now: the clock.
    """

    def __init__(self, seconds: float | None, now: Clock = time.monotonic) -> None:
        self._now = now
        self._deadline = math.inf if seconds is None else now() + seconds
        self._after = 0.0
        self._last: float | None = None
        self._first = True

    def begun(self) -> None:
        """Record that a round begins."""
        self._learn()
        self._last, self._first = self._now(), True

    def asked(self) -> bool:
        """Whether a round may go on; it asks now and then."""
        now = self._now()
        if self._first and self._last is not None:
            self._after, self._first = max(self._after, now - self._last), False
        self._last = now
        return now + self._after <= self._deadline

    def is_over(self) -> bool:
        """Whether no further round may begin."""
        self._learn()
        self._last = None
        return self._now() + self._after >= self._deadline

    def _learn(self) -> None:
        """Record the time from the last question to the end of a round."""
        if self._last is not None and not self._first:
            self._after = max(self._after, self._now() - self._last)
