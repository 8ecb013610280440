"""Simulated closed chains: energy and closures over time, friction and stops of dependent joints, loops that switch."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

import taut
from taut.errors import InputError
from taut.formats.toml import read_toml
from taut.robot.parts import Drive, Limits

SECONDS = 10.0
FALLING = ("four_bar", "slider_crank", "five_bar", "palletiser", "cam", "rolling_base")
HELD = {"delta": 20.0, "stewart": 2000.0}
"""Stiffness of springs about the start position that keep the robot away from singular positions [N m/rad, N/m]."""

LANDING = """
name = "falling arm"
start = { lift = 0.5, swing = 0.3 }
[[joint]]
name = "lift"
kind = "prismatic"
link = { name = "body", mass = 2 }
[[joint]]
name = "swing"
axis = [0, 1, 0]
link = { name = "leg", mass = 0.5, com = [0.02, 0, -0.1], inertia = [0.002, 0, 0.003, 0, 0, 0.001], about = "com" }
[[loop]]
name = "foot"
kind = "point_on_plane"
link = "leg"
xyz = [0, 0, -0.3]
active = false
"""


def gap(robot, run):
    return np.max(np.abs(robot.closure_gap(run.q)), initial=0.0)


def sprung(robot, stiffness):
    home = robot.neutral
    hold, at = robot.gravity(home), [robot.position_names.index(name) for name in robot.joint_names]
    at = [sum(robot.tree.joints[i].motion.nq for i in robot.tree.own[:k]) for k in at]
    return lambda t, q, qd: hold - stiffness * (q[at] - home[at])


@pytest.mark.slow
@pytest.mark.parametrize("name", [*FALLING, *HELD])
def test_energy_and_closures_over_ten_seconds(name):
    robot = taut.load(name)
    torque, tolerance = (sprung(robot, HELD[name]), 1e-9) if name in HELD else (None, 1e-10)
    rates = np.linspace(0.3, 0.6, robot.nv)
    run = robot.simulate(None, rates, torque, np.linspace(0, SECONDS, 101), method="DOP853", tolerance=tolerance)
    print(f"{name}: energy within {run.drift:.1e}, closures within {gap(robot, run):.1e} m")
    assert run.drift < 1e-6
    assert gap(robot, run) < 1e-10


@pytest.mark.parametrize("name", ["four_bar", "rolling_base", "cam"])
@pytest.mark.parametrize("method", ["rk4", "DOP853"])
def test_accelerations_are_the_forward_dynamics_and_energy_stays(name, method):
    robot = taut.load(name)
    run = robot.simulate(None, np.full(robot.nv, 0.8), np.full(robot.nv, 0.2), 0.1, step=0.01, method=method)
    expected = robot.forward_dynamics(run.q, run.qd, run.tau)
    assert np.max(np.abs(run.qdd - expected)) < 1e-9 * np.max(np.abs(expected))
    assert gap(robot, run) < 1e-13
    assert run.drift < 1e-4
    if robot.tree.loops:
        assert np.max(np.abs(robot.step(run.q[3], (run.qd[3] + run.qd[4]) / 2, 0.01) - run.q[4])) < 1e-3


def test_a_loop_passes_where_the_chosen_joint_is_singular():
    """Where the coupler of a slider-crank is perpendicular to the slide, the slider does not determine the motion."""
    robot = taut.load("slider_crank")
    slider = robot.with_independent(robot.position_names[-1])
    q = robot.assemble(hold={robot.position_names[0]: 0.2})
    by_crank = robot.simulate(q, [4.0], t=[0.0, 1.0], method="DOP853")
    ratio = robot.numeric.at(q.tolist()).rates([1.0])[robot.tree.own[-1]][0]
    by_slider = slider.simulate(q, [4.0 * ratio], t=[0.0, 1.0], method="DOP853")
    assert np.max(np.abs(by_crank.q - by_slider.q)) < 1e-7


def test_friction_springs_and_stops_of_dependent_joints_count():
    robot = taut.load("four_bar")
    joints = robot.tree.joints
    dependent = next(i for i, joint in enumerate(joints) if joint.name == "rocker")
    q0 = robot.neutral
    at = robot.position_names.index("rocker")
    stop = Limits(lower=float(q0[at]) - 0.2, upper=float(q0[at]) + 0.2)

    def changed(**parts):
        new = replace(joints[dependent], **parts)
        return taut.Robot(replace(robot.tree, joints=(*joints[:dependent], new, *joints[dependent + 1 :])))

    rubbing = changed(drive=Drive(coulomb=0.3, viscous=0.1, stiffness=2.0, rest=float(q0[at])))
    run = rubbing.simulate(q0, [3.0], t=0.3, step=0.01, method="DOP853", drives=True)
    ratio = [rubbing.numeric.at(q.tolist()).rates([1.0])[dependent][0] for q in run.q]
    rate = run.qd[:, 0] * ratio
    taken = (0.3 * np.sign(rate) + 0.1 * rate + 2.0 * (run.q[:, at] - q0[at])) * rate
    assert run.work[-1] == pytest.approx(-np.trapezoid(taken, run.t), rel=1e-3)
    assert run.drift < 1e-6
    stopped = changed(limits=stop).simulate(q0, [3.0], t=0.5, step=0.01, stops=True, restitution=0.5)
    assert [event.what for event in stopped.events][:1] == ["stop"]
    assert np.all(np.abs(stopped.q[:, at] - q0[at]) < 0.2 + 1e-9)
    assert np.max(np.abs(robot.closure_gap(stopped.q))) < 1e-12
    stuck = changed(drive=Drive(coulomb=50.0)).simulate(q0, [0.5], t=0.3, step=0.01, drives=True)
    assert [event.what for event in stuck.events] == ["stick"]
    assert np.max(np.abs(stuck.qd[-5:])) < 1e-12


def height(q):
    """Return the foot's height over the ground."""
    return q[0] - 0.3 * np.cos(q[1])


@pytest.mark.parametrize(
    ("method", "start", "end", "expected"),
    [("rk4", [0.3, 0.5], 0.15, ["close"]), ("DOP853", [0.5, 0.3], 0.45, ["close", "open", "close"])],
)
def test_a_foot_lands_stays_on_the_ground_and_leaves_it_where_the_ground_would_pull(method, start, end, expected):
    robot = taut.Robot(read_toml(LANDING))

    def foot(t, q, qd, force):
        return force[0] if np.any(force) else -height(q)

    run = robot.simulate(start, t=end, step=0.0025, method=method, active={"foot": foot})
    assert [event.what for event in run.events] == expected
    changes = [0.0, *(event.t for event in run.events), end]
    feet = height(run.q.T)
    for k, (since, until) in enumerate(pairwise(changes)):
        part = feet[(run.t > since) & (run.t < until)]
        assert np.all(part > 0) if k % 2 == 0 else np.all(np.abs(part) < 1e-10)
    assert run.drift < 1e-6
    assert np.all(np.diff(run.work) < 1e-12)  # the ground takes energy at a landing and gives none


def test_loops_open_and_close_at_times():
    robot = taut.load("five_bar")
    free = robot.with_active({"pin": False})
    full = np.array([x for part in robot.numeric.at(robot.neutral.tolist()).rates([1.0, -0.5]) for x in part])
    run = free.simulate(robot.neutral, full, t=0.1, step=0.01, active={"pin": [0.0, 0.05]}, method="DOP853")
    closed = robot.simulate(robot.neutral, [1.0, -0.5], t=0.1, step=0.01, method="DOP853")
    assert free.nv == 4
    assert np.max(np.abs(run.q[:5] - closed.q[:5])) < 1e-9
    assert np.max(np.abs(robot.closure_gap(run.q[:5]))) < 1e-12
    assert np.max(np.abs(robot.closure_gap(run.q[-1]))) > 1e-3
    assert run.drift < 1e-8


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"method": "variational"}, "'variational' cannot step loops; use rk4 or DOP853"),
        ({"method": "LSODA"}, "'LSODA' loses its past steps where loops are projected; use rk4, DOP853"),
        ({"active": {"nothing": [1.0]}}, "has no loop 'nothing'; loops: pin"),
        ({"active": {"pin": [2.0, 1.0]}}, "give a function .* or increasing times"),
        ({"active": {"pin": lambda *_: np.nan}}, "switch of loop 'pin': returns nan at t = 0 s"),
    ],
)
def test_bad_options_are_refused_in_a_sentence(options, said):
    with pytest.raises(InputError, match=said):
        taut.load("four_bar").simulate(t=0.01, **options)
