"""Ball, planar, universal, cylindrical and helical joints on random trees agree with Pinocchio and MuJoCo."""

from __future__ import annotations

import mujoco
import numpy as np
import pinocchio as pin
import pytest

from oracle.agreement import TOLERANCE
from oracle.joint_kinds import (
    MujocoState,
    PinocchioState,
    mujoco_model,
    pinocchio_model,
    random_parts,
    taut_robot,
)
from taut.robot.states import random_states

EVERY = ["ball", "planar", "universal", "cylindrical", "helical", "revolute", "prismatic", "ball"]
NO_SCREW = [kind for kind in EVERY if kind != "helical"]


def close(found: np.ndarray, expected: np.ndarray) -> None:
    assert np.abs(found - expected).max() <= TOLERANCE * np.abs(expected).max()


@pytest.mark.parametrize("free", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_pinocchio_agrees(seed: int, free: bool) -> None:
    parts = random_parts(seed, EVERY, free)
    robot, model = taut_robot(parts), pinocchio_model(parts)
    data = model.createData()
    q, qd, qdd = random_states(robot.tree, np.random.default_rng(seed), limited=False)
    state = PinocchioState(parts, robot, q, qd, qdd)
    T = state.T
    close(robot.inverse_dynamics(q, qd, qdd), T.T @ pin.rnea(model, data, state.q, state.v, state.a))
    M = np.triu(pin.crba(model, data, state.q))
    M = T.T @ (M + np.triu(M, 1).T) @ T
    close(robot.mass_matrix(q), M)
    close(robot.gravity(q), T.T @ pin.computeGeneralizedGravity(model, data, state.q))
    tau = np.random.default_rng(seed + 99).normal(size=robot.nv)
    drift = state.a - T @ qdd
    a = pin.aba(model, data, state.q, state.v, np.linalg.solve(T.T, tau))
    close(robot.forward_dynamics(q, qd, tau), np.linalg.solve(T, a - drift))
    last = f"l{len(parts) - 1}"
    reference = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
    close(
        robot.jacobian(q, last), pin.computeFrameJacobian(model, data, state.q, model.getFrameId(last), reference) @ T
    )


@pytest.mark.parametrize("free", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_mujoco_agrees(seed: int, free: bool) -> None:
    parts = random_parts(seed, NO_SCREW, free)
    robot, model = taut_robot(parts), mujoco_model(parts)
    q, qd, qdd = random_states(robot.tree, np.random.default_rng(seed), limited=False)
    state = MujocoState(parts, model, q, qd, qdd)
    data, T = state.data, state.T
    data.qacc[:] = state.a
    mujoco.mj_inverse(model, data)
    close(robot.inverse_dynamics(q, qd, qdd), T.T @ data.qfrc_inverse)
    M = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, M)
    close(robot.mass_matrix(q), T.T @ M @ T)
    tau = np.random.default_rng(seed + 99).normal(size=robot.nv)
    data.qfrc_applied[:] = np.linalg.solve(T.T, tau)
    mujoco.mj_forward(model, data)
    close(robot.forward_dynamics(q, qd, tau), np.linalg.solve(T, data.qacc - state.drift))
