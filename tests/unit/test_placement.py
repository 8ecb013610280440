"""Angles of a placement are kept as given, and right angles leave exact zeros."""

from __future__ import annotations

import math

import pytest

from taut.robot import Placement
from taut.robot.placement import QuarterTurns, right_angle
from taut.spatial import Vec3

UP = Vec3(0.0, 0.0, 1.0)


@pytest.mark.parametrize("angle", [math.pi / 2, 1.5707963267948966, math.radians(90.0), 3 * math.pi / 2 - math.pi])
def test_the_float_of_a_right_angle_leaves_exact_zeros(angle: float) -> None:
    placed = Placement(turns=((0, angle),))
    assert placed.turns == ((0, angle),)
    assert placed.transform.R @ UP == Vec3(0, -1, 0)


@pytest.mark.parametrize("angle", [1.57079632679, math.pi / 2 + 3e-15, 1e-14])
def test_any_other_float_is_the_angle_it_is(angle: float) -> None:
    x, y, z = Placement(turns=((0, angle),)).transform.R @ UP
    assert (x, y, z) == (0, -math.sin(angle), math.cos(angle))


def test_fixed_joints_in_a_row_leave_exact_zeros() -> None:
    quarter = Placement(Vec3(0.1, 0.2, 0.3), ((0, math.pi / 2),))
    around = quarter.then(quarter).then(quarter).then(quarter)
    assert around.turns == ((0, 2 * math.pi),)
    assert around.transform.R @ UP == UP
    assert quarter.then(quarter).p == Vec3(0.1 + 0.1, 0.2 - 0.3, 0.3 + 0.2)


def test_a_wider_tolerance_is_the_callers_choice() -> None:
    assert right_angle(1.5707963) == 1.5707963
    assert right_angle(1.5707963, within=1e-7) == QuarterTurns(1)
    assert right_angle(-2 * math.pi) == 0.0
    for endless in (math.inf, -math.inf, 1e300):
        assert right_angle(endless) == endless
