"""The parts of a section as they are printed: neighbouring equations together, a matrix too wide as its table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from taut.report.page.parts import Chart, Equation, Lines, Listing, Matrix, Part, Prose, Table

Gathered = Prose | Listing | Table | Matrix | Chart | Lines | list[Equation]


def gathered(parts: Sequence[Part]) -> Iterator[Gathered]:
    """Yield the parts of a section."""
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
