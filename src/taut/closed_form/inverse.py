"""The inverse of a Jacobian by its diagonal blocks, each entry as numerator over factors of the determinant.

.. math:: \\dot q_k = A_{kk}^{-1} \\Big(V_k - \\sum_{l<k} A_{kl}\\, \\dot q_l\\Big), \\qquad
          A_{kk}^{-1} = \\operatorname{adj} A_{kk} / \\det A_{kk}

Numerators and denominators stay polynomials throughout; what is common to both is cancelled exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from taut.closed_form.factor import Factored, HalfAngles
from taut.closed_form.jacobian import ROWS, Matrix, Task
from taut.closed_form.structure import Block
from taut.errors import UnsupportedError
from taut.graph import Node
from taut.polynomials.algebra import Polynomial, rational
from taut.polynomials.chain_ring import Ring, length

LARGEST_NUMERATOR = 120
"""Terms beyond which a numerator is left as it is: taking it apart would take long and read no better."""

LARGEST_BLOCK = 4
"""Rows that have to be solved together beyond which a formula is too long to use."""


@dataclass(frozen=True)
class Quotient:
    """numerator / product of factor ** power, powers in the order of the determinant's factors."""

    numerator: Polynomial
    powers: tuple[int, ...]


@dataclass(frozen=True)
class Determinant:
    """The determinant of the task: a number times factors, and which block each factor comes from.

    Attributes:
        number: the rational in front.
        factors: shortest forms of the factors, without repetition.
        powers: how often each occurs in the whole.
        of_block: {block: how often each factor occurs in its determinant}.
        numbers: the rational in front of each block's determinant.
    """

    number: Fraction
    factors: tuple[Polynomial, ...]
    powers: tuple[int, ...]
    of_block: tuple[tuple[int, ...], ...]
    numbers: tuple[Fraction, ...]


class Inverse:
    """J^-1 of a square task.

    Attributes:
        task: rows, blocks and the Jacobian.
        determinant: factored.
    """

    def __init__(self, task: Task) -> None:
        self.task = task
        self.ring: Ring = task.jacobian.chain.ring
        self.half = HalfAngles(self.ring)
        worst = max(task.blocks, key=lambda block: len(block.rows))
        if len(worst.rows) > LARGEST_BLOCK:
            joints = ", ".join(str(task.jacobian.chain.numbers[k]) for k in worst.columns)
            raise UnsupportedError(
                f"no axes and no point part its Jacobian: joints {joints} have to be solved together",
                f"inverse Jacobian of '{task.jacobian.chain.tree.name}'",
                "solve J qd = V numerically for this arm",
            )
        self.determinant = self._determinant()

    @cached_property
    def entries(self) -> list[list[Quotient]]:
        """J^-1: a row for each joint, a column for each row of the task."""
        return self._entries()

    @cached_property
    def is_readable(self) -> bool:
        """Whether no entry is longer than anyone would read."""
        return all(len(entry.numerator) <= LARGEST_NUMERATOR for row in self.entries for entry in row)

    @cached_property
    def matrix(self) -> Matrix:
        """The rows of the task."""
        return [self.task.jacobian.matrix[k] for k in self.task.rows]

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the velocities the columns belong to."""
        return tuple(ROWS[k] for k in self.task.rows)

    def node(self, entry: Quotient) -> Node:
        """Return an entry as a node: the factored numerator over the factors of the determinant."""
        ring = self.ring
        if entry.numerator == 0:
            return ring.node(ring.zero)
        graph = ring.generators[0].node.graph
        factored = self.factored(entry.numerator)
        above = [(ring.node(f), power) for f, power in factored.factors]
        below = [(ring.node(f), -power) for f, power in zip(self.determinant.factors, entry.powers, strict=True)]
        return graph.product(factored.number, [(x, power) for x, power in above + below if power])

    def factored(self, numerator: Polynomial) -> Factored:
        """Return a numerator as a product where that reads shorter, else as one sum."""
        number, whole = self.half.primitive(numerator)
        if len(numerator) > LARGEST_NUMERATOR:
            return Factored(number, ((whole, 1),))
        parts = self.half.factored(numerator)
        if len(whole) == 1 or sum(sum(length(f)) * power for f, power in parts.factors) < sum(length(whole)):
            return parts
        return Factored(number, ((whole, 1),))

    # -- inside -------------------------------------------------------------------

    def _determinant(self) -> Determinant:
        parts = [self.half.factored(determinant(self._block(b, b), self.ring)) for b in self.task.blocks]
        factors: list[Polynomial] = []
        for part in parts:
            factors += [f for f, _ in part.factors if f not in factors]
        factors.sort(key=self.half.reading_order)
        of_block = tuple(tuple(_power_in(part, f) for f in factors) for part in parts)
        number = Fraction(_sign(self.task.blocks))
        for part in parts:
            number *= part.number
        powers = tuple(sum(column) for column in zip(*of_block, strict=True)) if factors else ()
        return Determinant(number, tuple(factors), powers, of_block, tuple(part.number for part in parts))

    def _block(self, rows: Block, columns: Block) -> Matrix:
        return [[self.matrix[r][c] for c in columns.columns] for r in rows.rows]

    def _entries(self) -> list[list[Quotient]]:
        blocks, n = self.task.blocks, len(self.task.rows)
        nothing = (0,) * len(self.determinant.factors)
        inverse = [[Quotient(self.ring.zero, nothing)] * n for _ in range(n)]
        for k, block in enumerate(blocks):
            adjugate = adjugated(self._block(block, block), self.ring)
            for column in range(n):
                rest = [self._rest(inverse, r, column, blocks[:k]) for r in block.rows]
                for row, cofactors in zip(block.columns, adjugate, strict=True):
                    summed = self._sum([(cofactor, x) for cofactor, x in zip(cofactors, rest, strict=True)])
                    scaled = summed.numerator * rational(1 / self.determinant.numbers[k])
                    powers = zip(summed.powers, self.determinant.of_block[k], strict=True)
                    inverse[row][column] = self._cancelled(scaled, [a + b for a, b in powers])
        return inverse

    def _rest(self, inverse: list[list[Quotient]], row: int, column: int, solved: Sequence[Block]) -> Quotient:
        """Return V - sum A qd over the joints solved already, for one row and one unit velocity."""
        nothing = (0,) * len(self.determinant.factors)
        own = self.ring.one if row == column else self.ring.zero
        terms = [(self.ring.one, Quotient(own, nothing))]
        terms += [(-self.matrix[row][c], inverse[c][column]) for block in solved for c in block.columns]
        return self._sum(terms)

    def _sum(self, terms: Sequence[tuple[Polynomial, Quotient]]) -> Quotient:
        terms = [(a, x) for a, x in terms if a != 0 and x.numerator != 0]
        highest = [max((x.powers[k] for _, x in terms), default=0) for k in range(len(self.determinant.factors))]
        total = self.ring.zero
        for a, x in terms:
            term = a * x.numerator
            for f, most, power in zip(self._opened, highest, x.powers, strict=True):
                term *= f ** (most - power)
            total += self.ring.reduced(term)
        return self._cancelled(total, highest)

    @cached_property
    def _opened(self) -> list[Polynomial]:
        """The factors of the determinant in single angles."""
        return [self.half.in_single(f) for f in self.determinant.factors]

    def _cancelled(self, numerator: Polynomial, powers: Sequence[int]) -> Quotient:
        numerator, left = self.ring.reduced(numerator), list(powers)
        for k, f in enumerate(self._opened if len(numerator) <= LARGEST_NUMERATOR else ()):
            while left[k] and (quotient := self.half.divided(numerator, f)) is not None:
                numerator, left[k] = quotient, left[k] - 1
        return Quotient(numerator, tuple(left) if numerator != 0 else (0,) * len(left))


def _power_in(part: Factored, factor: Polynomial) -> int:
    return next((power for f, power in part.factors if f == factor), 0)


def determinant(m: Matrix, ring: Ring) -> Polynomial:
    """Return the determinant by its first row; the empty matrix has 1."""
    if not m:
        return ring.one
    total = ring.zero
    for k, x in enumerate(m[0]):
        if x != 0:
            total += (-1) ** k * x * determinant([row[:k] + row[k + 1 :] for row in m[1:]], ring)
    return ring.reduced(total)


def adjugated(m: Matrix, ring: Ring) -> Matrix:
    """Return adj(m) with adj(m) m = det(m) 1."""
    n = range(len(m))

    def minor(i: int, j: int) -> Polynomial:
        rest = [[m[r][c] for c in n if c != j] for r in n if r != i]
        return (-1) ** (i + j) * determinant(rest, ring)

    return [[minor(j, i) for j in n] for i in n]


def _sign(blocks: Sequence[Block]) -> int:
    """Return the sign of the permutation that brings the blocks onto the diagonal."""
    rows = [r for block in blocks for r in block.rows]
    columns = [c for block in blocks for c in block.columns]
    return _parity(rows) * _parity(columns)


def _parity(order: Sequence[int]) -> int:
    swaps = sum(order[i] > order[j] for i in range(len(order)) for j in range(i + 1, len(order)))
    return -1 if swaps % 2 else 1
