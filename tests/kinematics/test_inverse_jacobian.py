"""The inverse Jacobian as a function like the others: numbers, programs, code, singular states, bad input."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest

import taut
from taut.cli import main
from taut.errors import InputError

ARMS = ["puma560", "ur5e", "stanford", "tx40"]


def states(seed: int = 2) -> np.ndarray:
    return np.random.default_rng(seed).uniform(-2, 2, (40, 6))


@pytest.mark.parametrize("name", ARMS)
def test_numbers_and_programs_invert_the_jacobian(name: str) -> None:
    robot, q = taut.load(name), states()
    J = robot.jacobian(q)
    q, J = q[np.linalg.cond(J) < 1e3], J[np.linalg.cond(J) < 1e3]
    G, det = np.linalg.inv(J), np.linalg.det(J)
    scale = np.abs(G).max(axis=(1, 2), keepdims=True)
    assert np.abs((robot.inverse_jacobian(q) - G) / scale).max() < 1e-11
    np.testing.assert_allclose(robot.jacobian_determinant(q), det, rtol=0, atol=1e-12 * np.abs(det).max())
    inverse = robot.derive("inverse_jacobian", effort="none")
    determinant = robot.derive("jacobian_determinant", effort="none")
    assert inverse.proof and determinant.proof
    assert np.abs((inverse(q) - G) / scale).max() < 1e-11
    assert np.abs((inverse.compile()(q) - G) / scale).max() < 1e-11
    np.testing.assert_allclose(determinant(q)[:, 0], det, rtol=0, atol=1e-12 * np.abs(det).max())


def test_a_frame_may_be_any_that_six_joints_move() -> None:
    robot, q = taut.load("ur5e"), states()[:5]
    found = robot.derive("inverse_jacobian:wrist_3_link", effort="none")
    assert found.frame == "wrist_3_link"
    product = np.matmul(found(q), robot.jacobian(q, "wrist_3_link"))
    np.testing.assert_allclose(product, np.broadcast_to(np.eye(6), (5, 6, 6)), rtol=0, atol=1e-9)


def test_the_determinant_is_zero_where_the_arm_is_singular() -> None:
    robot = taut.load("puma560")
    wrist = [0.1, 0.2, 0.3, 0.4, 0.0, 0.5]
    assert abs(robot.jacobian_determinant(wrist)) < 1e-16
    assert robot.derive("jacobian_determinant", effort="none")(wrist)[0] == 0
    with pytest.raises(InputError, match="'link6' is singular: its determinant is 0"):
        robot.inverse_jacobian(wrist)
    with pytest.raises(InputError, match="singular at state 1"):
        robot.inverse_jacobian([[0.3] * 6, wrist])
    inverse = robot.derive("inverse_jacobian", effort="none")
    with np.errstate(all="ignore"):
        assert not np.isfinite(inverse.compile()(wrist)).all()
    assert "det J = -a2 S5 (" in " ".join(inverse.remarks)


def test_an_arm_without_structure_goes_by_cofactors() -> None:
    robot = taut.load("puma560").with_values({})
    function = robot.derive("inverse_jacobian", method="textbook", effort="none")
    q = states()[:3]
    np.testing.assert_allclose(function(q), np.linalg.inv(robot.jacobian(q)), rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("name", ["panda", "scara"])
def test_a_jacobian_that_is_not_square_is_refused(
    name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["generate", name, "-o", str(tmp_path / "out"), "--functions", "inverse_jacobian"]) == 2
    said = capsys.readouterr().err
    assert "not square" in said and len(said.strip().split("\n")) == 1


def test_a_frame_that_does_not_exist_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["count", "puma560", "--function", "inverse_jacobian:hand", "--effort", "none"]) == 2
    said = capsys.readouterr().err
    assert "no frame 'hand'" in said and len(said.strip().split("\n")) == 1


def test_a_frame_that_not_all_joints_move_is_refused() -> None:
    robot = taut.load("puma560")
    for call in (lambda: robot.derive("inverse_jacobian:link3"), lambda: robot.jacobian_determinant([0] * 6, "link3")):
        with pytest.raises(InputError, match="3 of 6 joints move the frame 'link3'; name one"):
            call()


def test_the_code_passes_its_own_test(tmp_path: Path) -> None:
    out = tmp_path / "code"
    wanted = ["inverse_jacobian", "jacobian_determinant"]
    done = taut.load("puma560").generate(out, wanted, effort="none")
    assert [row.name for row in done.functions] == wanted and not done.partial
    assert "det J = -a2 S5 (" in (out / "puma560.h").read_text() + (out / "puma560.c").read_text()
    program = tmp_path / "selftest"
    subprocess.run(["cc", "-O2", "-o", str(program), *map(str, out.glob("*.c")), "-lm"], check=True)
    assert "passed" in subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout
