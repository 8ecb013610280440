"""The kept counts as a page of the documentation."""

from __future__ import annotations

from counts.rows import QUICK_FUNCTIONS, STORED_FUNCTIONS, Table
from taut.report.markdown import markdown_table

TITLES = {
    "inverse_dynamics": "torque",
    "mass_matrix": "M",
    "gravity": "g",
    "bias": "bias",
    "coriolis_matrix": "C",
    "forward_dynamics": "forward dynamics",
    "regressor": "regressor",
    "forward_kinematics": "pose",
    "jacobian": "J",
    "energy": "energy",
}

PAGE = """\
# Operation counts

Made by `make counts`; do not edit. Multiplications and additions at run time of every robot of the library. `taut count
ROBOT` derives a row again; `tests/counts` fails when one rises.

What counts: `*`, `+`, `-` one each, a division one multiplication; negation, sines and cosines of joint angles and of
sums of parallel joints, and everything that depends on parameters alone are free. A robot's parameters are `numeric`
(numbers, equal ones merged), `pattern` (zeros and ties of the file kept, the rest free) or `symbolic` (ten free
parameters a link).

## Searched (`--effort normal`)

Kept as programs in `tests/counts/programs` and proved again in every test run, equal to the textbook algorithm at
fresh random points of GF(2^61 - 1).

{normal}

## Searched longest (`--effort max`)

{longest}

## Traced and folded (`--effort quick`)

{quick}

## Twins (`--effort quick`)

The same robots with other names, one more offset and one other twist: what is found for a known arm must hold for an
unknown one, at the price of its geometry.

{twins}
"""


def page(table: Table) -> str:
    """Return the page as Markdown."""
    plain = {name: row for name, row in table["quick"].items() if " twin" not in name}
    twins = {name: row for name, row in table["quick"].items() if " twin" in name}
    return PAGE.format(
        normal=_table(table["normal"], STORED_FUNCTIONS["normal"], split=True),
        longest=_table(table["max"], STORED_FUNCTIONS["max"], split=True),
        quick=_table(plain, QUICK_FUNCTIONS),
        twins=_table(twins, QUICK_FUNCTIONS),
    )


def _table(rows: dict[str, dict[str, dict[str, int]]], functions: tuple[str, ...], split: bool = False) -> str:
    def cell(c: dict[str, int]) -> str:
        return f"{c['mul']} + {c['add']} = {c['total']}" if split else str(c["total"])

    head = ["robot, parameters", *(TITLES[f] for f in functions)]
    return markdown_table(head, [[name, *(cell(row[f]) for f in functions)] for name, row in rows.items()])
