"""What the reader of SDF makes of poses, axes, threads, frames, nested models, gears and loops."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import taut
from taut.errors import InputError
from taut.formats import read
from taut.formats.sdf import read_sdf
from taut.robot import Ball, Helical, Tree
from taut.robot.motion import Revolute
from taut.robot.states import neutral

BODY = "<inertial><mass>2</mass><inertia><ixx>1</ixx><iyy>2</iyy><izz>2.5</izz></inertia></inertial>"


def document(inside: str, version: str = "1.9") -> str:
    return f"<sdf version='{version}'><model name='m'>{inside}</model></sdf>"


def arm(joint: str, kind: str = "revolute", version: str = "1.9", pose: str = "1 2 3 0 0 1.5707963267948966") -> Tree:
    links = f"<link name='a'>{BODY}</link><link name='b'><pose>{pose}</pose>{BODY}</link>"
    ends = "<parent>a</parent><child>b</child>"
    text = document(f"{links}<joint name='j' type='{kind}'>{ends}{joint}</joint>", version)
    return read(text, "arm.sdf")


def axis(xyz: str, more: str = "", attributes: str = "") -> str:
    return f"<axis><xyz {attributes}>{xyz}</xyz>{more}</axis>"


def turned_axis(tree: Tree) -> np.ndarray:
    """Return the axis of the first joint in the world."""
    joint = tree.joints[0]
    assert isinstance(joint.motion, Revolute)
    return np.array([float(x) for x in tree.rest_poses[0].R @ joint.motion.axis])


def test_links_stand_in_the_model_and_joints_in_their_child() -> None:
    joint = arm(f"<pose>0.5 0 0 0 0 0</pose>{axis('0 0 1')}").joints[0]
    assert [float(x) for x in joint.placement.p] == pytest.approx([1, 2.5, 3])


@pytest.mark.parametrize(
    ("version", "more", "attributes", "expected"),
    [
        ("1.9", "", "", (0, 1, 0)),
        ("1.4", "", "", (1, 0, 0)),
        ("1.6", "<use_parent_model_frame>1</use_parent_model_frame>", "", (1, 0, 0)),
        ("1.6", "<use_parent_model_frame>0</use_parent_model_frame>", "", (0, 1, 0)),
        ("1.9", "", "expressed_in='__model__'", (1, 0, 0)),
        ("1.9", "", "expressed_in='b'", (0, 1, 0)),
    ],
)
def test_axes_are_expressed_as_the_version_says(
    version: str, more: str, attributes: str, expected: tuple[float, ...]
) -> None:
    tree = arm(axis("1 0 0", more, attributes), version=version)
    assert turned_axis(tree) == pytest.approx(expected, abs=1e-15)


def test_threads_by_their_unit_and_sign() -> None:
    old = arm(f"{axis('0 0 1')}<thread_pitch>-100</thread_pitch>", "screw").joints[0].motion
    new = arm(f"{axis('0 0 1')}<screw_thread_pitch>0.02</screw_thread_pitch>", "screw").joints[0].motion
    assert isinstance(old, Helical) and isinstance(new, Helical)
    assert old.pitch == pytest.approx(0.01)
    assert new.pitch == pytest.approx(0.02 / (2 * math.pi))


def test_kinds_limits_and_drives() -> None:
    dynamics = (
        "<dynamics><damping>0.1</damping><friction>0.2</friction><spring_stiffness>3</spring_stiffness></dynamics>"
    )
    limit = "<limit><lower>-1</lower><upper>1e16</upper><effort>-1</effort><velocity>2</velocity></limit>"
    joint = arm(axis("0 0 1", dynamics + limit)).joints[0]
    assert (joint.drive.viscous, joint.drive.coulomb, joint.drive.stiffness) == (0.1, 0.2, 3)
    assert (joint.limits.lower, joint.limits.upper, joint.limits.effort, joint.limits.velocity) == (-1, None, None, 2)
    assert isinstance(arm("", "ball").joints[0].motion, Ball)
    second = "<axis2><xyz>0 1 0</xyz></axis2>"
    assert arm(axis("1 0 0") + second, "universal").joint_names == ("j_turn1", "j_turn2")


def test_relative_poses_frames_and_nested_models() -> None:
    link = f"<link name='c'><pose degrees='true'>0 0 1 90 0 0</pose>{BODY}</link>"
    nested = f"<model name='n'><pose relative_to='f'>0 0 1 0 0 0</pose>{link}</model>"
    frame = "<frame name='f' attached_to='b'><pose>1 0 0 0 0 0</pose></frame>"
    links = f"<link name='a'>{BODY}</link><link name='b'><pose relative_to='a'>0 1 0 0 0 0</pose>{BODY}</link>"
    joints = "<joint name='j' type='revolute'><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint>"
    weld = "<joint name='w' type='fixed'><parent>f</parent><child>n::c</child></joint>"
    robot = taut.Robot(read_sdf(document(links + frame + nested + joints + weld), "nested.sdf"))
    pose = robot.forward_kinematics(neutral(robot.tree), "n::c")
    assert pose[:3, 3] == pytest.approx([1, 1, 2])
    assert pose[:3, :3] == pytest.approx(np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]]), abs=1e-15)


def test_a_gearbox_lets_the_faster_joint_follow() -> None:
    links = "".join(f"<link name='{name}'>{BODY}</link>" for name in "abc")
    inside = "<parent>a</parent><child>{}</child><axis><xyz>0 0 1</xyz></axis>"
    joints = "".join(f"<joint name='to_{x}' type='revolute'>{inside.format(x)}</joint>" for x in "bc")
    gear = "<joint name='g' type='gearbox'><parent>b</parent><child>c</child><gearbox_reference_body>a"
    gear += "</gearbox_reference_body><gearbox_ratio>0.04</gearbox_ratio><axis><xyz>0 0 1</xyz></axis>"
    gear += "<axis2><xyz>0 0 1</xyz></axis2></joint>"
    tree = read_sdf(document(links + joints + gear), "gear.sdf")
    assert tree.joint_names == ("to_c",)
    assert tree.mimics[0].multiplier == pytest.approx(-25)


def test_a_second_parent_closes_a_loop() -> None:
    places = {"a": "0 0 0", "b": "1 0 0", "c": "1.5 0 1", "d": "0.5 0 1.2"}
    links = "".join(f"<link name='{name}'><pose>{xyz} 0 0 0</pose>{BODY}</link>" for name, xyz in places.items())
    joint = (
        "<joint name='{}{}' type='revolute'><parent>{}</parent><child>{}</child><axis><xyz>0 1 0</xyz></axis></joint>"
    )
    joints = "".join(joint.format(p, c, p, c) for p, c in ("ab", "bc", "cd", "ad"))
    joints = joints.replace(
        "<joint name='ad' type='revolute'>", "<joint name='ad' type='revolute'><pose>-0.5 0 -0.2 0 0 0</pose>"
    )
    loops = read_sdf(document(links + joints), "loop.sdf").loops
    assert [(closure.name, closure.kind) for closure in loops.closures] == [("ad", "pin")]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("<sdf version='1.9'/>", "there is no <model>"),
        (document("<static>true</static>"), "the model is static"),
        (document("<include><uri>model://x</uri></include>"), "an included model is not followed"),
        ("<sdf><model name='a'/><model name='b'/></sdf>", "2 models ('a', 'b'), expected one"),
        (document(f"<link name='a'><pose>1 2</pose>{BODY}</link>"), "holds '1 2', expected 6 numbers"),
        (
            document(f"<link name='a'><pose relative_to='x'/>{BODY}</link>"),
            "there is no link, joint, frame or model 'x'",
        ),
        (document("<joint name='j' type='cam'><parent>a</parent><child>a</child></joint>"), "no link, joint, frame"),
    ],
)
def test_bad_files_are_told_in_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        taut.Robot(read(text, "bad.sdf")).inverse_dynamics([0], [0], [0])
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_rigid_object_may_float_alone(tmp_path: Path) -> None:
    file = tmp_path / "box.sdf"
    file.write_text(document(f"<link name='a'>{BODY}</link>"))
    with pytest.raises(InputError, match=r"has no moving joint; .* a single body may float"):
        taut.load(file)
    assert taut.load(file, base="free").dof == 6


def test_xacro_is_refused_with_the_command_that_expands_it(tmp_path: Path) -> None:
    file = tmp_path / "arm.urdf.xacro"
    file.write_text("<robot/>")
    with pytest.raises(InputError, match=r"run 'xacro arm\.urdf\.xacro -o arm\.urdf' first"):
        taut.load(file)
