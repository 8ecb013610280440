"""Steps, differences and parameter vectors against Pinocchio and MuJoCo."""

from __future__ import annotations

import mujoco
import numpy as np
import pinocchio as pin
import pytest

import taut
from oracle.mujoco_oracle import load_mjcf
from oracle.robot_files import mjcf_files, urdf_files
from taut.api import Robot
from taut.errors import InputError

ANYMAL = next(file for file in urdf_files() if file.name.endswith("anymal.urdf"))
ANT = next(file for file in mjcf_files() if file.name.endswith("ant.xml"))


def both() -> tuple[Robot, pin.Model, list[int], list[int]]:
    """Return a floating ANYmal of taut and of Pinocchio, and the places of taut's coordinates in Pinocchio's."""
    robot = taut.load(ANYMAL.path, base="free")
    model = pin.buildModelFromXML(ANYMAL.text.decode(), pin.JointModelFreeFlyer())
    q, v = [], []
    for name in robot.joint_names:
        joint = model.joints[model.getJointId(name)]
        q += range(joint.idx_q, joint.idx_q + joint.nq)
        v += range(joint.idx_v, joint.idx_v + joint.nv)
    return robot, model, q, v


def test_steps_and_differences_are_pinocchios() -> None:
    robot, model, in_q, in_v = both()
    rng = np.random.default_rng(0)
    for start, end in zip(robot.random_position(20, seed=1), robot.random_position(20, seed=2), strict=True):
        theirs, goal = np.zeros(model.nq), np.zeros(model.nq)
        theirs[in_q], goal[in_q] = start, end
        qd = rng.normal(size=robot.nv)
        v = np.zeros(model.nv)
        v[in_v] = qd
        assert np.abs(robot.step(start, qd, 0.3) - pin.integrate(model, theirs, 0.3 * v)[in_q]).max() < 1e-14
        expected = pin.difference(model, theirs, goal)[in_v]
        assert np.abs(robot.difference(start, end) - expected).max() < 1e-12 * np.abs(expected).max()


def test_parameters_of_pinocchio() -> None:
    """A vector in Pinocchio's order of joints: the robot then has the torques of Pinocchio's changed model."""
    robot, model, in_q, in_v = both()
    rng = np.random.default_rng(3)
    for i in range(1, model.njoints):
        model.inertias[i] = pin.Inertia.Random()
    vector = np.concatenate([model.inertias[i].toDynamicParameters() for i in range(1, model.njoints)])
    changed = robot.with_parameters(vector, order="pinocchio", joints=list(model.names)[1:])
    q, qd, qdd = robot.random_position(seed=4), *rng.normal(size=(2, robot.nv))
    theirs, v, a = np.zeros(model.nq), np.zeros(model.nv), np.zeros(model.nv)
    theirs[in_q], v[in_v], a[in_v] = q, qd, qdd
    model.gravity.linear = np.array([0, 0, -9.81])
    expected = pin.rnea(model, model.createData(), theirs, v, a)[in_v]
    assert np.abs(changed.inverse_dynamics(q, qd, qdd) - expected).max() < 1e-12 * np.abs(expected).max()


def test_parameters_of_mujoco() -> None:
    """Masses, centres and tensors of MuJoCo's compiled bodies, by name: the robot is the one of the file."""
    robot, model = taut.load(ANT.path), load_mjcf(ANT.path)
    bodies = {}
    for i in range(1, model.nbody):
        name = mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_BODY, i)
        if name in robot.frame_names and model.body_jntnum[i]:
            R = np.zeros(9)
            mujoco.mju_quat2Mat(R, model.body_iquat[i])
            R = R.reshape(3, 3)
            tensor = R @ np.diag(model.body_inertia[i]) @ R.T
            full = [tensor[0, 0], tensor[1, 1], tensor[2, 2], tensor[0, 1], tensor[0, 2], tensor[1, 2]]
            bodies[name] = [model.body_mass[i], *model.body_ipos[i], *full]
    assert bodies
    emptied = robot.with_parameters({name: np.zeros(10) for name in bodies})
    restored = emptied.with_parameters(bodies, order="mujoco")
    moved = [robot.tree.frame(name).body for name in bodies]
    pi, back = (r.parameters.reshape(-1, 10)[moved] for r in (robot, restored))
    assert np.abs(emptied.parameters.reshape(-1, 10)[moved]).max() == 0
    assert np.abs(pi - back).max() < 1e-9 * np.abs(pi).max()


@pytest.mark.parametrize("order", ["pinocchio", "idyntree", "symoro", "mujoco", "rtb"])
def test_parameters_of_other_libraries_come_back(order: str) -> None:
    """An asymmetric robot's parameters, read in another order and written in it."""
    robot = taut.load("puma560")
    numbers = 1 + np.random.default_rng(5).random(60)
    robot = robot.with_parameters(numbers)
    theirs = robot.parameters_in(order)
    assert np.allclose(robot.with_parameters(theirs, order=order).parameters, numbers, rtol=1e-14, atol=1e-14)
    mass = {"symoro": 9}.get(order, 0)
    assert np.array_equal(theirs[:, mass], numbers[::10])


def test_parameters_in_the_orders_of_mujoco_and_pinocchio() -> None:
    """Written as their own libraries read them: the torque regressor's parameters of Pinocchio, inertials of MuJoCo."""
    robot = taut.load("ur5e")
    body = pin.Inertia.FromDynamicParameters(robot.parameters_in("pinocchio")[2])
    m, c, tensor = body.mass, body.lever, body.inertia
    fullinertia = tensor[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
    ten = robot.parameters_in("mujoco")[2]
    assert np.allclose(ten, [m, *c, *fullinertia], rtol=1e-12, atol=1e-12)
    text = " ".join(map(str, ten[4:]))
    place = " ".join(map(str, ten[1:4]))
    xml = f'<mujoco><worldbody><body><freejoint/><inertial mass="{ten[0]}" pos="{place}" fullinertia="{text}"/></body>'
    model = mujoco.MjModel.from_xml_string(xml + "</worldbody></mujoco>")
    assert np.allclose(np.sort(model.body_inertia[1]), np.linalg.eigvalsh(tensor), rtol=1e-9)


def test_parameters_of_idyntree_and_of_drives() -> None:
    """iDynTree's vector is the upper triangle row by row: Ixx Ixy Ixz Iyy Iyz Izz."""
    robot = taut.load("puma560")
    pi = robot.parameters.reshape(-1, 10)
    pi[:, 4:] += np.arange(36).reshape(6, 6)
    theirs = pi[:, [0, 1, 2, 3, 4, 5, 7, 6, 8, 9]]
    assert np.array_equal(robot.with_parameters(theirs, order="idyntree").parameters, pi.ravel())
    driven = robot.with_parameters(drives=np.arange(24.0))
    qd, qdd = np.random.default_rng(1).normal(size=(2, 6))
    friction = robot.drive_regressor(qd, 0 * qdd) @ np.arange(24.0)
    assert np.allclose(driven.friction(qd), friction)
    assert np.array_equal(driven.parameters, robot.parameters)


def test_refusals() -> None:
    robot = taut.load("puma560")
    for arguments, message in (
        ({"links": np.zeros(59)}, "links: 59 numbers; give 60 finite numbers"),
        ({"links": np.zeros(60), "order": "ros"}, "order is 'ros'"),
        ({"links": np.zeros(60), "joints": ["a"]}, "joints does not name every moving joint once"),
        ({"links": {"base": np.zeros(10)}}, "'base' does not move"),
        ({"drives": [np.nan] * 24}, "drives: NaN or infinity"),
    ):
        with pytest.raises(InputError) as error:
            robot.with_parameters(**arguments)
        assert message in str(error.value)
