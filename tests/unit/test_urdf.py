"""URDF: what is read, what is refused in one sentence, and what the writer writes."""

from __future__ import annotations

import math
import re
import time
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pinocchio as pin
import pytest

from taut.api import Robot
from taut.errors import InputError, InputWarning
from taut.formats import xml
from taut.formats.urdf import read_urdf
from taut.formats.urdf_writer import write_urdf
from taut.robot import Placement, Tree
from taut.spatial import Inertia, Sym3, Vec3

FEATURES = (Path(__file__).parents[1] / "data" / "urdf" / "features.urdf").read_text(encoding="utf-8")

BODY = """<inertial><origin xyz="0.1 0 0"/><mass value="2"/>
<inertia ixx="1" ixy="0" ixz="0" iyy="2" iyz="0" izz="2.5"/></inertial>"""


def arm(joint: str = "", kind: str = "revolute", link: str = BODY, more: str = "") -> str:
    """Return a robot of one joint, with the given text inside the joint, the link and the robot."""
    return f"""<robot name="arm">
<link name="base"/>
<link name="tip">{link}</link>
<joint name="elbow" type="{kind}"><parent link="base"/><child link="tip"/>{joint}</joint>
{more}</robot>"""


def test_every_part_of_a_file_arrives() -> None:
    robot = read_urdf(FEATURES, "features.urdf")
    assert robot.name == "features"
    # depth first, siblings in document order
    assert [j.name for j in robot.joints] == ["shoulder", "slide", "elbow", "follow", "follow again", "orbit"]
    assert robot.joint_names == ("shoulder", "slide", "elbow", "orbit")
    assert {f.name for f in robot.frames} == {"cover", "sensor mount"}
    shoulder = robot.joints[0]
    assert tuple(shoulder.motion.axis) == pytest.approx((1 / 3, 2 / 3, -2 / 3), abs=1e-15)
    limits = shoulder.limits
    assert (limits.lower, limits.upper, limits.velocity, limits.effort) == (-1.5, 2, 4, 30)
    assert (shoulder.drive.viscous, shoulder.drive.coulomb) == (0.3, 0.2)
    elbow = robot.joints[2]
    assert tuple(elbow.motion.axis) == (1, 0, 0)  # URDF's default
    assert (elbow.limits.lower, elbow.limits.velocity) == (None, 5)
    assert robot.joints[5].motion.kind == "free"


def test_a_chain_of_mimics_follows_its_independent_leader() -> None:
    robot = read_urdf(FEATURES, "features.urdf")
    second = next(m for m in robot.mimics if robot.joints[m.joint].name == "follow again")
    assert robot.joints[second.leader].name == "elbow"
    assert (second.multiplier, second.offset) == (-0.7 * 1.5, 1.5 * 0.2 - 0.1)


def test_an_inertial_turned_by_rpy_turns_its_tensor() -> None:
    turned = BODY.replace('xyz="0.1 0 0"', f'rpy="0 0 {math.pi / 2}"')
    robot = read_urdf(arm(link=turned), "arm.urdf")
    assert tuple(robot.inertia(0).I) == pytest.approx((2, 0, 1, 0, 0, 2.5), abs=1e-15)


def test_a_link_without_inertial_has_no_mass() -> None:
    assert read_urdf(arm(link=""), "arm.urdf").inertia(0).m == 0


@pytest.mark.parametrize("left_out", ["mass", "inertia"])
def test_an_incomplete_inertial_is_read_as_pinocchio_does(left_out: str, capfd: pytest.CaptureFixture[str]) -> None:
    text = arm(link=re.sub(f"<{left_out} [^>]*/>", "", BODY)).replace('type="revolute"', 'type="continuous"')
    with pytest.warns(InputWarning, match=f"<inertial> of 'tip': <{left_out}> is missing; read as"):
        body = read_urdf(text, "arm.urdf").inertia(0)
    theirs = pin.buildModelFromXML(text).inertias[1]
    capfd.readouterr()  # Pinocchio's parser complains and reads on
    assert (body.m, *body.h) == pytest.approx((theirs.mass, *(theirs.mass * theirs.lever)), abs=1e-15)
    assert theirs.inertia.max() == 0


@pytest.mark.parametrize(
    ("mass", "moment"),
    [("-2", "1"), ("0", "1"), ("2", "-1"), ("2", "100")],
    ids=["negative", "none", "moment", "triangle"],
)
@pytest.mark.filterwarnings("ignore:.*negative mass:taut.errors.InputWarning")
def test_what_no_body_can_be_is_read_as_it_stands(mass: str, moment: str) -> None:
    text = BODY.replace('value="2"', f'value="{mass}"').replace('ixx="1"', f'ixx="{moment}"')
    body = read_urdf(arm(link=text), "arm.urdf").inertia(0)
    assert (body.m, body.I.xx) == (float(mass), float(moment))


@pytest.mark.parametrize(
    "name", ["two words", 'say "hi"', "it's", "line\nbreak", "naïve 関節", "<&>", "a" * 5000, "$(x)"]
)
def test_names_may_be_anything(name: str) -> None:
    robot = read_urdf(arm(), "arm.urdf")
    joint = robot.joints[0]
    renamed = replace(robot, joints=(replace(joint, name=name, link=replace(joint.link, name=name + "!")),))
    again = read_urdf(write_urdf(renamed), "arm.urdf")
    assert (again.joints[0].name, again.joints[0].link.name) == (name, name + "!")


@pytest.mark.parametrize(
    "limit",
    [
        'lower="-10" upper="10"',
        'lower="-1e+16" upper="1e+16"',
        'lower="-1000" upper="1000"',
        'lower="-100" upper="100"',
    ],
)
def test_wide_limits_of_published_files_are_read(limit: str) -> None:
    assert read_urdf(arm(f"<limit {limit} effort='1' velocity='1'/>"), "arm.urdf").joints[0].limits.upper


def test_infinite_limits_are_no_limits() -> None:
    limits = (
        read_urdf(arm('<limit lower="-inf" upper="1.79769e+308" effort="inf" velocity="5"/>'), "arm.urdf")
        .joints[0]
        .limits
    )
    assert (limits.lower, limits.upper, limits.effort, limits.velocity) == (None, None, None, 5)


def test_an_angle_is_the_number_that_is_written() -> None:
    def turned(angle: str) -> tuple[tuple[int, float], ...]:
        return read_urdf(arm(f'<origin rpy="0 0 {angle}"/>'), "arm.urdf").joints[0].placement.turns

    for written in ("-1.57079632679", "3.1415926536", "1.5708", "1e-11"):
        assert turned(written) == ((2, float(written)),)
    assert turned("0") == ()


def test_an_orientation_may_be_a_quaternion() -> None:
    by_quaternion = read_urdf(arm('<origin quat_xyzw="0 0 0.5 0.5"/>'), "arm.urdf")
    assert by_quaternion.joints[0].placement.turns == ((2, math.pi / 2),)


def test_a_mimic_of_nobody_is_noted_and_left_out() -> None:
    with pytest.warns(InputWarning, match=r"arm.urdf: line 5: <mimic> of 'elbow': joint 'ghost' does not exist"):
        robot = read_urdf(arm("<mimic joint='ghost'/>"), "arm.urdf")
    assert robot.joint_names == ("elbow",)


def test_the_world_need_not_be_described() -> None:
    text = arm().replace('<parent link="base"/>', '<parent link="world"/>').replace('<link name="base"/>', "")
    with pytest.warns(InputWarning, match=r"arm.urdf: line 1: <robot> .*: link 'world' is not described"):
        robot = read_urdf(text, "arm.urdf")
    assert robot.base_name == "world" and robot.joint_names == ("elbow",)
    with pytest.raises(InputError, match="2 root links: 'base', 'world'"), warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        read_urdf(arm().replace('<parent link="base"/>', '<parent link="world"/>'), "arm.urdf")


EVIL = '<!DOCTYPE r [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><robot name="&b;"/>'
SECOND = '<joint name="second" type="fixed"><parent link="{}"/><child link="{}"/></joint>'

REFUSALS = {
    "empty": ("", "arm.urdf: line 1: not well-formed XML"),
    "prose": ("hello", "arm.urdf: line 1: not well-formed XML"),
    "truncated": (arm()[:-20], "not well-formed XML"),
    "entities": (EVIL, "declares XML entities"),
    "external entity": ('<!DOCTYPE r [<!ENTITY a SYSTEM "file:///etc/passwd">]><robot>&a;</robot>', "XML entities"),
    "external subset": ('<!DOCTYPE robot SYSTEM "http://127.0.0.1/robot.dtd"><robot/>', "another document"),
    "not bytes of any encoding": (b"<robot name='\xff'/>", "not well-formed XML"),
    "lone surrogate": ("<robot name='\ud800'/>", "not readable as XML"),
    "mjcf": ("<mujoco/>", "outermost element is <mujoco>, expected <robot>"),
    "several robots": ("<world><robot/><robot/></world>", "outermost element is <world>"),
    "xacro macro": (arm(more="<xacro:macro name='m'/>"), "line 6: <xacro:macro> 'm': xacro macros are not expanded"),
    "other prefix": (
        arm(more="<x:include/>").replace('name="arm"', 'name="arm" xmlns:x="http://www.ros.org/wiki/xacro"'),
        "xacro macros are not expanded",
    ),
    "xacro expression": (
        arm("<origin xyz='${a} 0 0'/>"),
        "unexpanded expression '${a}'; expand the file with xacro first",
    ),
    "no links": ("<robot name='r'/>", "no links"),
    "unknown type": (arm(kind="hinge"), "<joint> 'elbow': unknown joint type 'hinge'"),
    "no type": (arm().replace('type="revolute"', ""), "attribute type is missing"),
    "no name": (arm().replace('name="elbow"', ""), "attribute name is missing"),
    "no parent": (arm().replace('<parent link="base"/>', ""), "<joint> 'elbow': <parent> is missing"),
    "unknown parent": (
        arm().replace('<parent link="base"/>', '<parent link="hook"/>'),
        "parent link 'hook' does not exist",
    ),
    "unknown child": (arm().replace('<child link="tip"/>', '<child link="hook"/>'), "child link 'hook' does not exist"),
    "two roots": (arm(more='<link name="other"/>'), "2 root links: 'base', 'other'"),
    "two parents": (arm(more=SECOND.format("base", "tip")), "'tip' is carried by joints 'elbow' and 'second'"),
    "cycle": (arm(more=SECOND.format("tip", "base")), "cycle with no base link"),
    "cycle apart": (
        arm(
            more='<link name="a"/><link name="b"/>'
            + SECOND.format("a", "b")
            + SECOND.format("b", "a").replace("second", "3")
        ),
        "link 'b' is part of a cycle",
    ),
    "same link twice": (arm(more='<link name="tip"/>'), "two links are named 'tip'"),
    "same joint twice": (
        arm(more='<link name="t2"/>' + SECOND.format("tip", "t2").replace("second", "elbow")),
        "two joints are named 'elbow'",
    ),
    "zero axis": (arm("<axis xyz='0 0 0'/>"), "the axis is 0 0 0"),
    "short axis": (arm("<axis xyz='0 1'/>"), "xyz is '0 1', expected 3 numbers"),
    "long origin": (arm("<origin xyz='0 1 2 3'/>"), "xyz is '0 1 2 3', expected 3 numbers"),
    "empty numbers": (arm("<origin xyz='  '/>"), "expected 3 numbers"),
    "words": (arm("<origin rpy='a b c'/>"), "rpy holds 'a', expected a finite number"),
    "NaN": (arm("<origin xyz='nan 0 0'/>"), "xyz holds 'nan', expected a finite number"),
    "infinity": (arm("<origin xyz='0 inf 0'/>"), "xyz holds 'inf', expected a finite number"),
    "overflow": (arm("<origin xyz='0 1e999 0'/>"), "xyz holds '1e999', larger than any real length"),
    "underscore": (arm("<origin xyz='0 1_0 0'/>"), "xyz holds '1_0', expected a finite number"),
    "foreign digits": (arm("<origin xyz='0 ٣ 0'/>"), "expected a finite number"),
    "NaN mass": (arm(link=BODY.replace('value="2"', 'value="nan"')), "<mass> of 'tip': value holds 'nan'"),
    "infinite inertia": (arm(link=BODY.replace('ixx="1"', 'ixx="inf"')), "<inertia> of 'tip': ixx holds 'inf'"),
    "NaN limit": (arm("<limit lower='nan' upper='1'/>"), "lower holds 'nan'"),
    "no moments": (arm(link=BODY.replace('ixy="0"', "")), "attribute ixy is missing"),
    "limits in degrees": (
        arm("<limit lower='-180' upper='180'/>"),
        "limits -180 to 180 of a revolute joint can only be degrees",
    ),
    "one limit in degrees": (arm("<limit upper='170'/>"), "a limit of 170 on a revolute joint can only be degrees"),
    "rpy in degrees": (
        arm("<origin rpy='0 90 0'/>"),
        "rpy is '0 90 0', which can only be degrees; give rpy in radians",
    ),
    "zero quaternion": (arm("<origin quat_xyzw='0 0 0 0'/>"), "the quaternion is 0 0 0 0"),
    "mimics itself": (arm("<mimic joint='elbow'/>"), "joint 'elbow': mimics 'elbow'"),
}


@pytest.mark.parametrize(("text", "sentence"), REFUSALS.values(), ids=REFUSALS.keys())
def test_bad_input_is_refused_in_one_sentence(text: str | bytes, sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        read_urdf(text, "arm.urdf")
    told = str(caught.value)
    assert sentence in told
    assert told.startswith("arm.urdf")
    assert "\n" not in told and len(told) < 400


def test_a_name_in_an_error_stays_on_its_line() -> None:
    name = "line&#10;break \u202e"
    with pytest.raises(InputError) as caught:
        read_urdf(arm(more=f'<link name="{name}"/><link name="{name}"/>'), "arm.urdf")
    assert "two links are named 'line\\nbreak \\u202e'" in str(caught.value)


def test_lines_are_counted_from_the_top_of_the_file() -> None:
    with pytest.raises(InputError, match="line 7: <axis> of 'elbow'"):
        read_urdf("\n\n" + arm("<axis xyz='1'/>"), "arm.urdf")


@pytest.mark.parametrize("encode", [str, str.encode])
def test_comments_and_declarations_that_are_not_well_formed_are_passed_over(encode: Callable[[str], str]) -> None:
    """As other readers do: two hyphens inside a comment, a declaration with a wrong word."""
    remarks = '<?xml vertsion="1.0"?>\n<!-- made by hand -- twice\n <!-- of two arms -->\n'
    assert read_urdf(encode(remarks + arm()), "arm.urdf") == read_urdf(arm(), "arm.urdf")
    with pytest.raises(InputError, match=r"arm.urdf: line 7: not well-formed XML"):
        read_urdf(encode(f"<!-- one -->\n{arm()[:-20]}\n<!-- two"), "arm.urdf")
    with pytest.raises(InputError, match=r"arm.urdf: line 9: <joint> 'elbow': unknown joint type 'bent'"):
        read_urdf(encode(f"{remarks}\n{arm(kind='bent')}"), "arm.urdf")


def test_a_blank_line_before_the_declaration_does_no_harm() -> None:
    assert read_urdf('\n <?xml version="1.0"?>' + arm(), "arm.urdf").dof == 1


def chain(count: int, kind: str) -> str:
    parts = ['<robot name="long"><link name="l0"/>']
    for i in range(count):
        moving = kind if i else "revolute"
        parts.append(
            f'<link name="l{i + 1}">{BODY}</link><joint name="j{i}" type="{moving}"><axis xyz="0 0 1"/>'
            f'<origin xyz="0 0 1" rpy="0.1 0.2 0.3"/><parent link="l{i}"/><child link="l{i + 1}"/></joint>'
        )
    return "".join([*parts, "</robot>"])


@pytest.mark.parametrize("kind", ["revolute", "fixed"])
def test_five_thousand_links_are_read_in_seconds(kind: str) -> None:
    started = time.process_time()
    robot = read_urdf(chain(5000, kind), "long.urdf")
    assert time.process_time() - started < 10
    assert len(robot.joints) + len(robot.frames) == 5000


def test_a_long_chain_of_fixed_joints_stands_where_each_step_puts_it() -> None:
    robot = read_urdf(chain(60, "fixed"), "long.urdf")
    step = robot.joints[0].placement.transform
    pose = step
    for _ in range(59):
        pose = pose @ step
    found = robot.joints[0].placement.transform @ robot.frame("l60").transform
    difference = [x - y for x, y in zip(found.p, pose.p, strict=True)]
    assert max(map(abs, difference)) < 60 * 60 * np.finfo(float).eps  # sixty steps of one metre, each rounded


def test_too_many_links_are_refused() -> None:
    links = "".join(f'<link name="{i}"/>' for i in range(20_001))
    with pytest.raises(InputError, match="more than 20000 links"):
        read_urdf(f"<robot>{links}</robot>", "huge.urdf")


def test_too_long_a_text_is_refused_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="more than 67108864"):
        read_urdf(b" " * (64 * 1024 * 1024 + 1), "huge.urdf")
    monkeypatch.setattr(xml, "MOST_ELEMENTS", 100)
    with pytest.raises(InputError, match="more than 100 elements"):
        read_urdf("<robot>" + "<a/>" * 100 + "</robot>", "huge.urdf")


def test_deep_nesting_is_no_danger() -> None:
    with pytest.raises(InputError, match="no links"):
        read_urdf("<robot>" + "<a>" * 50_000 + "</a>" * 50_000 + "</robot>", "deep.urdf")


# -- the writer -----------------------------------------------------------------


def machine() -> Tree:
    """Return a robot that uses what URDF has no word for."""
    robot = read_urdf(FEATURES, "features.urdf")
    shoulder, *others = robot.joints
    drive = replace(shoulder.drive, rotor_inertia=0.4, gear_ratio=-62.5, offset=0.1, stiffness=3.0, rest=0.2)
    return replace(
        robot,
        joints=(replace(shoulder, drive=drive), *others),
        coupling=((0, 1, -0.25),),
        gravity_acceleration=Vec3(0.0, 0.5, -9.8),
    )


def test_what_is_written_reads_back_the_same() -> None:
    robot = machine()
    again = read_urdf(write_urdf(robot), "again.urdf")
    assert again.frame_names == robot.frame_names
    assert (again.mimics, again.coupling, again.base_name) == (robot.mimics, robot.coupling, robot.base_name)
    assert again.gravity_acceleration == robot.gravity_acceleration
    eps = np.finfo(float).eps
    for ours, theirs in zip(robot.joints, again.joints, strict=True):
        for part in ("name", "parent", "motion", "drive", "limits"):
            assert getattr(ours, part) == getattr(theirs, part)
        assert ours.placement.p == theirs.placement.p
        scale = max(abs(x) for x in ours.link.inertia.parameters)
        apart = [a - b for a, b in zip(ours.link.inertia.parameters, theirs.link.inertia.parameters, strict=True)]
        assert max(map(abs, apart)) <= 4 * eps * scale  # to the centre of mass and back
    q = np.array([0.3, 0.1, -0.8, 0, 0, 0, 0, 0, 0, 1])
    for name in robot.frame_names:  # turns that are no roll, pitch, yaw are written as such
        poses = [Robot(r).forward_kinematics(q, name) for r in (robot, again)]
        assert np.abs(poses[0] - poses[1]).max() <= 20 * eps


def test_writing_twice_gives_the_same_bytes() -> None:
    text = write_urdf(machine())
    assert write_urdf(machine()) == text
    assert text.isascii()


def test_a_placed_base_hangs_on_a_world_link() -> None:
    robot = replace(read_urdf(arm(), "arm.urdf"), base=Placement(Vec3(1.0, 2.0, 3.0), ((0, 0.3), (2, 0.4), (0, -1.0))))
    again = read_urdf(write_urdf(robot), "again.urdf")
    assert again.base_name == "world"
    q = [0.7]
    ours, theirs = (Robot(r).forward_kinematics(q, "tip") for r in (robot, again))
    assert np.abs(ours - theirs).max() <= 8 * np.finfo(float).eps


def test_a_moment_without_mass_cannot_be_written() -> None:
    robot = read_urdf(arm(), "arm.urdf")
    joint = robot.joints[0]
    lumped = Inertia(0.0, Vec3(0.1, 0.0, 0.0), Sym3(1, 0, 1, 0, 0, 1))
    with pytest.raises(InputError, match="link 'tip': a first moment without mass has no centre"):
        write_urdf(replace(robot, joints=(replace(joint, link=replace(joint.link, inertia=lumped)),)))


def test_a_name_xml_cannot_hold_is_refused() -> None:
    with pytest.raises(InputError, match="which XML cannot"):
        write_urdf(replace(read_urdf(arm(), "arm.urdf"), name="bell\a"))
