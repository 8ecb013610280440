"""An explicit model as plain text.

``CC2`` is C2*C2, ``SC23`` is S23*C23, ``SS4`` is S4*S4; terms of one constant stand in one bracket.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from taut.explicit.script import Script
from taut.graph.text import number_text, to_text

if TYPE_CHECKING:
    from taut.explicit.model import Element, ExplicitModel, LumpedConstant, Monomial, Term

WIDTH = 100
"""Columns of a text."""

SECTIONS = (
    ("M", "Mass matrix"),
    ("b", "Coriolis coefficients, b_ijk of qd_j qd_k"),
    ("c", "Centrifugal coefficients, c_ij of qd_j^2"),
    ("g", "Gravity"),
)


def monomial_text(monomial: Monomial) -> str:
    """Return a product in the reader's notation; empty for 1.

    >>> monomial_text((("S23", 1), ("C23", 1), ("C4", 2), ("q3", 2)))
    'SC23*CC4*q3^2'
    """
    powers = dict(monomial)
    parts, done = [], set()
    for name, power in monomial:
        angle = name[1:]
        if name in done:
            continue
        if name[0] == "S" and power == 1 and powers.get(f"C{angle}") == 1:
            parts.append(f"SC{angle}")
            done.add(f"C{angle}")
        elif power == 1:
            parts.append(name)
        elif power == 2 and name[0] in "SC":
            parts.append(name[0] + name)
        else:
            parts.append(f"{name}^{power}")
    return "*".join(parts)


def _number(x: Fraction, followed: bool) -> str:
    text = number_text(x)
    return f"({text})" if "/" in text and followed else text


TEXT = Script(monomial_text, str, _number, "*", "({})".format)
"""Plain text."""


def terms_text(terms: Sequence[Term]) -> str:
    """Return a sum of terms, those of one constant in one bracket."""
    return TEXT.terms(terms)


def relation_text(name: str, parts: Sequence[tuple[Fraction, str]], extra: Sequence[Term]) -> str:
    """Return how an element follows from others, e.g. ``b413 = -b314``."""
    return f"{name} = {TEXT.relation(parts, extra)}"


def element_text(element: Element, own: bool = False) -> str:
    """Return an element as a line.

    Args:
        element: the element.
        own: its own sum, also where it follows from others.
    """
    if element.relation is not None and not own:
        return element.relation.text
    return f"{element.name} = {terms_text(element.terms)}"


def constant_text(constant: LumpedConstant) -> str:
    """Return a constant with its formula and, where known, value and tolerance."""
    text = f"{constant.name} = {to_text(constant.formula)}"
    if constant.value is not None:
        text += f" = {constant.value:.6g}"
        if constant.tolerance is not None:
            text += f" +- {constant.tolerance:.2g}"
    return text


def model_text(model: ExplicitModel) -> str:
    """Return the whole model: its summary, notation, constants, elements, what is zero."""
    n = model.n
    lines = [f"{model.robot.name}: explicit equations, {n} joints, {len(model.constants)} constants"]
    lines.append("tau_i = sum_j M_ij qdd_j + sum_{j<k} b_ijk qd_j qd_k + sum_j c_ij qd_j^2 + g_i")
    lines += ["", "Notation", *_notation(model), "", "Constants"]
    lines += [_wrapped(constant_text(constant)) for constant in model.constants.values()]
    for kind, title in SECTIONS:
        elements = [e for e in model.elements.values() if e.kind == kind]
        if not elements:
            continue
        lines += ["", title]
        lines += [_wrapped(element_text(e)) for e in elements if not e.is_zero]
        zero = [e.name for e in elements if e.is_zero]
        if zero:
            lines.append(_wrapped(f"zero: {', '.join(zero)}"))
    return "\n".join(lines) + "\n"


def hierarchy_text(model: ExplicitModel) -> str:
    """Return the model by constants K, terms T and V, and elements written in these, as it is computed."""
    from taut.explicit.hierarchy import Hierarchy, brackets_of

    shared = Hierarchy(model)
    named = {bracket: name for name, bracket in shared.brackets.items()}

    def bracket(terms: Sequence[tuple[Fraction, Monomial]]) -> str:
        return TEXT.joined([TEXT.product(number, None, "*".join(shared.factors(m))) for number, m in terms])

    def whole(element: Element) -> str:
        pieces = [
            TEXT.product(factor, part, "") for factor, part in (element.relation.parts if element.relation else ())
        ]
        for constant, factor, inner in brackets_of(shared.printed[element.name]):
            text = named.get(inner) or bracket(inner.terms)
            text = f"({text})" if inner not in named and len(inner.terms) > 1 else text
            pieces.append(TEXT.product(factor, constant, "" if text == "1" else text))
        return f"{element.name} = {TEXT.joined(pieces)}"

    lines = [f"{model.robot.name}: explicit equations by constants K, terms T and V, and elements", "", "Constants"]
    lines += [_wrapped(constant_text(constant)) for constant in model.constants.values()]
    lines += ["", "Terms", *(f"{name} = {a}*{b}" for name, (a, b) in shared.products.items())]
    lines += [_wrapped(f"{name} = {bracket(inner.terms)}") for name, inner in shared.brackets.items()]
    lines += ["", "Elements", *(_wrapped(whole(e)) for e in model.elements.values() if not e.is_zero)]
    return "\n".join(lines) + "\n"


def _notation(model: ExplicitModel) -> list[str]:
    used = {name for e in model.elements.values() for term in e.terms for name, _ in term.monomial}
    rows = []
    for name in model.generators:
        if name in used and name[0] in "SC":
            function = "sin" if name[0] == "S" else "cos"
            rows.append(f"{name} = {function}({_angle(model.angles[name])})")
    return [_wrapped(", ".join(rows))] if rows else ["no sines or cosines"]


def _angle(parts: Sequence[tuple[int, int]]) -> str:
    pieces = [TEXT.product(Fraction(times), None, f"q{joint + 1}") for joint, times in parts]
    return TEXT.joined(pieces)


def _wrapped(text: str) -> str:
    return "\n".join(
        textwrap.wrap(text, WIDTH, subsequent_indent="      ", break_long_words=False, break_on_hyphens=False)
    )
