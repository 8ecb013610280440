"""An explicit model as a page: notation, constants, a table and the equations of each matrix."""

from __future__ import annotations

from taut.explicit.latex import angle_latex, constant_latex, element_latex, letter_latex, value_latex
from taut.explicit.model import Element, ExplicitModel
from taut.explicit.text import SECTIONS, element_text
from taut.graph.text import to_text
from taut.report.page import Page
from taut.report.page.parts import Equation, Matrix, Prose, Section, Table

LETTERS = {"M": "M(q)", "b": r"b_{ijk}\,\dot q_{j}\,\dot q_{k}", "c": "C(q)", "g": "g(q)"}
"""Each kind of element in mathematics, for headings."""


def explicit_page(model: ExplicitModel) -> Page:
    """Return the model to be written as text, LaTeX or Markdown."""
    torque = Equation(
        ("tau_i", "sum_j M_ij*qdd_j + sum_{j<k} b_ijk*qd_j*qd_k + sum_j c_ij*qd_j^2 + g_i"),
        (
            r"\tau_{i}",
            r"\sum_{j} M_{ij}\,\ddot q_{j} + \sum_{j<k} b_{ijk}\,\dot q_{j}\,\dot q_{k}"
            r" + \sum_{j} c_{ij}\,\dot q_{j}^{2} + g_{i}",
        ),
    )
    about = Prose(f"{model.n} joints, {len(model.constants)} constants, {model.term_count} terms.{_proved(model)}")
    sections = [Section("Equations of motion", (about, torque)), _notation(model), *_constants(model)]
    kinds = {element.kind for element in model.elements.values()}
    sections += [_matrix(model, kind, title) for kind, title in SECTIONS if kind in kinds]
    return Page(f"Explicit equations of {model.robot.name}", tuple(sections))


def _proved(model: ExplicitModel) -> str:
    if model.proof is None:
        return ""
    return f" Every element is proved: {model.proof.reference}, {model.proof.points} points of GF(2^61 - 1)."


def _notation(model: ExplicitModel) -> Section:
    used = {name for e in model.elements.values() for term in e.terms for name, _ in term.monomial}
    rows: list[Equation] = []
    for name in model.generators:
        if name in used and name in model.angles and name[0] in "CS":
            rows.append(Equation((name, to_text(model.generators[name])), angle_latex(model, name)))
    return Section("Notation", tuple(rows) or (Prose("No sines or cosines."),))


def _constants(model: ExplicitModel) -> list[Section]:
    known = [c for c in model.constants.values() if c.value is not None]
    parts: list[Prose | Equation | Table] = [
        Equation((c.name, to_text(c.formula)), constant_latex(c)) for c in model.constants.values()
    ]
    if known:
        head = ("constant", "value", "tolerance")
        text = tuple((c.name, f"{c.value:.5g}", _tolerance(c.tolerance)) for c in known)
        latex = tuple(
            (f"${letter_latex(c.name)}$", f"${value_latex(c.value)}$", _mathematical(value_latex(c.tolerance, 2)))
            for c in known
        )
        parts.append(Table(head, text, latex))
    return [Section("Constants", tuple(parts))] if parts else []


def _tolerance(x: float | None) -> str:
    return "" if x is None else f"{x:.2g}"


def _mathematical(latex: str) -> str:
    return f"${latex}$" if latex else ""


def _matrix(model: ExplicitModel, kind: str, title: str) -> Section:
    elements = [e for e in model.elements.values() if e.kind == kind]
    equations = [_equation(e) for e in elements if not e.is_zero]
    text = f"{sum(not e.is_zero for e in elements)} of {len(elements)} elements are not zero."
    return Section(title, (Prose(text), _shown(model, kind), *equations), LETTERS[kind])


def _shown(model: ExplicitModel, kind: str) -> Table | Matrix:
    """Return a matrix of formulas where they fit, else of names; the b_ijk are a table."""
    table, n = _overview(model, kind), range(model.n)
    if kind == "b":
        return table
    if kind == "g":
        cells = [[model.g[i]] for i in n]
    else:
        cells = [[(model.M if kind == "M" else model.c)[i, j] for j in n] for i in n]
    letter = LETTERS[kind].removesuffix("(q)")
    full = Matrix(letter, tuple(tuple(element_latex(e, own=True)[1] for e in row) for row in cells), table)
    return full if full.fits else Matrix(letter, tuple(tuple(_cell(e)[1] for e in row) for row in cells), table)


def _equation(element: Element) -> Equation:
    left, _, right = element_text(element).partition(" = ")
    return Equation((left, right), element_latex(element))


def _overview(model: ExplicitModel, kind: str) -> Table:
    """Return the table of one matrix: where it is zero, and which elements are others."""
    n, formulas = range(model.n), None
    if kind == "b":
        pairs = [(j, k) for j in n for k in n[j + 1 :]]
        head = ("j k", *(f"b_{i + 1}jk" for i in n))
        formulas = ("$j\\,k$", *(f"$b_{{{i + 1}jk}}$" for i in n))
        cells = [[model.b[i, j, k] for i in n] for j, k in pairs]
        names = [f"{j + 1} {k + 1}" for j, k in pairs]
    elif kind == "g":
        head, cells, names = ("", *(f"{i + 1}" for i in n)), [[model.g[i] for i in n]], ["g"]
    else:
        access = model.M if kind == "M" else model.c
        head = ("", *(f"{j + 1}" for j in n))
        cells, names = [[access[i, j] for j in n] for i in n], [f"{i + 1}" for i in n]
    text = tuple((name, *(_cell(e)[0] for e in row)) for name, row in zip(names, cells, strict=True))
    latex = tuple((name, *(f"${_cell(e)[1]}$" for e in row)) for name, row in zip(names, cells, strict=True))
    return Table(head, text, latex, latex_head=formulas)


def _cell(element: Element) -> tuple[str, str]:
    """Return 0, the element that this one is but for its sign, or its own name."""
    if element.is_zero:
        return "0", "0"
    relation = element.relation
    if relation is not None and relation.exact_alias and len(relation.parts) == 1:
        [(factor, base)] = relation.parts
        if abs(factor) == 1:
            sign = "-" if factor < 0 else ""
            return sign + base, sign + letter_latex(base)
    return element.name, letter_latex(element.name)
