"""Programs for the structures of arms that people have: found by structure, exact, as cheap as recorded."""

from __future__ import annotations

from typing import Any

import pytest

import taut
from counts.structures import PARAMETERS, read_structures
from oracle.robot_files import moving_urdf_files
from taut.analysis.opcount import count
from taut.derive import derive
from taut.derive.stored.programs import folder, read_stored
from taut.library import names

RECORDS = read_structures()
CASES = [
    pytest.param(name, record, id=f"{record['robot']}: {record['function']}", marks=[pytest.mark.slow] if k % 8 else [])
    for k, (name, record) in enumerate(RECORDS.items())
]


@pytest.mark.parametrize(("name", "record"), CASES)
def test_a_shipped_program_is_found_and_proved(name: str, record: dict[str, Any]) -> None:
    place = record["robot"]
    if place not in names():
        place = next(file.path for file in moving_urdf_files() if file.name == place)
    found = derive(taut.load(place).tree, record["function"], parameters=PARAMETERS, effort="none", generic=True)
    assert found.structure in name
    assert found.stored and found.proof is not None
    assert found.operations.total <= record["total"]


def test_programs_cost_what_is_recorded() -> None:
    for name, record in RECORDS.items():
        assert count(read_stored(folder() / name)[0]).total == record["total"]
