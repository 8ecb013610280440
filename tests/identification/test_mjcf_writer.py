"""A robot written as MJCF has the same torques in MuJoCo, and read back the same numbers."""

from __future__ import annotations

import numpy as np
import pytest

import taut
from taut.api import Robot
from taut.errors import InputError


@pytest.mark.parametrize("name", ["panda", "iiwa14", "ur5e"])
def test_mujoco_has_the_same_inverse_dynamics(name: str) -> None:
    mujoco = pytest.importorskip("mujoco")
    robot = taut.load(name)
    model = mujoco.MjModel.from_xml_string(robot.to_mjcf())
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    model.dof_damping[:] = 0.0
    data = mujoco.MjData(model)
    rng = np.random.default_rng(3)
    for _ in range(5):
        data.qpos[:], data.qvel[:], data.qacc[:] = rng.uniform(-1, 1, (3, robot.nv))
        mujoco.mj_inverse(model, data)
        expected = robot.inverse_dynamics(data.qpos, data.qvel, data.qacc)
        assert np.abs(data.qfrc_inverse - expected).max() < 1e-9 * np.abs(expected).max()


def test_read_back() -> None:
    robot = taut.load("panda")
    again = Robot(taut.formats.read(robot.to_mjcf(), "panda.xml", "mjcf"))
    state = np.random.default_rng(1).uniform(-1, 1, (3, 7))
    assert np.allclose(again.joint_torque(*state), robot.joint_torque(*state), rtol=1e-9, atol=1e-9)


def test_links_that_cannot_exist_are_refused() -> None:
    with pytest.raises(InputError, match="no body can have"):
        taut.load("puma560").to_mjcf()
