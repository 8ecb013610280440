"""The formula of a base parameter's group: ``mx2 + a2*(m3 + m4)``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction

from taut.graph import Node
from taut.graph.evaluate import evaluate
from taut.graph.text import to_text
from taut.graph.walk import names_of
from taut.identify.echelon import Row
from taut.identify.exact_robot import ExactRobot
from taut.polynomials.texts import polynomial_texts
from taut.spatial import Scalar

FEW = 12
"""Fractions up to this denominator are written as such, others as decimals."""

WORTH = 0.9
"""A formula is multiplied out where that makes it shorter than this part of itself."""


def group_text(kept: int, names: Sequence[str], coefficients: Mapping[int, Row], robot: ExactRobot) -> str:
    """Return the formula of the base parameter that one kept parameter stands for."""
    members: dict[str, list[str]] = {}
    for eliminated in sorted(coefficients):
        x = coefficients[eliminated].get(kept, 0)
        if isinstance(x, Node) or x != 0:
            members.setdefault(coefficient_text(x, robot), []).append(names[eliminated])
    text = names[kept]
    for factor, listed in members.items():
        sign, size = (" - ", factor[1:]) if _negative(factor) else (" + ", factor)
        several = " + ".join(listed)
        if size == "1":
            text += sign + (several if sign == " + " or len(listed) == 1 else f"({several})")
        else:
            several = several if len(listed) == 1 else f"({several})"
            text += f"{sign}{_factor(size)}*{several}"
    return text


def coefficient_text(x: Scalar, robot: ExactRobot) -> str:
    """Return a coefficient: a formula of the robot file's symbols, or a number where it has none."""
    if not isinstance(x, Node):
        return _decimal(Fraction(x))
    symbols = names_of([x])
    if symbols <= robot.angles:
        return f"{float(evaluate([x], robot.values)[0]):.9g}"
    written, *others = (
        re.sub(r"\d+/\d+", lambda found: _decimal(Fraction(found[0])), text)
        for text in (to_text(x), *polynomial_texts(x))
    )
    shortest = min(others, key=len, default=written)
    return shortest if len(shortest) < WORTH * len(written) else written


def _decimal(x: Fraction) -> str:
    return str(x) if x.denominator <= FEW else f"{float(x):.9g}"


def _negative(text: str) -> bool:
    """Whether a text is a single term with a minus sign."""
    return text.startswith("-") and not _terms(text[1:])


def _factor(text: str) -> str:
    return f"({text})" if _terms(text) or text.startswith("-") else text


def _terms(text: str) -> bool:
    """Whether a text has several terms outside brackets."""
    depth = 0
    for k, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0 and character in "+-" and k > 0 and text[k - 1] == " ":
            return True
    return False
