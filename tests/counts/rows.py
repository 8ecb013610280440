"""Which counts are kept, and how one is found again."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import taut
from counts.twins import twin
from taut import library
from taut.analysis.opcount import Operations
from taut.derive import derive
from taut.derive.naming.model import DerivedRobot, derived_robot
from taut.derive.naming.parameters import SNAP, default_mode
from taut.derive.starts.traces import textbook
from taut.graph.program import Program
from taut.graph.program_text import parse_program
from taut.graph.prove import Disproof
from taut.graph.prove_program import disproof_by_nodes
from taut.questions.table import QUESTIONS
from taut.robot import Tree

FOLDER = Path(__file__).parent
TABLE = FOLDER / "table.json"
PROGRAMS = FOLDER / "programs"

UNSEARCHED_FUNCTIONS = (
    *("inverse_dynamics", "mass_matrix", "gravity", "bias", "coriolis_matrix", "forward_dynamics"),
    *("regressor", "forward_kinematics", "jacobian", "energy"),
)
STORED_FUNCTIONS = {
    "normal": ("inverse_dynamics", "mass_matrix", "gravity", "bias", "forward_dynamics", "jacobian", "energy"),
}
"""Functions whose searched programs are kept, by effort; the search of the others takes many times as long."""

OTHER_MODES = {"panda": "symbolic", "iiwa14": "symbolic", "puma560": "pattern"}
"""Robots that are kept with their parameters treated in another way, too."""

POINTS, SEED = 2, 20261
"""Points at which stored programs are proved, others than any derivation uses."""

Table = dict[str, dict[str, dict[str, dict[str, int]]]]
"""{effort: {"robot, parameters": {function: {"mul", "add", "total"}}}}."""


@dataclass(frozen=True)
class Row:
    """A robot, or its twin, and how its parameters are treated."""

    robot: str
    is_twin: bool
    parameters: str

    @property
    def name(self) -> str:
        return f"{self.robot}{' twin' if self.is_twin else ''}, {self.parameters}"

    @property
    def tree(self) -> Tree:
        return _twin(self.robot) if self.is_twin else _tree(self.robot)


@cache
def _tree(name: str) -> Tree:
    return taut.load(name).tree


@cache
def _twin(name: str) -> Tree:
    return twin(_tree(name), right=library.open_chains().index(name) % 2 == 0)


@lru_cache(maxsize=4)
def named(row: Row) -> DerivedRobot:
    """Return the robot of a row with its numbers named; the functions of a row follow one another and share it."""
    return derived_robot(row.tree, row.parameters, SNAP)


def rows(effort: str) -> Iterator[Row]:
    """Yield what the table has for an effort: every robot of the library, at ``none`` also its twin."""
    for name in library.open_chains():
        mode = default_mode(_tree(name))
        yield Row(name, False, mode)
        if name in OTHER_MODES:
            yield Row(name, False, OTHER_MODES[name])
        if effort == "none":
            yield Row(name, True, mode)


def unsearched_counts(row: Row) -> dict[str, dict[str, int]]:
    """Return the counts of a row's shortest programs, each proved on the way."""
    tree = row.tree
    return {
        function: as_data(
            derive(tree, function, parameters=row.parameters, effort="none", fresh=True, generic=True).operations
        )
        for function in UNSEARCHED_FUNCTIONS
    }


def as_data(operations: Operations) -> dict[str, int]:
    return {"mul": operations.mul, "add": operations.add, "total": operations.total}


def read_table() -> Table:
    table: Table = json.loads(TABLE.read_text("utf-8")) if TABLE.exists() else {}
    return table


def searched() -> list[tuple[str, Row, str]]:
    """Return every stored program by effort, row and function."""
    return [
        (e, row, function) for e, functions in STORED_FUNCTIONS.items() for row in rows(e) for function in functions
    ]


def stored(effort: str, row: Row, function: str) -> Path:
    return PROGRAMS / f"{row.robot}.{row.parameters}.{function}.{effort}.txt.gz"


def read_program(path: Path) -> Program:
    return parse_program(gzip.decompress(path.read_bytes()).decode("utf-8"))


def write_program(path: Path, program: Program) -> None:
    """Write a program; the same bytes for the same program."""
    path.write_bytes(gzip.compress(program.to_text().encode("utf-8"), 9, mtime=0))


def difference(row: Row, function: str, program: Program) -> Disproof | None:
    """Return where a program differs from the textbook algorithm at fresh points, None where it does not."""
    found = None
    for model in named(row).forms.values():
        frame = model.tree.frame(None).name if QUESTIONS[function].on_frame else None
        expected = textbook(model, function, None, frame).outputs
        found = disproof_by_nodes(program, expected, POINTS, SEED, model.spheres)
        if found is None:
            return None
    return found
