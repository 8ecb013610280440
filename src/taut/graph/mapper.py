"""One walk for everything that is computed node by node: evaluators, printers, conversions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Generic, TypeVar

from taut.graph.elementary import Rational
from taut.graph.node import Node, topological
from taut.graph.operation import CONSTANT, PRODUCT, SUM, SYMBOL
from taut.graph.stage import Stage

T = TypeVar("T")


class Mapper(ABC, Generic[T]):
    """Values of nodes from the values of their arguments; a subclass has one method for each operation.

    Nodes are visited once, arguments first, without recursion: graphs are deep. ``done`` keeps the values, so that a
    growing graph costs only what is new, and may hold values of some nodes beforehand.

    >>> from taut.graph import Graph
    >>> class Depth(Mapper[int]):
    ...     def constant(self, value): return 0
    ...     def symbol(self, name, stage): return 0
    ...     def sum(self, constant, terms): return 1 + max(depth for _, depth in terms)
    ...     def product(self, coefficient, factors): return 1 + max(depth for depth, _ in factors)
    ...     def function(self, name, args): return 1 + max(args)
    >>> x = Graph().symbol("x")
    >>> Depth()([x, 1 + x.sin(), 2 * (1 + x.sin())])
    [0, 2, 3]
    """

    def __init__(self) -> None:
        self.done: dict[Node, T] = {}

    @abstractmethod
    def constant(self, value: Rational) -> T:
        """Return the value of a number."""

    @abstractmethod
    def symbol(self, name: str, stage: Stage) -> T:
        """Return the value of a symbol."""

    @abstractmethod
    def sum(self, constant: Rational, terms: Iterable[tuple[Rational, T]]) -> T:
        """Return the value of a constant plus coefficients times terms."""

    @abstractmethod
    def product(self, coefficient: Rational, factors: Iterable[tuple[T, int]]) -> T:
        """Return the value of a coefficient times powers of factors."""

    @abstractmethod
    def function(self, name: str, args: list[T]) -> T:
        """Return the value of an elementary function."""

    def __call__(self, outputs: Sequence[Node]) -> list[T]:
        """Return the value of each output."""
        done = self.done
        for node in topological(outputs, done):
            done[node] = self.visit(node, [done[arg] for arg in node.args])
        return [done[node] for node in outputs]

    def visit(self, node: Node, args: list[T]) -> T:
        """Return the value of one node for the values of its arguments."""
        if node.op is PRODUCT:
            coefficient, exponents = node.powers
            return self.product(coefficient, zip(args, exponents, strict=True))
        if node.op is SUM:
            constant, coefficients = node.weights
            return self.sum(constant, zip(coefficients, args, strict=True))
        if node.op is SYMBOL:
            return self.symbol(node.name, node.stage)
        if node.op is CONSTANT:
            return self.constant(node.value)
        return self.function(node.name, args)
