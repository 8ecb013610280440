"""Changed robots: what a change refuses."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

import taut
from taut.errors import InputError
from taut.graph import Graph


@pytest.mark.parametrize("bad", [math.nan, math.inf, "g", None, 1j, np.complex128(1), np.zeros(3)])
def test_with_gravity_refuses_what_is_no_finite_number(bad: object) -> None:
    with pytest.raises(InputError, match=r"with_gravity: gravity is .*; give finite numbers or symbols"):
        taut.load("scara").with_gravity([0.0, bad, -9.81])


def test_with_gravity_takes_numbers_and_symbols() -> None:
    robot = taut.load("panda")
    moon = robot.with_gravity([0, np.float64(0), Fraction(-162, 100)])
    q = np.ones(robot.dof)
    assert np.allclose(moon.gravity(q) * 9.81, robot.gravity(q) * 1.62)
    assert robot.with_gravity([0, 0, Graph().symbol("g")]).tree.gravity_acceleration.z.name == "g"
