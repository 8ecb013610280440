"""Text for a terminal: aligned columns, wrapped paragraphs, nothing unprintable."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

LINE = 110
WIDEST = 28
"""Characters of a cell beyond which it is cut; plain data has the whole."""


def table(head: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """Return an aligned table; the first ``left`` columns are flush left.

    >>> print(table(["name", "kg"], [["arm", "12.5"], ["wrist", "1"]]))
      name     kg
      arm    12.5
      wrist     1
    """
    cells = [[cut(cell) for cell in row] for row in [head, *rows]]
    widths = [max(len(row[k]) for row in cells) for k in range(len(head))]

    def line(row: Sequence[str]) -> str:
        aligned = [
            cell.ljust(width) if k < left else cell.rjust(width)
            for k, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        return ("  " + "  ".join(aligned)).rstrip()

    return "\n".join(line(row) for row in cells)


def paragraph(head: str, text: str) -> str:
    """Return text wrapped behind its head, further lines below its start.

    >>> print(paragraph("source  ", "one " * 30))
    source  one one one one one one one one one one one one one one one one one one one one one one one one one
            one one one one one
    """
    return textwrap.fill(
        " ".join(printable(text).split()), LINE, initial_indent=head, subsequent_indent=" " * len(head)
    )


def printable(text: str) -> str:
    """Return text without control characters, which a name in a file may hold; line ends become spaces."""
    return "".join(c if c.isprintable() else " " if c in "\n\t" else "?" for c in text)


def cut(cell: str) -> str:
    """Return text that fits a cell."""
    shown = printable(cell)
    return shown if len(shown) <= WIDEST else shown[: WIDEST - 3] + "..."
