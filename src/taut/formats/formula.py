"""Numbers in the fields of files: plain numbers and formulas, as floats or graph nodes.

:mod:`taut.formats.formula_grammar` reads a formula, :mod:`taut.formats.formula_writer` writes one.
"""

from __future__ import annotations

import math
import re

from taut.errors import InputError
from taut.formats.formula_grammar import finite, read_formula, shown_value
from taut.graph.node import Graph, Node, is_number
from taut.graph.walk import names_of
from taut.robot import TorqueFormula
from taut.robot.torque_formula import ARGUMENTS


def parse(value: object, graph: Graph, place: str = "") -> float | Node:
    """Return a field's number: plain numbers and formulas become floats, formulas with names nodes.

    Args:
        value: a number, a formula, or a node (returned as it is).
        graph: owner of the symbols.
        place: where the field stands, for errors.

    >>> parse("90 deg", Graph()), parse("2*(1 + 3)/4", Graph())
    (1.5707963267948966, 2.0)
    >>> parse("a2", Graph())
    a2
    """
    if isinstance(value, Node):
        return value
    if isinstance(value, str):
        return read_formula(value, graph, place)
    if isinstance(value, bool) or not is_number(value):
        raise InputError(
            f"found {shown_value(value)}, expected a number or a formula", place, 'write e.g. 0.5 or "d2/2"'
        )
    return finite(value, place)


def parse_angle(value: object, graph: Graph, place: str = "") -> float | Node:
    """Return a field's angle in radians; a bare number beyond a full turn is taken for degrees and refused."""
    angle = parse(value, graph, place)
    spelled = isinstance(value, str) and re.search("deg|rad|pi", value)
    if isinstance(angle, float) and abs(angle) > 2 * math.pi * (1 + 1e-9) and not spelled:
        raise InputError(f"{angle:g} is more than a full turn; radians are expected", place, f'write "{angle:g} deg"')
    return angle


def parse_constant(value: object, place: str = "") -> float:
    """Return a field's number where a symbol makes no sense (limits, measured values)."""
    number = parse(value, Graph(), place)
    if isinstance(number, Node):
        raise InputError(f"found {shown_value(value)} with free names, expected a number", place, "write a number")
    return number


def torque_formula(text: object, place: str = "") -> TorqueFormula:
    """Return a torque as a formula of a joint's position q and rate qd.

    >>> torque_formula("0.3*sin(2*q)*qd")(0.0, 1.0)
    0.0
    """
    graph = Graph()
    value = parse(text, graph, place)
    node = graph.lift(value)
    names = names_of([node]) - set(ARGUMENTS)
    if names or not isinstance(text, str):
        found = f"'{min(names)}'" if names else shown_value(text)
        raise InputError(
            f"found {found}, expected a formula of q and qd with numbers", place, 'write e.g. "0.3*sin(2*q)"'
        )
    return TorqueFormula(node)
