"""Results kept between runs: read again, worked out again after damage or where nothing can be kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from taut.toolchain.remembered import ENDING, remembered


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[int]:
    monkeypatch.setenv("TAUT_CACHE", str(tmp_path / "cache"))
    return []


def worked_out(calls: list[int]) -> int:
    calls.append(1)
    return 40 + len(calls)


def test_a_result_is_worked_out_once_for_an_identity(calls: list[int]) -> None:
    assert [remembered(name, lambda: worked_out(calls)) for name in ("one", "one", "other", "one")] == [41, 41, 42, 41]


def test_a_damaged_file_is_not_read(calls: list[int], tmp_path: Path) -> None:
    remembered("one", lambda: worked_out(calls))
    [file] = (tmp_path / "cache").glob(f"*{ENDING}")
    file.write_bytes(file.read_bytes()[:-1])
    assert remembered("one", lambda: worked_out(calls)) == 42


def test_what_raises_is_not_kept(calls: list[int]) -> None:
    with pytest.raises(ZeroDivisionError):
        remembered("one", lambda: 1 // 0)
    assert remembered("one", lambda: worked_out(calls)) == 41


def test_without_a_place_every_call_works_it_out(calls: list[int], tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where the directory should be")
    assert [remembered("one", lambda: worked_out(calls)) for _ in range(2)] == [41, 42]
