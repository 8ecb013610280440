"""Every robot file of the oracle suites that taut reads is written as TOML, read again, and has the same torques."""

from __future__ import annotations

import random
import warnings

import numpy as np
import pytest

from oracle.agreement import random_state
from oracle.robot_files import RobotFile, mjcf_files, moving_urdf_files
from taut.api import Robot, load
from taut.errors import InputError, InputWarning
from taut.formats.toml import read_toml
from taut.formats.toml_writer import write_toml
from taut.robot import Tree
from taut.robot.looping import described_loops

FILES = moving_urdf_files() + mjcf_files()
QUICK = set(random.Random(4).sample([file.name for file in FILES], len(FILES) // 10))
"""A seeded tenth, for the quick tests."""

ROUNDING = 1e-12
"""Of the largest torque: numbers are written with all their digits, rotations may be normalised again."""


def kept_parts(tree: Tree) -> list[object]:
    """Return what the torque of rigid bodies does not show: drives with their springs, limits, loops."""
    joints = [(joint.motion, joint.drive, joint.formulas, joint.limits) for joint in tree.joints]
    return [joints, described_loops(tree), tree.coupling, tree.gravity_acceleration]


@pytest.mark.parametrize(
    "file", [pytest.param(f, id=f.name, marks=() if f.name in QUICK else pytest.mark.slow) for f in FILES]
)
def test_toml_keeps_the_torques(file: RobotFile) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        try:
            robot = load(file.path, roots=[file.package])
        except InputError as refusal:
            pytest.skip(str(refusal)[:80])
        again = Robot(read_toml(write_toml(robot.tree), "again.toml"))
    assert again.joint_names == robot.joint_names
    assert again.frame_names == robot.frame_names
    assert again.position_names == robot.position_names
    assert kept_parts(again.tree) == kept_parts(robot.tree)
    if robot.nv:
        state = random_state(robot, seed=1)
        q = robot.random_position(1, 1)[0] if robot.tree.loops.closures else state.q
        rates, accelerations = state.qd[: robot.nv], state.qdd[: robot.nv]
        expected = robot.inverse_dynamics(q, rates, accelerations)
        torque = again.inverse_dynamics(q, rates, accelerations)
        assert np.abs(torque - expected).max() <= ROUNDING * np.abs(expected).max()
