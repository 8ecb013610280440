"""Operation counts of each method against the number of joints: the papers' formulas beside traced counts.

``python -m taut.report.complexity`` writes ``docs/methods.md``: torque of the general arm of 2 to 8 revolute joints by
every method, the three stages of Kane's algorithm beside Angeles, Ma and Rojas' section 6, and the formulas they quote.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields, is_dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from taut.algorithms.kane import centroidal_bodies, stage1, stage2, stage3
from taut.analysis.opcount import Operations
from taut.derive import derive
from taut.derive.model import derived_robot
from taut.derive.parameters import SNAP
from taut.graph import Node
from taut.graph.lower import lower
from taut.graph.program import Program
from taut.questions.table import question
from taut.report.general_chain import general_chain
from taut.report.markdown import markdown_table, root_of_the_clone

JOINTS = range(2, 9)
HIGHEST_DEGREE = 4

Formula = Callable[[int], int]

PRINTED_STAGES: dict[str, tuple[str, str, Formula, Formula]] = {
    "1": ("0", "0", lambda n: 0, lambda n: 0),
    "2": ("50n - 47", "46n - 47", lambda n: 50 * n - 47, lambda n: 46 * n - 47),
    "3": ("55n - 62", "44n - 58", lambda n: 55 * n - 62, lambda n: 44 * n - 58),
    "all": ("105n - 109", "90n - 105", lambda n: 105 * n - 109, lambda n: 90 * n - 105),
}
"""Multiplications and additions of each stage for revolute joints: eqs. (52), (56), (57), (58), (59)."""

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


def kane_stages(n: int) -> dict[str, Operations]:
    """Return what each stage of Kane's algorithm costs on the general arm of n joints, and all of it.

    An operation belongs to the first stage that needs it; what the torques do not need is not computed.
    """
    model = derived_robot(general_chain(n), "symbolic", SNAP)
    robot = model.screw_tree
    q, qd, qdd = ([[symbol] for symbol in model.symbols(name)] for name in ("q", "qd", "qdd"))
    bodies, steps = centroidal_bodies(robot), stage1(robot, q)
    states = stage2(robot, bodies, steps, qd, qdd)
    parts = [_scalars(steps), _scalars(states), _scalars(stage3(robot, bodies, steps, states))]
    program = lower([model.graph.lift(x) for part in parts for x in part])
    needed, stages, start = _below(program, range(len(parts[0] + parts[1]), len(program.outputs))), [], 0
    for part in parts:
        stages.append(_below(program, range(start, start + len(part))))
        start += len(part)
    found: dict[str, Operations] = {}
    known: set[int] = set()
    for name, lines in zip("123", stages, strict=True):
        found[name] = _cost(program, (lines & needed) - known)
        known |= lines
    return found | {"all": _cost(program, needed)}


def _scalars(value: Any) -> list[Node]:
    if isinstance(value, Node):
        return [value]
    if is_dataclass(value):
        return [node for field in fields(value) for node in _scalars(getattr(value, field.name))]
    return [node for item in value for node in _scalars(item)] if isinstance(value, (list, tuple)) else []


def _below(program: Program, outputs: Iterable[int]) -> set[int]:
    """Return the lines that some outputs need."""
    reached: set[int] = set()
    stack = [program.outputs[k].line for k in outputs]
    while stack:
        i = stack.pop()
        if i not in reached:
            reached.add(i)
            stack.extend(program.lines[i].args)
    return reached


def _cost(program: Program, lines: Iterable[int]) -> Operations:
    paid = [program.lines[i].op for i in lines if program.lines[i].counted]
    products = sum(op in ("mul", "div") for op in paid)
    return Operations(products, len(paid) - products)


def method_counts(joints: Sequence[int] = JOINTS) -> dict[str, list[Operations]]:
    """Return the traced torque of the general arms by every method, each proved equal to Newton-Euler."""
    found: dict[str, list[Operations]] = {}
    for method in question("inverse_dynamics").choices:
        found[method.name] = [
            derive(general_chain(n), "inverse_dynamics", method.name, "symbolic", "quick").operations for n in joints
        ]
    return found


def formula(joints: Sequence[int], counts: Sequence[int]) -> str:
    """Return the polynomial in n of least degree through all counts but the first, or nothing.

    Arms of two joints are cheaper than a polynomial says: much vanishes next to the base.

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
    for name, (mul_text, add_text, mul, add) in PRINTED_STAGES.items():
        traced = [stages[n][name] for n in joints]
        own = [formula(joints, [o.mul for o in traced]), formula(joints, [o.add for o in traced])]
        staged.append([name, "printed", mul_text, add_text, *(f"{mul(n)} + {add(n)}" for n in joints)])
        staged.append([name, "traced", *own, *(f"{o.mul} + {o.add}" for o in traced)])
    heads = [f"n = {n}" for n in joints]
    return PAGE.format(
        totals=markdown_table(["method", *heads], totals),
        formulas=markdown_table(["method", "multiplications", "additions"], grows),
        stages=markdown_table(["stage", "", "multiplications", "additions", *heads], staged),
        quoted=markdown_table(
            ["author", "method", "multiplications", "additions", "n = 6"], [list(row) for row in QUOTED]
        ),
    )


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

Section 6 of Angeles, Ma and Rojas counts each of its three stages. Revolute joints only:

{stages}

- A link more costs what the paper says, less three additions in stage 2: `a_i - rho_(i-1)` is constant between revolute
  joints and is formed beforehand here.
- The constants differ. The paper's own list of steps adds up to `50n - 37` and `46n - 37` for stage 2, where (56)
  prints -47, and to `44n - 54` additions for stage 3, where (57) prints -58. The trace saves more than the list next to
  the base, where angular velocity and acceleration have one component, and less than (57) claims at the last step.
- For p prismatic joints (58) and (59) drop the terms `4p` and `2p` of their stages.

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
