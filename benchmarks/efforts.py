"""What each effort reaches, and in how much time: every robot and function of the literature, searched from nothing.

``--fresh --generic`` at an effort, beside the fewest operations known of the same function (``tests/counts/max.json``).
Every function is derived in a process of its own; its processor time counts, proof and checks included. Run from the
root as ``PYTHONPATH=tests python benchmarks/efforts.py [quick normal]``. Writes ``benchmarks/results/efforts.md``.
"""

from __future__ import annotations

import json
import multiprocessing
import platform
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from counts.cells import Cell, cells, read_records
from taut.derive import derive
from taut.report.machine import processor
from taut.report.markdown import markdown_table

RESULTS = Path(__file__).parent / "results" / "efforts.md"
NOTED = Path(__file__).parents[1] / "build" / "efforts.json"
FUNCTIONS = ("inverse_dynamics", "mass_matrix", "explicit", "forward_dynamics")
PROCESSES = 2


def measured(task: tuple[Cell, str]) -> tuple[int, float]:
    """Return operations and seconds of processor time."""
    cell, effort = task
    started = time.process_time()
    made = derive(cell.row.tree, cell.function, parameters=cell.row.parameters, effort=effort, fresh=True, generic=True)
    return made.operations.total, time.process_time() - started


def page(wanted: Sequence[Cell], efforts: Sequence[str], found: dict[str, tuple[int, float]]) -> str:
    """Return the page."""
    known = {cell: int(read_records()[cell.name]["total"]) for cell in wanted}
    head = ["robot", "function", "fewest known", *(x for effort in efforts for x in (effort, "above", "seconds"))]
    rows = [
        [cell.row.name, cell.function, str(fewest)]
        + [x for effort in efforts for x in _told(*found[f"{effort} {cell.name}"], fewest)]
        for cell, fewest in known.items()
    ]
    last = ["all; the most seconds", "", str(sum(known.values()))]
    for effort in efforts:
        totals, seconds = zip(*(found[f"{effort} {cell.name}"] for cell in wanted), strict=True)
        last += _told(sum(totals), max(seconds), sum(known.values()))
    text = f"""# What each effort reaches

Do not edit. Operations with `--fresh --generic` beside the fewest known, and seconds of processor time with proof and
checks, {PROCESSES} functions at a time. Python {platform.python_version()}, {processor()}.
Made by `PYTHONPATH=tests python benchmarks/efforts.py`.

"""
    return text + markdown_table(head, [*rows, last], left=2) + "\n"


def _told(total: int, seconds: float, fewest: int) -> list[str]:
    return [str(total), f"{100 * (total / fewest - 1):.1f} %", f"{seconds:.1f}"]


def main() -> None:
    """Derive what is not noted as done, then write the page."""
    efforts = sys.argv[1:] or ["quick", "normal"]
    wanted = [cell for cell in cells() if not cell.row.is_twin and cell.function in FUNCTIONS]
    found = json.loads(NOTED.read_text("utf-8")) if NOTED.exists() else {}
    tasks = [(cell, effort) for effort in efforts for cell in wanted if f"{effort} {cell.name}" not in found]
    NOTED.parent.mkdir(exist_ok=True)
    with multiprocessing.get_context("spawn").Pool(PROCESSES, maxtasksperchild=1) as pool:
        for (cell, effort), one in zip(tasks, pool.imap(measured, tasks), strict=True):
            found[f"{effort} {cell.name}"] = one
            NOTED.write_text(json.dumps(found), encoding="utf-8")
            print(f"{effort} {cell.name}: {one[0]} operations, {one[1]:.1f} s", flush=True)
    RESULTS.write_text(page(wanted, efforts, found), encoding="utf-8")
    NOTED.unlink()


if __name__ == "__main__":
    main()
