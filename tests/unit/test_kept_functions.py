"""Derived functions kept between runs: the same answer without a search, and anew wherever anything differs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import taut
from taut.certificate import check_proof
from taut.cli import main
from taut.derive.kept import ENDING, identity, kept_function
from taut.emit.c import schedule
from taut.report import counts
from taut.toolchain import remembered

ROBOT = "double_pendulum"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    place = tmp_path / "cache"
    monkeypatch.setenv("TAUT_CACHE", str(place))
    yield place


def count(capsys: pytest.CaptureFixture[str], *options: str) -> dict[str, object]:
    assert main(["count", ROBOT, "--function", "gravity", "--effort", "none", "--json", *options]) == 0
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def test_a_second_run_derives_nothing(
    cache: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = count(capsys)

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("derived again")

    monkeypatch.setattr(counts, "derive", refuse)
    assert count(capsys) == first
    for options in (["--fresh"], ["--seed", "2"], ["--parameters", "symbolic"]):
        with pytest.raises(AssertionError, match="derived again"):
            count(capsys, *options)


def test_a_damaged_file_is_derived_again(cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = count(capsys)
    (file,) = cache.glob(f"*{ENDING}")
    file.write_bytes(file.read_bytes()[:-1])
    second = count(capsys)
    assert [_timeless(second)] == [_timeless(first)]
    (file,) = cache.glob(f"*{ENDING}")
    assert file.stat().st_size > 100


def test_the_key_holds_every_number_and_the_source(monkeypatch: pytest.MonkeyPatch) -> None:
    robot = taut.load(ROBOT)
    name = next(iter(robot.tree.values))
    other = robot.with_values({name: robot.tree.values[name].value * (1 + 1e-15)})
    assert identity(robot.tree, {}) == identity(taut.load(ROBOT).tree, {})
    assert identity(robot.tree, {}) != identity(other.tree, {})
    before = identity(robot.tree, {})
    monkeypatch.setattr(remembered, "source_hash", lambda: "another version")
    assert identity(robot.tree, {}) != before


def test_what_a_clock_ended_is_not_kept(cache: Path) -> None:
    robot = taut.load(ROBOT)
    made = robot.derive("gravity", effort="none")
    object.__setattr__(made, "reproducible", False)
    assert kept_function(robot.tree, {}, lambda: made) is made
    assert not list(cache.glob(f"*{ENDING}"))


def test_a_place_that_cannot_be_used_costs_only_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("TAUT_CACHE", str(tmp_path / "file" / "cache"))
    made = taut.load(ROBOT).derive("gravity", effort="none")
    assert kept_function(taut.load(ROBOT).tree, {}, lambda: made) is made


def _timeless(data: dict[str, object]) -> str:
    return json.dumps(data, sort_keys=True, default=str).partition('"seconds"')[0]


def test_a_second_generate_orders_no_lines_and_proves_no_text(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schedule, "LONG", 1)
    schedule.scheduled.cache_clear()
    command = ["generate", ROBOT, "--functions", "mass_matrix", "--effort", "none", "--quiet", "-o"]
    assert main([*command, str(tmp_path / "first")]) == 0

    def refuse(*_: object) -> None:
        raise AssertionError("worked out again")

    schedule.scheduled.cache_clear()
    monkeypatch.setattr(schedule, "_scheduled", refuse)
    monkeypatch.setattr(check_proof, "check", refuse)
    assert main([*command, str(tmp_path / "second")]) == 0
    first, second = ({f.name: f.read_text() for f in (tmp_path / name).iterdir()} for name in ("first", "second"))
    assert first == second
