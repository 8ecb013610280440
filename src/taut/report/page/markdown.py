"""A page in Markdown: formulas are display mathematics, of charts the ranges are stated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from taut.emit.latex_lines import aligned
from taut.report.markdown import markdown_table, prose
from taut.report.page.gathered import Gathered, gathered
from taut.report.page.parts import Chart, Lines, Listing, Matrix, Prose, Section, Table
from taut.report.table import printable


def to_markdown(title: str, sections: Sequence[Section]) -> str:
    """Return the page."""
    rows = [f"# {prose(title)}"]
    for section in sections:
        letter = f", ${section.letter}$" if section.letter else ""
        rows += ["", *([f"## {section.words}{letter}", ""] if section.title else [])]
        rows += [line for part in gathered(section.parts) for line in _lines(part)]
    return "\n".join(rows).rstrip("\n") + "\n"


def _lines(part: Gathered) -> Iterator[str]:
    if isinstance(part, Prose):
        yield prose(part.text)
    elif isinstance(part, Listing):
        yield from (f"- {prose(line)}" for line in part.lines)
    elif isinstance(part, Table):
        cells = part.latex or [[prose(cell) for cell in row] for row in part.text]
        yield markdown_table(part.head, [[cell.replace("|", r"\|") for cell in row] for row in cells], part.left)
    elif isinstance(part, Chart):
        yield prose(f"{part.caption}, over {part.axis}: {part.spans}.")
    elif isinstance(part, Lines):
        plain = (printable(line).replace("<", "&lt;").replace("`", "'") for line in part.lines)
        yield from ("```text", *plain, "```")
    elif isinstance(part, Matrix):
        yield from ("$$", " = ".join(part.latex), "$$")
    else:
        yield from ("$$", aligned([equation.latex for equation in part]), "$$")
    yield ""
