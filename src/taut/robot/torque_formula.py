"""A torque that a user states as a formula of a joint's position and rate, for what no other term of a drive has."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from taut.graph.evaluate import REAL, Arithmetic, value_at
from taut.graph.node import Node
from taut.spatial import Scalar

ARGUMENTS = ("q", "qd")

_EXACT = Arithmetic(Fraction, lambda x, exponent: x**exponent, REAL.functions)


@dataclass(frozen=True)
class TorqueFormula:
    """A torque of one joint.

    Attributes:
        node: its expression; its symbols are ``q`` and ``qd`` of the joint, everything else in it is a number.
    """

    node: Node

    def __call__(self, q: Scalar, qd: Scalar) -> Any:
        """Return the torque at a position and rate: numbers, arrays of numbers, or nodes of a graph."""
        arithmetic = _EXACT if isinstance(q, Node) or isinstance(qd, Node) else REAL
        return value_at(self.node, dict(zip(ARGUMENTS, (q, qd), strict=True)), arithmetic)

    def scaled(self, gain: float) -> TorqueFormula:
        """Return a multiple of the torque."""
        return TorqueFormula(self.node.graph.scale(Fraction(gain), self.node))
