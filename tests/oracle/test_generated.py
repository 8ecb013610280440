"""Generated C agrees with Pinocchio or MuJoCo on the file's digits, up to the difference that taut states.

A seeded tenth of the files runs with every test run, all of them with ``make oracle``.
"""

from __future__ import annotations

import random
import warnings

import numpy as np
import pinocchio as pin
import pytest

from oracle import mujoco_oracle
from oracle.agreement import State
from oracle.mujoco_oracle import MujocoOracle
from oracle.pinocchio_oracle import PinocchioOracle
from oracle.pinocchio_oracle import load as load_pinocchio
from oracle.robot_files import RobotFile, mjcf_files, urdf_files
from taut.api import Robot
from taut.derive import derive
from taut.derive.truth import Judge, file_states
from taut.errors import InputError, InputWarning
from taut.formats.mjcf import read_mjcf
from taut.formats.urdf import read_urdf

STATES = 1000
LARGE = 30
"""Degrees of freedom from which fewer states must do: an oracle is asked state by state."""

FILES = [file for file in urdf_files() if file.may_move] + mjcf_files()
SMALL = [file.name for file in FILES if file.text.count(b"<joint") <= 40]
"""Files from which the tenth is drawn; a humanoid takes as long as all of them."""

TENTH = set(random.Random(13).sample(SMALL, len(FILES) // 10))


def loaded(file: RobotFile) -> Robot:
    read = read_urdf if file.path.suffix == ".urdf" else read_mjcf
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        return Robot.of(read(file.text, file.path.name))


def torques(file: RobotFile, robot: Robot, states: dict[str, np.ndarray]) -> np.ndarray:
    """Return the oracle's inverse dynamics, one row per state; raises ValueError where it does not read the file."""
    n = robot.nv
    given = [State(q, qd, qdd, np.zeros(n), np.zeros(6)) for q, qd, qdd in zip(*states.values(), strict=True)]
    if file.path.suffix == ".urdf":
        model = load_pinocchio(file.text.decode("utf-8", errors="replace"))
        first = PinocchioOracle(model, robot, given[0])
        return np.array([first.G.T @ _rnea(first, state) for state in given])
    model = mujoco_oracle.load_mjcf(file.path)
    return np.array([MujocoOracle(model, robot, state).inverse_dynamics() for state in given])


def _rnea(oracle: PinocchioOracle, state: State) -> np.ndarray:
    q, v, a = oracle._positions(state.q), oracle._rates(state.qd), oracle._rates(state.qdd)
    return pin.rnea(oracle.model, oracle.data, q, v, a)


def agreement(file: RobotFile) -> str:
    """Return what was found about one file, in words; a difference beyond the stated one is an assertion."""
    try:
        robot = loaded(file)
    except InputError:
        return "not read"
    count = STATES if robot.nv < LARGE else STATES // 10
    states = {name: file_states(robot, count, seed=77)[name] for name in ("q", "qd", "qdd")}
    try:
        expected = torques(file, robot, states)
    except (ValueError, RuntimeError):
        return "not read by the oracle"
    try:
        function = derive(robot, "inverse_dynamics", effort="quick")
    except InputError as error:
        assert "differs from the file's digits" not in str(error), error
        return f"not derived: {error}"
    assert function.difference is not None
    found = function.compile()(states["q"], states["qd"], states["qdd"])
    usable = np.isfinite(expected).all(axis=1)
    scale = np.abs(expected[usable]).max(axis=0, initial=0.0)
    scale = np.maximum(scale, 1e-6 * scale.max(initial=0.0))  # a torque that cancels is judged by what it is made of
    largest = Judge(states, expected, scale, None, usable).largest(found)
    assert largest <= function.difference.stated, f"{largest:.1e} apart, {function.difference.text}"
    return f"{largest:.1e} apart, {function.difference.text}"


@pytest.mark.parametrize("file", [f for f in FILES if f.name in TENTH], ids=lambda f: f.name)
def test_generated_code_agrees_with_the_oracle(file: RobotFile) -> None:
    assert agreement(file)


@pytest.mark.sweep
@pytest.mark.parametrize("file", [f for f in FILES if f.name not in TENTH], ids=lambda f: f.name)
def test_generated_code_of_every_other_file_agrees(file: RobotFile) -> None:
    assert agreement(file)
