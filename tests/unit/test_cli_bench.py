"""`taut bench`: answers compared before they are timed, absent peers named, bad requests refused in one sentence."""

from __future__ import annotations

import builtins
import json
import shutil
from typing import Any

import numpy as np
import pytest

import taut
from taut.cli import main
from taut.report import bench as benching
from taut.report import stopwatch
from taut.report.counts import Settings
from taut.report.peers import PEERS, Asked, Peer

needs_a_compiler = pytest.mark.skipif(not any(map(shutil.which, ("cc", "gcc", "clang"))), reason="no C compiler here")
QUICK = Settings(effort="none")


@pytest.fixture(autouse=True)
def few_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(benching, "ROUNDS", 1)


@needs_a_compiler
def test_taut_alone_as_data(capsys: pytest.CaptureFixture[str]) -> None:
    command = "bench double_pendulum --effort none --peers none --functions inverse_dynamics,gravity --json"
    assert main(command.split()) == 0
    found = json.loads(capsys.readouterr().out)
    assert [(t["function"], t["way"]) for t in found["timings"]] == [
        (name, way) for name in ("inverse_dynamics", "gravity") for way in benching.WAYS
    ]
    assert all(t["who"] == "taut" and 0 < t["nanoseconds"] and t["error"] < 1e-12 for t in found["timings"])
    assert found["absent"] == {} and found["wrong"] == []


@pytest.mark.slow
@needs_a_compiler
def test_pinocchio_and_mujoco_answer_the_same_question() -> None:
    functions = ["inverse_dynamics", "gravity", "forward_dynamics", "mass_matrix", "bias"]
    found = benching.bench(taut.load("puma560").tree, functions, ["pin", "mujoco"], QUICK)
    assert found.wrong == []
    by_peer = {who: {t.function for t in found.timings if t.who.startswith(who)} for who in ("Pinocchio", "MuJoCo")}
    assert by_peer["Pinocchio"] == set(functions)
    assert by_peer["MuJoCo"] == {"inverse_dynamics", "gravity", "bias"} or "MuJoCo" in found.absent


@needs_a_compiler
def test_a_free_base() -> None:
    robot = taut.load("double_pendulum", base="free")
    found = benching.bench(robot.tree, ["inverse_dynamics", "mass_matrix"], ["pin", "mujoco"], QUICK)
    assert found.wrong == []
    assert {t.who.split()[0] for t in found.timings} == {"taut", "Pinocchio"}
    assert "free base" in found.absent["MuJoCo"]


@needs_a_compiler
def test_a_peer_that_is_not_installed_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name.split(".")[0] in ("pinocchio", "casadi"):
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    assert main("bench double_pendulum --effort none --peers pin,casadi --functions gravity".split()) == 0
    said = capsys.readouterr().out
    assert "Pinocchio: not measured, not installed: pip install pin" in said
    assert "CasADi: not measured, not installed: pip install casadi" in said


@needs_a_compiler
def test_a_peer_that_answers_something_else_is_not_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = Peer("Wrong", "wrong", lambda robot: {"gravity": Asked(lambda q: np.full(robot.nv, 3.0))})
    monkeypatch.setitem(PEERS, "wrong", wrong)
    found = benching.bench(taut.load("double_pendulum").tree, ["gravity"], ["wrong"], QUICK)
    assert {t.who for t in found.timings} == {"taut"}
    assert len(found.wrong) == 1 and "Wrong" in found.wrong[0]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("--functions torque", "no function 'torque'"),
        ("--functions jacobian", "no function 'jacobian' to time"),
        ("--peers drake", "no peer 'drake'"),
    ],
)
def test_bad_requests(options: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "double_pendulum", *options.split()]) == 2
    error = capsys.readouterr().err
    assert said in error and "choose from" in error and len(error.splitlines()) == 1


def test_the_least_that_is_confirmed_of_everyones_turns_counts() -> None:
    times = {"a": iter([9.0, 8.0, 7.0, 3.0, 3.01]), "b": iter([4.0, 4.0, 4.0, 6.0, 2.0])}
    turns: list[str] = []

    def of(who: str) -> stopwatch.Measurement:
        def measured(loops: int) -> float:
            turns.append(who)
            return next(times[who])

        return measured

    assert stopwatch.least({who: (64, of(who)) for who in times}, rounds=2) == {"a": 3.0, "b": 4.0}
    assert turns[6:] == ["a", "b", "a", "b"]
