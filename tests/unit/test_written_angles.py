"""An angle means what its digits say: 1.5708 is a right angle, 1.57 is not."""

from __future__ import annotations

import math

import numpy as np
import pytest

from taut.api import Robot
from taut.derive import derive
from taut.errors import InputError
from taut.formats.orientation import quaternion_turns, two_axes_turns
from taut.formats.urdf import read_urdf
from taut.formats.xml import Element
from taut.identify.base_parameters import base_parameters
from taut.robot.meaning import decided
from taut.robot.placement import Placement, QuarterTurns
from taut.robot.written_angle import axis_meant, multiple_meant, turns_meant
from taut.spatial import Vec3

NOWHERE = Element("quat", {}, 1, "file")


def seven_joints(right: str, half: str) -> Robot:
    """Return an arm shaped like an xArm7: right angles between the axes, a flange and inertias turned by them."""
    roll = [f"-{right} 0 0", f"{right} 0 0", f"{right} 0 0", f"{right} 0 0", f"{right} 0 0", f"-{right} 0 0"]
    place = ["0 0 0", "0 -0.293 0", "0.0525 0 0", "0.0775 -0.3425 0", "0 0 0", "0.076 0.097 0"]
    joints = [
        f"""<joint name="j{k + 2}" type="revolute"><parent link="l{k + 1}"/><child link="l{k + 2}"/>
        <origin xyz="{place[k]}" rpy="{roll[k]}"/><axis xyz="0 0 1"/><limit lower="-3" upper="3"/></joint>"""
        for k in range(6)
    ]
    links = [
        f"""<link name="l{k}"><inertial><origin xyz="0.0{k} 0.02 -0.05" rpy="0 {right} 0"/><mass value="{3 - 0.3 * k}"/>
        <inertia ixx="0.01" iyy="0.02" izz="0.015" ixy="0" ixz="0" iyz="0"/></inertial></link>"""
        for k in range(1, 8)
    ]
    return Robot(
        read_urdf(
            f"""<robot name="arm"><link name="base"/>{"".join(links)}
            <joint name="j1" type="revolute"><parent link="base"/><child link="l1"/><origin xyz="0 0 0.267"/>
            <axis xyz="0 0 1"/><limit lower="-3" upper="3"/></joint>{"".join(joints)}
            <link name="tool"><inertial><mass value="0.5"/><origin xyz="0.01 0 0.1"/>
            <inertia ixx="0.001" iyy="0.002" izz="0.003" ixy="0" ixz="0" iyz="0"/></inertial></link>
            <joint name="mount" type="fixed"><parent link="l7"/><child link="tool"/>
            <origin xyz="0.02 0 0.05" rpy="0 0 {half}"/></joint></robot>""",
            "arm.urdf",
        )
    )


@pytest.mark.parametrize(
    ("written", "multiple"),
    [
        *[(1.5708, 6), (1.57079, 6), (1.570796, 6), (3.1416, 12), (3.14159, 12), (3.141593, 12), (-2.35619, -9)],
        *[(0.785398, 3), (0.7854, 3), (0.5236, 2), (1.0472, 4), (0.261799, 1), (6.28319, 24), (4.9e-12, 0)],
        *[(1.57, None), (3.14, None), (0.785, None), (1.57075, None), (2e-7, None), (0.3, None), (1.047, None)],
    ],
)
def test_digits_decide(written: float, multiple: int | None) -> None:
    assert multiple_meant(written) == multiple
    assert multiple_meant(written, snap=0) is None
    assert multiple_meant(math.pi / 2, snap=0) == 6


def test_a_tolerance_takes_coarse_ones() -> None:
    assert multiple_meant(1.57, snap=1e-3) == 6
    assert multiple_meant(3.14, snap=1e-3) is None
    with pytest.raises(InputError, match="snap is 1"):
        decided(seven_joints("1.5708", "0.785398").tree, snap=1.0)


@pytest.mark.parametrize(
    ("wxyz", "degrees"),
    [
        ((0.7071, 0.7071, 0, 0), (0, 90)),
        ((0.866025, 0, 0.5, 0), (1, 60)),
        ((0.9239, 0, 0, 0.3827), (2, 45)),
        ((0.92387, 0, 0, 0.38268), (2, 45)),  # truncated
    ],
)
def test_quaternions_are_judged_as_rotations(wxyz: tuple[float, ...], degrees: tuple[int, int]) -> None:
    [(axis, angle)] = turns_meant(quaternion_turns(NOWHERE, wxyz))
    assert (axis, math.degrees(float(angle))) == pytest.approx(degrees)


def test_a_rotation_about_two_axes_is_judged_as_a_whole() -> None:
    exact = Placement(turns=((2, math.pi / 4), (0, math.pi / 3)))
    rows = exact.transform.R.matrix.rows
    x, y = (Vec3(*(round(float(row[k]), 5) for row in map(tuple, rows))) for k in range(2))
    meant = turns_meant(two_axes_turns(NOWHERE, x, y))
    assert [(axis, round(math.degrees(float(angle)), 9)) for axis, angle in meant] == [(2, 45), (0, 60)]
    off = turns_meant(two_axes_turns(NOWHERE, x + Vec3(0, 0, 1e-5), y))
    assert any(abs(math.remainder(float(a), math.pi / 12)) > 1e-8 for _, a in off), "no rounding gives these digits"


def test_axes_are_judged() -> None:
    unit = np.array([0.866025, 0, 0.5]) / np.linalg.norm([0.866025, 0, 0.5])
    assert [float(x) for x in axis_meant(Vec3(*unit))] == pytest.approx([math.sqrt(0.75), 0, 0.5], abs=1e-15)
    tilted = Vec3(0.0, 3e-6, 1.0)
    assert axis_meant(tilted) == tilted


def test_steps_are_decided_before_lengths_are_computed() -> None:
    arm = decided(seven_joints("1.5708", "0.785398").tree).tree
    turned = [angle for joint in arm.joints for _, angle in joint.placement.turns]
    assert turned and all(isinstance(angle, QuarterTurns) for angle in turned)
    inertia = arm.joints[0].link.inertia
    assert inertia.I.xz == pytest.approx(-(3 - 0.3) * 0.01 * -0.05, rel=1e-12)


def test_rounded_right_angles_cost_what_exact_ones_do_and_it_is_reported() -> None:
    shipped, exact = (
        seven_joints(*digits) for digits in (("1.5708", "0.7854"), (repr(math.pi / 2), repr(math.pi / 4)))
    )
    for function in ("inverse_dynamics", "jacobian"):
        found, twin = (derive(robot.tree, function, effort="none") for robot in (shipped, exact))
        assert found.operations.total == twin.operations.total
        assert any("1.5708 for 90" in note for note in found.notes)
        assert not any("taken for" in note for note in twin.notes)
        kept = derive(shipped.tree, function, effort="none", snap=0)
        assert kept.operations.total > found.operations.total
    assert len(base_parameters(shipped.tree).names) == len(base_parameters(exact.tree).names)


def test_numbers_keep_the_files_digits() -> None:
    shipped, exact = seven_joints("1.5708", "0.7854"), seven_joints(repr(math.pi / 2), repr(math.pi / 4))
    q = np.linspace(0.1, 0.7, 7)
    difference = np.abs(shipped.gravity(q) - exact.gravity(q)).max()
    assert 1e-7 < difference < 1e-3
