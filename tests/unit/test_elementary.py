"""The table of elementary functions: tanh, added here alone, works in the graph, in proofs and in every language."""

from __future__ import annotations

import json
import math
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import taut
from taut.analysis.opcount import count
from taut.cli import main
from taut.emit.sympy import node_from_sympy, node_to_sympy
from taut.formats.formula import parse as parse_formula
from taut.graph import Graph
from taut.graph.derivative import tangent
from taut.graph.elementary import FUNCTIONS, Elementary, Parity, at_zero
from taut.graph.evaluate import evaluate
from taut.graph.field import FieldPoint
from taut.graph.lower import lower
from taut.graph.operation import Op
from taut.graph.program_text import parse_program
from taut.graph.prove import equal
from taut.graph.text import dump, parse
from taut.questions.machine import Vector
from taut.questions.quantity import Quantity
from taut.questions.question import Question, Space, per_joint
from taut.questions.rigid_body import gravity
from taut.questions.table import QUESTIONS
from taut.robot import Tree
from taut.spatial.array import elementary

TANH = Elementary(
    "tanh",
    Parity.ODD,
    partial(elementary, "tanh"),
    derivative=lambda x, y: (1, 1 - y * y),
    numpy="tanh",
    exact=at_zero(0),
)


def soft_friction(robot: Tree, q: Vector, qd: Vector) -> Vector:
    """Return g(q) + tanh(10 qd), gravity and a smooth Coulomb friction."""
    return [g + elementary("tanh", 10 * rate) for g, rate in zip(gravity(robot, q), qd, strict=True)]


SOFT_FRICTION = Question(
    "soft_friction", soft_friction, ("q", "qd"), per_joint, Quantity("tau", "torques", "N m"), Space.JOINT
)


@pytest.fixture(autouse=True)
def tanh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FUNCTIONS, "tanh", TANH)
    monkeypatch.setitem(QUESTIONS, "soft_friction", SOFT_FRICTION)


class TestInTheGraph:
    def test_signs_zero_values_and_derivative(self) -> None:
        g = Graph()
        x = g.symbol("x")
        y = x.elementary("tanh")
        assert (-x).elementary("tanh") is -y and g.function("tanh", 0).is_zero
        assert evaluate([y], {"x": 0.7}) == [math.tanh(0.7)]
        np.testing.assert_array_equal(evaluate([y], {"x": np.array([0.1, 0.2])})[0], np.tanh([0.1, 0.2]))
        [slope] = tangent([y], {x: 1})
        assert evaluate([slope], {"x": 0.7})[0] == pytest.approx(1 - math.tanh(0.7) ** 2)

    def test_the_field_knows_its_parity_and_nothing_else(self) -> None:
        g = Graph()
        x, y = g.symbol("x"), g.symbol("y")
        odd = (x - y).elementary("tanh") + (y - x).elementary("tanh")
        assert odd.is_zero
        product = (x * y).elementary("tanh")
        assert equal([product * 2], [(y * x).elementary("tanh") * 2])
        assert not equal([product], [x.elementary("tanh") * y.elementary("tanh")])
        assert FieldPoint().evaluate([product]) != FieldPoint(index=1).evaluate([product])

    def test_text_count_and_robot_files(self) -> None:
        g = Graph()
        y = g.symbol("x", taut.graph.Stage.VELOCITY).elementary("tanh") ** 2
        assert dump(parse(dump([y]))[1]) == dump([y])
        program = lower([y])
        assert parse_program(program.to_text()) == program and not program.faults()
        assert (count([y]).total, count([y]).other, count([y]).trig) == (1, 1, 0)
        assert parse_formula("2*tanh(0.5)", g) == 2 * math.tanh(0.5)
        assert node_from_sympy(node_to_sympy(y), Graph()).op is Op.PRODUCT


class TestInAFunction:
    def test_it_is_derived_searched_proved_and_compiled(self) -> None:
        robot = taut.load("ur5e")
        q, qd = np.random.default_rng(2).uniform(-1, 1, (2, 9, robot.dof))
        expected = robot.gravity(q) + np.tanh(10 * qd)
        np.testing.assert_allclose(robot.evaluate("soft_friction", q, qd), expected, rtol=1e-13)
        derived = robot.derive("soft_friction")
        assert derived.proof is not None and derived.operations.other == 6
        np.testing.assert_allclose(derived(q, qd), expected, rtol=1e-11, atol=1e-12)
        np.testing.assert_allclose(derived.compile()(q, qd), expected, rtol=1e-11, atol=1e-12)

    @pytest.mark.parametrize("language", ["c", "python", "javascript", "matlab", "latex"])
    def test_every_language_writes_it(self, language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        wanted = ["--functions", "soft_friction", "--language", language, "--effort", "none", "--json"]
        batch = ["--batch"] if language == "c" else []
        assert main(["generate", "ur5e", "-o", str(tmp_path / "out"), *wanted, *batch]) == 0
        (row,) = json.loads(capsys.readouterr().out)["functions"]
        assert row["error"] is None or row["error"] < 1e-12
        assert any("tanh" in path.read_text() for path in (tmp_path / "out").iterdir())
