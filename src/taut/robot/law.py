"""A law: a formula of joint positions, such as the profile of a cam, with its exact derivatives."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from taut.graph.derivative import gradient
from taut.graph.evaluate import REAL, Arithmetic, value_at
from taut.graph.node import Node
from taut.graph.walk import symbols_of
from taut.spatial import Scalar

ARGUMENT = "x"
"""Name of the position in a law of one joint."""

EXACT = Arithmetic(lambda x: x, lambda x, n: x**n if n > 0 else 1 / x**-n, REAL.functions)
"""Arithmetic in which rational constants stay exact, for symbols."""


@dataclass(frozen=True)
class Law:
    """A formula of positions.

    Attributes:
        expression: the formula.
        parameters: (name, value) of its symbols that are no positions; the values are numbers or symbols of the robot.
    """

    expression: Node
    parameters: tuple[tuple[str, Scalar], ...] = ()

    @property
    def positions(self) -> tuple[str, ...]:
        """The names of its symbols that are positions."""
        known = {name for name, _ in self.parameters}
        names = [node.name for node in symbols_of([self.expression])]
        return tuple(name for name in names if name not in known)

    def at(self, positions: Mapping[str, Scalar]) -> Scalar:
        """Return the value where joints stand at the given positions."""
        values: dict[str, Any] = {**dict(self.parameters), **positions}
        plain = all(isinstance(x, float | int) or hasattr(x, "dtype") for x in values.values())
        return value_at(self.expression, values, REAL if plain else _exact(values.values()))

    def slope(self, name: str = ARGUMENT) -> Law:
        """Return its derivative by the position of a name."""
        if name not in self._slopes:
            self._slopes[name] = replace(self, expression=gradient(self.expression, [self._symbol(name)])[0])
        return self._slopes[name]

    def map(self, number: Callable[[Scalar], Scalar]) -> Law:
        """Return the law with every parameter replaced."""
        return replace(self, parameters=tuple((name, number(value)) for name, value in self.parameters))

    @cached_property
    def _slopes(self) -> dict[str, Law]:
        return {}

    def _symbol(self, name: str) -> Node:
        return self.expression.graph.symbol(name)


def _exact(values: Iterable[Any]) -> Arithmetic:
    """Return arithmetic with exact constants; numbers of many digits are FLINT's and take its constants alone."""
    from flint import arb, fmpq  # not needed to load a robot

    if not any(isinstance(x, arb) for x in values):
        return EXACT
    return replace(EXACT, rational=lambda x: fmpq(x.numerator, x.denominator))
