r"""Points on a line of parameters, which tell polynomials of the parameters from quotients.

Every parameter is :math:`p_i = a_i + \sigma b_i` with random :math:`a_i, b_i`, and the cosine and sine of every angle
among the parameters are a random point of the circle turned by :math:`(1 - \sigma^2, 2 \sigma) / (1 + \sigma^2)`, every
other angle by twice as much: what depends on the sum or difference of two neighbours must change on the line, too. A
polynomial of degree d in the parameters and n in cosines and sines, times :math:`(1 + \sigma^2)^{v n}` with v
turns, has degree :math:`d + 2 v n` in :math:`\sigma`, so that its difference of order :math:`d + 2 v n + 1` over
equidistant points vanishes. That of a quotient with a divisor that changes on the line does not, but for a chance of
:math:`1 / 2^{61}`.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import comb
from typing import Any

from taut.graph.field import PRIME, FieldPoint, Point, circle_power, circle_product
from taut.graph.node import Node, Rational
from taut.graph.program import Program
from taut.graph.prove import Spheres
from taut.graph.stage import Stage

DEGREE, ANGLE_DEGREE = 8, 6
"""Highest degrees of a constant in the parameters, and in cosines and sines of angles among them."""


SPEEDS = 2
"""Turns of neighbouring angles along the line: one, two, one, ..."""


def line_weights(speeds: Mapping[str, int]) -> list[int]:
    """Return the weights of a constant's values at the points of the line: their sum is zero for a polynomial.

    Args:
        speeds: of the angles, from :func:`angle_speeds`.
    """
    angles = ANGLE_DEGREE * max(speeds.values(), default=0)
    order = DEGREE + 2 * angles + 1
    return [(-1) ** k * comb(order, k) * pow(1 + k * k, angles, PRIME) % PRIME for k in range(order + 1)]


def angle_speeds(program: Program) -> dict[str, int]:
    """Return how fast the parameters that sines and cosines of a program depend on turn along the line."""
    turning: set[int] = set()
    for i in range(len(program.lines) - 1, -1, -1):
        if i in turning or program.lines[i].op in ("sin", "cos"):
            turning.update(program.lines[i].args)
    inputs = (program.lines[i] for i in sorted(turning))
    names = dict.fromkeys(line.data for line in inputs if line.op == "input" and line.stage == Stage.PARAMETER)
    return {str(name): 1 + k % SPEEDS for k, name in enumerate(names)}


class LinePoint(FieldPoint):
    """Point number ``sigma`` of the line; states differ as at other points.

    Args:
        sigma: place on the line.
        speeds: of the angles among the parameters.
        seed: which line.
        spheres: groups of symbols that form unit vectors.
        state: which of several points with these parameters.
    """

    def __init__(self, sigma: int, speeds: Mapping[str, int], seed: int, spheres: Spheres, state: int) -> None:
        super().__init__(seed, 0, spheres, state=state)
        self._sigma, self._speeds = sigma, speeds
        scale = pow(1 + sigma * sigma, -1, PRIME)
        self._turn: Point = (1 - sigma * sigma) * scale % PRIME, 2 * sigma * scale % PRIME

    def _symbol(self, node: Node) -> int:
        at_zero = super()._symbol(node)
        if node.stage > Stage.PARAMETER:
            return at_zero
        return (at_zero + self._sigma * self._draw("slope", node.name)) % PRIME

    def _multiple(self, key: Any, coefficient: Rational) -> Point:
        is_parameter = key[0] == "symbol" and key[2] <= Stage.PARAMETER
        if not is_parameter or coefficient.denominator != 1:
            return super()._multiple(key, coefficient)
        turned = circle_product(self._unit(key), circle_power(self._turn, self._speeds.get(key[1], 1)))
        return circle_power(turned, int(coefficient))
