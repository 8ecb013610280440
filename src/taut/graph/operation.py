"""The operations of nodes, and what a node of each holds besides its arguments.

The list is closed; the functions of the table of elementary functions are one operation, distinguished by name.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from taut.graph.elementary import Rational


class Op(IntEnum):
    """What a node computes; members are compared by identity."""

    CONSTANT = 0
    """A rational number."""
    SYMBOL = 1
    """A name with a stage."""
    SUM = 2
    """A number plus the sum of coefficient * argument: :class:`Weights`."""
    PRODUCT = 3
    """A number times the product of argument ** exponent: :class:`Powers`."""
    FUNCTION = 4
    """An elementary function of the arguments: its name."""


CONSTANT, SYMBOL, SUM, PRODUCT, FUNCTION = Op
"""The members by themselves, for loops over many nodes: Python 3.11 takes its time to find a member in its class."""


class Weights(NamedTuple):
    """The numbers of a sum."""

    constant: Rational
    coefficients: tuple[Rational, ...]


class Powers(NamedTuple):
    """The numbers of a product."""

    coefficient: Rational
    exponents: tuple[int, ...]


Data = Rational | str | Weights | Powers
"""A constant's number, the name of a symbol or of a function, or the numbers of a sum or a product."""
