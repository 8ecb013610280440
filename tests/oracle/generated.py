"""Generated C agrees with Pinocchio or MuJoCo on the file's digits, up to the difference that taut states."""

from __future__ import annotations

import warnings
from unittest.mock import patch

import numpy as np
import pinocchio as pin

from oracle import mujoco_oracle
from oracle.agreement import MESH_TOLERANCE, State, Verdict
from oracle.builds import Build, answers
from oracle.mujoco_oracle import MujocoOracle
from oracle.pinocchio_oracle import PinocchioOracle
from oracle.pinocchio_oracle import load as load_pinocchio
from oracle.robot_files import RobotFile
from taut.api import Robot, load
from taut.derive import derive
from taut.derive.checks.truth import MARGIN, Judge, file_states
from taut.errors import InputError, InputWarning
from taut.formats.mjcf import meshes

STATES = 1000
LARGE = 30
"""Degrees of freedom from which fewer states must do: an oracle is asked state by state."""

ORACLE = "generated C"


def torques(file: RobotFile, robot: Robot, states: dict[str, np.ndarray]) -> np.ndarray:
    """Return the oracle's inverse dynamics, one row per state; raises ValueError where it does not read the file."""
    n = robot.nv
    given = [State(q, qd, qdd, np.zeros(n), np.zeros(6)) for q, qd, qdd in zip(*states.values(), strict=True)]
    if file.path.suffix == ".urdf":
        model = load_pinocchio(file.decoded)
        first = PinocchioOracle(model, robot, given[0])
        return np.array([first.G.T @ _rnea(first, state) for state in given])
    model = mujoco_oracle.load_mjcf(file.path)
    return np.array([MujocoOracle(model, robot, state).inverse_dynamics() for state in given])


def _rnea(oracle: PinocchioOracle, state: State) -> np.ndarray:
    q, v, a = oracle._positions(state.q), oracle._rates(state.qd), oracle._rates(state.qdd)
    return pin.rnea(oracle.model, oracle.data, q, v, a)


def verdict_on_code(file: RobotFile, builds: list[Build]) -> Verdict:
    """Return the verdict on the C for the inverse dynamics of a file, derived with effort ``none``."""
    verdict = Verdict(file.name, ORACLE, "agreed", where="inverse dynamics")
    with warnings.catch_warnings(), patch.object(meshes, "solid_of", wraps=meshes.solid_of) as weighed:
        warnings.simplefilter("ignore", InputWarning)
        try:
            robot = load(file.path, roots=[file.package])
        except InputError as error:
            verdict.result, verdict.reason = "not read", str(error).replace(str(file.path), file.path.name)
            return verdict
    verdict.dof = robot.nv
    count = STATES if robot.nv < LARGE else STATES // 10
    states = {name: file_states(robot.tree, count, seed=77)[name] for name in ("q", "qd", "qdd")}
    try:
        expected = torques(file, robot, states)
    except (ValueError, RuntimeError) as error:
        verdict.result, verdict.reason = "not read by the oracle", " ".join(str(error).split())[:160]
        return verdict
    try:
        function = derive(robot.tree, "inverse_dynamics", effort="none")
    except InputError as error:
        verdict.result, verdict.reason = "not derived", str(error)
        return verdict
    assert function.difference is not None
    stated = max(function.difference.stated, MARGIN * function.difference.of_own_size)
    verdict.tolerance = max(stated, MESH_TOLERANCE) if weighed.called else stated
    verdict.reason = function.difference.text
    usable = np.isfinite(expected).all(axis=1)
    scale = np.abs(expected[usable]).max(axis=0, initial=0.0)
    scale = np.maximum(scale, 1e-6 * scale.max(initial=0.0))  # a torque that cancels is judged by what it is made of
    judge = Judge(states, expected, scale, scale, None, usable)
    for build, found in answers(function, states, builds):
        largest = judge.largest(found, judge.own)
        verdict.worst = max(verdict.worst, largest)
        if not largest <= verdict.tolerance:
            verdict.disagreements.append(f"{build}: {largest:.1e} apart, {function.difference.text}")
    return verdict.concluded()
