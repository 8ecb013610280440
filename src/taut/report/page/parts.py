r"""The parts of a page: prose, lists, equations, matrices, tables, charts and drawings by characters, in sections."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from taut.emit.latex_lines import LATEX_WIDTH, seen

POINTS = 430
"""Stretches of a long curve; of each the smallest and the largest value are drawn."""


@dataclass(frozen=True)
class Prose:
    """A paragraph."""

    text: str


@dataclass(frozen=True)
class Listing:
    """Sentences, each on a line of its own."""

    lines: tuple[str, ...]


@dataclass(frozen=True)
class Equation:
    """left = right, as (left, right) in text and in LaTeX."""

    text: tuple[str, str]
    latex: tuple[str, str]


@dataclass(frozen=True)
class Table:
    """Columns under a head: cells, and the head, as text, and as LaTeX where they are formulas (within dollars)."""

    head: tuple[str, ...]
    text: tuple[tuple[str, ...], ...]
    latex: tuple[tuple[str, ...], ...] | None = None
    left: int = 1
    latex_head: tuple[str, ...] | None = None


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


@dataclass(frozen=True)
class Curve:
    """Points of one line of a chart; ``kind`` is how it is drawn: main, other or band."""

    name: str
    kind: str
    points: tuple[tuple[float, float], ...]

    @classmethod
    def of(cls, name: str, kind: str, x: np.ndarray, y: np.ndarray) -> Curve:
        """Return a curve; of a long one the extremes of each stretch are kept."""
        if len(y) <= 2 * POINTS:
            keep = np.arange(len(y))
        else:
            edges = np.linspace(0, len(y), POINTS + 1).astype(int)
            both = [(a + int(y[a:b].argmin()), a + int(y[a:b].argmax())) for a, b in pairwise(edges)]
            keep = np.unique(both)
        return cls(name, kind, tuple((float(x[k]), float(y[k])) for k in keep))

    @property
    def span(self) -> tuple[float, float]:
        """Smallest and largest value."""
        values = [y for _, y in self.points]
        return min(values), max(values)


@dataclass(frozen=True)
class Chart:
    """Curves over a common axis, e.g. time; units stand in the caption and in ``axis``. Left out in a terminal."""

    caption: str
    axis: str
    curves: tuple[Curve, ...]

    @property
    def spans(self) -> str:
        """The range of every curve in words, for a reader who does not see the drawing."""
        named = [curve for curve in self.curves if curve.kind != "band"]
        return ", ".join(f"{curve.name} {curve.span[0]:.3g} to {curve.span[1]:.3g}" for curve in named)

    @property
    def frame(self) -> tuple[float, float, float, float]:
        """Smallest and largest abscissa, smallest and largest ordinate; never empty."""
        xs = [x for curve in self.curves for x, _ in curve.points]
        low, high = min(c.span[0] for c in self.curves), max(c.span[1] for c in self.curves)
        right = max(xs) if max(xs) > min(xs) else min(xs) + 1
        return min(xs), right, low, high if high > low else low + 1


@dataclass(frozen=True)
class Lines:
    """Lines that keep their blanks: a tree, a drawing by characters."""

    lines: tuple[str, ...]


Part = Prose | Listing | Equation | Table | Matrix | Chart | Lines


@dataclass(frozen=True)
class Section:
    """Parts under a title; ``letter`` is its symbol, instead of what the title has after a comma."""

    title: str
    parts: tuple[Part, ...]
    letter: str = ""

    @property
    def words(self) -> str:
        """The title without its letter."""
        return self.title.partition(", ")[0] if self.letter else self.title
