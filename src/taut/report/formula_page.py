r"""Pages of formulas in three notations: plain text, LaTeX with aligned and broken lines, Markdown.

A page is prose, equations and tables in sections. What a formula says is decided where the page is made; here
long right sides are broken at their outermost sums and everything is laid out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from taut.emit.latex_lines import aligned, broken, latex_blocks
from taut.emit.latex_words import escaped
from taut.report.markdown import markdown_table, prose
from taut.report.table import LINE, paragraph, printable, table


@dataclass(frozen=True)
class Prose:
    """A paragraph."""

    text: str


@dataclass(frozen=True)
class Equation:
    """left = right, as (left, right) in text and in LaTeX."""

    text: tuple[str, str]
    latex: tuple[str, str]


@dataclass(frozen=True)
class Table:
    """Columns under a head: cells as text and as LaTeX (mathematics is within dollars there)."""

    head: tuple[str, ...]
    text: tuple[tuple[str, ...], ...]
    latex: tuple[tuple[str, ...], ...]
    left: int = 1


@dataclass(frozen=True)
class Section:
    """Prose, equations and tables under a title."""

    title: str
    parts: tuple[Prose | Equation | Table, ...]


@dataclass(frozen=True)
class Page:
    """A title and sections."""

    title: str
    sections: tuple[Section, ...]

    def to_text(self) -> str:
        """Return the page for a terminal."""
        rows = [printable(self.title)]
        for section in self.sections:
            rows += ["", f"# {section.title}"]
            for part in section.parts:
                if isinstance(part, Prose):
                    rows.append(paragraph("", part.text))
                elif isinstance(part, Table):
                    rows.append(table(part.head, part.text, part.left))
                else:
                    rows += broken_text(*part.text)
        return "\n".join(rows) + "\n"

    def to_latex(self) -> str:
        """Return the page as a document of its own, for amsmath and longtable."""
        rows = [r"\documentclass{article}", r"\usepackage{amsmath}", r"\usepackage{longtable}"]
        rows += [r"\usepackage[margin=2cm]{geometry}", r"\allowdisplaybreaks", r"\begin{document}"]
        rows += [rf"\title{{{escaped(self.title)}}}", r"\date{}", r"\maketitle"]
        for section in self.sections:
            rows += [rf"\section*{{{escaped(section.title)}}}", *_latex_parts(section.parts)]
        return "\n".join([*rows, r"\end{document}"]) + "\n"

    def to_markdown(self) -> str:
        """Return the page in Markdown; formulas are display mathematics."""
        rows = [f"# {prose(self.title)}"]
        for section in self.sections:
            rows += ["", f"## {section.title}", ""]
            for part in _gathered(section.parts):
                if isinstance(part, Prose):
                    rows += [prose(part.text), ""]
                elif isinstance(part, Table):
                    cells = [[cell.replace("|", r"\|") for cell in row] for row in part.latex]
                    rows += [markdown_table(part.head, cells, part.left), ""]
                else:
                    rows += ["$$", aligned([equation.latex for equation in part]), "$$", ""]
        return "\n".join(rows).rstrip("\n") + "\n"


def _gathered(parts: Sequence[Prose | Equation | Table]) -> Iterator[Prose | Table | list[Equation]]:
    """Yield the parts of a section, equations that follow one another together."""
    equations: list[Equation] = []
    for part in parts:
        if isinstance(part, Equation):
            equations.append(part)
            continue
        if equations:
            yield equations
            equations = []
        yield part
    if equations:
        yield equations


def _latex_parts(parts: Sequence[Prose | Equation | Table]) -> Iterator[str]:
    for part in _gathered(parts):
        if isinstance(part, Prose):
            yield escaped(part.text) + "\n"
        elif isinstance(part, Table):
            yield latex_table(part)
        else:
            yield from latex_blocks([equation.latex for equation in part])


def latex_table(part: Table) -> str:
    """Return a table that breaks over pages."""
    columns = "l" * part.left + "r" * (len(part.head) - part.left)
    head = " & ".join(escaped(cell) for cell in part.head)
    rows = [rf"\begin{{longtable}}{{{columns}}}", rf"{head} \\ \hline \endhead"]
    rows += [" & ".join(row) + r" \\" for row in part.latex]
    return "\n".join([*rows, r"\end{longtable}"])


def broken_text(left: str, right: str) -> list[str]:
    """Return the lines of an equation for a terminal, broken before outermost plus and minus signs."""
    lines = broken(right, LINE - len(left) - 3)
    return [f"{left} = {lines[0]}", *(" " * (len(left) + 3) + line for line in lines[1:])]
