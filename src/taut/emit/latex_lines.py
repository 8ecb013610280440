r"""Breaks long formulas before plus and minus signs outside every bracket, aligned at the equals sign."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

LATEX_WIDTH = 66
"""Letters that are seen in print after which a line of an equation is broken; about a line of an article."""

BLOCK = 24
"""Lines of one aligned block: pages break between blocks."""


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


def broken_latex(left: str, right: str) -> list[str]:
    """Return the lines of an aligned equation, broken before outermost plus and minus signs."""
    lines = broken(right, LATEX_WIDTH, seen)
    return [f"{left} &= {lines[0]}", *(rf"&\quad {line}" for line in lines[1:])]


def broken(right: str, width: int, size: Callable[[str], int] = len) -> list[str]:
    """Return a formula cut before outermost plus and minus signs into lines of at most ``width``, by ``size``."""
    lines = [""]
    for piece in outermost_terms(right):
        if lines[-1] and size(lines[-1]) + size(piece) > width:
            lines.append(piece.lstrip())
        else:
            lines[-1] += piece
    return lines


def seen(latex: str) -> int:
    """Return about how many letters of LaTeX are seen in print."""
    return len(re.sub(r"\\[a-zA-Z]+|[{}_^,\\]", "", latex))


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
