"""Control laws: the same text on numbers and in C, and the error each promises."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import taut
from taut.api import Robot
from taut.control import ComputedTorque, FeedForward, Following, OperationalSpace, PDGravity, along
from taut.control.law import law_function
from taut.errors import InputError
from taut.trajectory import point_to_point


@pytest.fixture(scope="module")
def robot() -> Robot:
    return taut.load("puma560")


@pytest.fixture(scope="module")
def arm() -> Robot:
    return taut.load("ur5e", lock={f"wrist_{k}_joint": 0.3 for k in (1, 2, 3)})


LAWS = [PDGravity(50.0, [3.0, 4.0, 5.0]), ComputedTorque(100.0, 20.0), FeedForward([40.0, 50.0, 60.0], 7.0)]


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.name)
def test_a_law_s_twin_in_c_is_the_law(arm: Robot, law: Any) -> None:
    function = law_function(arm.numeric, law)
    assert function.proof is not None and function.name == law.name
    fast = function.compile()
    rng = np.random.default_rng(0)
    for _ in range(5):
        given = [rng.uniform(-2, 2, len(names)) for names in function.arguments.values()]
        assert fast(*given) == pytest.approx(law(arm, *given), rel=1e-11, abs=1e-11)
    assert f"void ur5e_{law.name}(" in function.to_c()


def test_computed_torque_makes_every_error_a_damped_oscillator(arm: Robot) -> None:
    """The error of each joint obeys e'' + 2 e' + 26 e = 0: e = e0 exp(-t) (cos 5t + sin 5t / 5)."""

    def reference(times: np.ndarray) -> tuple[np.ndarray, ...]:
        s, c = np.sin(3 * times)[:, None] * np.ones(3), np.cos(3 * times)[:, None] * np.ones(3)
        return s, 3 * c, -9 * s

    e0 = np.array([0.3, -0.2, 0.1])
    found = arm.simulate(-e0, [3.0] * 3, Following(ComputedTorque(26.0, 2.0), reference), t=1.0)
    t = found.t[:, None]
    expected = e0 * np.exp(-t) * (np.cos(5 * t) + np.sin(5 * t) / 5)
    assert reference(found.t)[0] - found.q == pytest.approx(expected, abs=1e-9)


def test_a_trajectory_is_followed_between_its_points(arm: Robot) -> None:
    """Between points the reference is a polynomial of degree five: exact for a 3-4-5 law."""
    coarse = point_to_point([0.0] * 3, [0.5, -0.4, 0.3], 1.0, count=6)
    fine = point_to_point([0.0] * 3, [0.5, -0.4, 0.3], 1.0, count=101)
    for found, expected in zip(along(coarse)(fine.t), (fine.q, fine.qd, fine.qdd), strict=True):
        assert found == pytest.approx(expected, abs=1e-11)
    after = along(coarse)(np.array([-1.0, 2.0]))
    assert after[0] == pytest.approx(coarse.q[[0, -1]]) and not after[1].any()
    run = arm.simulate(torque=Following(FeedForward(50.0, 10.0), along(coarse)), t=1.0)
    assert np.abs(run.q[::10] - fine.q).max() < 1e-9


def test_pd_with_gravity_compensation_comes_to_rest_at_the_reference(arm: Robot) -> None:
    goal = np.array([0.4, -0.8, 0.6])
    still = Following(PDGravity(200.0, 60.0), lambda times: (np.broadcast_to(goal, (len(times), 3)),))
    found = arm.simulate(torque=still, t=6.0, step=2e-3)
    assert found.q[-1] == pytest.approx(goal, abs=1e-5)
    assert found.tau[-1] == pytest.approx(arm.gravity(goal), abs=1e-2)


@pytest.mark.slow
def test_operational_space_moves_the_frame_along_a_line(robot: Robot) -> None:
    """The frame follows its pose while the law makes each coordinate's error a critically damped oscillator."""
    start = np.array([0.1, -0.7, 0.5, 0.3, 0.6, 0.2])
    pose = robot.forward_kinematics(start)

    def reference(times: np.ndarray) -> tuple[np.ndarray, ...]:
        poses = np.repeat(pose[None, :3], len(times), axis=0)
        poses[:, 2, 3] += 0.05 * (1 - np.cos(3 * times))
        twist, acceleration = np.zeros((2, len(times), 6))
        twist[:, 2], acceleration[:, 2] = 0.15 * np.sin(3 * times), 0.45 * np.cos(3 * times)
        return poses.reshape(len(times), 12), twist, acceleration

    law = Following(OperationalSpace(400.0, 40.0, 0.0), reference)
    found = robot.simulate(start, torque=law, t=1.0, step=2e-3)
    reached = robot.forward_kinematics(found.q)
    wanted = reference(found.t)[0].reshape(-1, 3, 4)
    assert np.abs(reached[:, :3] - wanted).max() < 1e-8
    assert np.ptp(reached[:, 2, 3]) > 0.09


def test_a_law_needs_driven_joints() -> None:
    floating = taut.load("double_pendulum", base="free").with_values({"m1": 1.0, "L1": 1.0, "m2": 1.0, "L2": 1.0})
    with pytest.raises(InputError, match="a free or ball joint has no drive"):
        law_function(floating.numeric, PDGravity(1.0, 1.0))
