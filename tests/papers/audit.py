"""Verdicts on what the five papers print: each number beside what taut computes, and why they differ where they do.

A page for each paper is made from these; ``equal`` refuses to say so of numbers that are not.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from papers.formulas import DATA
from taut.analysis.opcount import Operations
from taut.report.markdown import markdown_table

PUBLISHED: list[dict[str, Any]] = json.loads((DATA / "published_numbers.json").read_text("utf-8"))
KEPT: dict[str, Any] = json.loads((Path(__file__).parents[1] / "counts" / "max.json").read_text("utf-8"))
NORMAL: dict[str, Any] = json.loads((Path(__file__).parents[1] / "counts" / "table.json").read_text("utf-8"))["normal"]
DOCS = Path(__file__).parents[2] / "docs"

EQUAL, MISPRINT, ASSUMPTION, QUOTED = "equal", "misprint", "unknown assumption", "quoted"
KINDS = (EQUAL, MISPRINT, ASSUMPTION, QUOTED)
"""What can be said of a printed number or formula."""


@dataclass(frozen=True)
class Verdict:
    """What is said of one printed number.

    Attributes:
        kind: one of :data:`KINDS`.
        ours: what taut computes, as text.
        why: what is assumed, what is right instead, or whether the arithmetic of a quoted number holds.
        command: that gives ours.
    """

    kind: str
    ours: str
    why: str
    command: str


def equal(number: int, ours: Any, command: str, why: str = "", holds: bool | None = None) -> Verdict:
    """Return the verdict that a number is right; ``holds`` where the printed one is in words."""
    printed = PUBLISHED[number]["value"]
    if not (ours == printed if holds is None else holds):
        raise AssertionError(f"number {number}: printed {printed}, found {ours}")
    return Verdict(EQUAL, shown(ours), why, command)


def differs(number: int, kind: str, ours: Any, command: str, why: str) -> Verdict:
    """Return the verdict that a number is misprinted, or rests on something that the paper does not say."""
    if ours == PUBLISHED[number]["value"]:
        raise AssertionError(f"number {number}: {ours} is what is printed")
    return Verdict(kind, shown(ours), why, command)


def quoted(why: str, ours: Any = "", command: str = "") -> Verdict:
    """Return the verdict on a number that a paper has from elsewhere: whether its arithmetic holds."""
    return Verdict(QUOTED, shown(ours), why, command)


def shown(value: Any) -> str:
    """Return a number of the list as text."""
    if isinstance(value, Operations):
        return f"{value.mul} + {value.add}"
    if isinstance(value, Mapping):
        if set(value) == {"mult", "add"}:
            return f"{value['mult']} + {value['add']}"
        return ", ".join(f"{name.replace('_', ' ')} {shown(x)}" for name, x in value.items() if x is not None)
    if isinstance(value, float):
        return f"{value:.6g}"
    return " to ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def numbers_table(verdicts: Mapping[int, Verdict]) -> str:
    """Return the printed numbers of a paper with their verdicts, in the order of the list."""
    rows = []
    for number, verdict in sorted(verdicts.items()):
        row = PUBLISHED[number]
        command = f"`{verdict.command}`" if verdict.command else ""
        what = f"{row['quantity']} ({row['where']})"
        rows.append([str(number), what, shown(row["value"]), verdict.ours, verdict.kind, verdict.why, command])
    return markdown_table(["no.", "what", "printed", "taut", "verdict", "", "command"], rows, 7)


def as_value(operations: Operations) -> dict[str, int]:
    """Return a count as the list has it."""
    return {"mult": operations.mul, "add": operations.add}


def literal(formulas: Iterable[str]) -> tuple[Operations, int]:
    """Return the operations of formulas as they stand, nothing shared, and the minus signs in front of things."""
    mul = add = signs = 0
    for formula in formulas:
        for node in ast.walk(ast.parse(formula, mode="eval")):
            if isinstance(node, ast.BinOp):
                sums = isinstance(node.op, ast.Add | ast.Sub)
                mul, add = mul + (not sums), add + sums
            signs += isinstance(node, ast.UnaryOp)
    return Operations(mul, add), signs


def kept(robot: str, function: str) -> Operations:
    """Return the least count that is kept for a function of a robot, as on the page of counts."""
    found = KEPT[f"{robot}, pattern: {function}"]
    return Operations(found["mul"], found["add"])


def normal(robot: str, function: str) -> Operations:
    """Return the count of a function of a robot with its numbers at effort normal, as on the page of counts."""
    found = NORMAL[f"{robot}, numeric"][function]
    return Operations(found["mul"], found["add"])
