"""Counts of programs that are right for every value of their parameters; ``python -m counts.safe`` renews them.

For every arm of the literature: as traced (``--effort none --fresh``), and the shipped program, which a search has
found. A run keeps the better program of each cell.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from counts.cells import Cell, cells
from counts.rows import FOLDER, as_data, difference
from taut.analysis.opcount import count
from taut.derive import derive
from taut.derive.stored.programs import SAFE, file_name, folder, read_stored, write_stored
from taut.derive.stored.specialise import specialised
from taut.derive.tightening.efforts import EFFORTS
from taut.errors import TautError
from taut.graph.program import Program

RECORDS = FOLDER / "safe.json"

Records = dict[str, dict[str, Any]]
"""{cell: {"traced", "mul", "add", "total", "seed"}}."""


@dataclass(frozen=True)
class SafeCell(Cell):
    """One arm and one function; its program divides by nothing that may vanish."""

    @property
    def path(self) -> Path:
        return folder() / SAFE / file_name(self.function, self.structure.name)

    @property
    def command(self) -> str:
        robot, parameters = self.row.robot, self.row.parameters
        return f"taut count {robot} --parameters {parameters} --function {self.function} --fresh"

    def program(self) -> Program | None:
        try:
            program = specialised(read_stored(self.path)[0], self.structure.meaning)
            return program if difference(self.row, self.function, program) is None else None
        except (TautError, OSError):
            return None


def safe_cells() -> Iterator[SafeCell]:
    """Yield the arms of the literature, without twins."""
    for cell in cells():
        if not cell.row.is_twin:
            yield SafeCell(cell.row, cell.function)


def read_safe() -> Records:
    found: Records = json.loads(RECORDS.read_text("utf-8")) if RECORDS.exists() else {}
    return found


def write_safe(records: Records) -> None:
    rows = [f" {json.dumps(c.name)}: {json.dumps(records[c.name])}" for c in safe_cells() if c.name in records]
    RECORDS.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")


def traced(cell: SafeCell) -> int:
    """Return the count without a search."""
    tree, parameters = cell.row.tree, cell.row.parameters
    return derive(tree, cell.function, parameters=parameters, effort="none", fresh=True).operations.total


def renew(cell: SafeCell, seed: int, effort: str, seconds: float | None) -> str:
    """Search one cell, keep what is better, and return what became of it."""
    found = derive(
        cell.row.tree,
        cell.function,
        parameters=cell.row.parameters,
        effort=effort,
        seed=seed,
        fresh=True,
        seconds=seconds,
    )
    assert not found.generic and found.structural is not None
    records = read_safe()
    kept = cell.program()
    record = records.get(cell.name, {}) | {"traced": traced(cell)}
    if kept is None or found.operations.total < count(kept).total:
        about = {"function": cell.function, "effort": effort, "method": found.method, "seed": seed}
        write_stored(cell.path, found.structural, about | as_data(found.operations))
        record |= as_data(found.operations) | {"seed": seed}
    else:
        record |= as_data(count(kept))
    write_safe(records | {cell.name: record})
    return f"{cell.name}: found {found.operations.total}, kept {record['total']}, traced {record['traced']}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Renew the cells; those that this seed has searched are left out."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--effort", choices=list(EFFORTS), default="normal")
    parser.add_argument("--budget", type=float, metavar="SECONDS", help="of each cell")
    parser.add_argument("--missing", action="store_true", help="only cells that have no program yet")
    given = parser.parse_args(arguments)
    for cell in safe_cells():
        if given.missing and cell.path.exists():
            continue
        print(renew(cell, given.seed, given.effort, given.budget), flush=True)


if __name__ == "__main__":
    main()
