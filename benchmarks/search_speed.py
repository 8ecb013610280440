"""Lines per second that the search tries, compiled and in plain Python.

Both make the same moves from the same program, and the rows they end with are compared. Process time, the smallest
of interleaved repeats. Writes ``benchmarks/results/search_speed.md``.
"""

from __future__ import annotations

import platform
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import taut
from taut.report.machine import processor
from taut.report.markdown import markdown_table
from taut.report.table import table
from taut.search.flat import Flat, flatten
from taut.search.native import NativeSearch
from taut.search.plain_moves import PlainSearch

RESULTS = Path(__file__).parent / "results" / "search_speed.md"
SEED = 1


@dataclass(frozen=True)
class Task:
    """A program to search.

    Attributes:
        deep: steps in a thousand that look for three operations.
        steps: of the plain search.
        more: how many times as many steps the compiled search is timed over.
        trial: steps of a trial, 0 for none.
    """

    robot: str
    function: str
    deep: int
    steps: int
    more: int
    trial: int = 0

    def search(self, kind: type[NativeSearch | PlainSearch], flat: Flat) -> NativeSearch | PlainSearch:
        """Return a search at its start."""
        return kind(flat, SEED, deep=self.deep, trial=self.trial)


TASKS = (
    Task("scara", "inverse_dynamics", 0, 60, 40),
    Task("puma560_burdick", "mass_matrix", 0, 60, 40),
    Task("puma560_burdick", "inverse_dynamics", 0, 40, 40),
    Task("puma560_burdick", "inverse_dynamics", 0, 40, 40, trial=10),
    Task("scara", "inverse_dynamics", 1000, 6, 10),
)


def rows_and_seconds(search: NativeSearch | PlainSearch, steps: int) -> tuple[np.ndarray, float]:
    """Run a search and return the rows it ends with and the time it took."""
    started = time.process_time()
    search.run(steps)
    return search.best().rows, time.process_time() - started


def measured(task: Task, flat: Flat, repeats: int = 3) -> tuple[float, float]:
    """Return steps a second, compiled and plain."""
    native, plain = [], []
    for _ in range(repeats):
        left, _ = rows_and_seconds(task.search(NativeSearch, flat), task.steps)
        right, seconds = rows_and_seconds(task.search(PlainSearch, flat), task.steps)
        assert np.array_equal(left, right), "the two searches made different moves"
        plain.append(task.steps / seconds)
        steps = task.steps * task.more
        native.append(steps / rows_and_seconds(task.search(NativeSearch, flat), steps)[1])
    return max(native), max(plain)


HEAD = [
    *("robot", "function", "operations", "steps that look for three", "in trials of"),
    *("compiled, steps/s", "plain, steps/s", "ratio"),
]


def main() -> None:
    """Run the tasks, print and write the table."""
    cells = []
    for task in TASKS:
        program = taut.load(task.robot).derive(task.function, effort="none", fresh=True).program
        flat = flatten(program)
        native, plain = measured(task, flat)
        share = f"{task.deep / 10:g} %"
        numbers = [f"{native:.0f}", f"{plain:.1f}", f"{native / plain:.0f}"]
        cells.append([task.robot, task.function, str(flat.cost), share, str(task.trial or ""), *numbers])
    print(table(HEAD, cells, left=2))
    lines = [
        "# Search: lines tried a second",
        "",
        f"{processor()}, Python {platform.python_version()}, one core, process time. Both searches make the same",
        "moves, which is checked. Made by `python benchmarks/search_speed.py`.",
        "",
        markdown_table(HEAD, cells, left=2),
        "",
    ]
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
