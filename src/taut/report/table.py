"""Columns of text, aligned: names to the left, numbers to the right."""

from __future__ import annotations

from collections.abc import Sequence

WIDEST = 28
"""Characters of a cell beyond which it is cut; plain data has the whole."""


def table(head: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """Return an aligned table; the first ``left`` columns are flush left.

    >>> print(table(["name", "kg"], [["arm", "12.5"], ["wrist", "1"]]))
      name     kg
      arm    12.5
      wrist     1
    """
    cells = [[_cut(cell) for cell in row] for row in [head, *rows]]
    widths = [max(len(row[k]) for row in cells) for k in range(len(head))]

    def line(row: Sequence[str]) -> str:
        aligned = [
            cell.ljust(width) if k < left else cell.rjust(width)
            for k, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        return ("  " + "  ".join(aligned)).rstrip()

    return "\n".join(line(row) for row in cells)


def _cut(cell: str) -> str:
    shown = "".join(c if c.isprintable() else "?" for c in cell)  # a name in a file may hold control characters
    return shown if len(shown) <= WIDEST else shown[: WIDEST - 3] + "..."
