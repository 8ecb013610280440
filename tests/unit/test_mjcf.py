"""MJCF: what is read, what is left aside, and what is refused in one sentence."""

from __future__ import annotations

import math
import time
from pathlib import Path

import mujoco
import numpy as np
import pytest

from taut.api import Robot
from taut.errors import InputError, UnsupportedError
from taut.formats.mjcf import read_mjcf
from taut.formats.toml import read_toml
from taut.formats.toml_writer import write_toml
from taut.spatial import Vec3

FEATURES = (Path(__file__).parents[1] / "data" / "mjcf" / "features.xml").read_text(encoding="utf-8")

INERTIAL = '<inertial pos="0.1 0 0" mass="2" diaginertia="1 2 2.5"/>'


def arm(
    joint: str = "<joint name='elbow'/>", body: str = INERTIAL, before: str = "", after: str = "", at: str = ""
) -> str:
    """Return a model of one body, with the given text for its joint, its inside and around the world."""
    return f"""<mujoco model="arm">{before}
<worldbody>
<body name="tip" {at}>
{joint}
{body}
</body>
</worldbody>{after}</mujoco>"""


def read(text: str) -> Robot:
    return Robot(read_mjcf(text, "arm.xml"))


def test_every_part_of_a_file_arrives() -> None:
    robot = read(FEATURES)
    assert robot.tree.base_name == "world"
    names = [joint.name for joint in robot.tree.joints]
    assert names[:5] == ["turn", "shoulder_yaw", "shoulder_pitch", "shoulder_lift", "elbow"]
    turn, yaw, _, lift, elbow = robot.tree.joints[:5]
    assert (turn.drive.stiffness, turn.drive.rest) == (3, math.radians(40))
    assert (turn.drive.rotor_inertia, turn.drive.viscous, turn.limits.lower) == (0.01, 0.2, None)
    assert (elbow.drive.coulomb, elbow.limits.upper) == (0.1, math.radians(120))
    assert (lift.limits.lower, lift.limits.upper) == (-0.1, 0.2)  # lengths are not angles
    assert robot.tree.joints[names.index("wrist_roll")].drive.rotor_inertia == 0.003
    assert yaw.link.inertia.m == 0, "a link between two joints of one body has no mass"
    assert {"table", "table_top", "tool", "elbow", "wrist"} <= set(robot.frame_names)
    assert robot.tree.gravity_acceleration == Vec3(0.3, -0.4, -9.7)


def test_a_joint_equality_becomes_a_mimic_about_the_starting_positions() -> None:
    robot = read(FEATURES)
    [mimic] = robot.tree.mimics
    assert robot.tree.joints[mimic.joint].name == "finger_right"
    assert robot.tree.joints[mimic.leader].name == "finger_left"
    assert mimic.multiplier == 1.2
    assert mimic.offset == pytest.approx(0.02 + 0.005 - 1.2 * 0.01, abs=1e-17)


def test_the_body_keeps_its_frame_where_its_joint_stands_aside() -> None:
    robot = read(arm("<joint name='elbow' pos='0 0.5 0'/>"))
    assert tuple(robot.tree.joints[0].placement.p) == (0, 0.5, 0)
    pose = robot.forward_kinematics([math.pi], "tip")
    assert pose[:3, 3] == pytest.approx([0, 1, 0], abs=1e-15)


def test_at_its_reference_position_a_body_stands_as_written() -> None:
    robot = read(arm("<joint name='elbow' axis='0 0 1' ref='30'/>", at="pos='1 2 3'"))
    expected = np.eye(4)
    expected[:3, 3] = 1, 2, 3
    assert robot.forward_kinematics([math.radians(30)], "tip") == pytest.approx(expected, abs=1e-15)


def test_right_angles_stay_right_angles() -> None:
    for orientation in ("euler='0 0 90'", "quat='0.7071 0 0 0.7071'", "axisangle='0 0 3 90'"):
        assert read(arm(at=orientation)).tree.joints[0].placement.turns == ((2, math.pi / 2),)


def test_an_angle_is_the_number_that_is_written() -> None:
    for orientation in ("euler='0 0 1.57079632679'", "axisangle='0 0 3 1.57079632679'"):
        robot = read(arm(before="<compiler angle='radian'/>", at=orientation))
        assert robot.tree.joints[0].placement.turns == ((2, 1.57079632679),)


def test_damping_of_a_free_joint_acts_on_all_six_rates() -> None:
    text = arm("<joint name='root' type='free' damping='0.7'/>")
    robot = read(text)
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    rng = np.random.default_rng(3)
    place, quaternion, qd = rng.normal(size=3), rng.normal(size=4), rng.normal(size=6)
    x, y, z, w = quaternion / np.linalg.norm(quaternion)
    data.qpos[:] = [*place, w, x, y, z]
    mujoco.mj_kinematics(model, data)
    R = data.xmat[1].reshape(3, 3)
    data.qvel[:] = [*(R @ qd[:3]), *qd[3:]]
    mujoco.mj_forward(model, data)
    needed = -np.concatenate([R.T @ data.qfrc_passive[:3], data.qfrc_passive[3:]])
    assert np.abs(needed).max() > 0.1
    assert robot.friction(qd) == pytest.approx(needed, rel=1e-12)
    assert robot.drive_regressor(qd, qd) @ [0, 0, 0.7, 0] == pytest.approx(needed, rel=1e-12)
    assert read_toml(write_toml(robot.tree)).joints[0].drive.viscous == 0.7


def test_a_free_joint_ignores_where_its_body_is_drawn() -> None:
    robot = read(arm("<freejoint name='root'/>", at="pos='1 2 3'"))
    q = [0, 0, 0, 0, 0, 0, 1]
    assert robot.forward_kinematics(q, "tip") == pytest.approx(np.eye(4), abs=0)


def test_gravity_may_be_switched_off() -> None:
    assert not read(arm(before="<option><flag gravity='disable'/></option>")).tree.gravity_acceleration.z


def test_the_angle_setting_holds_for_limits_and_orientations() -> None:
    robot = read(arm("<joint range='-1 2'/>", before="<compiler angle='radian'/>", at="euler='0 0 0.5'"))
    assert (robot.tree.joints[0].limits.upper, robot.tree.joints[0].placement.turns) == (2, ((2, 0.5),))


@pytest.mark.parametrize(
    ("limited", "compiler", "expected"),
    [("", "", True), ("limited='false'", "", False), ("", "<compiler autolimits='false'/>", False)],
)
def test_a_range_limits_unless_told_otherwise(limited: str, compiler: str, expected: bool) -> None:
    limits = read(arm(f"<joint range='-10 20' {limited}/>", before=compiler)).tree.joints[0].limits
    assert (limits.upper is not None) is expected


def test_names_are_made_where_there_are_none() -> None:
    text = arm("<joint/><joint axis='1 0 0'/>", INERTIAL + f"<body><joint/>{INERTIAL}</body><body>{INERTIAL}</body>")
    robot = read(text.replace('name="tip"', ""))
    assert robot.joint_names == ("body joint", "body joint 2", "body 2 joint")
    assert len(set(robot.frame_names)) == len(robot.frame_names)


def test_a_site_with_the_name_of_a_body_gets_another() -> None:
    assert "tip site" in read(arm(body=INERTIAL + "<site name='tip' pos='1 0 0'/>")).frame_names


def test_what_acts_on_the_robot_from_outside_is_left_aside() -> None:
    after = """<actuator><motor joint='elbow'/></actuator><sensor><jointpos joint='elbow'/></sensor>
<tendon><fixed><joint joint='elbow' coef='1'/></fixed></tendon><contact><exclude body1='world' body2='tip'/></contact>
<equality><weld body1='tip' active='false'/></equality>"""
    assert read(arm(after=after)).dof == 1


def test_a_mesh_on_a_body_that_cannot_move_does_no_harm() -> None:
    text = arm().replace("<worldbody>", "<worldbody><body name='rock'><geom type='mesh' mesh='rock'/></body>")
    assert read(text).dof == 1


GEOMS = {
    "sphere": ("size='0.1'", 4 / 3 * math.pi * 1e-3, (0.4 * 1e-2,) * 3),
    "box": ("size='0.1 0.2 0.3'", 8 * 6e-3, ((0.04 + 0.09) / 3, (0.01 + 0.09) / 3, (0.01 + 0.04) / 3)),
    "cylinder": ("size='0.1 0.2'", math.pi * 1e-2 * 0.4, (0.01 / 4 + 0.16 / 12, 0.01 / 4 + 0.16 / 12, 0.005)),
    "ellipsoid": ("size='0.1 0.2 0.3'", 4 / 3 * math.pi * 6e-3, ((0.04 + 0.09) / 5, 0.1 / 5, 0.05 / 5)),
}


@pytest.mark.parametrize(("kind", "size", "volume", "moments"), [(k, *v) for k, v in GEOMS.items()], ids=GEOMS)
def test_geoms_weigh_what_solids_weigh(kind: str, size: str, volume: float, moments: tuple[float, ...]) -> None:
    body = read(arm(body=f"<geom type='{kind}' {size} density='100'/>")).tree.inertia(0)
    assert body.m == pytest.approx(100 * volume, rel=1e-14)
    found = (body.I.xx, body.I.yy, body.I.zz)
    assert found == pytest.approx(tuple(100 * volume * x for x in moments), rel=1e-14)


def test_a_capsule_is_a_cylinder_between_two_half_balls() -> None:
    """Integrate discs along the axis: an independent way to the same numbers."""
    radius, half = 0.1, 0.25
    z, step = np.linspace(-half - radius, half + radius, 200_001, retstep=True)
    z, step = (z[1:] + z[:-1]) / 2, float(step)
    squared = radius**2 - np.clip(np.abs(z) - half, 0, None) ** 2
    mass = math.pi * squared * step * 1000
    body = read(arm(body=f"<geom type='capsule' size='{radius} {half}'/>")).tree.inertia(0)
    assert body.m == pytest.approx(mass.sum(), rel=1e-9)
    assert body.I.zz == pytest.approx((mass * squared / 2).sum(), rel=1e-9)
    assert body.I.xx == pytest.approx((mass * (squared / 4 + z**2)).sum(), rel=1e-9)


REFUSALS = {
    "empty": ("", "arm.xml: line 1: not well-formed XML"),
    "truncated": (arm()[:-12], "not well-formed XML"),
    "entities": ('<!DOCTYPE m [<!ENTITY a "1 2 3">]><mujoco/>', "declares XML entities"),
    "urdf": ("<robot/>", "outermost element is <robot>, expected <mujoco>"),
    "include": (
        arm(before="<include file='/etc/passwd'/>"),
        "names the file '/etc/passwd'; a text has no other files: load it by its path",
    ),
    "attach": (arm(body="<attach model='x'/>"), "an <attach> without a body is not followed"),
    "no moving joint": (arm(joint=""), "robot 'arm' has no moving joint"),
    "empty world": ("<mujoco/>", "robot 'mujoco' has no moving joint"),
    "ball": (arm("<joint name='hip' type='ball' springdamper='1 1'/>"), "springdamper on a ball joint is not modelled"),
    "unknown type": (arm("<joint type='screw'/>"), "<joint> of 'tip': unknown joint type 'screw'"),
    "two free": (arm("<freejoint/><freejoint/>"), "must be the only joint"),
    "inner free": (arm(body=f"<body><freejoint/>{INERTIAL}</body>"), "must be the only joint of a body of the world"),
    "driven free": (arm("<joint type='free' stiffness='1'/>"), "stiffness on a free joint is not modelled"),
    "aligned free": (arm("<freejoint align='true'/>"), "align moves the frame"),
    "zero axis": (arm("<joint axis='0 0 0'/>"), "the axis is 0 0 0"),
    "short axis": (arm("<joint axis='0 1'/>"), "axis is '0 1', expected 3 numbers"),
    "NaN": (arm("<joint pos='nan 0 0'/>"), "pos holds 'nan', expected a finite number"),
    "infinite mass": (arm(body=INERTIAL.replace('mass="2"', 'mass="inf"')), "mass holds 'inf'"),
    "no mass": (arm(body=INERTIAL.replace('mass="2"', "")), "attribute mass is missing"),
    "no centre": (arm(body=INERTIAL.replace('pos="0.1 0 0"', "")), "attribute pos is missing"),
    "two orientations": (arm(at="quat='1 0 0 0' euler='0 0 0'"), "quat and euler both give the orientation"),
    "zero quaternion": (arm(at="quat='0 0 0 0'"), "the quaternion is 0 0 0 0"),
    "zero rotation axis": (arm(at="axisangle='0 0 0 1'"), "the axis of rotation is 0 0 0"),
    "parallel axes": (arm(at="xyaxes='1 0 0 2 0 0'"), "an axis of the orientation has no direction"),
    "bad euler order": (arm(before="<compiler eulerseq='xyw'/>"), "eulerseq is 'xyw'; give three of x y z X Y Z"),
    "bad angle": (arm(before="<compiler angle='turns'/>"), "angle is 'turns'; use degree or radian"),
    "bad inertia rule": (arm(before="<compiler inertiafromgeom='maybe'/>"), "inertiafromgeom is 'maybe'"),
    "global": (arm(before="<compiler coordinate='global'/>"), "global coordinates are no longer part of MJCF"),
    "unknown class": (arm("<joint class='big'/>"), "default class 'big' does not exist"),
    "class twice": (
        arm(before="<default><default class='a'/><default class='a'/></default>"),
        "default class 'a' is defined twice",
    ),
    "mesh": (
        arm(body="<geom type='mesh' mesh='m'/>"),
        "mesh 'm' does not exist; define it in <asset>",
    ),
    "no such mesh": (arm(body="<geom type='mesh'/>"), "the inertia of this geom (type 'mesh') is not computed"),
    "mesh file": (
        arm(body="<geom type='mesh' mesh='m'/>", before="<asset><mesh file='a/m.stl'/></asset>"),
        "names the file 'a/m.stl'; a text has no other files: load it by its path",
    ),
    "shell": (
        arm(body="<geom type='ellipsoid' size='1 2 3' shellinertia='true'/>"),
        "the inertia of the shell of an ellipsoid is not computed; give its body an <inertial>",
    ),
    "short size": (arm(body="<geom type='box' size='1 2'/>"), "a box needs 3 numbers in size, found 2"),
    "flat box": (arm(body="<geom type='box' size='1 2 0'/>"), "size of a box is 1 2 0, expected positive numbers"),
    "point": (arm(body="<geom type='capsule' size='1' fromto='0 0 0 0 0 0'/>"), "fromto needs two different points"),
    "stretched sphere": (arm(body="<geom size='1' fromto='0 0 0 0 0 1'/>"), "fromto does not apply to a sphere"),
    "weld": (arm(after="<equality><weld body1='tip'/></equality>"), "the loops leave no joint free to move"),
    "held joint": (arm(after="<equality><joint joint1='elbow'/></equality>"), "has no moving joint"),
    "unknown leader": (
        arm(after="<equality><joint joint1='elbow' joint2='x'/></equality>"),
        "joint 'x' is no hinge or slide of the model",
    ),
    "curved equality": (
        arm(after="<equality><joint joint1='elbow' joint2='elbow' polycoef='0 1 2 0 0'/></equality>"),
        "joint 'elbow', which it follows, follows another or itself",
    ),
    "self equality": (
        arm(after="<equality><joint joint1='elbow' joint2='elbow'/></equality>"),
        "joint 'elbow': mimics 'elbow'",
    ),
    "springy tendon": (
        arm(after="<tendon><fixed name='t' stiffness='1'/></tendon>"),
        "a tendon with stiffness is not modelled",
    ),
    "curved damping": (arm("<joint damping='1 2'/>"), "damping of higher order is not modelled"),
    "spring-damper": (arm("<joint springdamper='1 1'/>"), "springdamper is not modelled"),
    "same body twice": (arm(body=f"<body name='tip'>{INERTIAL}</body>"), "two links are named 'tip'"),
    "same joint twice": (arm("<joint name='a'/><joint name='a'/>"), "two joints are named 'a'"),
}


@pytest.mark.parametrize(("text", "sentence"), REFUSALS.values(), ids=REFUSALS.keys())
def test_bad_input_is_refused_in_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        read_mjcf(text, "arm.xml")
    told = str(caught.value)
    assert sentence in told
    assert told.startswith("arm.xml")
    assert "\n" not in told and len(told) < 400


def test_what_is_legal_but_not_modelled_has_its_own_class() -> None:
    with pytest.raises(UnsupportedError):
        read_mjcf(arm("<joint type='ball' springdamper='1 1'/>"), "arm.xml")


def test_five_thousand_nested_bodies_are_read_in_seconds() -> None:
    body = f"<body pos='0 0 1' euler='10 20 30'><joint pos='0 0.1 0'/>{INERTIAL}"
    started = time.process_time()
    robot = read_mjcf(f"<mujoco><worldbody>{body * 5000}{'</body>' * 5000}</worldbody></mujoco>", "deep.xml")
    assert time.process_time() - started < 10
    assert robot.dof == 5000


def test_too_many_bodies_are_refused() -> None:
    with pytest.raises(InputError, match="more than 20000 links"):
        read_mjcf(f"<mujoco><worldbody>{'<body/>' * 20_001}</worldbody></mujoco>", "huge.xml")
