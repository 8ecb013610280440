"""The ratchet of safe counts: programs that are right for every value of their parameters; none rises."""

from __future__ import annotations

import pytest

from counts.cells import read_records
from counts.rows import as_data
from counts.safe import SafeCell, read_safe, safe_cells, traced
from sampled import sampled
from taut.analysis.opcount import count
from taut.derive import derive
from taut.derive.checks.divisors import Divisors
from taut.derive.starts.traces import textbook
from taut.derive.stored.programs import ENDING, SAFE, folder
from taut.graph.lower import lower

RECORDS = read_safe()
CELLS = [cell for cell in safe_cells() if cell.name in RECORDS]
TRACED = [cell for cell in CELLS if cell.function in ("inverse_dynamics", "mass_matrix")]


@pytest.mark.parametrize("cell", sampled(CELLS, 7, lambda cell: cell.name))
def test_a_shipped_program_is_exact_and_divides_by_nothing_that_may_vanish(cell: SafeCell) -> None:
    program = cell.program()
    assert program is not None, "run 'python -m counts.safe' if the structure of the robot changed"
    known = RECORDS[cell.name]
    assert as_data(count(program)) == {key: known[key] for key in ("mul", "add", "total")}
    plain = Divisors.of([lower(textbook(cell.model, cell.function).outputs)], cell.model.spheres)
    assert plain.allow(program)


@pytest.mark.parametrize("cell", sampled(TRACED, 7, lambda cell: cell.name))
def test_no_safe_count_rises(cell: SafeCell) -> None:
    known = RECORDS[cell.name]
    assert traced(cell) == known["traced"], "run 'python -m counts.safe' where it has fallen"
    found = derive(cell.row.tree, cell.function, parameters=cell.row.parameters, effort="none")
    assert found.stored and not found.generic
    assert found.operations.total <= known["total"] <= known["traced"]


def test_generic_programs_are_never_longer() -> None:
    generic = read_records()
    assert all(generic[cell.name]["total"] <= RECORDS[cell.name]["total"] for cell in CELLS if cell.name in generic)


def test_nothing_is_shipped_that_nobody_knows() -> None:
    assert {path.name for path in (folder() / SAFE).glob(f"*{ENDING}")} == {cell.path.name for cell in CELLS}
