"""The meaning of a graph: its value where the symbols have values.

One walk serves floats, NumPy batches and finite fields; an :class:`Arithmetic` says what
the functions and rational constants mean there. Everything else must agree with this.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from taut.errors import InputError
from taut.graph.elementary import Column
from taut.graph.node import Node, Rational, topological


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
    value: dict[Node, Any] = {}
    for node in topological(outputs):
        value[node] = _value(node, [value[a] for a in node.args], symbols, arithmetic)
    return [value[node] for node in outputs]


def _value(node: Node, args: list[Any], symbols: Mapping[str, Any], arithmetic: Arithmetic) -> Any:
    if node.op == "constant":
        return arithmetic.rational(node.data)
    if node.op == "symbol":
        try:
            return symbols[node.data]
        except KeyError:
            raise InputError(f"symbol '{node.data}' has no value", advice="give it one") from None
    if node.op == "sum":
        constant, coefficients = node.data
        total = arithmetic.rational(constant) if constant else 0
        for coefficient, x in zip(coefficients, args, strict=True):
            total = total + (x if coefficient == 1 else arithmetic.rational(coefficient) * x)
        return total
    if node.op == "product":
        coefficient, exponents = node.data
        result = 1 if coefficient == 1 else arithmetic.rational(coefficient)
        for x, e in zip(args, exponents, strict=True):
            result = result * (x if e == 1 else arithmetic.power(x, e))
        return result
    return arithmetic.functions[node.op](*args)
