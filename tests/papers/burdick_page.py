"""Burdick's EMDEG beside taut: every formula of Appendix II with a verdict, his counts, as a page.

``make tables`` writes ``docs/burdick.md``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np

from papers import test_burdick_elements as appendix
from papers.audit import (
    ASSUMPTION,
    DOCS,
    EQUAL,
    MISPRINT,
    PUBLISHED,
    Verdict,
    differs,
    equal,
    kept,
    literal,
    numbers_table,
    quoted,
)
from papers.formulas import Values, load, trigonometry
from taut.analysis.opcount import Operations
from taut.report.markdown import markdown_table

PAGE = DOCS / "burdick.md"
TABLE = load("puma560_burdick.json")
REPAIRED, PRINTED = TABLE["formulas"], TABLE["printed"]
CONSTANT = re.compile(r"K\d+|g\d\d\d")
TERM = re.compile(r"T\d+|V\d+|D\w+|eta")
DRAWS = 3

EQUATIONS = (
    ("section 6, P3", "(a2, 0, -d3)", "(a2, 0, d3): all constants have d2 + d3"),
    ("eq. 12", "M(q) + ...", "M(q) q'' + ..."),
    ("eq. 15", "derivatives by q'", "by q"),
    ("eq. 16", "-g sum m V.z", "+g sum m V.z; the g_i of Appendix II are to be multiplied by -g"),
    ("Appendix II, second K11152", "2 K1115, twice", "K11132 = 2 K1113"),
    ("Appendix II, first D145", "D145", "D143"),
    ("Appendix II, b256", "absent", "b356"),
)
"""Where, what the copy reads, what is meant."""


def judged() -> dict[str, str]:
    """Return {formula: verdict}, each put alone among the repaired ones at random parameters and positions."""
    found = dict.fromkeys(PRINTED, EQUAL)
    for seed in range(DRAWS):
        known = _drawn(seed)
        right = Values(known, REPAIRED | {name: "0" for name in _zeros()})
        for name, formula in PRINTED.items():
            try:
                value = Values(known, REPAIRED | {z: "0" for z in _zeros()} | {name: formula})[name]
            except (KeyError, NameError):  # a name that the appendix does not have
                found[name] = MISPRINT
                continue
            if abs(value - right[name]) > 1e-9 * max(1.0, abs(right[name])):
                found[name] = MISPRINT
    return found


def agreeing_as_printed(seed: int = 0) -> list[str]:
    """Return the elements that are right with K, V and D as printed, other elements taken as right."""
    known = _drawn(seed)
    position = [float(x) for x in np.random.default_rng([seed, 86]).uniform(-3, 3, 6)]
    true = appendix.by_taut(appendix.drawn(seed), position)
    terms = {name: formula for name, formula in REPAIRED.items() if re.fullmatch(r"T\d+", name)}
    terms |= {name: formula for name, formula in PRINTED.items() if not _is_element(name)}
    found = []
    for name in filter(_is_element, PRINTED):
        others = {other: value for other, value in true.items() if other != name}
        try:
            value = Values(known | others, terms | {name: PRINTED[name]})[name]
        except (KeyError, NameError):
            continue
        if abs(value - true[name]) <= 1e-9 * max(1.0, abs(true[name])):
            found.append(name)
    return found


def _drawn(seed: int) -> dict[str, float]:
    position = [float(x) for x in np.random.default_rng([seed, 86]).uniform(-3, 3, 6)]
    return appendix.drawn(seed) | trigonometry(position, "s", "c")


def _is_element(name: str) -> bool:
    return not CONSTANT.fullmatch(name) and not TERM.fullmatch(name)


def _zeros() -> list[str]:
    """Return the elements that Appendix II leaves out, most of them because they are zero."""
    names = [f"b{i}{j}{k}" for i in range(1, 7) for j in range(1, 7) for k in range(j + 1, 7)]
    names += [f"c{i}{j}{j}" for i in range(1, 7) for j in range(1, 7)]
    return [name for name in names if name not in REPAIRED]


def added_for_torque() -> Operations:
    """Return plain sums of the torque over the elements that are not zero, with the products of rates."""
    position = [float(x) for x in np.random.default_rng(86).uniform(-3, 3, 6)]
    true = appendix.by_taut(appendix.drawn(0), position)
    nonzero = [name for name, value in true.items() if abs(value) > 1e-12]
    gravity = sum(name.startswith("g") for name in nonzero)
    mirrored = sum(name.startswith("M") and name[1] != name[2] for name in nonzero)  # M is symmetric
    products = len(nonzero) - gravity + mirrored
    return Operations(products + 21, products + gravity - 6)


def numbers() -> dict[int, Verdict]:
    """Return the verdicts on the printed numbers."""
    elements = [f for name, f in PRINTED.items() if not CONSTANT.fullmatch(name)]
    terms = [f for name, f in REPAIRED.items() if re.fullmatch(r"T\d+", name)]
    as_printed, _ = literal(elements + terms)
    repaired, _ = literal(f for name, f in REPAIRED.items() if not CONSTANT.fullmatch(name))
    m, a = (PUBLISHED[k]["value"] for k in (0, 1))
    count = "taut count puma560_burdick --function"
    return {
        0: differs(
            0,
            ASSUMPTION,
            kept("puma560_burdick", "explicit"),
            f"{count} explicit --generic",
            f"the appendix counted as it stands: {as_printed.mul} + {as_printed.add}, repaired {repaired.mul} + "
            f"{repaired.add}; which products his program shares beyond the page is not said",
        ),
        1: differs(
            1,
            ASSUMPTION,
            added_for_torque(),
            f"{count} explicit_torque",
            "plain sums over the elements that are not zero, 21 products of rates included; his must factor some",
        ),
        2: equal(
            2,
            {"mult": m["mult"] + a["mult"], "add": m["add"] + a["add"]},
            f"{count} explicit_torque --generic",
            f"the sums are right; taut: {_text(kept('puma560_burdick', 'explicit_torque'))}, and "
            f"{_text(kept('puma560_burdick', 'inverse_dynamics'))} for the torque alone",
        ),
        3: differs(
            3,
            MISPRINT,
            {"mult": 150 * 6 - 48, "add": 131 * 6 - 48},
            "python -m taut.report.complexity",
            "quoted: 150n - 48 and 131n - 48 at n = 6 are 852 + 738, not 733",
        ),
        4: equal(
            4,
            "the same",
            "taut count puma560_burdick",
            "the rule of all counts here",
            holds=True,
        ),
        5: quoted(
            "a time on his machine (VAX 11/780); taut writes and proves the same model within a minute anywhere",
            "below 1 min",
            "taut derive puma560_burdick --form hierarchy",
        ),
    }


def _text(operations: Operations) -> str:
    return f"{operations.mul} + {operations.add}"


def page() -> str:
    """Return the page as Markdown."""
    verdicts, agreeing = judged(), agreeing_as_printed()
    elements = [name for name in PRINTED if _is_element(name)]
    sections = {
        "Constants": [n for n in PRINTED if CONSTANT.fullmatch(n)],
        "Terms V and derivatives D": [n for n in PRINTED if TERM.fullmatch(n)],
        "Elements": elements,
    }
    tables = "\n\n".join(f"### {title}\n\n{_formulas(names, verdicts)}" for title, names in sections.items())
    return TEXT.format(
        numbers=numbers_table(numbers()),
        tables=tables,
        agreeing=len(agreeing),
        printed=len(elements),
        alone=sum(verdicts[n] == EQUAL for n in PRINTED),
        formulas=len(PRINTED),
        equations=markdown_table(["where", "reads", "has to be"], [list(row) for row in EQUATIONS], 3),
    )


def _formulas(names: list[str], verdicts: Mapping[str, str]) -> str:
    rows = []
    for name in names:
        wrong = verdicts[name] == MISPRINT
        right = f"`{_short(REPAIRED.get(name, '0'))}`" if wrong else ""
        rows.append([name, f"`{_short(PRINTED[name])}`", verdicts[name], right])
    return markdown_table(["", "printed", "verdict", "right"], rows, 4)


def _short(formula: str) -> str:
    return formula.replace(" * ", "*")


TEXT = """\
# Burdick's EMDEG, audited

Made by `make tables`; do not edit. J. W. Burdick, *An algorithm for generation of efficient manipulator dynamic
equations*, ICRA 1986: the counts of section 6 and every formula of Appendix II (PUMA 560 in symbols) beside taut. A
verdict is *equal*, *misprint* (with the right one), *unknown assumption* (which), or *quoted* from elsewhere (whether
its arithmetic holds). The same model, printed in the same hierarchy of constants K, terms T and V and elements:
`taut derive puma560_burdick --form hierarchy`.

## Numbers

{numbers}

## Appendix II

Each formula is put alone among the repaired ones and compared at random parameters and positions: {alone} of {formulas}
are right as they stand. With K, V and D as printed, too, {agreeing} of {printed} elements are right; the repaired set
gives all 114 that are not identically zero (`tests/papers/test_burdick_elements.py`), and b256 is the one that is left
out in print. Which slips are his and which the scanned copy's cannot be told where terms are missing (V12, D134, D135,
D145, D153, c511); the others look like slips of the copy. A name that the appendix does not define (Izy, Iyz, K1112,
g315, ...) is a misprint; b213, b323, b326 and b336 are zero and left out.

{tables}

## Equations of the text

{equations}
"""


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"wrote {PAGE}")
