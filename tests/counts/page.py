"""The kept counts as a page of the documentation."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from counts.cells import FUNCTIONS as HARDEST
from counts.cells import Cell, cells, read_records
from counts.figures import figure_name
from counts.rows import STORED_FUNCTIONS, UNSEARCHED_FUNCTIONS, Table, read_table
from counts.safe import read_safe, safe_cells
from taut.report.markdown import markdown_table
from taut.report.published import others

ROOT = Path(__file__).parents[2]
NOTHING = "Nothing is kept yet."

Records = dict[str, dict[str, Any]]
"""{cell: what is kept about it}."""

TITLES = {
    "inverse_dynamics": "torque",
    "mass_matrix": "M",
    "gravity": "g",
    "bias": "bias",
    "coriolis_matrix": "C",
    "explicit": "explicit",
    "explicit_torque": "explicit and torque",
    "forward_dynamics": "forward dynamics",
    "regressor": "regressor",
    "forward_kinematics": "pose",
    "jacobian": "J",
    "energy": "energy",
}

PAGE = """\
# Operation counts

Made by `make counts` and `make counts-max`; do not edit. Multiplications and additions at run time. `tests/counts`
fails when one rises.

What counts: `*`, `+`, `-` one each, a division one multiplication; negation, sines and cosines of joint angles and of
sums of parallel joints, and everything that depends on parameters alone are free. A robot's parameters are `numeric`
(numbers, equal ones merged), `pattern` (zeros and ties of the file kept, the rest free) or `symbolic` (ten free
parameters a link). `explicit` is every coefficient of M, of the products of rates and of gravity.

## Beside what others count

Every count is the best of `make counts-max`: derived from nothing, at most five minutes and two processes a cell,
proved equal to the textbook algorithm at random points of GF(2^61 - 1). *Aim* is what an exploratory search had reached
before. *Last* is what the command at the end of the row found the last time, in so many seconds: the best of all
searches so far is kept, and those of an earlier version may be among them. Others are papers, and tools counted by the
same rules.

{beside}

## Right for every value of the parameters

The counts above are of *generic* programs (`--generic`): they divide by masses, lengths and other constants, and are
wrong where one of these is zero. Code that reads parameters at run time is by default right for every value of them: it
divides by nothing but numbers and by what the textbook algorithm divides by. *Traced* is without a search (`--effort
none --fresh`), *safe* the program that comes with taut, *generic* the count of above. Made by `python -m counts.safe`.

{safe}

## How the count falls

{figures}

## Twins of these arms

The same arms with other names, one more offset and one other twist, searched in the same way: what is found for a known
arm must hold for an unknown one. The share is the count found over the count traced. {seconds}

{twins_searched}

## Searched (`--effort normal`)

Kept as programs in `tests/counts/programs` and proved again in every test run, equal to the textbook algorithm at
fresh random points of GF(2^61 - 1). `taut count ROBOT --fresh` derives a row again; of all
searches so far the best is kept.

{normal}

## Traced and folded (`--effort none`)

{unsearched}

## Twins (`--effort none`)

The same robots with other names, one more offset and one other twist: what is found for a known arm must hold for an
unknown one, at the price of its geometry.

{twins}
"""


def page(table: Table, records: Records, safe: Records) -> str:
    """Return the page as Markdown."""
    plain = {name: row for name, row in table["none"].items() if " twin" not in name}
    twins = {name: row for name, row in table["none"].items() if " twin" in name}
    return PAGE.format(
        beside=_beside(records),
        safe=_safe(records, safe),
        figures=_figures(records),
        seconds=_seconds(records),
        twins_searched=_twins(records),
        normal=_table(table["normal"], STORED_FUNCTIONS["normal"], split=True),
        unsearched=_table(plain, UNSEARCHED_FUNCTIONS),
        twins=_table(twins, UNSEARCHED_FUNCTIONS),
    )


def write_page() -> None:
    """Write the page from what is kept."""
    (ROOT / "docs" / "counts.md").write_text(page(read_table(), read_records(), read_safe()), encoding="utf-8")


def _beside(records: Records) -> str:
    """Return a table a robot: each function with our count, the aim, the others and the command."""
    parts = []
    for row in dict.fromkeys(cell.row for cell in cells() if not cell.row.is_twin):
        lines = []
        for cell in (c for c in cells() if c.row == row and c.name in records):
            known = records[cell.name]
            found = f"**{known['mul']} + {known['add']} = {known['total']}**"
            other = "; ".join(f"{o.operations} {o.source}" for o in others(row.robot, cell.function)) or "none known"
            last = known["last"]
            again = f"`{cell.command} --seed {last['seed']}`"
            told = f"{last['total']} in {last['seconds']:.0f} s"
            lines.append([TITLES[cell.function], found, str(cell.aim), told, str(known["depth"]), other, again])
        if lines:
            head = ["function", "operations", "aim", "last", "depth", "others", "again"]
            parts.append(f"### {row.name}\n\n{markdown_table(head, lines, left=len(head))}")
    return "\n\n".join(parts) or NOTHING


def _safe(records: Records, safe: Records) -> str:
    """Return the counts of safe programs beside those of generic ones."""
    lines = []
    for cell in (c for c in safe_cells() if c.name in safe):
        known = safe[cell.name]
        generic = str(records[cell.name]["total"]) if cell.name in records else ""
        found = f"**{known['mul']} + {known['add']} = {known['total']}**"
        lines.append([cell.row.name, TITLES[cell.function], str(known["traced"]), found, generic])
    return markdown_table(["arm", "function", "traced", "safe", "generic"], lines, left=2) if lines else NOTHING


def _figures(records: Records) -> str:
    robots = dict.fromkeys(cell.row.robot for cell in cells() if cell.name in records)
    drawn = [f"![{robot}: operations against seconds](figures/{figure_name(robot)})" for robot in robots]
    return "\n\n".join(drawn) or NOTHING


def _seconds(records: Records) -> str:
    """Return how long the searches took, which may differ between arms and twins."""
    told = []
    for who, is_twin in (("arms", False), ("twins", True)):
        took = [
            records[cell.name]["seconds"] for cell in cells() if cell.row.is_twin == is_twin and cell.name in records
        ]
        if took:
            told.append(f"{min(took):.0f} to {max(took):.0f} s for the {who}")
    return f"Searched for {', '.join(told)}." if told else ""


def _twins(records: Records) -> str:
    def cell_text(cell: Cell) -> str:
        known = records.get(cell.name)
        return "" if known is None else f"{known['total']} ({100 * known['total'] / known['traced']:.0f} %)"

    lines = []
    for plain in dict.fromkeys(cell.row for cell in cells() if not cell.row.is_twin):
        for row in (plain, replace(plain, is_twin=True)):
            texts = [cell_text(Cell(row, function)) for function in HARDEST]
            if any(texts):
                lines.append([row.name, *texts])
    return markdown_table(["robot, parameters", *(TITLES[f] for f in HARDEST)], lines) if lines else NOTHING


def _table(rows: dict[str, dict[str, dict[str, int]]], functions: tuple[str, ...], split: bool = False) -> str:
    def cell(c: dict[str, int]) -> str:
        return f"{c['mul']} + {c['add']} = {c['total']}" if split else str(c["total"])

    head = ["robot, parameters", *(TITLES[f] for f in functions)]
    return markdown_table(head, [[name, *(cell(row[f]) for f in functions)] for name, row in rows.items()])
