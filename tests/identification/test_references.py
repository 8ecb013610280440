"""Estimators that use references: noise on positions biases least squares, not what is simulated."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import taut
from identification.synthetic import excited
from identification.test_formula_terms import arm
from identification.test_identify import write_csv
from taut.api import Robot
from taut.cli import main
from taut.control.feed_forward import FeedForward
from taut.control.law import Following
from taut.errors import InputError
from taut.identify.estimate.identification import Identification, Settings
from taut.recordings.recording import Recording

KP, KD = [600.0, 300.0], [60.0, 25.0]
NOISE = 1e-2


@pytest.fixture(scope="module")
def followed() -> tuple[Robot, Recording]:
    """Return a robot and a recording of it under a controller: its positions very noisy, its references exact."""
    robot, rng = arm(), np.random.default_rng(8)
    t, q, qd, qdd = excited(robot, seconds=20.0)

    def reference(times: np.ndarray) -> tuple[np.ndarray, ...]:
        return tuple(np.stack([np.interp(times, t, c) for c in x.T], 1) for x in (q, qd, qdd))

    law = FeedForward(np.array(KP), np.array(KD))
    run = robot.simulate(q[0], qd[0], Following(law, reference), t, drives=True)
    tau = robot.joint_torque(run.q, run.qd, run.qdd)
    measured = run.q + rng.normal(0, NOISE, q.shape)
    return robot, Recording("made", t, measured, tau + rng.normal(0, 0.02, q.shape) * tau.std(0), reference=q)


def fitted(followed: tuple[Robot, Recording], estimator: str, simulated: bool = True) -> Identification[Robot]:
    robot, made = followed
    law = FeedForward(np.array(KP), np.array(KD)) if simulated else None
    return taut.identify(robot, [made], settings=Settings(estimator=estimator, law=law))


def torque_error(robot: Robot, fit: Identification[Robot]) -> float:
    """Return the largest relative torque error of a fitted robot on another motion without noise."""
    _, q, qd, qdd = excited(robot, seed=5)
    expected, found = robot.joint_torque(q, qd, qdd), fit.robot.joint_torque(q, qd, qdd)
    return float(np.sqrt(((expected - found) ** 2).mean(0) / (expected**2).mean(0)).max())


@pytest.mark.slow
def test_simulated_motions_are_not_biased_by_noise(followed: tuple[Robot, Recording]) -> None:
    robot = followed[0]
    plain = torque_error(robot, fitted(followed, "squares"))
    for estimator, part in (("output_error", 0.5), ("instrumental", 0.6)):
        fit = fitted(followed, estimator)
        assert torque_error(robot, fit) < part * plain
        assert fit.consistent
        assert any("simulations" in note for note in fit.notes)
    fit = fitted(followed, "output_error", simulated=False)
    assert torque_error(robot, fit) < 0.6 * plain
    assert any("along the references" in note for note in fit.notes)


def test_from_a_file_with_gains_in_the_mapping(
    followed: tuple[Robot, Recording], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    robot, made = followed
    assert made.reference is not None
    columns = {"t": made.t}
    for name, x in (("q", made.q), ("tau", made.tau), ("q_ref", made.reference)):
        columns |= {f"{name}{k + 1}": x[:, k] for k in range(2)}
    log, file, mapping = write_csv(tmp_path / "log.csv", columns), tmp_path / "arm.toml", tmp_path / "drives.toml"
    file.write_text(robot.to_toml(), "utf-8")
    mapping.write_text(f"kp = {KP}\nkd = {KD}\n", "utf-8")
    asked = ["identify", str(file), log, "--mapping", str(mapping), "--estimator"]
    assert main([*asked, "output_error"]) == 0
    assert "output error along the simulated motion" in " ".join(capsys.readouterr().out.split())
    assert main([*asked, "best"]) == 2
    assert "--estimator" in capsys.readouterr().err


def test_missing_references_are_named(followed: tuple[Robot, Recording]) -> None:
    robot, made = followed
    with pytest.raises(InputError, match="no references"):
        taut.identify(robot, [Recording("bare", made.t, made.q, made.tau)], settings=Settings(estimator="instrumental"))
