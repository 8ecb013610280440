"""Lags of long robots, judged on windows, against those found by tracing the whole robot each time."""

from __future__ import annotations

import pytest

import taut
from taut.derive import derive
from taut.derive.starts import traces
from taut.derive.starts.lags import LONG
from taut.report.general_chain import general_chain


@pytest.mark.parametrize(("robot", "function"), [("ur5e", "inverse_dynamics"), ("tx40", "mass_matrix")])
def test_windows_find_programs_as_short(robot: str, function: str, monkeypatch: pytest.MonkeyPatch) -> None:
    arm = taut.load(robot)
    whole = arm.derive(function, effort="none", fresh=True)
    monkeypatch.setattr(traces, "LONG", 2)
    found = arm.derive(function, effort="none", fresh=True)
    assert found.proof is not None
    assert found.operations.total <= whole.operations.total


def test_a_long_chain_of_symbols_is_traced_without_dividing_by_parameters() -> None:
    found = derive(general_chain(LONG + 1), "inverse_dynamics", parameters="symbolic", effort="none", fresh=True)
    assert found.method.startswith("second_moments") and found.is_safe
    assert found.operations.total < 160 * (LONG + 1)  # 157 for each further joint
