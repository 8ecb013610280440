r"""Pages of formulas in three notations: plain text, LaTeX with aligned and broken lines, Markdown.

A page is prose, equations, matrices and tables in sections. What a formula says is decided where the page is made; here
long right sides are broken at their outermost sums and everything is laid out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from taut.emit.latex_lines import LATEX_WIDTH, aligned, broken, latex_blocks, seen
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
class Matrix:
    """A matrix of formulas: in brackets where it fits on a line, else by its table, as always in a terminal."""

    letter: str
    entries: tuple[tuple[str, ...], ...]
    table: Table | None = None

    @property
    def fits(self) -> bool:
        """Whether its columns side by side are no longer than a line of print."""
        return sum(2 + max(seen(cell) for cell in column) for column in zip(*self.entries, strict=True)) <= LATEX_WIDTH

    @property
    def latex(self) -> tuple[str, str]:
        """It as an equation of display mathematics."""
        rows = " \\\\\n".join(" & ".join(row) for row in self.entries)
        columns = "c" * len(self.entries[0])
        return self.letter, rf"\left[\begin{{array}}{{{columns}}} {rows} \end{{array}}\right]"


Part = Prose | Equation | Table | Matrix


@dataclass(frozen=True)
class Section:
    """Prose, equations, matrices and tables under a title; ``letter`` is the title's symbol in mathematics."""

    title: str
    parts: tuple[Part, ...]
    letter: str = ""


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
                elif isinstance(part, Equation):
                    rows += broken_text(*part.text)
                elif part.table is not None:
                    rows.append(table(part.table.head, part.table.text, part.table.left))
        return "\n".join(rows) + "\n"

    def to_latex(self) -> str:
        """Return the page as a document of its own, for amsmath and longtable."""
        rows = [r"\documentclass{article}", r"\usepackage{amsmath}", r"\usepackage{longtable}"]
        rows += [r"\usepackage[margin=2cm]{geometry}", r"\allowdisplaybreaks", r"\begin{document}"]
        rows += [rf"\title{{{escaped(self.title)}}}", r"\date{}", r"\maketitle"]
        for section in self.sections:
            title = escaped(section.title) + (f", ${section.letter}$" if section.letter else "")
            rows += [rf"\section*{{{title}}}", *_latex_parts(section.parts)]
        return "\n".join([*rows, r"\end{document}"]) + "\n"

    def to_markdown(self) -> str:
        """Return the page in Markdown; formulas are display mathematics."""
        rows = [f"# {prose(self.title)}"]
        for section in self.sections:
            rows += ["", f"## {section.title}" + (f", ${section.letter}$" if section.letter else ""), ""]
            for part in _gathered(section.parts):
                if isinstance(part, Prose):
                    rows += [prose(part.text), ""]
                elif isinstance(part, Table):
                    cells = [[cell.replace("|", r"\|") for cell in row] for row in part.latex]
                    rows += [markdown_table(part.head, cells, part.left), ""]
                elif isinstance(part, Matrix):
                    rows += ["$$", " = ".join(part.latex), "$$", ""]
                else:
                    rows += ["$$", aligned([equation.latex for equation in part]), "$$", ""]
        return "\n".join(rows).rstrip("\n") + "\n"


def _gathered(parts: Sequence[Part]) -> Iterator[Prose | Table | Matrix | list[Equation]]:
    """Yield the parts of a section, equations that follow one another together, a matrix too wide as its table."""
    equations: list[Equation] = []
    for part in parts:
        if isinstance(part, Equation):
            equations.append(part)
            continue
        if equations:
            yield equations
            equations = []
        if not isinstance(part, Matrix) or part.fits:
            yield part
        elif part.table is not None:
            yield part.table
    if equations:
        yield equations


def _latex_parts(parts: Sequence[Part]) -> Iterator[str]:
    for part in _gathered(parts):
        if isinstance(part, Prose):
            yield escaped(part.text) + "\n"
        elif isinstance(part, Table):
            yield latex_table(part)
        elif isinstance(part, Matrix):
            yield from latex_blocks([part.latex])
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
