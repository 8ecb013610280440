"""Programs that a user's searches have found: kept by structure, offered to later runs, searched on with --continue."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import taut
from taut.cli import main
from taut.derive.stored.programs import ENDING, SAFE, read_stored
from taut.report.counts import Settings, derived

ROBOT, FUNCTION = "stanford_rrp", "inverse_dynamics"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TAUT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("TAUT_PROGRAMS", str(tmp_path / "programs"))
    return tmp_path / "programs"


def total(capsys: pytest.CaptureFixture[str], *options: str) -> int:
    assert main(["count", ROBOT, "--function", FUNCTION, "--json", *options]) == 0
    counts: dict[str, Any] = json.loads(capsys.readouterr().out)["functions"][FUNCTION]
    return int(counts["total"])


def test_a_found_program_is_offered_without_a_search_and_to_special_structures(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    unsearched = total(capsys, "--effort", "none", "--parameters", "symbolic")
    assert not list(place.rglob(f"*{ENDING}")), "nothing was searched"
    found = total(capsys, "--parameters", "symbolic")
    assert found < unsearched
    assert len(list((place / SAFE).glob(f"*{ENDING}"))) == 1
    assert total(capsys, "--effort", "none", "--parameters", "symbolic") == found, "the kept function was out of date"
    assert total(capsys, "--effort", "none", "--parameters", "pattern") <= found
    assert total(capsys, "--effort", "none", "--parameters", "symbolic", "--fresh") == unsearched


@pytest.mark.slow
def test_a_search_goes_on_with_other_choices_and_never_ends_above(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = total(capsys)
    second = total(capsys, "--continue")
    assert second <= first
    (file,) = (place / SAFE).glob(f"*{ENDING}")
    assert read_stored(file)[1]["searches"] == 2


def test_a_damaged_file_is_no_program(place: Path) -> None:
    tree = taut.load(ROBOT).tree
    settings = Settings(effort="normal")
    found = derived(tree, FUNCTION, settings)
    (file,) = (place / SAFE).glob(f"*{ENDING}")
    file.write_bytes(file.read_bytes()[:20])
    again = derived(tree, FUNCTION, settings)
    assert again.operations == found.operations
    assert read_stored(file)[1]["searches"] == 1, "written again by the second search"
