"""Linear models equal Pinocchio's derivatives and predict small motions."""

from __future__ import annotations

import numpy as np
import pinocchio as pin
import pytest

import taut
from oracle.agreement import random_state
from oracle.pinocchio_oracle import PinocchioOracle, load
from oracle.robot_files import urdf_files
from taut.errors import InputError

FILES = {file.path.name: file for file in urdf_files() if file.name.startswith("example-robot-data")}


@pytest.mark.parametrize(("name", "free"), [("ur5_robot.urdf", False), ("anymal.urdf", True)])
def test_matrices_are_pinocchio_s(name: str, free: bool) -> None:
    file = FILES[name]
    robot = taut.load(file.path, base="free" if free else "fixed")
    state = random_state(robot, seed=5)
    oracle = PinocchioOracle(load(file.decoded, free=free), robot, state)
    model, data, G, n = oracle.model, oracle.data, oracle.G, robot.nv
    found = robot.linearise(state.q, state.qd, state.tau)
    tau = G @ state.tau

    pin.computeABADerivatives(model, data, oracle.q, oracle.v, tau)
    inverse = np.triu(data.Minv) + np.triu(data.Minv, 1).T
    expected = np.hstack([G.T @ data.ddq_dq @ G, G.T @ data.ddq_dv @ G])
    assert np.abs(found.A[n:] - expected).max() <= 1e-10 * np.abs(expected).max()
    assert np.abs(found.B[n:] - G.T @ inverse @ G).max() <= 1e-10 * np.abs(inverse).max()
    assert (found.B[:n] == 0).all()

    h = 1e-6  # central differences of the flow: a deviation dq is carried along by the rates

    def carried(h: float) -> np.ndarray:
        return pin.dIntegrate(model, oracle.q, h * oracle.v, pin.ArgumentPosition.ARG0)

    turning = G.T @ (carried(h) - carried(-h)) @ G / (2 * h)
    assert found.A[:n, :n] == pytest.approx(turning, abs=1e-7)
    assert bool(np.any(found.A[:n, :n])) is free
    assert (found.A[:n, n:] == np.eye(n)).all()

    def acceleration(dq: np.ndarray, dv: np.ndarray) -> np.ndarray:
        return G.T @ pin.aba(model, data, pin.integrate(model, oracle.q, G @ dq), oracle.v + G @ dv, tau)

    zero, numeric = np.zeros(n), np.empty((n, 2 * n))
    for k, unit in enumerate(np.eye(n)):
        numeric[:, k] = (acceleration(h * unit, zero) - acceleration(-h * unit, zero)) / (2 * h)
        numeric[:, n + k] = (acceleration(zero, h * unit) - acceleration(zero, -h * unit)) / (2 * h)
    assert np.abs(found.A[n:] - numeric).max() <= 1e-7 * np.abs(numeric).max()


def test_the_discrete_model_predicts_small_motions() -> None:
    robot = taut.load("puma560")
    q = np.array([0.1, -0.5, 0.4, 0.2, 0.3, 0.1])
    model = robot.linearise(q)
    assert np.abs(model.qdd).max() < 1e-12
    rng, dt = np.random.default_rng(0), 0.05
    dx, du = 1e-6 * rng.normal(size=12), 1e-4 * rng.normal(size=6)
    moved = robot.simulate(q + dx[:6], dx[6:], model.tau + du, t=dt)
    discrete = model.discretise(dt)
    predicted = discrete.A @ dx + discrete.B @ du
    assert np.concatenate([moved.q[-1] - q, moved.qd[-1]]) == pytest.approx(predicted, abs=1e-8)
    assert np.abs(predicted).max() > 1e-5
    other = model.state_space().to_discrete(dt)
    assert np.abs(other.A - discrete.A).max() < 1e-10 and np.abs(other.B - discrete.B).max() < 1e-10
    assert model.control().nstates == 12 and discrete.control().dt == dt


def test_outputs_of_a_frame_are_its_pose_and_velocity() -> None:
    robot, h = taut.load("ur5e"), 1e-6
    q, qd = robot.random_position(seed=1), np.linspace(-1, 1, 6)
    model = robot.linearise(q, qd, output="frame")

    def velocity(q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        return robot.jacobian(q) @ qd

    for k, unit in enumerate(np.eye(6)):
        ahead, back = robot.forward_kinematics(q + h * unit), robot.forward_kinematics(q - h * unit)
        assert model.C[:3, k] == pytest.approx((ahead[:3, 3] - back[:3, 3]) / (2 * h), abs=1e-7)
        by_q = (velocity(q + h * unit, qd) - velocity(q - h * unit, qd)) / (2 * h)
        assert model.C[6:, k] == pytest.approx(by_q, abs=1e-7)
        assert model.C[6:, 6 + k] == pytest.approx(velocity(q, unit), abs=1e-12)
    assert robot.linearise(np.tile(q, (3, 1)), output="position").C.shape == (3, 6, 12)


def test_bad_input() -> None:
    robot = taut.load("puma560")
    with pytest.raises(InputError, match="unknown output 'speed'; choose one of state, position"):
        robot.linearise(np.zeros(6), output="speed")
    with pytest.raises(InputError, match="the period is 0"):
        robot.linearise(np.zeros(6)).discretise(0)
