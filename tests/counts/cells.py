"""Which counts are searched hardest: the arms and functions of the literature, and a twin of each arm."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from counts.rows import FOLDER, Row, difference
from taut.derive.naming.model import DerivedRobot, derived_robot
from taut.derive.naming.parameters import SNAP
from taut.derive.starts.setting import structure_for
from taut.derive.stored.programs import file_name, folder, read_stored
from taut.derive.stored.specialise import specialised
from taut.derive.stored.structure import Structure
from taut.errors import TautError
from taut.graph.program import Program

RECORDS = FOLDER / "max.json"
TWIN_PROGRAMS = FOLDER / "twin_programs"

FUNCTIONS = ("inverse_dynamics", "mass_matrix", "explicit", "explicit_torque", "forward_dynamics")

AIMS: dict[tuple[str, str], tuple[int | None, ...]] = {
    ("puma560_burdick", "pattern"): (269, 105, 233, 428, 445),
    ("puma560", "pattern"): (268, 104, 239, 437, 451),
    ("puma560_full", "pattern"): (422, 218, 536, 794, 745),
    ("general_6r", "pattern"): (676, 506, 1638, None, 1331),
    ("panda", "symbolic"): (528, 301, 1006, None, 1031),
    ("iiwa14", "symbolic"): (494, 257, 922, None, 953),
    ("stanford_full", "pattern"): (375, 161, 406, 655, 648),
}
"""{(robot, parameters): counts known to be reachable, one a function}; None where nobody has looked."""


@dataclass(frozen=True)
class Cell:
    """One robot, or its twin, and one function."""

    row: Row
    function: str

    @property
    def name(self) -> str:
        return f"{self.row.name}: {self.function}"

    @property
    def aim(self) -> int | None:
        if self.row.is_twin:
            return None
        return AIMS[self.row.robot, self.row.parameters][FUNCTIONS.index(self.function)]

    @cached_property
    def model(self) -> DerivedRobot:
        return derived_robot(self.row.tree, self.row.parameters, SNAP)

    @cached_property
    def structure(self) -> Structure:
        found = structure_for(self.model, self.function)
        assert found is not None
        return found

    @property
    def path(self) -> Path:
        """Where the program is: with the package, or here for a twin, which nobody else has."""
        return (TWIN_PROGRAMS if self.row.is_twin else folder()) / file_name(self.function, self.structure.name)

    @property
    def command(self) -> str:
        """What derives it again."""
        robot, parameters = self.row.robot, self.row.parameters
        return (
            f"taut count {robot} --parameters {parameters} --function {self.function} "
            "--effort max --fresh --generic --budget 300s"
        )

    def program(self) -> Program | None:
        """Return the kept program on the robot's own parameters, if there is one that still is exact."""
        try:
            program = specialised(read_stored(self.path)[0], self.structure.meaning)
            return program if difference(self.row, self.function, program) is None else None
        except (TautError, OSError):
            return None


def cells() -> Iterator[Cell]:
    """Yield all cells, twins last."""
    for is_twin in (False, True):
        for (robot, parameters), aims in AIMS.items():
            for function, aim in zip(FUNCTIONS, aims, strict=True):
                if aim is not None:
                    yield Cell(Row(robot, is_twin, parameters), function)


def read_records() -> dict[str, dict[str, Any]]:
    """Return what is known about each cell, by its name."""
    found: dict[str, dict[str, Any]] = json.loads(RECORDS.read_text("utf-8")) if RECORDS.exists() else {}
    return found


def write_records(records: dict[str, dict[str, Any]]) -> None:
    """Write the records, cells in order, in one step."""
    ordered = {cell.name: records[cell.name] for cell in cells() if cell.name in records}
    rows = ",\n".join(f" {json.dumps(name)}: {json.dumps(record)}" for name, record in ordered.items())
    draft = RECORDS.with_suffix(".draft")
    draft.write_text(f"{{\n{rows}\n}}\n", encoding="utf-8")
    draft.replace(RECORDS)
