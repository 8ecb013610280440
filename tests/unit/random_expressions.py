"""Random expressions that share parts, and arithmetics to hold them against."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from taut.errors import InputError
from taut.graph import Graph, Node, Stage
from taut.graph.evaluate import Arithmetic
from taut.graph.field import PRIME, FieldPoint
from taut.graph.node import exact
from taut.graph.prove import fingerprint

SYMBOLS = {  # not in the order of their stages, which must not matter
    "qdd": Stage.ACCELERATION,
    "q1": Stage.CONFIGURATION,
    "m": Stage.PARAMETER,
    "qd": Stage.VELOCITY,
    "q2": Stage.CONFIGURATION,
    "a": Stage.PARAMETER,
}
NUMBERS = (-3, -1, 2, Fraction(1, 3), Fraction(-7, 2), 0.1)
SMOOTH = ("+", "-", "*", "scale", "square", "sin", "cos", "sum", "product")
EVERYTHING = (*SMOOTH, "/", "sign", "sqrt", "cube")

OPERATIONS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "+": lambda x, y, c: x + y,
    "-": lambda x, y, c: x - y,
    "*": lambda x, y, c: x * y,
    "/": lambda x, y, c: x / y,
    "scale": lambda x, y, c: c * x,
    "square": lambda x, y, c: x**2,
    "cube": lambda x, y, c: x**3,
    "sin": lambda x, y, c: (x + c * y).sin(),
    "cos": lambda x, y, c: (x - y).cos(),
    "sign": lambda x, y, c: x.sign(),
    "sqrt": lambda x, y, c: x.sqrt(),
    "sum": lambda x, y, c: x.graph.linear(exact(c), [(-1, x), (1, y), *((1, s) for s in x.graph.nodes[:4])]),
    "product": lambda x, y, c: x.graph.product(exact(c), [(x, 1), (y, 2), *((s, 1) for s in x.graph.nodes[:4])]),
}


@st.composite
def expressions(draw: Any, operations: tuple[str, ...] = EVERYTHING, steps: int = 10) -> list[Node]:
    """Draw one to three expressions of a new graph, built in ``steps`` steps on each other's results."""
    graph = Graph()
    values = [graph.symbol(name, stage) for name, stage in SYMBOLS.items()]
    indices = st.integers(0, 10**6)
    for _ in range(draw(st.integers(1, steps))):
        op = draw(st.sampled_from(operations))
        x, y = (values[-1 - draw(indices) % len(values)] for _ in range(2))
        try:
            values.append(OPERATIONS[op](x, y, draw(st.sampled_from(NUMBERS))))
        except ZeroDivisionError:
            continue
    outputs = values[-draw(st.integers(1, 3)) :]
    return outputs


def defined(outputs: list[Node]) -> bool:
    """Whether nothing is divided by a value that is zero everywhere."""
    try:
        fingerprint(outputs, points=1)
    except InputError:
        return False
    return True


@dataclass(frozen=True)
class Mod:
    """An element of GF(2^61 - 1) with operators."""

    value: int

    def __add__(self, other: Mod | int) -> Mod:
        return Mod((self.value + _value(other)) % PRIME)

    def __mul__(self, other: Mod | int) -> Mod:
        return Mod(self.value * _value(other) % PRIME)

    def __truediv__(self, other: Mod) -> Mod:
        return self * other**-1

    def __neg__(self) -> Mod:
        return Mod(-self.value % PRIME)

    def __sub__(self, other: Mod) -> Mod:
        return self + -other

    def __pow__(self, exponent: int) -> Mod:
        return Mod(pow(self.value, exponent, PRIME))

    __radd__, __rmul__ = __add__, __mul__


def _value(x: Mod | int) -> int:
    return x.value if isinstance(x, Mod) else x


def modular(x: int | Fraction) -> Mod:
    return Mod(x.numerator % PRIME) / Mod(x.denominator)


MODULAR = Arithmetic(
    modular,
    pow,
    # Stand-ins with what the constructors use: odd, even, odd, none, and the same values at zero.
    {"sin": lambda x: x**3 + 7 * x, "cos": lambda x: x**2 + 1, "sign": lambda x: x**5, "sqrt": lambda x: x**4 + x},
)
"""Exact arithmetic in which the functions are other functions: enough to compare two ways to evaluate."""


def modular_point(seed: int = 0) -> dict[str, Mod]:
    graph = Graph()
    nodes = [graph.symbol(name, stage) for name, stage in SYMBOLS.items()]
    return dict(zip(SYMBOLS, map(Mod, FieldPoint(seed).evaluate(nodes)), strict=True))


@dataclass(frozen=True)
class Rounding:
    """Bounds the error of a floating-point evaluation by ``size * steps * eps``.

    ``size`` is the value with every sign taken positive; a sum adds one relative rounding to the worse of
    its terms, a product one to both; |sin(x + e) - sin(x)| <= |e|.
    """

    size: float
    steps: float = 1

    def __add__(self, other: Rounding | int) -> Rounding:
        other = other if isinstance(other, Rounding) else Rounding(abs(other))
        return Rounding(self.size + other.size, max(self.steps, other.steps) + 1)

    def __mul__(self, other: Rounding | int) -> Rounding:
        other = other if isinstance(other, Rounding) else Rounding(abs(other))
        return Rounding(self.size * other.size, self.steps + other.steps + 1)

    __radd__, __rmul__ = __add__, __mul__

    @property
    def bound(self) -> float:
        return self.size * self.steps * 2.0**-52


ROUNDING = Arithmetic(
    lambda x: Rounding(abs(float(x))),
    lambda x, e: Rounding(x.size**e, e * (x.steps + 1)),
    dict.fromkeys(("sin", "cos"), lambda x: Rounding(x.size + 1, x.steps + 2)),
)
