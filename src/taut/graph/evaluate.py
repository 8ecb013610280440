"""The meaning of a graph: its value where the symbols have values.

One walk serves floats, NumPy batches and finite fields; an :class:`Arithmetic` defines what
the functions and rational constants mean there. Everything else must agree with this.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from taut.errors import InputError
from taut.graph.elementary import Column, Rational
from taut.graph.mapper import Mapper
from taut.graph.node import Node
from taut.graph.stage import Stage
from taut.graph.text import to_text
from taut.graph.walk import names_of


@dataclass(frozen=True)
class Arithmetic:
    """Numbers that a graph can be evaluated in."""

    rational: Callable[[Rational], Any]
    power: Callable[[Any, int], Any]
    functions: Mapping[str, Callable[..., Any]]


def _real(value: Rational) -> float:
    return float(Fraction(value))


def _real_power(x: Any, exponent: int) -> Any:
    return x**exponent if exponent > 0 else 1.0 / x**-exponent


REAL = Arithmetic(_real, _real_power, Column(lambda function: function.real))


def evaluate(outputs: Sequence[Node], symbols: Mapping[str, Any], arithmetic: Arithmetic = REAL) -> list[Any]:
    """Return the value of each output for the given values of the symbols."""
    return _Evaluator(symbols, arithmetic)(outputs)


def value_at(formula: Node, symbols: Mapping[str, Any], arithmetic: Arithmetic = REAL) -> Any:
    """Return the value of one formula; where numbers give none, an error names the formula and them.

    >>> from taut.graph import Graph
    >>> value_at(1 / Graph().symbol("a"), {"a": 0.0})
    Traceback (most recent call last):
    taut.errors.InputError: the formula 1/a has no finite value where a = 0; correct the formula or these numbers
    """
    try:
        [value] = evaluate([formula], symbols, arithmetic)
    except (ArithmeticError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        value = math.nan
    if isinstance(value, float) and not math.isfinite(value):
        known = {name: symbols[name] for name in sorted(names_of([formula]))}
        here = ", ".join(f"{name} = {f'{x:g}' if isinstance(x, float | int) else x}" for name, x in known.items())
        message = f"the formula {to_text(formula)} has no finite value" + (f" where {here}" if here else "")
        raise InputError(message, advice="correct the formula or these numbers")
    return value


class _Evaluator(Mapper[Any]):
    def __init__(self, symbols: Mapping[str, Any], arithmetic: Arithmetic) -> None:
        super().__init__()
        self._symbols, self._arithmetic = symbols, arithmetic

    def constant(self, value: Rational) -> Any:
        return self._arithmetic.rational(value)

    def symbol(self, name: str, stage: Stage) -> Any:
        try:
            return self._symbols[name]
        except KeyError:
            raise InputError(f"symbol '{name}' has no value", advice="give it one") from None

    def sum(self, constant: Rational, terms: Iterable[tuple[Rational, Any]]) -> Any:
        total = self.constant(constant) if constant else 0
        for coefficient, x in terms:
            total = total + (x if coefficient == 1 else self.constant(coefficient) * x)
        return total

    def product(self, coefficient: Rational, factors: Iterable[tuple[Any, int]]) -> Any:
        result = 1 if coefficient == 1 else self.constant(coefficient)
        for x, exponent in factors:
            result = result * (x if exponent == 1 else self._arithmetic.power(x, exponent))
        return result

    def function(self, name: str, args: list[Any]) -> Any:
        return self._arithmetic.functions[name](*args)
