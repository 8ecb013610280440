r"""What does an explicit model look like in LaTeX?  ``C23`` is C_{23}, ``K4`` is K_{4}, ``b412`` is b_{412}.

Formulas are (left, right) pairs; where lines are broken and which environment holds them is for the page.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby
from typing import TYPE_CHECKING

from taut.emit.latex_formula import joined, node_latex, rational_latex
from taut.emit.latex_lines import aligned
from taut.emit.latex_words import number, symbol

if TYPE_CHECKING:
    from taut.explicit.model import Element, ExplicitModel, LumpedConstant, Monomial, Term

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


def terms_latex(terms: Sequence[Term]) -> str:
    """Return a sum of terms, those of one constant in one bracket."""
    pieces: list[tuple[bool, str]] = []
    for constant, group in groupby(terms, key=lambda term: term.constant):
        together = list(group)
        if constant is None or len(together) == 1:
            pieces += [_product(term.factor, constant, monomial_latex(term.monomial)) for term in together]
            continue
        outer = together[0].factor
        if not all((term.factor / outer).denominator == 1 for term in together):
            outer = Fraction(1 if outer > 0 else -1)
        inner = [_product(term.factor / outer, None, monomial_latex(term.monomial)) for term in together]
        pieces.append(_product(outer, constant, rf"\left({_sum(inner)}\right)"))
    return _sum(pieces) or "0"


def element_latex(element: Element, own: bool = False) -> Pair:
    """Return an element as an equation.

    Args:
        element: the element.
        own: its own sum, also where it follows from others.
    """
    left, relation = letter_latex(element.name), element.relation
    if relation is None or own or element.is_zero:
        return left, terms_latex(element.terms)
    right = _sum([_product(factor, part, "") for factor, part in relation.parts])
    if relation.extra:
        more = terms_latex(relation.extra)
        right += f" - {more[1:]}" if more.startswith("-") else f" + {more}"
    return left, right


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
    pieces = [_product(Fraction(times), None, f"q_{{{joint + 1}}}") for joint, times in model.angles[name]]
    function = r"\sin" if name[0] == "S" else r"\cos"
    return letter_latex(name), rf"{function}\left({_sum(pieces)}\right)"


def _product(factor: Fraction, constant: str | None, product: str) -> tuple[bool, str]:
    parts = [part for part in (letter_latex(constant) if constant else "", product) if part]
    if abs(factor) != 1 or not parts:
        parts.insert(0, rational_latex(abs(factor)))
    return factor < 0, joined(parts)


def _sum(pieces: Sequence[tuple[bool, str]]) -> str:
    text = "".join((" - " if negative else " + ") + piece for negative, piece in pieces)
    return "-" + text[3:] if text.startswith(" - ") else text[3:]


def displayed(pairs: Sequence[Pair]) -> str:
    """Return equations as display mathematics, for a notebook."""
    return f"$${aligned(pairs)}$$"
