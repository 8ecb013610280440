"""Several functions in one: the same numbers, sines once, never more operations than the parts apart."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import taut
from taut.cli import main
from taut.derive import Function
from taut.errors import InputError
from taut.questions.table import asked

LOOP = "inverse_dynamics+jacobian+gravity"


@pytest.fixture(scope="module")
def robot() -> taut.Robot:
    return taut.load("panda", lock={f"panda_joint{k}": 0.3 for k in (5, 6, 7)})


@pytest.fixture(scope="module")
def fused(robot: taut.Robot) -> Function:
    return robot.derive(LOOP, effort="none")


def states(robot: taut.Robot, count: int = 20) -> list[np.ndarray]:
    rng = np.random.default_rng(3)
    return [robot.random_position(count, seed=4), *rng.uniform(-2, 2, (2, count, robot.nv))]


def test_every_part_is_the_function_it_says(robot: taut.Robot, fused: Function) -> None:
    q, qd, qdd = states(robot)
    parts = fused.separate(fused.compile()(q, qd, qdd))
    np.testing.assert_allclose(parts["inverse_dynamics"], robot.inverse_dynamics(q, qd, qdd), atol=1e-10)
    np.testing.assert_allclose(parts["jacobian"], robot.jacobian(q), atol=1e-12)
    np.testing.assert_allclose(parts["gravity"], robot.gravity(q), atol=1e-10)
    assert fused.proof is not None


def test_it_costs_no_more_than_its_parts_and_shares_sines(robot: taut.Robot, fused: Function) -> None:
    apart = [robot.derive(name, effort="none") for name in LOOP.split("+")]
    assert fused.operations.total <= sum(f.operations.total for f in apart)
    assert fused.operations.trig < sum(f.operations.trig for f in apart)


def test_numbers_by_name_and_with_a_free_base() -> None:
    robot = taut.load("panda", base="free", lock={f"panda_joint{k}": 0.3 for k in range(3, 8)})
    frame = robot.tree.frames[-1].name
    q, qd, qdd = states(robot)
    found = robot.evaluate(f"momentum+J:{frame}+torque", q, qd, qdd)
    np.testing.assert_allclose(found[:, :6], robot.momentum(q, qd), atol=1e-12)
    np.testing.assert_allclose(found[:, -robot.nv :], robot.inverse_dynamics(q, qd, qdd), atol=1e-12)
    derived = robot.derive(f"momentum+J:{frame}+torque", effort="none")
    np.testing.assert_allclose(derived(q, qd, qdd), found, atol=1e-10)


@pytest.mark.parametrize("language", ["c", "python", "javascript", "matlab", "latex"])
def test_every_language_writes_it(robot: taut.Robot, language: str, tmp_path: Path) -> None:
    done = robot.generate(tmp_path / "out", ["gravity+jacobian"], language=language, effort="none")
    assert done.functions[0].name == "gravity_jacobian"
    assert done.functions[0].error is None or done.functions[0].error < 1e-12


def test_the_command_line_takes_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["count", "scara", "--function", "g+M", "--effort", "none"]) == 0
    assert "gravity+mass_matrix" in capsys.readouterr().out


def test_spelling() -> None:
    assert asked("torque+J:tool0+g").label == "inverse_dynamics+jacobian:tool0+gravity"
    assert [part.frame for part in asked("J:a+b+g").question.parts] == ["a+b", None]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("gravity+gravty", "did you mean 'gravity'"),
        ("gravity+g", "there twice"),
        ("gravity+jacobian:nowhere", "nowhere"),
        ("gravity+", "no function ''"),
    ],
)
def test_bad_names_are_one_sentence(robot: taut.Robot, name: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        robot.derive(name, effort="none")
