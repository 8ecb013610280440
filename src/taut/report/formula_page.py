r"""Pages of formulas in three notations: plain text, LaTeX with aligned and broken lines, Markdown.

A page is prose, equations and tables in sections. What a formula says is decided where the page is made; here
long right sides are broken at their outermost sums and everything is laid out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from taut.emit.latex_words import escaped
from taut.report.markdown import markdown_table
from taut.report.table import LINE, paragraph, table

LATEX_WIDTH = 110
"""Characters of LaTeX after which a line of an equation is broken; about a line of an article."""

BLOCK = 24
"""Lines of one aligned block: pages break between blocks."""


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
        rows = [self.title]
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
        rows = [f"# {self.title}"]
        for section in self.sections:
            rows += ["", f"## {section.title}", ""]
            for part in _gathered(section.parts):
                if isinstance(part, Prose):
                    rows += [part.text, ""]
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


def latex_blocks(equations: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Yield aligned blocks of equations, long ones over several lines."""
    block: list[str] = []
    for left, right in equations:
        lines = broken_latex(left, right)
        if block and len(block) + len(lines) > BLOCK:
            yield _align(block)
            block = []
        block += lines
    if block:
        yield _align(block)


def aligned(equations: Sequence[tuple[str, str]]) -> str:
    """Return equations for display mathematics, long ones over several lines."""
    lines = [line for left, right in equations for line in broken_latex(left, right)]
    return "\\begin{aligned}\n" + " \\\\\n".join(lines) + "\n\\end{aligned}"


def _align(lines: Sequence[str]) -> str:
    return "\\begin{align*}\n" + " \\\\\n".join(lines) + "\n\\end{align*}"


def latex_table(part: Table) -> str:
    """Return a table that breaks over pages."""
    columns = "l" * part.left + "r" * (len(part.head) - part.left)
    head = " & ".join(escaped(cell) for cell in part.head)
    rows = [rf"\begin{{longtable}}{{{columns}}}", rf"{head} \\ \hline \endhead"]
    rows += [" & ".join(row) + r" \\" for row in part.latex]
    return "\n".join([*rows, r"\end{longtable}"])


def broken_latex(left: str, right: str) -> list[str]:
    """Return the lines of an aligned equation, broken before outermost plus and minus signs."""
    lines = _broken(right, LATEX_WIDTH)
    return [f"{left} &= {lines[0]}", *(rf"&\quad {line}" for line in lines[1:])]


def broken_text(left: str, right: str) -> list[str]:
    """Return the lines of an equation for a terminal, broken before outermost plus and minus signs."""
    lines = _broken(right, LINE - len(left) - 3)
    return [f"{left} = {lines[0]}", *(" " * (len(left) + 3) + line for line in lines[1:])]


def _broken(right: str, width: int) -> list[str]:
    lines = [""]
    for piece in outermost_terms(right):
        if lines[-1] and len(lines[-1]) + len(piece) > width:
            lines.append(piece.lstrip())
        else:
            lines[-1] += piece
    return lines


def outermost_terms(formula: str) -> list[str]:
    r"""Return a formula cut before the signs that stand outside every bracket.

    >>> outermost_terms("a*(b - c) + d - e"), outermost_terms(r"\left(a + b\right) - c")
    (['a*(b - c)', ' + d', ' - e'], ['\\left(a + b\\right)', ' - c'])
    """
    pieces, depth, start = [], 0, 0
    for k, char in enumerate(formula):
        if char in "({[":
            depth += 1
        elif char in ")}]":
            depth -= 1
        elif depth == 0 and formula[k : k + 3] in (" + ", " - ") and k:
            pieces.append(formula[start:k])
            start = k
    return [*pieces, formula[start:]]
