"""Forces on stretched axes are the same forces, with fewer products where twists are no right angles."""

from __future__ import annotations

import math

import numpy as np
import pytest

import taut
from taut.derive.naming.model import derived_robot
from taut.derive.naming.parameters import SNAP
from taut.derive.starts.traces import starts, textbook
from taut.graph.prove import disproof
from taut.recursions.second_moments import brought_back
from taut.recursions.stretched_axes import Stretched, is_twisted, stretched, stretched_back
from taut.spatial import Force, Turn, Vec3


def turn(axis: int, angle: float) -> Turn:
    return Turn(axis, math.cos(angle), math.sin(angle))


def vector(v: Stretched) -> list[float]:
    return [v.x, v.y * v.long_y, v.z * v.long_z]


@pytest.mark.parametrize("twist", [0.3, -2.0, 1.5707, 3.1])
def test_the_same_force(twist: float) -> None:
    draw = np.random.default_rng(2)
    quarter = Turn(0, 0, -1)
    steps = [turn(2, 0.4), Vec3(*draw.normal(size=3)), turn(0, twist), Vec3(0, 0.2, 0.7), turn(2, 1.1), quarter]
    steps += [Vec3(0.1, 0.2, 0.3), turn(0, 0.8), turn(0, twist), turn(2, -0.5)]
    force = Force(Vec3(*draw.normal(size=3)), Vec3(*draw.normal(size=3)))
    expected, found = brought_back(force, steps), stretched_back(stretched(force), steps)
    assert np.allclose(vector(found.n), [*expected.n], atol=1e-14)
    assert np.allclose(vector(found.f), [*expected.f], atol=1e-14)


def test_fewer_operations_for_general_twists() -> None:
    model = derived_robot(taut.load("general_6r").tree, "pattern", SNAP)
    found = starts(model, "mass_matrix")
    assert "stretched axes" in found[0].method
    assert found[0].cost <= min(start.cost for start in found if "stretched" not in start.method) - 20
    assert disproof(found[0].outputs, textbook(model, "mass_matrix").outputs, 2, seed=3) is None


def test_right_angles_need_nothing() -> None:
    model = derived_robot(taut.load("panda").tree, "pattern", SNAP)
    assert model.regrouped is not None and not any(map(is_twisted, model.regrouped))
    assert not any("stretched" in start.method for start in starts(model, "mass_matrix"))
