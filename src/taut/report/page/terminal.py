"""A page for a terminal: wrapped lines and aligned columns; charts are left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from taut.emit.latex_lines import broken
from taut.report.page.parts import Chart, Equation, Lines, Listing, Part, Prose, Section, Table
from taut.report.table import LINE, paragraph, printable, table


def to_text(title: str, sections: Sequence[Section]) -> str:
    """Return the page."""
    rows = [printable(title)]
    for section in sections:
        lines = [line for part in section.parts for line in _lines(part)]
        if lines or not section.parts:
            rows += ["", *([f"# {section.title}"] if section.title else []), *lines]
    return "\n".join(rows) + "\n"


def _lines(part: Part) -> Iterator[str]:
    if isinstance(part, Prose):
        yield paragraph("", part.text)
    elif isinstance(part, Listing):
        yield from (paragraph("  - ", line) for line in part.lines)
    elif isinstance(part, Lines):
        yield from (f"  {printable(line)}".rstrip() for line in part.lines)
    elif isinstance(part, Equation):
        yield from broken_text(*part.text)
    elif not isinstance(part, Chart):
        shown = part if isinstance(part, Table) else part.table
        if shown is not None:
            yield table(shown.head, shown.text, shown.left)


def broken_text(left: str, right: str) -> list[str]:
    """Return the lines of an equation for a terminal, broken before outermost plus and minus signs."""
    lines = broken(right, LINE - len(left) - 3)
    return [f"{left} = {lines[0]}", *(" " * (len(left) + 3) + line for line in lines[1:])]
