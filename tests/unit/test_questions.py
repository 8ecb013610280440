"""One record a question: a toy question added here works everywhere, and how users spell questions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import taut
from taut.cli import main
from taut.errors import InputError
from taut.graph.stage import Stage
from taut.questions.arguments import ARGUMENTS, Argument
from taut.questions.machine import Vector
from taut.questions.quantity import Quantity
from taut.questions.question import Question, Space, of_size
from taut.questions.rigid_body import gravity, mass_matrix
from taut.questions.table import QUESTIONS, asked
from taut.robot import Tree


def tracking_power(robot: Tree, q: Vector, qd: Vector, qd_wanted: Vector) -> Vector:
    """Return [qd_wanted . M qd, qd_wanted . g], two powers along a wanted velocity."""
    Mqd = [sum(m * rate for m, rate in zip(row, qd, strict=True)) for row in mass_matrix(robot, q)]
    return [sum(w * x for w, x in zip(qd_wanted, part, strict=True)) for part in (Mqd, gravity(robot, q))]


TOY_ARGUMENT = Argument("qd_wanted", Stage.VELOCITY, "wanted joint rates [rad/s or m/s]")
TOY = Question(
    "tracking_power",
    tracking_power,
    ("q", "qd", "qd_wanted"),
    of_size(2),
    Quantity("P", "powers along the wanted velocity", "W"),
    Space.JOINT,
    aliases=("power",),
)


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ARGUMENTS, TOY_ARGUMENT.name, TOY_ARGUMENT)
    monkeypatch.setitem(QUESTIONS, TOY.name, TOY)


@pytest.mark.usefixtures("toy")
class TestAToyQuestion:
    def test_numbers_and_derivation_agree(self) -> None:
        robot = taut.load("ur5e")
        q, qd, wanted = np.random.default_rng(1).uniform(-1, 1, (3, 5, robot.dof))
        expected = np.stack(
            [
                np.einsum("ki,kij,kj->k", wanted, robot.mass_matrix(q), qd),
                np.einsum("ki,ki->k", wanted, robot.gravity(q)),
            ],
            axis=-1,
        )
        np.testing.assert_allclose(robot.evaluate("power", q, qd, wanted), expected, rtol=1e-12)
        derived = robot.derive("power", effort="none")
        assert derived.name == "tracking_power" and derived.proof is not None
        np.testing.assert_allclose(derived(q, qd, wanted), expected, rtol=1e-11, atol=1e-13)
        np.testing.assert_allclose(derived.compile()(q, qd, wanted), expected, rtol=1e-11, atol=1e-13)

    def test_the_command_line_lists_counts_and_prints_it(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["list", "--functions"]) == 0
        listed = capsys.readouterr().out
        assert "P = tracking_power(q, qd, qd_wanted)" in listed and "also power" in listed and "[W]" in listed
        assert main(["count", "ur5e", "--function", "power", "--effort", "none", "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["functions"]["tracking_power"]["verified"]
        assert main(["derive", "ur5e", "--function", "power", "--effort", "none"]) == 0
        assert "P[2] = " in capsys.readouterr().out
        assert main(["compare", "ur5e", "--function", "power", "--effort", "none", "--json"]) == 0
        assert [row["method"] for row in json.loads(capsys.readouterr().out)["methods"]] == ["textbook"]

    @pytest.mark.parametrize("language", ["c", "python", "javascript", "matlab", "latex"])
    def test_every_language_writes_it(self, language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        wanted = ["--functions", "power", "--language", language, "--effort", "none"]
        assert main(["generate", "ur5e", "-o", str(tmp_path / "out"), *wanted, "--json"]) == 0
        (row,) = json.loads(capsys.readouterr().out)["functions"]
        assert row["name"] == "tracking_power"
        assert row["error"] is None or row["error"] < 1e-12
        texts = "".join(path.read_text() for path in (tmp_path / "out").iterdir())
        if language != "latex":
            assert "powers along the wanted velocity [W]" in texts and "wanted joint rates [rad/s or m/s]" in texts


class TestSpelling:
    def test_every_name_and_alias_is_one_question(self) -> None:
        names = [name for known in QUESTIONS.values() for name in (known.name, *known.aliases)]
        assert len(names) == len(set(names))
        assert asked("torque").question.name == "inverse_dynamics"
        assert all(set(known.arguments) <= set(ARGUMENTS) for known in QUESTIONS.values())
        assert all(known.result.letter.isidentifier() for known in QUESTIONS.values())

    @pytest.mark.parametrize(
        ("text", "sentence"),
        [
            ("torqe", "did you mean 'torque'"),
            ("gravity:tool", "gravity has no frame"),
            ("jacobian:", "no frame after"),
            ("zzz", "choose one of"),
        ],
    )
    def test_a_wrong_spelling_is_one_sentence(self, text: str, sentence: str) -> None:
        with pytest.raises(InputError, match=sentence):
            asked(text)

    def test_a_frame_may_follow_the_name(self, capsys: pytest.CaptureFixture[str]) -> None:
        robot = taut.load("ur5e")
        names = [joint.link.name for joint in robot.tree.joints][-2:]
        for name in names:
            derived = robot.derive(f"jacobian:{name}", effort="none")
            assert derived.frame == name
            assert derived.program == robot.derive("jacobian", effort="none", frame=name).program
        both = [f"jacobian:{name}" for name in names]
        assert main(["count", "ur5e", "--function", *both, "--effort", "none", "--json"]) == 0
        assert list(json.loads(capsys.readouterr().out)["functions"]) == both
        q: Any = np.full(6, 0.3)
        np.testing.assert_array_equal(robot.evaluate(both[0], q), robot.jacobian(q, names[0]))

    def test_two_different_frames_are_refused(self) -> None:
        robot = taut.load("ur5e")
        names = [joint.link.name for joint in robot.tree.joints][-2:]
        with pytest.raises(InputError, match="two frames"):
            robot.derive(f"jacobian:{names[0]}", frame=names[1], effort="none")
