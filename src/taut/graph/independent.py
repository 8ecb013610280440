"""Which of several expressions are independent functions of their symbols: none of them follows from those before it.

Their derivatives by the symbols, at a random point of GF(2^61 - 1), form a matrix with one column for each expression;
an expression is independent where its column adds to the rank. A column with an entry in a row where all others are
zero adds to it whatever the others are, so it is taken out with that row first. For the constants of a chain of bodies,
where each body has parameters of its own, little is left for the elimination, and the time grows with the size of the
graph.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from flint import nmod_mat

from taut.graph.derivative import gradient
from taut.graph.field import PRIME, FieldPoint
from taut.graph.node import Graph, Node, topological
from taut.graph.operation import SYMBOL
from taut.graph.walk import symbols_of

SEED = 23


def independent(nodes: Sequence[Node]) -> dict[Node, None]:
    """Return the expressions that do not follow from those before them, in their order."""
    scratch = Graph()
    slopes = _Slopes([scratch.lift(node) for node in nodes])
    left, found = list(range(len(nodes))), set[int]()
    while alone := slopes.alone(left):
        found |= alone
        left = [k for k in left if k not in alone]
    found.update(left[column] for column in _pivots(slopes.matrix(left)))
    return {nodes[k]: None for k in sorted(found)}


class _Slopes:
    """Derivatives of expressions of one graph at a random point."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self._nodes = nodes
        order = topological(nodes)
        self._symbols = [node for node in order if node.op is SYMBOL]
        self._inside: dict[Node, int] = {symbol: 1 << k for k, symbol in enumerate(self._symbols)}
        for node in order:
            if node not in self._inside:
                bits = 0
                for arg in node.args:
                    bits |= self._inside[arg]
                self._inside[node] = bits
        self._point = FieldPoint(seed=SEED)
        self._known = self._point.values(nodes)

    def alone(self, chosen: Sequence[int]) -> set[int]:
        """Return those of the chosen expressions that change with a symbol that none of the others has."""
        once = twice = 0
        for k in chosen:
            bits = self._inside[self._nodes[k]]
            twice |= once & bits
            once |= bits
        single = once & ~twice
        return {k for k in chosen if self._changes(self._nodes[k], self._inside[self._nodes[k]] & single)}

    def matrix(self, chosen: Sequence[int]) -> list[list[int]]:
        """Return the derivatives by all symbols inside, a column for each of the chosen expressions."""
        nodes = [self._nodes[k] for k in chosen]
        symbols = symbols_of(nodes)
        columns = [self._values(node, symbols, self._outside(~0)) for node in nodes]
        return [list(row) for row in zip(*columns, strict=True)]

    def _changes(self, node: Node, own: int) -> bool:
        """Whether the derivative by one of the symbols is not zero; only what contains it is looked at."""
        while own:
            bit = own & -own
            if any(self._values(node, [self._symbols[bit.bit_length() - 1]], self._outside(bit))):
                return True
            own ^= bit
        return False

    def _values(self, node: Node, symbols: Sequence[Node], constant: _Outside) -> list[int]:
        slopes = gradient(node, symbols, constant)
        self._point.values(slopes, self._known)
        return [self._known[slope] for slope in slopes]

    def _outside(self, bits: int) -> _Outside:
        return _Outside(self._inside, bits)


@dataclass(frozen=True)
class _Outside:
    """The nodes that contain none of some symbols."""

    inside: Mapping[Node, int]
    bits: int

    def __contains__(self, node: object) -> bool:
        return isinstance(node, Node) and not self.inside[node] & self.bits


def _pivots(rows: Sequence[Sequence[int]]) -> list[int]:
    """Return the columns of a matrix that add to the rank of those before them."""
    if not rows:
        return []
    reduced, rank = nmod_mat([list(row) for row in rows], PRIME).rref()
    found, column = list[int](), 0
    for row in range(rank):
        while not int(reduced[row, column]):
            column += 1
        found.append(column)
    return found
