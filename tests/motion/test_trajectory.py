"""Trajectories keep their end conditions, their derivatives are derivatives, and torques follow from files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import taut
from taut.cli import main
from taut.errors import InputError, InputWarning
from taut.formats.columns import columns_text
from taut.trajectory import Trajectory, fourier, point_to_point, through_points
from taut.trajectory.laws import LAWS


def assert_derivatives(motion: Trajectory, slack: float) -> None:
    """Compare rates and accelerations with central differences of positions and rates."""
    h = motion.t[1] - motion.t[0]
    for x, dx in ((motion.q, motion.qd), (motion.qd, motion.qdd)):
        assert (x[2:] - x[:-2]) / (2 * h) == pytest.approx(dx[1:-1], abs=slack)


@pytest.mark.parametrize("law", LAWS)
def test_laws_go_from_rest_to_rest(law: str) -> None:
    motion = point_to_point([0.5, -1.0], [1.5, 2.0], 2.0, law, count=4001)
    assert motion.q[[0, -1]] == pytest.approx(np.array([[0.5, -1.0], [1.5, 2.0]]), abs=1e-12)
    assert np.abs(motion.qd[[0, -1]]).max() < 1e-12
    if law == "trapezoid":  # its acceleration jumps
        assert motion.qd.max(axis=0) == pytest.approx([0.75, 2.25])
        return
    assert np.abs(motion.qdd[[0, -1]]).max() < 1e-12
    assert_derivatives(motion, 1e-4)


def test_known_extremes_of_the_laws() -> None:
    """Angeles: the largest speeds are 15/8, 35/16 and 2 times the mean, the cycloid's acceleration 2 pi."""
    peak = {law: point_to_point([0.0], [1.0], 1.0, law, count=1001).qd.max() for law in LAWS}
    assert [peak["3-4-5"], peak["4-5-6-7"], peak["cycloidal"], peak["trapezoid"]] == pytest.approx(
        [15 / 8, 35 / 16, 2, 1.5]
    )
    assert point_to_point([0.0], [1.0], 1.0, "cycloidal", count=1001).qdd.max() == pytest.approx(2 * np.pi)


def test_a_polynomial_goes_through_its_points() -> None:
    times, points = np.array([1.0, 1.5, 2.5, 3.0]), np.array([[0.0, 1.0], [0.3, 0.2], [-0.4, 0.5], [1.0, 0.0]])
    motion = through_points(times, points, count=2001)
    for t, point in zip(times, points, strict=True):
        assert motion.q[int(np.argmin(np.abs(motion.t - t)))] == pytest.approx(point, abs=1e-9)
    assert max(np.abs(motion.qd[[0, -1]]).max(), np.abs(motion.qdd[[0, -1]]).max()) < 1e-9
    assert_derivatives(motion, 1e-3)


def test_fourier_series() -> None:
    rng = np.random.default_rng(0)
    motion = fourier([0.1, 0.2], rng.normal(size=(3, 2)), rng.normal(size=(3, 2)), period=4.0, count=4001)
    assert motion.q[0] == pytest.approx(motion.q[-1], abs=1e-12)
    assert_derivatives(motion, 1e-4)


@pytest.mark.parametrize("given", [("q", "qd", "qdd"), ("q", "qd"), ("q",)])
def test_torques_along_a_file(given: tuple[str, ...], tmp_path: Path) -> None:
    robot = taut.load("puma560")
    motion = point_to_point([0.0] * 6, [1.0, -1.0, 0.5, 0.2, 0.3, 0.4], 1.0, "4-5-6-7")
    expected = robot.inverse_dynamics(motion.q, motion.qd, motion.qdd)
    file = tmp_path / "motion.csv"
    file.write_text(columns_text(motion.t, {name: getattr(motion, name) for name in given}))
    found = robot.torques(file)
    assert found.tau == pytest.approx(expected, abs=1e-12 if len(given) == 3 else 1e-2)
    assert len(found.trajectory.notes) == 3 - len(given)
    assert found.tau == pytest.approx(robot.torques(found.trajectory).tau, abs=0)


def test_simulation_and_torques_are_inverses(tmp_path: Path) -> None:
    robot = taut.load("puma560")
    done = robot.simulate(torque=lambda t, q, qd: 5 * np.sin(4 * t + np.arange(6)), t=0.2, step=0.01)
    done.save(tmp_path / "motion.csv")
    assert robot.torques(tmp_path / "motion.csv").tau == pytest.approx(done.tau, abs=1e-9)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("t,q1\n0,1\n", "column 'q2' is missing"),
        ("t,elbow\n0,1\n", "column 'elbow' is neither t nor of a joint; the joints of 'double_pendulum' are joint1"),
        ("t,q1,q2\n0,1,x\n", "line 2, column 'q2' holds 'x'"),
        ("t,q1,q2\n0,1\n", "line 2 has 2 cells, expected 3"),
        ("t,q1,q1\n0,1,1\n", "column 'q1' comes twice"),
        ("q1,q2\n0,1\n", "column 't' is missing"),
        ("t,q1,q2\n0,1,1\n0,1,1\n", "time 0 s follows 0 s"),
        ("t,q1,q2\n0,90,1\n", "joint 'joint1' is at 90; it looks like degrees"),
        ("t,q1,q2\n0,1,1\n1,1,1\n", "2 rows are too few to differentiate"),
        ("t\n", "has no rows"),
    ],
)
def test_bad_files_are_one_sentence(text: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "motion.csv"
    file.write_text(text)
    with pytest.raises(InputError, match=words):
        taut.load("double_pendulum").torques(file)
    assert main(["torque", "double_pendulum", str(file)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_rates_in_another_unit_are_pointed_out(tmp_path: Path) -> None:
    motion = point_to_point([0.0] * 6, [1.0] * 6, 1.0)
    file = tmp_path / "motion.csv"
    file.write_text(columns_text(motion.t, {"q": motion.q, "qd": np.degrees(motion.qd)}))
    with pytest.warns(InputWarning, match="the rate of joint 'joint1' differs from the slope"):
        taut.load("puma560").torques(file)


def test_the_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    motion, file, out = point_to_point([0.0] * 6, [1.0] * 6, 1.0), tmp_path / "motion.csv", tmp_path / "tau.csv"
    file.write_text(columns_text(motion.t, {"q": motion.q}))
    figure = tmp_path / "tau.svg"
    assert main(["torque", "puma560", str(file), "-o", str(out), "--plot", str(figure)]) == 0
    assert "<svg" in figure.read_text()
    assert "note: rates differentiated from positions" in capsys.readouterr().out
    assert out.read_text().startswith("t,q1,q2,") and len(out.read_text().splitlines()) == 102


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: point_to_point([0.0], [1.0], 0.0), "0.0 seconds; give a time above 0"),
        (lambda: point_to_point([0.0], [1.0], 1.0, "linear"), "law 'linear'; use one of 3-4-5"),
        (lambda: point_to_point([0.0], [1.0, 2.0], 1.0), "give n numbers for both ends"),
        (lambda: point_to_point([0.0], [1.0], 1.0, "trapezoid", blend=0.7), "blend is 0.7"),
        (lambda: through_points([0.0, 0.0], [[1.0], [2.0]]), "give increasing times"),
        (lambda: fourier([0.0], [[1.0]], [[1.0, 2.0]], 1.0), "give n offsets"),
    ],
)
def test_bad_input_is_one_sentence(call: object, words: str) -> None:
    with pytest.raises(InputError, match=words):
        call()  # type: ignore[operator]
