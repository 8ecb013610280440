"""taut abbreviate: what it prints, what it writes, and how it takes what is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from taut.reduce.operations import FUNCTIONS
from unit.test_cli import assert_one_sentence, run

SMALL = """
name = "small"
[[joint]]
name = "pivot"
turns = [["x", "90 deg"]]
limits = { lower = -1, upper = 1, velocity = 1, effort = 10 }
link = { mass = 1, com = [0.5, 0.001, 0] }
[[joint]]
name = "tip"
xyz = [0.5, 0, 0]
limits = { lower = -1, upper = 1, velocity = 1, effort = 10 }
link = { mass = 0.5, com = [0.2, 0, 0] }
"""


@pytest.fixture
def small(tmp_path: Path) -> str:
    file = tmp_path / "small.toml"
    file.write_text(SMALL)
    return str(file)


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "abbreviate", "puma560", "--threshold", "0.01", "--scenario", "armstrong", "--json")
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert (found["robot"], found["rule"], found["threshold"]) == ("puma560", "armstrong", 0.01)
    for when in ("before", "after"):
        assert set(found["operations"][when]) == set(FUNCTIONS)
        for row in found["operations"][when].values():
            assert row["total"] == row["mul"] + row["add"]
    assert found["operations"]["after"]["torque"]["total"] <= 305
    assert found["operations"]["mass_matrix_as_printed"]["total"] <= 25
    assert len(found["terms"]["dropped"]) == found["terms"]["before"] - found["terms"]["after"]
    assert all(row["share"] < 0.01 for row in found["terms"]["dropped"])
    assert list(found["error"]) == [f"joint{k}" for k in range(1, 7)]
    for row in found["error"].values():
        assert 0 < row["rms"] < row["worst"] <= row["bound"] < 0.02 * row["largest_torque"]
    assert found["positive_definite"]["proved"] is True
    assert found["scenario"]["joints"]["joint2"]["qd"] == [-1.5, 1.5]


def test_text_and_equations(capsys: pytest.CaptureFixture[str], small: str) -> None:
    code, out, _ = run(capsys, "abbreviate", small, "--rule", "torque", "--equations")
    assert code == 0
    assert "small abbreviated by rule torque, threshold 1 %" in out
    assert "positive definite" in out
    assert "M11 = " in out


def test_operations_mean_the_budget_rule(capsys: pytest.CaptureFixture[str], small: str) -> None:
    code, out, _ = run(capsys, "abbreviate", small, "--operations", "20", "--effort", "normal", "--json")
    found = json.loads(out)
    assert (code, found["rule"], found["threshold"]) == (0, "budget", None)
    assert found["operations"]["after"]["torque"]["total"] <= 20
    assert found["operations"]["after_search"]["torque"]["total"] <= found["operations"]["after"]["torque"]["total"]


def test_figure(capsys: pytest.CaptureFixture[str], small: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "curve.svg"
    code, out, _ = run(capsys, "abbreviate", small, "--plot", str(path), "--json")
    assert code == 0
    assert path.read_text().count("<svg") == 1
    assert len(json.loads(out)["curve"]) > 1


@pytest.mark.parametrize(
    "options",
    [
        ("--threshold", "2"),
        ("--rule", "guess"),
        ("--rule", "budget"),
        ("--rule", "torque", "--operations", "3"),
        ("--operations", "-5"),
        ("--scenario", "no such file.toml"),
        ("--effort", "huge"),
        ("--plot", "curve.txt"),
        ("--plot", "no/such/folder/curve.svg"),
    ],
)
def test_mistakes_are_one_sentence(capsys: pytest.CaptureFixture[str], small: str, options: tuple[str, ...]) -> None:
    assert_one_sentence(*run(capsys, "abbreviate", small, *options))


def test_a_missing_limit_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "abbreviate", "rx90")
    assert_one_sentence(code, out, err)
    assert "joint 'joint1' has no limit 'effort'" in err


def test_symbols_without_values_are_named_before_anything_is_derived(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    scenario = tmp_path / "scenario.toml"
    scenario.write_text("[all]\nq = [-1, 1]\nqd = 1\nqdd = 1\n")
    code, out, err = run(capsys, "abbreviate", "general_6r", "--scenario", str(scenario))
    assert_one_sentence(code, out, err)
    assert "symbols without values" in err


def test_help_teaches(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "abbreviate", "--help")
    assert code == 0
    assert "--operations 200" in out
    assert "guaranteed" in out
