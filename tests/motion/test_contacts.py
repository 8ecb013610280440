"""Joint stops and friction that sticks: formulas for a block, and the laws of Coulomb and impact on whole arms."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import lsq_linear

import taut
from taut.api import Robot
from taut.cli import main
from taut.errors import InputError
from taut.simulate.box import box_problem
from taut.simulate.sampled import Sampled

BLOCK = """
name = "block"
convention = "standard"
gravity = [0, 0, {gravity}]
[[joint]]
name = "slide"
kind = "prismatic"
dh = {{ alpha = 0, a = 0, d = 0, theta = 0 }}
drive = {{ coulomb = {coulomb}, stribeck = {stribeck}, stribeck_speed = 0.1 }}
limits = {{ lower = 0, upper = 10, effort = 100 }}
[joint.link]
name = "mass"
mass = 2.0
com = [0, 0, 0]
"""


def block(tmp_path: Path, gravity: float = 0.0, coulomb: float = 0.0, stribeck: float = 0.0) -> Robot:
    file = tmp_path / "block.toml"
    file.write_text(BLOCK.format(gravity=gravity, coulomb=coulomb, stribeck=stribeck), "utf-8")
    return taut.load(file)


@pytest.fixture(scope="module")
def arm() -> Robot:
    """Return the first three joints of a PUMA 560: dry friction in each, coupled inertias."""
    return taut.load("puma560", lock={"joint4": 0.4, "joint5": 0.3, "joint6": 0.2})


def test_the_box_problem_is_the_least_of_its_quadratic_function() -> None:
    rng = np.random.default_rng(0)
    kinds = set()
    for m in (1, 2, 3, 6, 10):
        for _ in range(20):
            L = rng.normal(size=(m, m)) + 2 * np.eye(m)
            a0, half = 3 * rng.normal(size=m), rng.uniform(0, 1, m)
            upper = np.where(rng.random(m) < 0.3, np.inf, half)
            force, place = box_problem(L @ L.T, a0, -half, upper)
            best = lsq_linear(L.T, -np.linalg.solve(L, a0), (-half - 1e-15, upper + 1e-15), tol=1e-14).x
            assert force == pytest.approx(best, abs=1e-6)
            kinds |= set(place.tolist())
    assert kinds == {-1, 0, 1}


@pytest.mark.parametrize("method", ["rk4", "variational", "DOP853", "RK45", "Radau", "BDF", "LSODA"])
def test_a_block_slides_to_rest_and_stays_there(tmp_path: Path, method: str) -> None:
    """With friction f a block of mass m stops after m v / f, at m v^2 / 2 f."""
    robot = block(tmp_path, coulomb=3.0)
    found = robot.simulate([1.0], [1.5], t=2.0, step=0.07, drives=True, method=method)
    exact = 1e-9 if method in ("BDF", "LSODA") else 1e-12
    [stick] = found.events
    assert (stick.what, stick.joint) == ("stick", "slide")
    assert stick.t == pytest.approx(1.0, abs=exact)
    assert found.q[-1, 0] == pytest.approx(1.75, abs=exact)
    assert (found.qd[found.t > stick.t] == 0.0).all() and (found.q[found.t > stick.t + 0.07] == found.q[-1]).all()
    assert found.work[-1] == pytest.approx(-2.25, abs=exact) and found.drift < exact


def test_a_block_breaks_away_at_the_static_level(tmp_path: Path) -> None:
    """A growing force moves it when it exceeds Coulomb's friction and Stribeck's together; less never does."""
    robot = block(tmp_path, coulomb=2.0, stribeck=1.0)
    ramp = (np.array([0.0, 1.0]), np.array([[0.0], [4.0]]))
    found = robot.simulate([1.0], torque=ramp, t=1.0, step=0.03, drives=True)
    assert [event.what for event in found.events] == ["slip"]
    assert found.events[0].t == pytest.approx(0.75, abs=1e-6)
    still = robot.simulate([1.0], torque=lambda t, q, qd: [2.99 * np.sin(5 * t)], t=1.0, step=0.01, drives=True)
    assert (still.qd == 0.0).all() and (still.q == 1.0).all() and still.events == ()


@pytest.mark.parametrize("method", ["rk4", "variational", "DOP853", "Radau"])
def test_a_ball_bounces_by_its_restitution_and_comes_to_rest(tmp_path: Path, method: str) -> None:
    """Bounces at the times of the formula; impacts slower than the stated speed are the last."""
    g, e, h = 9.81, 0.5, 1.0
    options = {"stops": True, "restitution": e, "rest_speed": 0.01, "method": method}
    found = block(tmp_path, gravity=-g).simulate([h], t=2.0, step=0.01, **options)
    first = np.sqrt(2 * h / g)
    speed = first * g
    times = [first]
    while speed > 0.01:
        speed *= e
        times.append(times[-1] + 2 * speed / g)
    stops = [event.t for event in found.events if event.what == "stop"]
    assert stops == pytest.approx(times, abs=1e-9)
    assert found.events[-1].what == "rest"
    after = found.t > found.events[-1].t
    assert after.sum() > 50 and (found.q[after] == 0.0).all() and (found.qd[after] == 0.0).all()
    assert found.drift < 1e-12
    assert (found.q >= 0.0).all()


def test_friction_of_coupled_joints_obeys_coulomb(arm: Robot) -> None:
    """At every stored time: a joint that slides is opposed by its level, one at rest by no more."""
    level = np.array([joint.drive.coulomb for joint in arm.numeric.joints])

    gravity = arm.derive("gravity", effort="none").compile()

    def torque(t: float, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        return gravity(q) + level * np.array([1.5, 1.3, 1.2]) * np.sin([9 * t, 7 * t + 1, 11 * t + 2])

    found = arm.simulate([0.1, -0.6, 0.4], [0.3, -0.2, 0.2], torque, t=0.8, step=0.005, drives=True)
    kinds = [event.what for event in found.events]
    assert kinds.count("stick") > 5 and kinds.count("slip") > 5
    friction = found.tau - arm.inverse_dynamics(found.q, found.qd, found.qdd)
    rest = found.qd == 0.0
    both = rest.sum(axis=1)
    assert ((both >= 2) & (both < 3)).any() and (both == 0).any()
    assert (found.qdd[rest] == 0.0).mean() > 0.95  # the others are about to slide
    limits = np.broadcast_to(level, friction.shape)
    assert (np.abs(friction[rest]) <= limits[rest] * (1 + 1e-6)).all()
    assert friction[~rest] == pytest.approx((limits * np.sign(found.qd))[~rest], abs=1e-9)
    assert found.drift < 1e-8


def test_every_integrator_finds_the_same_events(arm: Robot) -> None:
    """Stops and sticking of a whole arm with a sampled controller: kinds, joints and times agree."""
    upper = arm.limits.upper[1]
    level = np.array([joint.drive.coulomb for joint in arm.numeric.joints])
    pull = Sampled(lambda t, q, qd: arm.gravity(q) + 1.6 * level * np.sin(9 * t + np.arange(3)), period=0.02)
    options = {"t": 0.3, "step": 5e-3, "drives": True, "stops": True, "restitution": 0.3}
    motions = [
        arm.simulate([0.2, upper - 0.02, 0.3], [0.3, 0.8, -0.3], pull, method=method, **options)
        for method in ("rk4", "DOP853", "RK45")
    ]
    first = motions[0].events
    assert {event.what for event in first} >= {"stop", "stick", "slip"}
    for motion in motions[1:]:
        assert [(e.what, e.joint) for e in motion.events] == [(e.what, e.joint) for e in first]
        assert [e.t for e in motion.events] == pytest.approx([e.t for e in first], abs=1e-6)
        assert np.abs(motion.q - motions[0].q).max() < 1e-6
        assert (motion.qd[motions[0].qd == 0.0] == 0.0).all()


def test_a_batch_of_initial_states_with_error_control(arm: Robot) -> None:
    q0 = np.array([[0.1, -0.6, 0.4], [0.3, 0.2, -0.1]])
    both = arm.simulate(q0, t=[0.0, 0.1], method="DOP853", drives=True)
    alone = arm.simulate(q0[1], t=[0.0, 0.1], method="DOP853", drives=True)
    assert both.q.shape == (2, 2, 3) and (both.q[1] == alone.q).all()

    def end(t: float, q: np.ndarray, qd: np.ndarray) -> float:
        return t - 0.05

    end.terminal = True  # type: ignore[attr-defined]
    with pytest.raises(InputError, match="an event that ends the motion of a batch; give one initial state"):
        arm.simulate(q0, t=0.1, method="DOP853", events=[end])


def test_a_stop_makes_all_rates_jump(arm: Robot) -> None:
    """The impulse acts along the joint alone, and the joint leaves with the restitution times its speed."""
    upper = arm.limits.upper[1]
    options = {"stops": True, "restitution": 0.4, "step": 1e-3}
    start, rates = [0.2, upper - 0.05, 0.3], [1.0, 2.0, -1.0]
    hit = next(e for e in arm.simulate(start, rates, t=0.1, **options).events if e.what == "stop")
    assert hit.joint == "joint2"
    around = arm.simulate(start, rates, t=[0.0, hit.t - 1e-9, hit.t + 1e-9], **options)
    before, after = around.qd[1], around.qd[2]
    impulse = arm.mass_matrix(around.q[2]) @ (after - before)
    assert after[1] == pytest.approx(-0.4 * before[1], rel=1e-6)
    assert np.abs(impulse[[0, 2]]).max() < 1e-6 * abs(impulse[1])
    assert np.abs(after - before).min() > 1e-3
    assert around.drift < 1e-9


def test_rest_on_a_stop_ends_when_the_torque_pulls(tmp_path: Path) -> None:
    robot = block(tmp_path, gravity=-9.81)
    pull = (np.array([0.0, 1.0, 2.0]), np.array([[-5.0], [-5.0], [45.0]]))
    found = robot.simulate([0.0], torque=pull, t=2.0, step=0.01, stops=True)
    [leave] = found.events
    weight = 2 * 9.81
    assert leave.t == pytest.approx(1 + (weight + 5) / 50, abs=1e-6)
    assert (found.q[found.t < leave.t] == 0.0).all() and found.q[-1, 0] > 0.01


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    block(tmp_path, gravity=-9.81)
    file, page = str(tmp_path / "block.toml"), tmp_path / "motion.html"
    options = ["--q0=1", "-t", "0.6", "--step", "0.01", "--stops", "--restitution", "0.5", "--sample", "0.02"]
    assert main(["simulate", file, *options, "--wrench", "mass=0,0,1,0,0,0", "--animate", str(page)]) == 0
    assert "1 events, the last: stop of slide at 0.46" in capsys.readouterr().out
    assert page.stat().st_size > 3000
    assert main(["simulate", file, "--q0=-1", "--stops"]) == 2
    assert "joint 'slide' starts outside of its limits" in capsys.readouterr().err


def test_gears_couple_the_friction_of_two_joints() -> None:
    """Drive 6 of the TX40 turns with joints 5 and 6: what holds is the sum of their rates."""
    robot = taut.load("tx40", lock={f"joint{k}": 0.1 for k in (1, 2, 3, 4)})
    found = robot.simulate([0.3, 0.2], [0.5, -0.1], t=0.3, step=0.002, drives=True)
    assert (np.abs(found.qd[-1]) < 1e-12).all()
    drive = found.qd[:, 0] + found.qd[:, 1]
    assert {event.what for event in found.events} == {"stick"} and abs(drive[-1]) < 1e-12


def test_torques_are_multiples_of_the_converter_s_step(arm: Robot) -> None:
    """Armstrong's table 7: 12 bits over twice the largest torque."""
    found = arm.simulate(torque=lambda t, q, qd: 200 * np.sin(3 * t + np.arange(3)), t=0.02, step=0.01, bits=12)
    steps = found.tau / (np.array([97.6, 186.4, 89.4]) / 2048)
    assert np.abs(steps - np.rint(steps)).max() < 1e-9 and np.abs(steps).max() == pytest.approx(2048)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"restitution": 1.5}, "the restitution is 1.5; give a number from 0 to 1"),
        ({"rest_speed": 0.0}, "the rest_speed is 0.0"),
        ({"bits": 0}, "bits is 0; give a whole number from 1 to 53"),
        ({"stops": True, "q0": [-1.0]}, "joint 'slide' starts outside of its limits at t = 0 s; start within them"),
        ({"unknown": 1}, "unknown"),
    ],
)
def test_bad_input_is_one_sentence(tmp_path: Path, arguments: dict[str, object], words: str) -> None:
    with pytest.raises(InputError, match=words) as caught:
        block(tmp_path, coulomb=1.0).simulate(**{"q0": [1.0], **arguments})
    assert "\n" not in str(caught.value)
