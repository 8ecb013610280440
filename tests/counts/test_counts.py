"""The ratchet: no count rises. One that falls asks for ``make counts``, so that it cannot rise back unseen."""

from __future__ import annotations

import pytest

import taut
from counts.rows import (
    UNSEARCHED_FUNCTIONS,
    Row,
    as_data,
    difference,
    read_program,
    read_table,
    rows,
    searched,
    stored,
    unsearched_counts,
)
from counts.twins import renamed, twin
from sampled import sampled
from taut.analysis.opcount import count
from taut.derive import derive
from taut.graph.program import Program, Signed

UNSEARCHED = list(rows("none"))

STORED = searched()


@pytest.mark.parametrize("row", sampled(UNSEARCHED, 7, lambda row: row.name))
def test_no_count_rises(row: Row) -> None:
    kept = read_table()["none"][row.name]
    assert tuple(kept) == UNSEARCHED_FUNCTIONS
    found = unsearched_counts(row)
    risen = {f: (kept[f]["total"], found[f]["total"]) for f in kept if found[f]["total"] > kept[f]["total"]}
    assert not risen, f"{row.name}: (kept, found) rose; if this is meant, run 'make counts' and say why"
    fallen = {f: (kept[f], found[f]) for f in kept if found[f] != kept[f]}
    assert not fallen, f"{row.name}: (kept, found) changed for the better; run 'make counts' to keep it"


@pytest.mark.parametrize("kept", sampled(STORED, 4, lambda kept: f"{kept[0]}-{kept[1].name}-{kept[2]}"))
def test_a_stored_program_is_exact_and_costs_what_the_table_says(kept: tuple[str, Row, str]) -> None:
    effort, row, function = kept
    program = read_program(stored(effort, row, function))
    assert as_data(count(program)) == read_table()[effort][row.name][function]
    assert difference(row, function, program) is None, "run 'make counts' if names of parameters changed"


def test_search_never_ends_above_its_start() -> None:
    table = read_table()
    for effort, row, function in STORED:
        assert table[effort][row.name][function]["total"] <= table["none"][row.name][function]["total"]


def test_no_stray_rows_and_programs() -> None:
    table = read_table()
    assert list(table["none"]) == [row.name for row in UNSEARCHED]
    assert list(table["normal"]) == [row.name for row in rows("normal")]
    paths = {stored(*kept) for kept in STORED}
    assert set(next(iter(paths)).parent.iterdir()) == paths


def test_a_wrong_program_is_noticed() -> None:
    effort, row, function = STORED[0]
    program = read_program(stored(effort, row, function))
    sign, line = program.outputs[0]
    assert difference(row, function, Program(program.lines, (Signed(-sign, line), *program.outputs[1:]))) is not None


def test_names_do_not_matter() -> None:
    robot = taut.load("puma560")
    for function in ("inverse_dynamics", "jacobian"):
        here = derive(robot.tree, function, effort="none", fresh=True)
        assert derive(renamed(robot.tree), function, effort="none", fresh=True).operations == here.operations


def test_a_twin_is_another_robot() -> None:
    robot = taut.load("stanford")
    for right in (True, False):
        other = twin(robot.tree, right)
        assert set(other.frame_names).isdisjoint(robot.frame_names)
        moved = [a.placement != b.placement for a, b in zip(robot.tree.joints, other.joints, strict=True)]
        assert sum(moved) == 2
