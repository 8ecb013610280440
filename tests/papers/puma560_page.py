"""Armstrong's PUMA 560 beside taut's: constants, elements, abbreviated elements, misprints, as a page.

``make tables`` writes ``docs/puma560.md``.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import taut
from papers import tolerance_page
from papers.armstrong import ALIAS, TABLE, addends, in_his_constants, own_name
from papers.armstrong_numbers import SHORT, numbers
from papers.audit import Verdict, numbers_table
from taut.explicit.model import Element, ExplicitModel
from taut.explicit.text import element_text, monomial_text, terms_text
from taut.explicit.tolerance import propagate
from taut.reduce.operations import as_printed
from taut.report.markdown import markdown_table

PAGE = Path(__file__).parents[2] / "docs" / "puma560.md"

COPY, PAPER, OPEN = "copy", "paper", "open"
"""Whose slip it is: of the scanned copy read here, of the paper, or not to be told."""

MISPRINTS = [
    ("A2", "I2", "m2*(rz2^2 + ry2^2)", "m2*(rx2^2 + ry2^2)", COPY),
    ("A2", "I3", "- m2*rz2^2 - m2*ry2^2", "+ m2*rx2^2 - m2*ry2^2", OPEN),
    ("A2", "I4", "m2*rz2*(d2 + rz2)", "m2*rx2*(d2 + rz2)", COPY),
    ("A2", "I7", "Izz3 - Iyy3", "Ixx3 - Iyy3", COPY),
    ("A2", "I8", "- m3*ry3*rz3", "+ m3*ry3*rz3; the value of A3 needs the plus", OPEN),
    ("A2", "I11", "-2*m2*rz2*ry2", "-2*m2*rx2*ry2", COPY),
    ("A2", "I20", "+ Ixx6 - Izz6", "+ Izz6 - Ixx6; the value of A3 needs it", OPEN),
    ("A2", "G1", "m2*rz2", "m2*rx2", COPY),
    ("A3", "I1", "1.43", "1.553 from Tables 4 to 6 and A1, see above", PAPER),
    ("A3", "I3", "1.38", "1.602 from Tables 4 to 6 and A1, see above", PAPER),
    ("A3", "G1", "tolerance 0.05", "0.5 or more", OPEN),
    ("A3", "I14", "tolerance 0.00007", "0.0007", OPEN),
    ("A4", "a12", "I15*S23", "I13*S23", COPY),
    ("A4", "a13", "I15*S23", "I13*S23", COPY),
    ("A4", "a13, abbreviated", "-3.97e-3*S23", "-3.79e-3*S23, which is I13: digits exchanged", OPEN),
    ("A5", "b112", "I10 and I11 inside the doubled brace", "the brace closes before I10", COPY),
    ("A5", "b113", "I10 inside the doubled brace", "the brace closes before I10", COPY),
    ("A5", "b114", "S23*SS5*SC4", "SS23*SS5*SC4", COPY),
    ("A5", "b314", "C5*C4 - 0.5", "CC5*CC4 - 0.5", COPY),
    ("A6", "c12", "C23*C4*C5 - S23*SC5", "C23*C4*CC5 - S23*SC5", COPY),
    ("text", "equation 10", "dA12/dq2 = dA12/dq3 = dA12/dq5", "da13/dq2 = da12/dq3 = da13/dq3", COPY),
    ("text", "after equation 3", "35 to 3 multiplications", "37, as under equation 2", PAPER),
    ("text", "appendix", "S223 = sin(q2 + q3)", "sin(2 q2 + q3)", COPY),
    ("text", "appendix", "Izz6 = Iyy6", "Ixx6 = Iyy6", COPY),
]
"""Table, where, what the copy reads, what is meant, whose slip."""

MARKED = {where for _, where, *_ in MISPRINTS}


def page() -> str:
    """Return the page as Markdown."""
    model = taut.load("puma560").explicit()
    short = model.abbreviate(0.01, "armstrong")
    readable, printed_M = model.function("readable", torque=True), as_printed(_kind(short.model, "M"), short.model)
    worst = max(error.worst / error.largest for error in short.errors)
    i1, i3 = _with_exchanged_inertias()
    exchanged = (
        taut.load("puma560")
        .with_values({"Ixx2": 0.35, "Izz1": 0.0})
        .explicit(verify=False)
        .abbreviate(0.01, "armstrong")
        .model
    )
    return TEXT.format(
        numbers=numbers_table(verdicts(model)),
        constants=_constants(),
        ours=_ours(model),
        elements="\n\n".join(_elements(model, *section) for section in SECTIONS),
        christoffel=model.unique_christoffel,
        short=_abbreviated(short.model),
        misprints=markdown_table(
            ["table", "where", "reads", "has to be", "slip of"], [[a, b, c, d, e] for a, b, c, d, e in MISPRINTS], 5
        ),
        readable=readable.operations.total,
        addends=sum(addends(row["formula"]) for row in TABLE["elements"].values() if row["formula"] != "0"),
        terms=sum(e.printed_terms for e in model.elements.values() if not e.is_zero),
        short_total=short.operations,
        short_M=short.after["M"].total,
        printed_M=printed_M.total,
        worst=f"{100 * worst:.2f}",
        kept=len(short.kept),
        all_terms=len(short.terms),
        i1=f"{i1:.3f}",
        i3=f"{i3:.3f}",
        a11=_with_numbers(exchanged, exchanged.M[0, 0]),
        b112=_with_numbers(exchanged, exchanged.b[0, 0, 1]),
        printed_a11=_short(SHORT["a11"]),
        printed_b112=_short(SHORT["b112"]),
    )


def verdicts(model: ExplicitModel | None = None) -> dict[int, Verdict]:
    """Return the verdicts on his printed numbers."""
    model = model or taut.load("puma560").explicit()
    short = model.abbreviate(0.01, "armstrong")
    return numbers(model, short.operations, as_printed(_kind(short.model, "M"), short.model).total)


def _kind(model: ExplicitModel, kind: str) -> list[Element]:
    return [e for e in model.elements.values() if e.kind == kind]


def _with_exchanged_inertias() -> tuple[float, float]:
    """Return I1 and I3 with the 0.35 of link 1 in the place of Ixx2 and nothing in its own."""
    known = tolerance_page.values()
    known |= {"Ixx2": known["Izz1"], "Izz1": type(known["Izz1"])(0.0)}
    found = propagate(tolerance_page.formulas(), known)
    at = dict(zip(found.names, found.values, strict=True))
    return float(at["I1"]), float(at["I3"])


# -- constants --------------------------------------------------------------------


def _constants() -> str:
    found = propagate(tolerance_page.formulas(), tolerance_page.values())
    rows = []
    for k, (name, row) in enumerate(TABLE["constants"].items()):
        own, tolerance = float(found.values[k]), found.tolerances[name] or 0.0
        rows.append(
            [
                f"{name}{' †' if name in MARKED else ''}",
                f"`{_short(row['formula'])}`" if "formula" in row else "drive",
                f"{row['printed']:.4g} ± {row['tolerance']:.2g}",
                f"{own:.4g} ± {tolerance:.2g}",
                f"{own / row['printed']:.3f}",
            ]
        )
    return markdown_table(["constant", "formula, corrected", "A3", "taut", "taut / A3"], rows, 2)


def _ours(model: ExplicitModel) -> str:
    """Return our constants in his: exact combinations, found by linear algebra on the formulas."""
    rows = []
    for name, combination in in_his_constants(model).items():
        constant = model.constants[name]
        found = " + ".join(_product(factor, his) for his, factor in combination.items()).replace("+ -", "- ")
        tolerance = "" if constant.tolerance is None else f" ± {constant.tolerance:.2g}"
        rows.append([name, found, f"{constant.value:.4g}{tolerance}"])
    return markdown_table(["taut", "in his constants", "value"], rows, 2)


def _product(factor: Fraction, name: str) -> str:
    return name if factor == 1 else f"-{name}" if factor == -1 else f"{factor}*{name}"


# -- elements ---------------------------------------------------------------------

SECTIONS = [
    ("a", "Table A4: kinetic energy matrix (taut's M)"),
    ("b", "Table A5: Coriolis coefficients"),
    ("c", "Table A6: centrifugal coefficients"),
    ("g", "Table A7: gravity"),
]


def _elements(model: ExplicitModel, letter: str, title: str) -> str:
    rows, zero, same = [], [], []
    for name, row in TABLE["elements"].items():
        if name[0] != letter:
            continue
        element, formula = model.elements[own_name(name)], row["formula"]
        if element.is_zero:
            zero.append(element.name)
        elif ALIAS.fullmatch(formula):
            same.append(f"`{element_text(element)}`")
        else:
            mark = " †" if name in MARKED else ""
            own = element_text(element).partition(" = ")[2]
            his = [f"`{_short(formula)}`", str(addends(formula))]
            rows.append([f"{name}{mark}", *his, f"`{own}`", _own_count(element)])
    parts = [f"### {title}", markdown_table(["element", "Armstrong, corrected", "terms", "taut", "terms"], rows, 5)]
    if same:
        parts.append(f"Another one, in both: {', '.join(same)}.")
    if zero:
        parts.append(f"Zero, in both: {', '.join(zero)}.")
    return "\n\n".join(parts)


def _own_count(element: Element) -> str:
    own, written = len(element.terms), element.printed_terms
    return str(own) if own == written else f"{written} ({own} written out)"


def _abbreviated(model: ExplicitModel) -> str:
    rows = []
    for name, printed in SHORT.items():
        element = model.elements[own_name(name)]
        own = _with_numbers(model, element)
        if (printed, own) == ("0", "0"):
            continue
        mark = " †" if f"{name}, abbreviated" in MARKED else ""
        rows.append([f"{name}{mark}", f"`{_short(printed)}`", f"`{own}`"])
    return markdown_table(["element", "Armstrong", "taut"], rows, 3)


def _with_numbers(model: ExplicitModel, element: Element) -> str:
    """Return a sum with the values of its constants, three digits, as he prints them."""
    text = ""
    for term in element.terms:
        value = float(term.factor) * ((model.constants[term.constant].value or 0.0) if term.constant else 1.0)
        product = monomial_text(term.monomial)
        text += f" {'-' if value < 0 else '+'} {abs(value):.3g}{'*' if product else ''}{product}"
    return ("-" if text.startswith(" -") else "") + text[3:] or terms_text(())


def _short(formula: Any) -> str:
    return str(formula).replace(" ** ", "^").replace(" * ", "*")


TEXT = """\
# The PUMA 560 of Armstrong, Khatib and Burdick, beside taut's

Made by `make tables`; do not edit. B. Armstrong, O. Khatib, J. Burdick, *The explicit dynamic model and inertial
parameters of the PUMA 560 arm*, ICRA 1986, Tables A2 to A7, beside `taut.load("puma560").explicit()`, whose parameters
are those of Tables 4 to 6 and A1. A formula marked † is misprinted in the copy at hand and stands here corrected; the
[list of misprints](#misprints) is at the end. All 153 corrected elements equal taut's as functions of the parameters
and of the joint angles: proved over GF(2^61 - 1), in `tests/papers/test_armstrong_explicit.py`. How taut's notation
reads is told in [explicit equations](explicit.md).

| | Armstrong | taut |
|---|---:|---:|
| addends of all elements that are not zero | {addends} | {terms} |
| Christoffel symbols left after all rules | 39 in the text, 35 in the tables | {christoffel} |
| operations of the full model with torque | 1165 | {readable} |
| operations of the model abbreviated at 1 %, with torque | 305 | {short_total} |
| operations of M abbreviated at 1 %, products such as CC2 given | 25 | {printed_M} |

(taut's abbreviated M costs {short_M} by its own rules. These are the readable forms; tight programs of the same
elements are in the [counts](counts.md).)

## Numbers

A verdict is *equal*, *misprint* (with the right one), *unknown assumption* (which), or *quoted* from elsewhere (whether
its arithmetic holds).

{numbers}

## Constants

Value and tolerance as printed in Table A3, and as they follow from the formula and Tables 4 to 6; more about the
tolerances is on [their page](tolerances.md). All values agree within 1 % but two.

{constants}

**I1 and I3.** The formulas are right, and Tables 4 to 6 and A1 give 1.553 and 1.602, not the printed 1.43 and 1.38.
Both printed values follow within 0.5 % if the 0.35 of link 1, the only entry of its row in Table 6, is taken for Ixx2
and Izz1 for zero: I1 = {i1}, I3 = {i3}, and no other constant changes. That the authors did so is a guess. Only a11,
b112 and c21 have these constants; a run with the two exchanged gives the abbreviated

- a11 = `{a11}`, where the paper has `{printed_a11}` (1 - SS2 is CC2);
- b112 = `{b112}`, where the paper has `{printed_b112}`.

taut lumps what multiplies one product of sines and cosines, so that its constants are his up to sign and the choice
between sin^2 and cos^2:

{ours}

## Elements

Addends are counted after an element's own brackets are multiplied out. In brackets: with the elements it refers to
written out.

{elements}

## Abbreviated at 1 %

The same rule as the paper's: of an element, terms below 1 % of its greatest, or 0.1 % of the greatest of its joint, are
left out. taut keeps {kept} of {all_terms} terms; over the limits of the arm its torque is off by {worst} % of the
joint's greatest at worst ([abbreviation](abbreviation.md)). Elements that both leave out are not listed.

{short}

## Misprints

Found by comparison with an independent Newton-Euler program and with taut. *Copy*: looks like a slip of the scanned
copy that was read; *paper*: the paper's own; *open*: cannot be told from the copy.

{misprints}

The aliases b413, c21, c31 and c41 are right once the elements they name are.
"""


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"wrote {PAGE}")
