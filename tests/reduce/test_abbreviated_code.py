"""An abbreviated model as code: few operations by recount, the error within its stated bound."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import numpy as np
import pytest

import taut
from emitted.recount import operations
from taut.api.equations import ShorterEquations
from taut.cli import main
from taut.errors import InputError
from taut.tasks.abbreviated import abbreviated_tasks

PUBLISHED = 305
"""Operations of Armstrong's abbreviated PUMA 560, all elements and the torque."""


@pytest.fixture(scope="module")
def small() -> ShorterEquations:
    return taut.load("puma560").explicit(verify=False).abbreviate(0.01)


def test_the_command_writes_code_that_passes_its_self_test(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wanted = ["--functions", "torque,mass_matrix,forward_dynamics,explicit_torque", "--effort", "none", "--json"]
    assert main(["generate", "puma560", "-o", str(tmp_path), "--abbreviate", "0.01", *wanted]) == 0
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)["functions"]}
    assert all(row["error"] < 1e-12 for row in rows.values())
    counted = operations((tmp_path / "puma560.c").read_text())
    assert counted == {f"puma560_{name}": row["operations"] for name, row in rows.items()}
    assert counted["puma560_inverse_dynamics"] < counted["puma560_explicit_torque"] <= 302 < PUBLISHED
    header = (tmp_path / "puma560.h").read_text()
    assert "NOT EXACT: abbreviated by rule armstrong at 1 percent" in header
    assert "joint2: -3.927 to 0.7854" in header and "No state of the scenario exceeds the bound." in header
    subprocess.run(["cc", "puma560.c", "selftest.c", "-o", "selftest", "-lm"], cwd=tmp_path, check=True)
    assert subprocess.run(["./selftest"], cwd=tmp_path, check=False, capture_output=True).returncode == 0


def test_the_torque_is_within_its_bound(small: ShorterEquations) -> None:
    states = small.scenario.sample(10_000, seed=11)
    found = small.function("torque", effort="normal").compile()(*states)
    error = np.abs(found - taut.load("puma560").inverse_dynamics(*states)).max(axis=0)
    bounds = np.array([joint.bound for joint in small.errors])
    assert (error <= bounds).all() and (error > 0.1 * bounds).all()


def test_tasks_at_two_rates(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wanted = ["--abbreviate", "0.01", "--tasks", "two-rate", "--effort", "none", "--json"]
    assert main(["generate", "puma560", "-o", str(tmp_path), *wanted]) == 0
    tasks = json.loads(capsys.readouterr().out)["tasks"]
    counted = operations((tmp_path / "puma560.c").read_text())
    assert counted == {f"puma560_{name}": task["total"] for name, task in tasks.items()}
    assert sum(counted.values()) < PUBLISHED and counted["puma560_synchronous"] <= 36
    assert (tmp_path / "puma560.h").read_text().count("No state of the scenario exceeds the bound.") == 3
    command = ["cc", "-std=c11", "puma560.c", "puma560_tasks.c", "selftest_tasks.c", "-o", "selftest", "-lm"]
    subprocess.run(command, cwd=tmp_path, check=True)
    assert subprocess.run(["./selftest"], cwd=tmp_path, check=False, capture_output=True).returncode == 0


def test_recombined_tasks_are_within_the_bound(small: ShorterEquations) -> None:
    q, qd, qdd = small.scenario.sample(2000, seed=12)
    plan, proved = abbreviated_tasks(small, [("inverse_dynamics", None), ("gravity", None)], "two-rate", effort="none")
    found = plan(q=q, qd=qd, qdd=qdd)
    np.testing.assert_allclose(found["inverse_dynamics"], small.function("torque", "none")(q, qd, qdd), atol=1e-11)
    np.testing.assert_allclose(found["gravity"], small.function("gravity", "none")(q), atol=1e-12)
    error = np.abs(found["inverse_dynamics"] - taut.load("puma560").inverse_dynamics(q, qd, qdd)).max(axis=0)
    assert (error <= [joint.bound for joint in small.errors]).all() and "abbreviated" in proved.text


def test_several_functions_in_one(small: ShorterEquations) -> None:
    q, qd, _ = small.scenario.sample(5, seed=4)
    both = small.function("gravity+bias", effort="none")
    np.testing.assert_allclose(both(q, qd)[:, 6:], small.function("bias", "none")(q, qd), atol=1e-12)
    assert list(both.parts) == ["gravity", "bias"]


def test_all_functions_are_of_one_model(small: ShorterEquations) -> None:
    q, qd, qdd = small.scenario.sample(50, seed=4)
    f = {name: small.function(name, effort="none") for name in ("torque", "M", "g", "bias", "forward_dynamics")}
    tau = f["torque"](q, qd, qdd)
    np.testing.assert_allclose(np.einsum("sij,sj->si", f["M"](q), qdd) + f["bias"](q, qd), tau, atol=1e-11)
    np.testing.assert_allclose(f["bias"](q, np.zeros_like(qd)), f["g"](q), atol=1e-12)
    np.testing.assert_allclose(f["forward_dynamics"](q, qd, tau), qdd, rtol=1e-9, atol=1e-9)
    assert all(function.proof is not None for function in f.values())


def test_other_languages(small: ShorterEquations, tmp_path: Path) -> None:
    for language in ("python", "matlab", "latex"):
        made = small.generate(tmp_path / language, "torque", language=language, effort="none")
        assert made.functions[0].error is None or made.functions[0].error < 1e-12
        text = "".join((tmp_path / language / name).read_text() for name in made.files)
        assert "NOT EXACT" in text and "bound of the torque error" in text


def test_a_load_that_comes_and_goes_is_refused() -> None:
    robot = taut.load("puma560")
    loaded = robot.explicit(verify=False).abbreviate(0.5, {"load": {"mass": 1.0}})
    with pytest.raises(InputError, match="leave the load out"):
        loaded.function("torque")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["puma560", "--rule", "torque"], "without --abbreviate"),
        (
            ["puma560", "--abbreviate", "0.01", "--tasks", "two-rate", "--functions", "joint_torque"],
            "no abbreviated joint_torque",
        ),
        (
            ["puma560", "--abbreviate", "0.01", "--tasks", "two-rate", "--functions", "jacobian"],
            "no abbreviated jacobian",
        ),
        (["puma560", "--form", "hierarchy", "--tasks", "two-rate"], "--form with --tasks"),
        (["puma560", "--abbreviate", "2"], "give a share from 0 to below 1"),
        (["puma560", "--abbreviate", "0.01", "--rule", "best"], "rule 'best'"),
        (["puma560", "--abbreviate", "0.01", "--functions", "jacobian"], "no abbreviated jacobian"),
        (["puma560", "--abbreviate", "0.01", "--parameters", "base"], "--parameters with --abbreviate"),
        (["stanford", "--abbreviate", "0.01"], "has no limit 'lower'"),
    ],
)
def test_bad_input_is_one_sentence(
    options: list[str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["generate", *options, "-o", str(tmp_path / "out")]) == 2
    said = capsys.readouterr().err
    assert sentence in said and said.count("\n") == 1
    assert not (tmp_path / "out").exists()
