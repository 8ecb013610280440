"""One line on a terminal that shows the count falling during a search.

Nothing is written for the first two seconds, nothing where the stream is no terminal, and nothing
is left behind. The search's end is not known beforehand, so the bar shows what is left of the operations it began with.
"""

from __future__ import annotations

import os
import sys
import time
from contextvars import ContextVar
from types import TracebackType
from typing import Self, TextIO

from taut.errors import shown

HIDDEN: ContextVar[bool] = ContextVar("HIDDEN", default=False)
"""Whether progress is kept from the terminal."""

PATIENCE = 2.0
"""Seconds before anything is shown."""

PAUSE = 0.1
"""Seconds between two drawings of the line."""

ERASE = "\x1b[K"
"""From the cursor to the end of the line, on every terminal since the VT100."""

WIDTH = 80
"""Columns of a terminal that does not tell."""

BAR = 24
"""Characters of the bar, fewer or none on a narrow terminal."""


class ProgressLine:
    """A line such as ``puma560 inverse_dynamics: 269 of 321 operations, search, 12 s  [####################----]``.

    Use it as a context and call it with the name of the pass and the count so far.

    Args:
        title: what is being done.
        stream: where to draw; standard error by default.
        patience: seconds before the first drawing.
        noun: what is counted.
    """

    def __init__(
        self, title: str, stream: TextIO | None = None, patience: float = PATIENCE, noun: str = "operations"
    ) -> None:
        self._title, self._noun = shown(title), noun
        self._stream = sys.stderr if stream is None else stream
        self._shows = self._stream.isatty() and not HIDDEN.get()
        self._started = time.monotonic()
        self._next = self._started + patience
        self._first: int | None = None
        self._drawn = False

    def __enter__(self) -> Self:
        return self

    def __call__(self, name: str, count: int) -> None:
        """Record the count, and draw it if the last drawing is long enough ago."""
        self._first = count if self._first is None else max(self._first, count)
        now = time.monotonic()
        if self._shows and now >= self._next:
            self._next = now + PAUSE
            self._draw(self._line(name, count, now - self._started, self._width() - 1))

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._drawn:
            self._draw("")

    def _line(self, name: str, count: int, seconds: float, room: int) -> str:
        first = self._first or 1
        text = f"{self._title}: {count} of {first} {self._noun}, {name}, {seconds:.0f} s"
        length = min(BAR, room - len(text) - 4)
        if length < 1:
            return text[:room]
        full = round(length * count / first)
        return f"{text}  [{'#' * full}{'-' * (length - full)}]"

    def _draw(self, text: str) -> None:
        self._stream.write(f"\r{text}{ERASE}" if text else f"\r{ERASE}")
        self._stream.flush()
        self._drawn = True

    def _width(self) -> int:
        try:
            return os.get_terminal_size(self._stream.fileno()).columns or WIDTH
        except (OSError, ValueError):  # a stream that is no file
            return WIDTH
