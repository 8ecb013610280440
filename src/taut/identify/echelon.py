"""Linear dependence of rows of expressions: elimination that tests for zero in a finite field.

Entries are numbers and expressions of the geometry. Whether one vanishes is asked at a random point of
GF(2^61 - 1), so sines and cosines obey their identities without any being applied, and the answers are
formulas all the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from taut.graph import Node, topological
from taut.graph.field import PRIME, FieldPoint, power, residue
from taut.graph.node import exact
from taut.graph.operation import Op
from taut.spatial import Scalar

SMALL = 12
"""Whole numbers up to this size are recognised by their value."""

Row = dict[int, Scalar]
"""{column: entry}, zeros left out."""


class Values:
    """The value of expressions of the geometry at one random point.

    Args:
        point: where; choose one whose square roots exist.
    """

    def __init__(self, point: FieldPoint) -> None:
        self.known: dict[Node, int] = {}
        self._point = point

    def of(self, x: Scalar) -> int:
        """Return the value of a number or an expression, 0 <= value < PRIME."""
        if isinstance(x, Node):
            if x not in self.known:
                self._point.values([x], self.known)
            return self.known[x]
        return residue(exact(x)) % PRIME

    def tidy(self, x: Scalar) -> Scalar:
        """Return an expression that is a small whole number as that number, and numbers exactly."""
        if not isinstance(x, Node):
            return exact(x)
        value = self.of(x)
        if value <= SMALL:
            return value
        if PRIME - value <= SMALL:
            return value - PRIME
        return x.value if x.op is Op.CONSTANT else x

    def formulas(self) -> dict[int, Node]:
        """Return the simplest expression met for every value."""
        size: dict[Node, int] = {}  # of the formula written out, shared parts as often as they occur
        simplest: dict[int, Node] = {}
        for node in topological(self.known):
            size[node] = 1 + sum(size[arg] for arg in node.args)
            value = self.known[node]
            if value not in simplest or size[node] < size[simplest[value]]:
                simplest[value] = node
        return simplest


class Span:
    """Independent rows of one width; adding a dependent one changes nothing.

    Args:
        values: tells zeros.
        width: length of a row.
    """

    def __init__(self, values: Values, width: int, rows: Iterable[Sequence[Scalar]] = ()) -> None:
        self._values = values
        self._reduced: dict[int, list[int]] = {}
        self.width = width
        self.rows: list[list[Scalar]] = []
        for row in rows:
            self.add(row)

    def add(self, row: Sequence[Scalar]) -> bool:
        """Take a row in; False where it depends on those already in."""
        tidy = [self._values.tidy(x) for x in row]
        left = [self._values.of(x) for x in tidy]
        for pivot, known in self._reduced.items():
            if left[pivot]:
                factor = left[pivot]
                left = [(a - factor * b) % PRIME for a, b in zip(left, known, strict=True)]
        lead = next((k for k, x in enumerate(left) if x), None)
        if lead is None:
            return False
        scale = power(left[lead], -1)
        self._reduced[lead] = [x * scale % PRIME for x in left]
        self.rows.append(tidy)
        if self.full:  # any basis will do: take the simplest
            self.rows = [[int(j == k) for j in range(self.width)] for k in range(self.width)]
        return True

    @property
    def rank(self) -> int:
        """How many rows are independent."""
        return len(self._reduced)

    @property
    def full(self) -> bool:
        """Whether every row of this width is a combination."""
        return self.rank == self.width


def echelon(rows: Iterable[Row], order: Sequence[int], values: Values) -> dict[int, Row]:
    """Return the reduced echelon form: {pivot column: row with 1 there and 0 at the other pivots}.

    Pivots are taken as early in ``order`` as the rows allow.
    """
    waiting = [clean for row in rows if (clean := _cleaned(row, values))]
    done: dict[int, Row] = {}
    for column in order:
        able = [row for row in waiting if column in row]
        if not able:
            continue
        pivot = min(able, key=lambda row: (*_weight(row[column]), len(row)))
        waiting = [row for row in waiting if row is not pivot]
        scale = pivot[column]
        if scale == -1:
            pivot = {k: values.tidy(-x) for k, x in pivot.items()}
        elif isinstance(scale, Node) or scale != 1:
            pivot = {k: 1 if k == column else values.tidy(_quotient(x, scale)) for k, x in pivot.items()}
        waiting = [reduced for row in waiting if (reduced := _minus(row, pivot, column, values))]
        done = {k: _minus(row, pivot, column, values) for k, row in done.items()}
        done[column] = pivot
    return done


def _quotient(x: Scalar, y: Scalar) -> Scalar:
    return x / y if isinstance(x, Node) or isinstance(y, Node) else exact(Fraction(x) / Fraction(y))


def _cleaned(row: Mapping[int, Scalar], values: Values) -> Row:
    tidy = {k: values.tidy(x) for k, x in row.items()}
    return {k: x for k, x in tidy.items() if isinstance(x, Node) or x != 0}


def _minus(row: Row, pivot: Row, column: int, values: Values) -> Row:
    """Return the row with its entry at ``column`` cancelled."""
    factor = row.get(column, 0)
    if not isinstance(factor, Node) and factor == 0:
        return row
    combined = {k: x for k, x in row.items() if k != column}
    for k, x in pivot.items():
        if k != column:
            combined[k] = combined.get(k, 0) - factor * x
    return _cleaned(combined, values)


def _weight(x: Scalar) -> tuple[int, int]:
    return (1, len(topological([x]))) if isinstance(x, Node) else (0, int(abs(x) != 1))
