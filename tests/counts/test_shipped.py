"""The programs that come with taut: exact, as cheap as told, counted again in C, right in floats, found by structure.

These are the only tests that need them; without the programs everything else works, with more operations.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from counts.cells import TWIN_PROGRAMS, Cell, cells, read_records
from counts.consistent import consistent_values
from counts.structures import read_structures
from emitted.recount import operations
from sampled import sampled
from taut.analysis.opcount import count
from taut.derive import derive
from taut.derive.function import Function
from taut.derive.starts.traces import textbook
from taut.derive.stored.programs import ENDING, folder, read_stored
from taut.derive.stored.specialise import specialised
from taut.emit.c import Module
from taut.graph.lower import lower
from taut.questions.table import QUESTIONS

RECORDS = read_records()
KEPT = [cell for cell in cells() if cell.name in RECORDS]
SHIPPED = [cell for cell in KEPT if not cell.row.is_twin]
STATES, SEED = 10_000, 7


def unsearched(cell: Cell) -> Function:
    """Return what a user gets at once."""
    return derive(cell.row.tree, cell.function, parameters=cell.row.parameters, effort="none", generic=True)


@pytest.mark.parametrize("cell", sampled(KEPT, 4, lambda cell: cell.name))
def test_a_kept_program_is_exact_and_costs_what_is_told(cell: Cell) -> None:
    program = cell.program()
    assert program is not None, "run 'make counts-max' if the structure of the robot changed"
    known = RECORDS[cell.name]
    ops = count(program)
    assert {"mul": ops.mul, "add": ops.add, "total": ops.total} == {k: known[k] for k in ("mul", "add", "total")}


@pytest.mark.parametrize("cell", sampled(SHIPPED, 9, lambda cell: cell.name))
def test_it_is_found_without_a_search_and_the_c_text_has_as_many_operations(cell: Cell) -> None:
    found = unsearched(cell)
    assert found.stored and found.proof is not None
    assert found.operations.total <= RECORDS[cell.name]["total"]
    robot = cell.row.robot
    source = Module(robot, [found.routine()], batch=False).source()
    assert operations(source) == {f"{robot}_{cell.function}": found.operations.total}


@pytest.mark.parametrize("cell", sampled(SHIPPED, 9, lambda cell: cell.name))
def test_floats_agree_with_the_textbook_in_extended_precision(cell: Cell) -> None:
    """Relative to the largest number of each state's answer, at numbers a real arm could have."""
    model, draw = cell.model, np.random.default_rng(SEED)
    program = specialised(read_stored(cell.path)[0], cell.structure.meaning)
    expected = lower(textbook(model, cell.function).outputs)
    symbols: dict[str, Any] = {**model.naming.values, **consistent_values(cell.row.tree, SEED)}
    for argument in QUESTIONS[cell.function].arguments:
        symbols |= {node.data: draw.uniform(-3, 3, STATES) for node in model.symbols(argument)}
    wide = {name: np.asarray(x, np.longdouble) for name, x in symbols.items()}
    left, right = _table(program.evaluate(symbols)), _table(expected.evaluate(wide))
    assert (np.abs(left - right).max(axis=0) / np.abs(right).max(axis=0)).max() < 1e-12


def test_nothing_is_shipped_that_nobody_knows() -> None:
    known = {cell.path.name for cell in SHIPPED} | set(read_structures())
    assert {path.name for path in folder().glob(f"*{ENDING}")} == known
    twins = {cell.path.name for cell in KEPT if cell.row.is_twin}
    assert {path.name for path in TWIN_PROGRAMS.glob(f"*{ENDING}")} == twins


def _table(answer: list[Any]) -> np.ndarray:
    return np.array([np.broadcast_to(x, STATES) for x in answer])
