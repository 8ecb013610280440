"""The table of elementary functions: everything about sin, cos, sign, sqrt, atan, atan2 and any that is added.

The graph, its derivative, its evaluation over floats, batches and the finite field, the count and the parser of robot
files read this table. Emitters know only how a function is spelled in their language, and spell one that they have
no word for by its name.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeVar

from taut.spatial.array import atan, atan2, cos, sign, sin, sqrt

if TYPE_CHECKING:
    from taut.graph.node import Node

Rational = int | Fraction
T = TypeVar("T")


class Parity(Enum):
    """What a function makes of the sign of its argument."""

    ODD = "odd"
    EVEN = "even"
    NONE = "none"


class Field(Enum):
    """The value of a function at a random point of the finite field."""

    CIRCLE = "circle"
    """A coordinate of a point of the circle; sums of angles follow the addition rule."""
    ROOT = "root"
    """A square root, of random sign."""
    SIZELESS = "sizeless"
    """A free value that does not depend on the size of a rational coefficient."""
    FREE = "free"
    """A free value for each value of the argument, with the parity of the function."""


@dataclass(frozen=True)
class Elementary:
    """A function of one argument, or of two.

    Attributes:
        name: in program text, robot files, and ``math`` of Python.
        parity: decides where a minus sign of the first argument goes.
        real: value for floats, batches and nodes.
        derivative: (x, f(x)) -> (coefficient, node) whose product is the derivative; for two arguments
            (y, x, f(y, x)) -> a pair for each.
        numpy: its name in NumPy and JAX.
        exact: (rational arguments) -> f where that is rational, None elsewhere.
        field: its value in the finite field.
        trigonometric: whether it is counted with sines and cosines; others are counted separately.
        arity: how many arguments it has.
    """

    name: str
    parity: Parity
    real: Callable[..., Any]
    derivative: Callable[..., Any]
    numpy: str
    exact: Callable[..., Rational | None]
    field: Field = Field.FREE
    trigonometric: bool = False
    arity: int = 1


def at_zero(value: Rational) -> Callable[[Rational], Rational | None]:
    """Return what is known exactly of a function that is rational at zero alone."""
    return lambda x: value if x == 0 else None


def _root(x: Rational) -> Rational | None:
    fraction = Fraction(x)
    if fraction < 0:
        return None
    top, bottom = math.isqrt(fraction.numerator), math.isqrt(fraction.denominator)
    if top * top != fraction.numerator or bottom * bottom != fraction.denominator:
        return None
    return top if bottom == 1 else Fraction(top, bottom)


def _one(x: Node) -> Node:
    return x.graph.constant(1)


def _angle_slopes(y: Node, x: Node, _: Node) -> tuple[tuple[Rational, Node], tuple[Rational, Node]]:
    """Return x / (x^2 + y^2) and -y / (x^2 + y^2)."""
    inverse = x.graph.power(x * x + y * y, -1)
    return (1, x * inverse), (-1, y * inverse)


FUNCTIONS: dict[str, Elementary] = {
    function.name: function
    for function in (
        Elementary(
            "sin",
            Parity.ODD,
            sin,
            derivative=lambda x, _: (1, x.cos()),
            numpy="sin",
            exact=at_zero(0),
            field=Field.CIRCLE,
            trigonometric=True,
        ),
        Elementary(
            "cos",
            Parity.EVEN,
            cos,
            derivative=lambda x, _: (-1, x.sin()),
            numpy="cos",
            exact=at_zero(1),
            field=Field.CIRCLE,
            trigonometric=True,
        ),
        Elementary(
            "sign",
            Parity.ODD,
            sign,
            derivative=lambda x, _: (0, _one(x)),  # wherever it has one
            numpy="sign",
            exact=lambda x: (x > 0) - (x < 0),
            field=Field.SIZELESS,
        ),
        Elementary(
            "sqrt",
            Parity.NONE,
            sqrt,
            derivative=lambda x, y: (1, x.graph.power(2 * y, -1)),
            numpy="sqrt",
            exact=_root,
            field=Field.ROOT,
        ),
        Elementary(
            "atan",
            Parity.ODD,
            atan,
            derivative=lambda x, _: (1, x.graph.power(1 + x * x, -1)),
            numpy="arctan",
            exact=at_zero(0),
        ),
        Elementary(
            "atan2",
            Parity.ODD,
            atan2,
            derivative=_angle_slopes,
            numpy="arctan2",
            exact=lambda y, x: 0 if y == 0 and x > 0 else None,
            arity=2,
        ),
    )
}
"""Every function by name."""


class Column(Mapping[str, T]):
    """One attribute of every function of the table, as the table is at the moment.

    >>> Column(lambda function: function.numpy)["atan"]
    'arctan'
    """

    def __init__(self, of: Callable[[Elementary], T]) -> None:
        self._of = of

    def __getitem__(self, name: str) -> T:
        return self._of(FUNCTIONS[name])

    def __iter__(self) -> Iterator[str]:
        return iter(FUNCTIONS)

    def __len__(self) -> int:
        return len(FUNCTIONS)
