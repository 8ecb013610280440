"""Lags of long robots, judged on windows, against those found by tracing the whole robot each time."""

from __future__ import annotations

import pytest

import taut
from taut.derive.starts import traces


@pytest.mark.parametrize(("robot", "function"), [("ur5e", "inverse_dynamics"), ("tx40", "mass_matrix")])
def test_windows_find_programs_as_short(robot: str, function: str, monkeypatch: pytest.MonkeyPatch) -> None:
    arm = taut.load(robot)
    whole = arm.derive(function, effort="quick", fresh=True)
    monkeypatch.setattr(traces, "LONG", 2)
    found = arm.derive(function, effort="quick", fresh=True)
    assert found.proof is not None
    assert found.operations.total <= whole.operations.total
