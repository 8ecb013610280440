r"""A page as a LaTeX document of its own, for amsmath and longtable; charts are drawn by TikZ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from taut.emit.latex_lines import latex_blocks
from taut.report.page.gathered import Gathered, gathered
from taut.report.page.parts import Chart, Lines, Listing, Matrix, Prose, Section, Table
from taut.report.table import printable

STYLES = {"main": "thick", "other": "gray", "band": "lightgray"}
SPECIAL = {c: rf"\{c}" for c in "_&#%${}"} | {
    "\\": r"\textbackslash{}",
    "^": r"\^{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    '"': "''",
}
"""Characters that have a meaning of their own in LaTeX, and how they are printed."""

WIDE, HIGH = 15.0, 3.0
"""Size of a chart [cm]."""


def to_latex(title: str, sections: Sequence[Section]) -> str:
    """Return the document."""
    drawn = any(isinstance(part, Chart) for section in sections for part in section.parts)
    rows = [r"\documentclass[fleqn]{article}", r"\usepackage{amsmath}", r"\usepackage{longtable}"]
    rows += [r"\usepackage{tikz}"] if drawn else []
    rows += [r"\usepackage[margin=2cm]{geometry}", r"\allowdisplaybreaks", r"\begin{document}"]
    rows += [rf"\title{{{words(title)}}}", r"\date{}", r"\maketitle"]
    for section in sections:
        heading = words(section.words) + (f", ${section.letter}$" if section.letter else "")
        rows += [rf"\section*{{{heading}}}"] if section.title else []
        rows += [line for part in gathered(section.parts) for line in _lines(part)]
    return "\n".join([*rows, r"\end{document}"]) + "\n"


def _lines(part: Gathered) -> Iterator[str]:
    if isinstance(part, Prose):
        yield words(part.text) + "\n"
    elif isinstance(part, Listing):
        items = [rf"\item {words(line)}" for line in part.lines]
        yield from [r"\begin{itemize}", *items, r"\end{itemize}"] if items else []
    elif isinstance(part, Table):
        yield latex_table(part)
    elif isinstance(part, Chart):
        yield _chart(part)
    elif isinstance(part, Lines):
        shown = [_plain(line) for line in part.lines]
        yield "\n".join([r"{\footnotesize\begin{verbatim}", *shown, r"\end{verbatim}}"])
    elif isinstance(part, Matrix):
        yield from latex_blocks([part.latex])
    else:
        yield from latex_blocks([equation.latex for equation in part])


def _plain(line: str) -> str:
    """Return a line for ``verbatim``, which nothing in it can end."""
    shown = "".join(c if ord(c) < 0x180 else "?" for c in printable(line))
    return shown.replace(r"\end{verbatim}", "?")


def latex_table(part: Table) -> str:
    """Return a table that breaks over pages."""
    columns = "l" * part.left + "r" * (len(part.head) - part.left)
    head = " & ".join(part.latex_head or [words(cell) for cell in part.head])
    rows = [rf"\begin{{longtable}}{{{columns}}}", rf"{head} \\ \hline \endhead"]
    cells = part.latex or [[words(cell) for cell in row] for row in part.text]
    rows += [" & ".join(row) + r" \\" for row in cells]
    return "\n".join([*rows, r"\end{longtable}"])


def _chart(part: Chart) -> str:
    left, right, low, high = part.frame
    rows = [r"\noindent\begin{tikzpicture}", rf"\draw[lightgray] (0,0) rectangle ({WIDE},{HIGH});"]
    for curve in part.curves:
        places = [
            f"({WIDE * (x - left) / (right - left):.3f},{HIGH * (y - low) / (high - low):.3f})" for x, y in curve.points
        ]
        rows.append(rf"\draw[{STYLES[curve.kind]}] " + " -- ".join(places) + ";")
    rows += [r"\end{tikzpicture}\\", words(f"{part.caption}, over {part.axis}: {part.spans}.") + "\n"]
    return "\n".join(rows)


def words(text: str) -> str:
    r"""Return text as LaTeX prints it; characters beyond Latin ones, which its default fonts lack, become ``?``.

    >>> print(words("100 % of x_1"))
    100 \% of x\_1
    """
    return "".join(SPECIAL.get(c, c if ord(c) < 0x180 else "?") for c in printable(text))
