"""Points of a table as a formula: the natural cubic spline through them.

A cubic spline is a cubic and one truncated cube a knot, max(0, x - k)^3, which is (x - k)^2 (x - k + |x - k|) / 2 with
|u| = u sign(u). As a formula it is differentiated, proved and emitted like any other.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from taut.errors import InputError
from taut.graph import Graph, Node

MOST_POINTS = 64
"""Points of one table: truncated cubes lose digits with many knots."""


def spline(points: Sequence[tuple[float, float]], argument: str, place: str = "") -> Node:
    """Return the natural cubic spline through points as a formula of ``argument``.

    Outside the points it goes on as a straight line.

    >>> from taut.graph.evaluate import evaluate
    >>> bump = spline([(0, 0), (1, 1), (2, 0)], "x")
    >>> [round(float(evaluate([bump], {"x": x})[0]), 12) for x in (0.0, 1.0, 2.0)]
    [0.0, 1.0, 0.0]
    """
    if not 2 <= len(points) <= MOST_POINTS:
        raise InputError(f"{len(points)} points", place, f"give 2 to {MOST_POINTS}")
    x, y = (np.array(column, dtype=float) for column in zip(*points, strict=True))
    if np.any(np.diff(x) <= 0):
        raise InputError("positions of the points do not increase", place, "order them")
    bends = _bends(x, y)
    h = np.diff(x)
    slope = (y[1] - y[0]) / h[0] - h[0] * (2 * bends[0] + bends[1]) / 6
    graph = Graph()
    u = graph.symbol(argument)
    total = _number(y[0]) + _number(slope) * (u - _number(x[0]))
    rates = np.concatenate([[0.0], np.diff(bends) / h, [0.0]])
    for knot, jump in zip(x, np.diff(rates), strict=True):
        v = u - _number(knot)
        if jump:
            total = total + _number(jump) * (v * v * (v + v * v.sign())) / 12
    return total


def _number(x: float) -> Fraction:
    return Fraction(float(x))


def _bends(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the second derivatives at the points, zero at both ends."""
    n = len(x)
    bends = np.zeros(n)
    if n > 2:
        h, slopes = np.diff(x), np.diff(y) / np.diff(x)
        A = np.diag(2 * (h[:-1] + h[1:])) + np.diag(h[1:-1], 1) + np.diag(h[1:-1], -1)
        bends[1:-1] = np.linalg.solve(A, 6 * np.diff(slopes))
    return bends
