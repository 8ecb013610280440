"""``make counts``: derive everything the ratchet keeps, keep the better programs, write the table and the page.

An interrupted run goes on where it was: finished rows are noted in ``build/counts``.
"""

from __future__ import annotations

import json
import multiprocessing
import shutil
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from counts.page import write_page
from counts.rows import (
    PROGRAMS,
    STORED_FUNCTIONS,
    TABLE,
    Row,
    Table,
    as_data,
    difference,
    read_program,
    read_table,
    rows,
    searched,
    stored,
    unsearched_counts,
    write_program,
)
from taut.analysis.opcount import count
from taut.derive import derive
from taut.errors import TautError
from taut.graph.program import Program

ROOT = Path(__file__).parents[2]
NOTED = ROOT / "build" / "counts"
PROCESSES = 2


def refresh_unsearched(row: Row) -> dict[str, dict[str, int]]:
    return unsearched_counts(row)


def refresh_stored(effort: str, row: Row) -> dict[str, dict[str, int]]:
    """Return the counts of a row's stored programs, each replaced where a new search ends lower."""
    tree, found = row.tree, {}
    for function in STORED_FUNCTIONS[effort]:
        best = derive(tree, function, parameters=row.parameters, effort=effort, fresh=True, generic=True).program
        kept = _still_true(effort, row, function)
        if kept is None or count(best).total < count(kept).total:
            write_program(stored(effort, row, function), best)
        else:
            best = kept
        found[function] = as_data(count(best))
    return found


def _still_true(effort: str, row: Row, function: str) -> Program | None:
    """Return the stored program if there is one that still fits the robot."""
    try:
        program = read_program(stored(effort, row, function))
        return program if difference(row, function, program) is None else None
    except (OSError, TautError):
        return None


def tasks() -> Iterator[tuple[str, Row]]:
    for effort in ("none", *STORED_FUNCTIONS):
        for row in rows(effort):
            yield effort, row


def refresh(task: tuple[str, Row]) -> tuple[str, Row, float]:
    """Refresh one row and note it as finished; in a process of its own."""
    effort, row = task
    started = time.perf_counter()
    found = refresh_unsearched(row) if effort == "none" else refresh_stored(effort, row)
    note_of(effort, row).write_text(json.dumps(found), encoding="utf-8")
    return effort, row, time.perf_counter() - started


def note_of(effort: str, row: Row) -> Path:
    return NOTED / f"{effort} {row.name}.json"


def main() -> None:
    """Refresh every row that is not noted as finished, two at a time, then write the page."""
    PROGRAMS.mkdir(exist_ok=True)
    NOTED.mkdir(parents=True, exist_ok=True)
    wanted, old = list(tasks()), read_table()
    waiting = [task for task in wanted if not note_of(*task).exists()]
    # Ctrl-C is for this process, which ends the others: a search that is cut short must not be kept.
    ignoring = (signal.SIGINT, signal.SIG_IGN)
    with multiprocessing.get_context("spawn").Pool(PROCESSES, signal.signal, ignoring) as pool:
        for k, (effort, row, took) in enumerate(pool.imap_unordered(refresh, waiting), 1):
            found = json.loads(note_of(effort, row).read_text("utf-8"))
            told = f"{effort} {row.name}: {_changes(old, effort, row, found)}, {took:.1f} s"
            print(f"[{k}/{len(waiting)}] {told}", flush=True)
    table: Table = {"none": {}, "normal": {}}
    for effort, row in wanted:
        table[effort][row.name] = json.loads(note_of(effort, row).read_text("utf-8"))
    for path in set(PROGRAMS.iterdir()) - {stored(*kept) for kept in searched()}:
        path.unlink()
    TABLE.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
    write_page()
    shutil.rmtree(NOTED)


def _changes(old: dict, effort: str, row: Row, found: dict[str, dict[str, int]]) -> str:
    before = old.get(effort, {}).get(row.name, {})
    moved = [
        f"{f} {before[f]['total']} -> {new['total']}" for f, new in found.items() if f in before and before[f] != new
    ]
    return ", ".join(moved) or "as before" if before else "new"


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("interrupted; 'make counts' goes on from here")
