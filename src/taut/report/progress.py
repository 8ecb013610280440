"""How far is a search?  One line on a terminal that shows the count falling.

Nothing is written for the first two seconds, nothing where the stream is no terminal, and nothing
is left behind. The search's end is not known beforehand, so the bar shows what is left of the operations it began with.
"""

from __future__ import annotations

import shutil
import sys
import time
from types import TracebackType
from typing import Self, TextIO

PATIENCE = 2.0
"""Seconds before anything is shown."""

PAUSE = 0.1
"""Seconds between two drawings of the line."""

BAR = 24


class ProgressLine:
    """A line such as ``puma560 inverse_dynamics  [#################-------]  269 of 321 operations, search, 12 s``.

    Use it as a context and call it with the name of the pass and the count so far.

    Args:
        title: what is being done.
        stream: where to draw; standard error by default.
        patience: seconds before the first drawing.
    """

    def __init__(self, title: str, stream: TextIO | None = None, patience: float = PATIENCE) -> None:
        self._title = title
        self._stream = sys.stderr if stream is None else stream
        self._shows = self._stream.isatty()
        self._started = time.monotonic()
        self._next = self._started + patience
        self._first: int | None = None
        self._drawn = False

    def __enter__(self) -> Self:
        return self

    def __call__(self, name: str, count: int) -> None:
        """Take note of the count; draw it when it is time."""
        self._first = count if self._first is None else max(self._first, count)
        now = time.monotonic()
        if self._shows and now >= self._next:
            self._next = now + PAUSE
            self._draw(self._line(name, count, now - self._started))

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._drawn:
            self._draw("")

    def _line(self, name: str, count: int, seconds: float) -> str:
        first = self._first or 1
        full = round(BAR * count / first)
        bar = "#" * full + "-" * (BAR - full)
        return f"{self._title}  [{bar}]  {count} of {first} operations, {name}, {seconds:.0f} s"

    def _draw(self, text: str) -> None:
        width = shutil.get_terminal_size().columns - 1
        self._stream.write(f"\r{text[:width]:<{width}}\r{text[:width]}")
        self._stream.flush()
        self._drawn = True
