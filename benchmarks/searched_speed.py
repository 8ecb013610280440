"""Searched programs compared with unsearched ones: operations, ns in C, rounding.

Symbolic robots get seeded numbers of bodies that could exist. Both programs of a row are compiled with the same flags
and take turns; the figure is the least process CPU time of many repeats, for one state and for a batch. Rounding is the
largest error of the compiled code over 10,000 states, relative to the largest number of each answer, against the
textbook algorithm in extended precision. Writes ``benchmarks/results/searched_speed.md``.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from taut.report.machine import processor

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from counts.cells import Cell, cells
from counts.consistent import consistent_values
from taut.derive import derive
from taut.derive.function import Function
from taut.derive.starts.traces import textbook
from taut.graph.lower import lower
from taut.questions.table import QUESTIONS
from taut.report.markdown import markdown_table
from taut.report.table import table
from taut.runtime.timing import timed

RESULTS = Path(__file__).parent / "results" / "searched_speed.md"
STATES, SEED = 10_000, 7
SLACK = 1.02
"""A searched program may take this much of the time of the unsearched one."""

HEAD = [
    *("robot", "function", "operations unsearched", "searched", "ns one state", "searched", "ratio"),
    *("ns in batches", "searched", "ratio", "error"),
]


def programs(cell: Cell) -> tuple[Function, Function]:
    """Return the function as traced, and searched: the kept program where there is one, else effort normal."""
    tree, mode = cell.row.tree, cell.row.parameters
    values = consistent_values(tree, SEED)
    plain = derive(tree, cell.function, parameters=mode, effort="none", fresh=True)
    known = derive(tree, cell.function, parameters=mode, effort="none")
    found = known if known.stored else derive(tree, cell.function, parameters=mode, effort="normal")
    return tuple(replace(f, values={**f.values, **values}) for f in (plain, found))


def rounding(cell: Cell, function: Function) -> float:
    """Return the largest relative error of the compiled function."""
    draw = np.random.default_rng(SEED)
    model = cell.model
    expected = lower(textbook(model, cell.function).outputs)
    symbols: dict[str, Any] = dict(function.values)
    states = []
    for argument in QUESTIONS[cell.function].arguments:
        states.append(draw.uniform(-3, 3, (STATES, len(model.symbols(argument)))))
        symbols |= {node.data: states[-1][:, k] for k, node in enumerate(model.symbols(argument))}
    wide = {name: np.asarray(x, np.longdouble) for name, x in symbols.items()}
    right = np.stack([np.broadcast_to(x, STATES) for x in expected.evaluate(wide)], axis=1)
    left = np.asarray(function.compile()(*states), np.longdouble).reshape(STATES, -1)
    return float((np.abs(left - right).max(axis=1) / np.abs(right).max(axis=1)).max())


def row(cell: Cell) -> tuple[list[str], bool]:
    """Return the cells of a row, and whether the searched program is fast enough."""
    plain, found = programs(cell)
    before, after = timed([plain, found], rounds=12, repeats=10)
    one, batch = after.one / before.one, after.batch / before.batch
    return [
        cell.row.name,
        cell.function,
        str(plain.operations.total),
        str(found.operations.total),
        *(f"{before.one:.1f}", f"{after.one:.1f}", f"{one:.2f}"),
        *(f"{before.batch:.1f}", f"{after.batch:.1f}", f"{batch:.2f}"),
        f"{rounding(cell, found):.1e}",
    ], max(one, batch) <= SLACK


def main() -> None:
    """Measure every robot and function that is searched hardest, print and write the table."""
    wanted = [cell for cell in cells() if not cell.row.is_twin and all(word in cell.name for word in sys.argv[1:])]
    rows, slower = [], []
    for cell in wanted:
        texts, fast_enough = row(cell)
        rows.append(texts)
        slower += [] if fast_enough else [cell.name]
        print(*texts, sep="\t", file=sys.stderr, flush=True)
    print(table(HEAD, rows, left=2))
    print(f"slower than 1.02 of the unsearched program: {', '.join(slower) or 'none'}")
    lines = [
        "# Searched programs: operations and nanoseconds",
        "",
        f"{processor()}; gcc -O3 -march=native, double, polynomial sines; least process CPU time. Unsearched is",
        "`--effort none --fresh`, searched the program that comes with taut, or `--effort normal`. Error: compiled",
        "code over 10,000 states against the textbook algorithm in extended precision. Made by `make bench`.",
        "",
        markdown_table(HEAD, rows, left=2),
        "",
    ]
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
