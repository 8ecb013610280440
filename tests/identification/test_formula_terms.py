"""A user's formula of q and qd: a key of the drive, part of joint torque, simulation, C and of the fit."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import taut
from identification.synthetic import excited, recording
from taut.api import Robot
from taut.cli import main
from taut.errors import InputError
from taut.formats.toml import read_toml

ARM = """
name = "arm"
gravity = [0, -9.81, 0]
[[joint]]
drive = {{ coulomb = 1.0, viscous = 0.4, smoothing = 0.01, rotor_inertia = 0.2{first} }}
link = {{ mass = 3, com = [0.2, 0.03, 0], inertia = [0.1, 0, 0.2, 0, 0, 0.2], about = "com" }}
[[joint]]
xyz = [0.4, 0, 0]
drive = {{ coulomb = 0.6, viscous = 0.3, smoothing = 0.01, rotor_inertia = 0.1 }}
link = {{ mass = 2, com = [0.1, -0.02, 0], inertia = [0.05, 0, 0.1, 0, 0, 0.1], about = "com" }}
"""


def arm(formula: str = "") -> Robot:
    return Robot(read_toml(ARM.format(first=f", formula = {formula}" if formula else "")))


STATED = '["2.5*sin(6*q)", "0.7*qd*cos(q)**2"]'


def stated(q: np.ndarray, qd: np.ndarray) -> np.ndarray:
    return 2.5 * np.sin(6 * q[:, 0]) + 0.7 * qd[:, 0] * np.cos(q[:, 0]) ** 2


def test_it_adds_to_the_joint_torque_and_its_contributions() -> None:
    q, qd, qdd = np.random.default_rng(1).uniform(-2, 2, (3, 9, 2))
    more = arm(STATED).joint_torque(q, qd, qdd) - arm().joint_torque(q, qd, qdd)
    assert np.allclose(more, np.stack([stated(q, qd), np.zeros(9)], 1), atol=1e-12)
    rows = arm(STATED).contributions(q, qd, qdd)
    assert np.allclose(rows.torque, arm(STATED).joint_torque(q, qd, qdd), atol=1e-12)


def test_it_is_in_the_compiled_code() -> None:
    robot = arm(STATED)
    q, qd, qdd = np.random.default_rng(2).uniform(-2, 2, (3, 20, 2))
    compiled = robot.derive("joint_torque", effort="none").compile()(q, qd, qdd)
    assert np.allclose(compiled, robot.joint_torque(q, qd, qdd), atol=1e-12)


@pytest.mark.parametrize("write", ["to_toml", "to_urdf"])
def test_files_keep_it(write: str) -> None:
    robot = arm(STATED)
    kind = write.removeprefix("to_")
    again = Robot(taut.formats.read(getattr(robot, write)(), f"arm.{kind}", kind))
    q, qd, qdd = np.random.default_rng(3).uniform(-2, 2, (3, 9, 2))
    assert np.allclose(again.joint_torque(q, qd, qdd), robot.joint_torque(q, qd, qdd), atol=1e-10)


def test_simulation_feels_it() -> None:
    """The torque that the law supplies is the joint torque along the simulated motion."""
    robot = arm('"-30*q - 2*qd"')
    run = robot.simulate([0.4, -0.2], [0.0, 0.0], torque=None, t=0.5, step=0.001, drives=True)
    needed = robot.joint_torque(run.q, run.qd, run.qdd)
    assert np.abs(needed).max() < 1e-6 * np.abs(arm().joint_torque(run.q, run.qd, run.qdd)).max()


def test_its_size_is_fitted_and_written() -> None:
    truth = arm(STATED)
    fit = taut.identify(arm('["sin(6*q)", "qd*cos(q)**2"]'), [recording(truth)])
    assert {"formula1", "formula2"} <= set(fit.terms["joint1"])
    assert abs(fit.parameters["formula1 of joint1"][0] - 2.5) < 0.05
    _, q, qd, qdd = excited(truth, seed=5)
    expected, found = truth.joint_torque(q, qd, qdd), fit.robot.joint_torque(q, qd, qdd)
    assert np.sqrt(((expected - found) ** 2).mean(0) / (expected**2).mean(0)).max() < 0.05
    assert "formula" in fit.robot.to_toml()


def test_without_effect_it_is_left_out() -> None:
    fit = taut.identify(arm('"sin(6*q)"'), [recording(arm())])
    assert "formula1" not in fit.terms["joint1"]
    assert not fit.robot.tree.joints[0].formulas


@pytest.mark.parametrize("formula", ['"k*q"', "3", '"q +"', '"tanh(q)"', "[1]"])
def test_bad_formulas_are_named(formula: str) -> None:
    with pytest.raises(InputError, match="formula"):
        arm(formula)


def test_unknown_terms_and_joints_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, log = tmp_path / "arm.toml", tmp_path / "log.csv"
    file.write_text(arm().to_toml(), "utf-8")
    made = recording(arm(), seconds=6)
    columns = np.column_stack([made.t, made.q, made.tau])
    np.savetxt(log, columns, delimiter=",", header="t,q1,q2,tau1,tau2", comments="")
    for option, word in (("joint1:strybeck", "no term 'strybeck'"), ("joint7:root", "no joint 'joint7'")):
        assert main(["identify", str(file), str(log), "--force", option]) == 2
        assert word in capsys.readouterr().err
