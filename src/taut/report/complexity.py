"""Operation counts of each method against the number of joints: the papers' formulas and traced counts.

``python -m taut.report.complexity`` writes ``docs/methods.md``: torque of the general arm of 2 to 8 revolute joints by
every method, the three stages of Kane's algorithm beside Angeles, Ma and Rojas' section 6, and the formulas they quote.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

from taut.analysis.opcount import Operations
from taut.derive import derive
from taut.questions.table import question
from taut.report.general_chain import general_chain
from taut.report.kane_counts import LAST_CYCLE, PRINTED_STAGES, STEPS, kane_stages, kane_steps, listed
from taut.report.markdown import markdown_table, root_of_the_clone

JOINTS = range(2, 9)
HIGHEST_DEGREE = 4

QUOTED = (
    ("Hollerbach", "Lagrange-Euler", "412n - 277", "320n - 201", "2195 + 1719"),
    ("Luh, Walker, Paul", "Newton-Euler", "150n - 48", "131n - 48", "852 + 738"),
    ("Walker, Orin", "Newton-Euler", "137n - 22", "101n - 11", "800 + 595"),
    ("Hollerbach, Sahar", "Newton-Euler", "not available", "not available", "688 + 558"),
    ("Kane, Levinson", "Kane", "not available", "not available", "646 + 394"),
    ("Khalil, Kleinfinger, Gautier", "Newton-Euler", "105n - 92", "94n - 86", "538 + 478"),
    ("Angeles, Ma, Rojas", "Kane", "105n - 109", "90n - 105", "521 + 435"),
)
"""The seven rows of the paper's Table 1; two have no formula there."""


def method_counts(joints: Sequence[int] = JOINTS) -> dict[str, list[Operations]]:
    """Return the traced torque of the general arms by every method, each proved equal to Newton-Euler."""
    found: dict[str, list[Operations]] = {}
    for method in question("inverse_dynamics").choices:
        found[method.name] = [
            derive(general_chain(n), "inverse_dynamics", method.name, "symbolic", "none").steps[0].operations
            for n in joints
        ]
    return found


def formula(joints: Sequence[int], counts: Sequence[int]) -> str:
    """Return the polynomial in n of least degree through all counts but the first, or nothing.

    Arms of two joints are cheaper than the polynomial: much vanishes next to the base.

    >>> formula([2, 3, 4, 5, 6, 7], [103, 200, 300, 400, 500, 600]), formula([1, 2, 3, 4, 5, 6], [0, 4, 9, 16, 25, 36])
    ('100n - 100', 'n^2')
    """
    points = list(zip(joints, counts, strict=True))[1:]
    for degree in range(min(HIGHEST_DEGREE, len(points) - 2) + 1):
        coefficients = _interpolated(points[: degree + 1])
        if all(sum(c * n**k for k, c in enumerate(coefficients)) == y for n, y in points):
            return _polynomial_text(coefficients)
    return ""


def _interpolated(points: Sequence[tuple[int, int]]) -> list[Fraction]:
    """Return the coefficients, constant first, of Lagrange's polynomial."""
    total = [Fraction(0)] * len(points)
    for i, (x, y) in enumerate(points):
        basis = [Fraction(y)]
        for j, (other, _) in enumerate(points):
            if j != i:  # times (n - other) / (x - other)
                raised = [Fraction(0), *basis]
                lowered = [*(-other * c for c in basis), Fraction(0)]
                basis = [(a + b) / (x - other) for a, b in zip(raised, lowered, strict=True)]
        total = [a + b for a, b in zip(total, basis, strict=True)]
    return total


def _polynomial_text(coefficients: Sequence[Fraction]) -> str:
    text = ""
    for power, c in reversed(list(enumerate(coefficients))):
        if c:
            size = "" if abs(c) == 1 and power else f"({abs(c)})" if abs(c).denominator > 1 else str(abs(c))
            term = size + ("" if power == 0 else "n" if power == 1 else f"n^{power}")
            text += (f" {'-' if c < 0 else '+'} " if text else "-" if c < 0 else "") + term
    return text or "0"


def page() -> str:
    """Return the page that compares the methods, as Markdown."""
    joints = list(JOINTS)
    counts = method_counts(joints)
    stages = {n: kane_stages(n) for n in joints}
    assert all(stages[n]["all"].total == ops.total for n, ops in zip(joints, counts["kane"], strict=True))
    totals, products, sums = [], [], []
    for method, ops in sorted(counts.items(), key=lambda item: item[1][-1].total):
        known = next(choice for choice in question("inverse_dynamics").choices if choice.name == method)
        name = f"{known.title} ({known.authors})"
        totals.append([name, *(f"{o.mul} + {o.add}" for o in ops)])
        products.append(formula(joints, [o.mul for o in ops]))
        sums.append(formula(joints, [o.add for o in ops]))
    grows = [[row[0], m, a] for row, m, a in zip(totals, products, sums, strict=True)]
    staged = []
    for name, printed in PRINTED_STAGES.items():
        traced = [stages[n][name] for n in joints]
        own = [formula(joints, [o.mul for o in traced]), formula(joints, [o.add for o in traced])]
        his = [f"{printed.mul(n, 0)} + {printed.add(n, 0)}" for n in joints]
        staged.append([name, "printed", printed.mul_text, printed.add_text, *his])
        staged.append([name, "traced", *own, *(f"{o.mul} + {o.add}" for o in traced)])
    heads = [f"n = {n}" for n in joints]
    return PAGE.format(
        totals=markdown_table(["method", *heads], totals),
        formulas=markdown_table(["method", "multiplications", "additions"], grows),
        stages=markdown_table(["stage", "", "multiplications", "additions", *heads], staged),
        steps=markdown_table(["step", "on", "printed", "traced"], _step_rows(), 2),
        slides=markdown_table(["stage", "printed", "its steps", "traced"], _slide_rows(6), 1),
        cycle=f"{LAST_CYCLE.mul} + {LAST_CYCLE.add}",
        last=_sum(list(kane_steps(6, 1).values())[5:]),
        quoted=markdown_table(
            ["author", "method", "multiplications", "additions", "n = 6"], [list(row) for row in QUOTED]
        ),
    )


def _sum(counts: Sequence[Operations]) -> str:
    return f"{sum(o.mul for o in counts)} + {sum(o.add for o in counts)}"


def _step_rows() -> list[list[str]]:
    """Return every step of the printed list with what the trace of six joints costs there."""
    first, slide, middle = kane_steps(6, 1), kane_steps(6, 3, [3]), kane_steps(6, 4)
    traced = {"W1": first["W"], "p1''": first["p''"], "a": slide["a"]}
    traced["p'', addition"] = Operations(
        slide["p''"].mul - middle["p''"].mul, slide["p''"].add - middle["p''"].add, slide["p''"].trig
    )
    rows = []
    for step in STEPS:
        own = traced.get(step.name) or middle[step.name]
        where = {"prismatic": "slides", "first": "link 1", "next": "links 2 to n", "every": "links n to 1"}[step.when]
        rows.append([step.name, where, f"{step.mul} + {step.add}", f"{own.mul} + {own.add}"])
    return rows


def _slide_rows(n: int) -> list[list[str]]:
    """Return the stages of an arm whose third joint slides: printed, by the printed steps, traced."""
    own, steps = kane_stages(n, [3]), listed(n, 1)
    rows = []
    for name, printed in PRINTED_STAGES.items():
        summed = f"{steps[name].mul} + {steps[name].add}" if name in steps else ""
        rows.append([name, f"{printed.mul(n, 1)} + {printed.add(n, 1)}", summed, f"{own[name].mul} + {own[name].add}"])
    parts = [PRINTED_STAGES[name] for name in "123"]
    restored = f"{sum(c.mul(n, 1) for c in parts)} + {sum(c.add(n, 1) for c in parts)}"
    return [*rows[:-1], ["all, sum of the stages", restored, "", ""], rows[-1]]


PAGE = """\
# The methods and what they cost

Made by `make tables`; do not edit. `taut compare ROBOT` gives the same comparison on any robot, and tightened.

## Torque of the general arm

n revolute joints, every twist, length, offset and inertial parameter a symbol, gravity in any direction.
Multiplications + additions at run time, as traced: each algorithm as its paper has it, run on symbols, with zeros and
ones folded, equal parts shared and everything that depends on parameters alone computed beforehand. No search. Each is
proved equal to Newton-Euler at three random points of GF(2^61 - 1).

{totals}

As polynomials in n, exact for n = 3 to 8:

{formulas}

Lagrange-Euler, extended bodies and compound links compute the coefficients of the equations of motion and the torque
from them; that is why they grow faster. They serve other ends: explicit equations, two-rate control.

## The stages of Kane's algorithm

Section 6 of Angeles, Ma and Rojas counts each of its three stages; p is the number of prismatic joints. Revolute joints
only, p = 0:

{stages}

- A link more costs what the paper says, less three additions in stage 2: `a_i - rho_(i-1)` is constant between revolute
  joints and is formed beforehand here.
- The constants differ. The paper's own list of steps adds up to `50n + 2p - 37` and `46n + 4p - 37` for stage 2, where
  (56) prints -47 and 2p; to `44n - 36` additions for stage 3 before the saving, where the text has -38; and to
  `44n - 54` after it, where (57) prints -58. The trace saves more than the list next to the base, where angular
  velocity and acceleration have one component, and less than (57) claims at the last step.

### Step by step

Every line of the list: multiplications + additions, printed, and as traced at a link in the middle of six.

{steps}

The product of Q and a vector costs 8 + 4 by (54), as printed. `p''` has the three additions less of above. A slide
spends 4 + 5 there and saves 2 + 4 in omega and omega', so that it costs 2 + 1 more than a revolute joint. `p1''` costs
less here, and with Z0 = Z1 and O0 = O1 nothing more is saved, since the first joint's frame is the base's in the screw
form that is traced: the 514 + 418 of the table stand beside the 513 + 432 that the paper states for that case.
The last cycle of stage 3 needs third components only: {cycle} in the text (which says i = n; it is i = 1), {last}
traced.

### With prismatic joints

Six joints, the third of them sliding. (58) and (59) leave out the 4p and 2p of their stages; with them the paper's own
sum is 525 + 437:

{slides}

## What is quoted

All seven rows of Table 1 of the same paper. The formulas are for the general arm; two rows have none in the paper, only
counts for six joints:

{quoted}

Sources are in the [bibliography](bibliography.md).
"""


def main() -> None:
    """Write the page."""
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else root_of_the_clone() / "docs" / "methods.md"
    target.write_text(page(), encoding="utf-8")
    print(f"wrote {target}")


if __name__ == "__main__":
    main()
