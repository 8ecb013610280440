"""Equalities of MJCF as closures: their meaning is MuJoCo's, read and written back."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import taut
from taut.errors import InputError
from taut.formats.mjcf import read_mjcf

LINKAGE = """<mujoco model="linkage"><compiler angle="radian"/><worldbody>
<body name="a" pos="0.1 0 1" euler="0.3 0 0"><joint name="ja" axis="0 1 0" ref="0.2"/>
 <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.02"/><site name="t" pos="0.1 0.02 0"/>
 <body name="b" pos="0.3 0 0" euler="0 0.4 0"><joint name="jb" axis="0.1 1 0.2"/>
  <geom type="capsule" fromto="0 0 0 0.5 0 0" size="0.02"/><site name="s" pos="0.5 0 0.01" euler="0.2 0.1 0"/>
 </body></body>
<body name="c" pos="0.6 0 0.4" euler="0.3 0 0">
 <joint name="jx" type="slide" axis="1 0 0"/><joint name="jc" type="ball"/>
 <geom type="capsule" fromto="0 0 0 0.3 0 0.3" size="0.02"/><site name="r" pos="0.3 0 0.3"/></body>
<body name="d" pos="0.2 0.1 0.3" euler="0 0 0.7"><freejoint name="jd"/>
 <geom type="box" size="0.1 0.05 0.07" pos="0.02 0 0"/></body>
</worldbody><equality>EQUALITY</equality></mujoco>"""

EQUALITIES = {
    "connect bodies": '<connect body1="b" body2="c" anchor="0.45 0.01 0"/>',
    "connect to the world": '<connect body1="b" anchor="0.45 0.01 0"/>',
    "connect a free body": '<connect body1="d" body2="b" anchor="0.1 0.02 0"/>',
    "connect sites": '<connect site1="s" site2="r"/>',
    "weld to the reference": '<weld body1="d" body2="b" anchor="0.1 0 0"/>',
    "weld by relpose": '<weld body1="b" body2="d" relpose="0.5 0.1 0 0.8 0.2 0.4 0"/>',
    "weld sites": '<weld site1="s" site2="r" active="false"/><weld body1="a" body2="d"/>',
    "polynomial": '<joint joint1="jb" joint2="ja" polycoef="0.1 0.5 0.3 0 -0.2"/>',
    "two at once": '<connect body1="b" body2="c" anchor="0.4 0 0"/><joint joint1="jx" joint2="ja" polycoef="0 0.2"/>',
}


def read(text):
    return taut.Robot(read_mjcf(text, "linkage.xml"))


def at(robot, model, q):
    """Return MuJoCo's data at a position of taut, and the map from taut's rates of all joints to MuJoCo's."""
    data = mujoco.MjData(model)
    Q = robot.numeric.at(q.tolist()).positions
    columns = np.zeros((model.nv, model.nv))
    for i, joint in enumerate(robot.tree.joints):
        number = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_JOINT, joint.name)
        place, rate, here = model.jnt_qposadr[number], model.jnt_dofadr[number], [float(x) for x in Q[i]]
        if joint.motion.nq > 1:
            *front, x, y, z, w = here
            here = [*front, w, x, y, z]
        data.qpos[place : place + len(here)] = here
        width = joint.motion.nv
        columns[rate : rate + width, rate : rate + width] = np.eye(width)
        if joint.motion.kind == "free":  # MuJoCo's linear rates are along the world's axes
            R = np.zeros(9)
            mujoco.mju_quat2Mat(R, np.array(here[3:]))
            columns[rate : rate + 3, rate : rate + 3] = R.reshape(3, 3)
    mujoco.mj_forward(model, data)
    return data, columns


@pytest.mark.parametrize("text", EQUALITIES.values(), ids=EQUALITIES)
def test_positions_close_mujocos_equalities_and_rates_are_the_same(text):
    document = LINKAGE.replace("EQUALITY", text)
    robot, model = read(document), mujoco.MjModel.from_xml_string(document)
    model.opt.jacobian = mujoco.mjtJacobian.mjJAC_DENSE
    for q in robot.random_position(3, 4):
        data, columns = at(robot, model, q)
        held = data.efc_type[: data.nefc] == mujoco.mjtConstraint.mjCNSTR_EQUALITY
        assert held.any()
        assert np.max(np.abs(data.efc_pos[: data.nefc][held])) < 1e-9
        J = data.efc_J.reshape(data.nefc, model.nv)[held] @ columns
        order = [
            int(model.jnt_dofadr[mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_JOINT, joint.name)]) + k
            for joint in robot.tree.joints
            for k in range(joint.motion.nv)
        ]
        free = np.stack([np.concatenate(robot.numeric.at(q.tolist()).rates(unit)) for unit in np.eye(robot.nv)], -1)
        values = np.linalg.svd(J, compute_uv=False)
        assert np.max(np.abs(J[:, order] @ free.astype(float))) < 1e-9
        idle = len(robot.tree.loops.held)  # a spin of the body between two balls, which MuJoCo leaves free
        assert np.sum(values > 1e-9 * values[0]) == model.nv - robot.nv - idle


def test_an_equality_of_one_joint_holds_it_still():
    robot = read(LINKAGE.replace("EQUALITY", '<joint joint1="ja" polycoef="0.1"/>'))
    assert "ja" not in robot.joint_names
    free = read(LINKAGE.replace("EQUALITY", ""))
    q = np.concatenate([[0.3], robot.neutral])
    assert np.allclose(free.forward_kinematics(q, "b"), robot.forward_kinematics(robot.neutral, "b"), atol=1e-14)


def test_a_cam_beside_a_loop_is_refined_to_many_digits():
    """A slider-crank whose slider moves a follower by a polynomial with fractions."""
    text = """<mujoco><worldbody>
    <body name="crank"><joint name="c" axis="0 0 1"/><geom type="capsule" size="0.01" fromto="0 0 0 0 0.2 0"/>
     <body name="coupler" pos="0 0.2 0"><joint name="k" axis="0 0 1"/><geom size="0.02" pos="0.2 0 0"/></body></body>
    <body name="slider" pos="0.4 0.2 0"><joint name="s" type="slide" axis="1 0 0"/><geom size="0.02"/>
     <body name="follower"><joint name="f" type="slide" axis="0 1 0"/><geom size="0.02"/></body></body></worldbody>
    <equality><connect body1="coupler" body2="slider" anchor="0.4 0 0"/>
    <joint joint1="f" joint2="s" polycoef="0 -1 0.3"/></equality></mujoco>"""
    robot = read(text)
    found = robot.mobility()
    assert (found.dof, found.rank, len(found.redundant)) == (1, 2, 1)
    assert found.largest_dropped < 1e-40 < found.smallest
    solved = robot.in_closed_form()
    q, state = robot.random_position(2, 3)[1], ([0.7], [-0.4])
    expected = robot.inverse_dynamics(q, *state)
    assert np.max(np.abs(solved.inverse_dynamics(q[:1], *state) - expected)) < 1e-9 * np.max(np.abs(expected))


@pytest.mark.parametrize("name", ["four_bar", "five_bar"])
def test_loops_are_written_back(name):
    robot = taut.load(name)
    text = robot.to_mjcf()
    again = taut.Robot(read_mjcf(text, "again.xml"))
    assert mujoco.MjModel.from_xml_string(text).neq > 0
    assert (again.nv, again.position_names) == (robot.nv, robot.position_names)
    rng = np.random.default_rng(2)
    q, qd, qdd = robot.random_position(2, 3)[1], rng.uniform(-1, 1, robot.nv), rng.uniform(-1, 1, robot.nv)
    again = again.with_independent(*robot.joint_names)
    tau = robot.inverse_dynamics(q, qd, qdd)
    assert np.max(np.abs(again.inverse_dynamics(q, qd, qdd) - tau)) < 1e-9 * np.max(np.abs(tau))


def test_parallelograms_are_recognised_in_mjcf():
    again = taut.Robot(read_mjcf(taut.load("palletiser").to_mjcf(), "again.xml"))
    assert (again.nv, again.nq, len(again.tree.loops.closures)) == (4, 4, 0)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('<connect body1="b" body2="z" anchor="0 0 0"/>', "body2 'z' does not exist; name a body"),
        ('<connect body1="b" body2="c"/>', "no anchor; give the point in body1"),
        ('<connect site1="s" site2="z"/>', "site2 'z' does not exist; name a site"),
        ('<connect body1="b" body2="b" anchor="0 0 0"/>', "links 'b' and 'b' are one body"),
        ('<weld body1="a" body2="b" relpose="3 0 0 1 0 0 0"/>', "does not close: a gap of .* is left"),
        ('<tendon tendon1="t"/>', "<tendon> is not modelled"),
        ('<joint joint1="jb" joint2="jc"/>', "joint 'jc' is no hinge or slide"),
        ('<weld body1="b"/><weld body1="d"/><weld body1="c"/>', "the loops leave no joint free to move"),
    ],
)
def test_bad_equalities_are_refused_in_a_sentence(text, said):
    with pytest.raises(InputError, match=said) as refused:
        read(LINKAGE.replace("EQUALITY", text))
    assert "linkage.xml" in str(refused.value)
    assert "\n" not in str(refused.value)


def test_loops_that_mjcf_does_not_know_are_refused():
    with pytest.raises(InputError, match=r"MJCF has no rolling without slipping; write taut TOML"):
        taut.load("rolling_base").to_mjcf()
