"""Tables of generated pages, and where such pages go."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from taut.errors import InputError
from taut.report.table import printable


def markdown_table(head: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """Return a table in Markdown; columns after the first ``left`` are flush right.

    >>> print(markdown_table(["robot", "total"], [["arm", "12"]]))
    | robot | total |
    |---|---:|
    | arm | 12 |
    """
    rule = "|" + "|".join("---" if k < left else "---:" for k in range(len(head))) + "|"
    return "\n".join([f"| {' | '.join(head)} |", rule, *(f"| {' | '.join(row)} |" for row in rows)])


def prose(text: str) -> str:
    """Return text in which no name of a file is a tag, a link or a control character.

    >>> print(prose("<b>[x](y)"))
    &lt;b>[x] (y)
    """
    return printable(text).replace("<", "&lt;").replace("](", "] (")


def root_of_the_clone() -> Path:
    """Return the folder that holds ``docs``; generated pages are for those who have a clone."""
    root = Path(__file__).parents[3]
    if not (root / "docs").is_dir():
        raise InputError("taut is installed without its documentation", advice="run this in a clone, or name a file")
    return root
