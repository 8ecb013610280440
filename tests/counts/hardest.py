"""``make counts-max``: search the arms of the literature, and their twins, as hard as allowed; keep what is better.

Every cell is derived from nothing (``--effort max --fresh``) on two processes, at most so many seconds, and kept with
its count, seed, steps, proof and the way the count fell. An interrupted run goes on where it was; a worse result
replaces nothing.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

from counts.cells import FUNCTIONS, Cell, cells, read_records, write_records
from counts.figures import draw_all
from counts.page import write_page
from taut.analysis.opcount import count
from taut.derive import derive
from taut.derive.function import Function
from taut.derive.stored.programs import write_stored
from taut.derive.stored.specialise import specialised
from taut.derive.tightening.objective import OBJECTIVES
from taut.graph.program import Program
from taut.report.progress import ProgressLine

ROOT = Path(__file__).parents[2]
NOTES = ROOT / "build" / "counts-max.json"
cost = OBJECTIVES["m+a"]
"""Of two programs the better has fewer operations, or as many and should take less time."""

SHARE = 0.95
"""Of a cell's seconds, what the derivation may use: the last search and the proof end a little later."""


def record(function: Function) -> dict[str, Any]:
    """Return what is kept about a result."""
    ops = function.operations
    assert function.proof is not None
    return {
        "mul": ops.mul,
        "add": ops.add,
        "total": ops.total,
        "depth": ops.depth,
        "traced": function.steps[0].operations.total,
        "seconds": round(function.seconds, 1),
        "seed": function.seed,
        "reproducible": function.reproducible,
        "method": function.method,
        "steps": [[step.name, step.operations.total] for step in function.steps],
        "proof": {"reference": function.proof.reference, "points": function.proof.points},
        "trace": [list(point) for point in function.trace],
    }


def structural(cell: Cell, function: Function) -> Program:
    """Return a result in the symbols of its structure: it serves every robot that has it."""
    program = function.structural
    assert program is not None
    again = specialised(program, cell.structure.meaning)
    assert count(again).total == function.operations.total
    return program


def improve(cell: Cell, seconds: float, seed: int, records: dict[str, dict[str, Any]]) -> str:
    """Search one cell; keep the result if it is the best so far, and say what became of it.

    Raises:
        KeyboardInterrupt: where a hand ended the search; what it found until then is kept.
    """
    row = cell.row
    with ProgressLine(cell.name) as progress:
        found = derive(
            row.tree,
            cell.function,
            parameters=row.parameters,
            effort="max",
            seconds=SHARE * seconds,
            seed=seed,
            fresh=True,
            generic=True,
            progress=progress,
        )
    told = keep(cell, found, records)
    if not found.reproducible and found.seconds < SHARE * seconds:
        raise KeyboardInterrupt
    return told


def keep(cell: Cell, found: Function, records: dict[str, dict[str, Any]]) -> str:
    """Keep a result if it is the best so far, in any case what it was, and say what became of it."""
    total, before = found.operations.total, records.get(cell.name)
    known = cell.program() if before else None
    told = f"{total} in {found.seconds:.0f} s" + (f", aim {cell.aim}" if cell.aim else "")
    last = {"total": total, "seconds": round(found.seconds, 1), "seed": found.seed}
    if before is not None and known is not None and cost(known) <= cost(found.program):
        records[cell.name] = before | {"last": last}
        write_records(records)
        return f"{told}; kept {before['total']}"
    about = {key: value for key, value in record(found).items() if key != "trace"}
    write_stored(cell.path, structural(cell, found), {"function": cell.function, "effort": "max"} | about)
    records[cell.name] = record(found) | {"last": last}
    write_records(records)
    return told + (f"; was {before['total']}" if before else "")


def chosen(arguments: argparse.Namespace) -> list[Cell]:
    """Return the cells to search, those farthest above their aim first, unknown ones before all."""
    records = read_records()
    wanted = [cell for cell in cells() if all(word in cell.name for word in arguments.only)]
    if arguments.no_twins:
        wanted = [cell for cell in wanted if not cell.row.is_twin]

    def distance(cell: Cell) -> float:
        known = records.get(cell.name)
        if known is None or cell.aim is None:
            return 0.0 if known else -1e9 if cell.aim else -1e8
        return cell.aim / known["total"] - 1.0

    return sorted(wanted, key=distance)


def main() -> None:
    """Search cell by cell, then draw the figures and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=300.0, help="at most this long a cell; 300 by default")
    parser.add_argument("--seed", type=int, default=1, help="of the searches")
    parser.add_argument("--only", nargs="+", default=[], metavar="WORD", help="cells whose name has all these words")
    parser.add_argument("--no-twins", action="store_true", help="leave the twins out")
    parser.add_argument("--list", action="store_true", help="print what is kept, and end")
    arguments = parser.parse_args()
    records = read_records()
    if arguments.list:
        print("\n".join(overview(records)))
        return
    run = json.dumps([arguments.seconds, arguments.seed])
    done: dict[str, list[str]] = json.loads(NOTES.read_text("utf-8")) if NOTES.exists() else {}
    wanted = [cell for cell in chosen(arguments) if cell.name not in done.get(run, [])]
    started = time.perf_counter()
    for k, cell in enumerate(wanted, 1):
        told = improve(cell, arguments.seconds, arguments.seed, records)
        print(f"[{k}/{len(wanted)}, {time.perf_counter() - started:.0f} s] {cell.name}: {told}", flush=True)
        done.setdefault(run, []).append(cell.name)
        NOTES.parent.mkdir(exist_ok=True)
        NOTES.write_text(json.dumps(done), encoding="utf-8")
    if all(cell.name in done.get(run, []) for cell in cells()):
        NOTES.unlink(missing_ok=True)  # the next run begins again
    draw_all(records)
    write_page()
    print("\n".join(overview(records)))


def overview(records: dict[str, dict[str, Any]]) -> list[str]:
    """Return one line a robot: counts over aims, and the sums."""
    rows: dict[str, list[str]] = {}
    ours = aims = 0
    for cell in cells():
        total = records.get(cell.name, {}).get("total")
        rows.setdefault(cell.row.name, []).append(f"{cell.function} {total}" + (f"/{cell.aim}" if cell.aim else ""))
        if total is not None and cell.aim:
            ours, aims = ours + total, aims + cell.aim
    lines = [f"{name}: {', '.join(texts)}" for name, texts in rows.items()]
    ratio = f" ({100 * (ours / aims - 1):+.1f} %)" if aims else ""
    return [*lines, f"sum of the cells with an aim: {ours} of {aims}{ratio}; functions: {', '.join(FUNCTIONS)}"]


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("interrupted; 'make counts-max' goes on from here")
