"""A language of generated code in one place: a calculator's, added here, is written, run and compared."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import taut
from taut.cli import main
from taut.emit.backend import Backend, Built, Request, States
from taut.emit.backends import BACKENDS
from taut.emit.routine import Routine
from taut.emit.spelling import spelled
from taut.emit.statements import Language, description, parameter_names, statements

CALCULATOR = Language(
    functions=spelled("NAME of {}"),
    element=lambda vector, k: f"{vector}.{k}",
    statement=lambda name, right: f"{name} <- {right}",
)


def build(request: Request) -> Built:
    names = parameter_names(request.routines)
    texts = {}
    for routine in request.routines:
        written = statements(routine, CALCULATOR, names)
        rows = [f"# {row}" for row in description(routine)] + written.statements
        texts[f"{routine.name}.calc"] = "\n".join([*rows, *(f"= {text}" for text in written.outputs)])
    return Built(texts, partial(run, texts))


def run(texts: dict[str, str], routine: Routine, states: States, parameters: Sequence[float]) -> np.ndarray:
    """Return the answers of a calculator that reads the text line by line."""

    def value(word: str, known: dict[str, float]) -> float:
        word = word.removeprefix("(").removesuffix(")")
        if word.startswith("-") and word[1:] in known:
            return -known[word[1:]]
        return known[word] if word in known else float(word)

    def one(k: int) -> list[float]:
        known = {f"{name}.{i}": float(x) for name, rows in states.items() for i, x in enumerate(rows[k])}
        known |= {f"p.{i}": x for i, x in enumerate(parameters)}
        answers = []
        for row in texts[f"{routine.name}.calc"].split("\n"):
            name, _, right = row.partition("<- " if "<-" in row else "= ")
            if row.startswith("#"):
                continue
            match right.split():
                case [a, "of", b]:
                    found = getattr(math, a)(value(b, known))
                case [a, "+", b]:
                    found = value(a, known) + value(b, known)
                case [a, "-", b]:
                    found = value(a, known) - value(b, known)
                case [a, "*", b]:
                    found = value(a, known) * value(b, known)
                case [a, "/", b]:
                    found = value(a, known) / value(b, known)
                case [a]:
                    found = value(a, known)
                case words:
                    raise AssertionError(words)
            if name:
                known[name.strip()] = found
            else:
                answers.append(found)
        return answers

    return np.array([one(k) for k in range(len(next(iter(states.values()))))])


@pytest.fixture(autouse=True)
def calculator(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BACKENDS, "calculator", Backend("calculator", build))


FUNCTIONS = ("inverse_dynamics", "mass_matrix", "forward_dynamics", "jacobian")


@pytest.mark.parametrize(("robot", "parameters"), [("ur5e", "numeric"), ("double_pendulum", "pattern")])
def test_it_is_written_run_and_compared(
    robot: str, parameters: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--functions", ",".join(FUNCTIONS), "--language", "calculator", "--effort", "none", "--json"]
    assert main(["generate", robot, "-o", str(tmp_path / "out"), *options, "--parameters", parameters]) == 0
    rows = json.loads(capsys.readouterr().out)["functions"]
    assert [row["name"] for row in rows] == list(FUNCTIONS)
    assert all(row["error"] < 1e-11 for row in rows)
    assert {path.name for path in (tmp_path / "out").iterdir()} >= {f"{name}.calc" for name in FUNCTIONS}


def test_python_asks_for_it_by_name(tmp_path: Path) -> None:
    taut.load("ur5e").generate(tmp_path / "out", ["gravity"], language="calculator", effort="none")
    assert "torques that hold the robot still [N m or N]" in (tmp_path / "out" / "gravity.calc").read_text()


def test_a_wrong_text_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(request: Request) -> Built:
        built = build(request)
        texts = {name: re.sub(r"(<- \S+) \+", r"\1 -", text, count=1) for name, text in built.files.items()}
        return Built(texts, partial(run, texts))

    monkeypatch.setitem(BACKENDS, "calculator", Backend("calculator", wrong))
    options = ["--functions", "inverse_dynamics", "--language", "calculator", "--effort", "none"]
    assert main(["generate", "ur5e", "-o", str(tmp_path / "out"), *options]) != 0
    assert not (tmp_path / "out").exists()
