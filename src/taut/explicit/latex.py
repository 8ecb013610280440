r"""An explicit model in LaTeX: ``C23`` is C_{23}, ``K4`` is K_{4}, ``b412`` is b_{412}.

Formulas are (left, right) pairs; where lines are broken and which environment holds them is for the page.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from taut.emit.latex_formula import joined, node_latex, rational_latex
from taut.emit.latex_lines import aligned
from taut.emit.latex_words import number, symbol
from taut.explicit.script import Script

if TYPE_CHECKING:
    from taut.explicit.model import Element, ExplicitModel, LumpedConstant, Monomial

_NAMED = re.compile(r"([A-Za-z]+)([0-9m_]+)")

Pair = tuple[str, str]
"""Left and right side of an equation."""


def letter_latex(name: str) -> str:
    r"""Return a generator, an element or a constant with its number as an index.

    >>> print(letter_latex("S12m4"), letter_latex("b1_10_12"), letter_latex("M11"))
    S_{12-4} b_{1,10,12} M_{11}
    """
    match = _NAMED.fullmatch(name)
    if match is None or len(match[1]) > 1:
        return symbol(name)
    return f"{match[1]}_{{{match[2].replace('m', '-').replace('_', ',')}}}"


def monomial_latex(monomial: Monomial) -> str:
    r"""Return a product; empty for 1.

    >>> print(monomial_latex((("S23", 1), ("C4", 2))))
    S_{23}\,C_{4}^{2}
    """
    return joined([letter_latex(name) + (f"^{{{power}}}" if power > 1 else "") for name, power in monomial])


LATEX = Script(
    monomial_latex, letter_latex, lambda x, _: rational_latex(x), r"\,", lambda text: rf"\left({text}\right)"
)
"""LaTeX mathematics."""


def element_latex(element: Element, own: bool = False) -> Pair:
    """Return an element as an equation.

    Args:
        element: the element.
        own: its own sum, also where it follows from others.
    """
    left, relation = letter_latex(element.name), element.relation
    if relation is None or own or element.is_zero:
        return left, LATEX.terms(element.terms)
    return left, LATEX.relation(relation.parts, relation.extra)


def constant_latex(constant: LumpedConstant) -> Pair:
    """Return a constant as an equation of its formula."""
    return letter_latex(constant.name), node_latex(constant.formula)


def value_latex(value: float | None, digits: int = 5) -> str:
    """Return a measured number, nothing where there is none."""
    return (
        "" if value is None else number(float(f"{value:.{digits}g}")).removeprefix(r"\left(").removesuffix(r"\right)")
    )


def angle_latex(model: ExplicitModel, name: str) -> Pair:
    """Return what a sine or cosine is of."""
    pieces = [LATEX.product(Fraction(times), None, f"q_{{{joint + 1}}}") for joint, times in model.angles[name]]
    function = r"\sin" if name[0] == "S" else r"\cos"
    return letter_latex(name), rf"{function}\left({LATEX.joined(pieces)}\right)"


def displayed(pairs: Sequence[Pair]) -> str:
    """Return equations as display mathematics, for a notebook."""
    return f"$${aligned(pairs)}$$"
