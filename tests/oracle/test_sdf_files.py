"""SDF files nobody here wrote have the dynamics that Pinocchio gives them."""

from __future__ import annotations

import importlib.metadata
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pinocchio as pin
import pytest

from oracle.agreement import TOLERANCE
from oracle.sdf_oracle import pinocchio_model
from taut.api import Robot
from taut.formats.sdf import read_sdf
from taut.robot import Loops
from taut.robot.states import random_states

CASSIE = "cmeel.prefix/share/example-robot-data/robots/cassie_description/robots"
FILES = [f"{CASSIE}/cassie.sdf", f"{CASSIE}/cassie_simple.sdf", "pybullet_data/kuka_iiwa/model.sdf"]


def installed(path: str) -> Path:
    file = Path(str(importlib.metadata.distribution("example-robot-data").locate_file(path)))
    if not file.exists():
        pytest.skip(f"{path} is not installed")
    return file


@pytest.mark.parametrize("path", FILES)
def test_tree_of_a_published_file_agrees(path: str) -> None:
    """Loops and gears are left open on both sides: what is compared is poses, axes and inertias of every link."""
    text = installed(path).read_text()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = read_sdf(text, path)
    robot = Robot(replace(tree, loops=Loops(), mimics=()))
    names = {joint.name for joint in tree.joints}
    model = pinocchio_model(text, tree.base_name, names.__contains__)
    assert model.nv == robot.nv
    model.gravity.linear = np.array([float(x) for x in tree.gravity_acceleration])
    data = model.createData()
    q, qd, qdd = random_states(robot.tree, np.random.default_rng(1), limited=False)
    Q, V, A, order = (np.zeros(n) for n in (model.nq, model.nv, model.nv, model.nv))
    at_q = at_v = 0
    for joint in robot.tree.joints:
        theirs, nq, nv = model.joints[model.getJointId(joint.name)], joint.motion.nq, joint.motion.nv
        Q[theirs.idx_q : theirs.idx_q + nq] = q[at_q : at_q + nq]
        V[theirs.idx_v : theirs.idx_v + nv] = qd[at_v : at_v + nv]
        A[theirs.idx_v : theirs.idx_v + nv] = qdd[at_v : at_v + nv]
        order[at_v : at_v + nv] = range(theirs.idx_v, theirs.idx_v + nv)
        at_q, at_v = at_q + nq, at_v + nv
    expected = pin.rnea(model, data, Q, V, A)[order.astype(int)]
    assert np.abs(robot.inverse_dynamics(q, qd, qdd) - expected).max() <= TOLERANCE * np.abs(expected).max()
