"""The regressor point by point is the textbook's; the torque of a load is that of the robot that carries it."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import taut
from laws.random_robots import random_state
from laws.test_second_moments import SEEDS, close, fixed, floating
from taut.algorithms.regressor import regressor
from taut.recursions.point_regressor import point_regressor
from taut.robot import Tree
from taut.spatial import Inertia, Sym3, Vec3


@given(st.one_of(fixed, floating), SEEDS)
@settings(max_examples=25, deadline=None)
def test_point_by_point(tree: Tree, seed: int) -> None:
    state = random_state(tree, seed)
    by_points, textbook = (
        [[x for part in column for x in part] for column in algorithm(tree, *state)]
        for algorithm in (point_regressor, regressor)
    )
    close(by_points, textbook)


def test_a_load_adds_its_torque() -> None:
    robot = taut.load("panda")
    mass, com, tensor = 2.5, (0.1, -0.2, 0.3), (0.01, 0.001, 0.02, -0.002, 0.003, 0.03)
    q, qd, qdd = np.random.default_rng(1).uniform(-1, 1, (3, 4, robot.nv))
    load = Inertia.about_centre(mass, Vec3(*com), Sym3(*tensor)).parameters
    for frame in (None, robot.tree.joints[3].link.name):
        laden = robot.with_load(mass, com, tensor, frame=frame)
        expected = laden.inverse_dynamics(q, qd, qdd) - robot.inverse_dynamics(q, qd, qdd)
        close(robot.load_torque(q, qd, qdd, load, frame=frame), expected)
        derived = robot.derive("load_torque", effort="none", frame=frame)
        close(derived(q, qd, qdd, np.broadcast_to(load, (4, 10))), expected)
