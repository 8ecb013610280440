"""The compiled loop: the same motions as in Python, for every torque, integrator, sampling, wrench and free base."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import taut
from oracle.robot_files import urdf_files
from taut.api import Robot
from taut.control import ComputedTorque, Following
from taut.errors import InputError
from taut.simulate.sampled import Sampled
from taut.simulate.simulation import SimulationError

FILES = {file.path.name: file for file in urdf_files() if file.name.startswith("example-robot-data")}


@pytest.fixture(scope="module")
def pendulum() -> Robot:
    return taut.load("double_pendulum").with_values({"m1": 1.0, "L1": 1.0, "m2": 1.0, "L2": 1.0})


@pytest.fixture(scope="module")
def free_body() -> Robot:
    """Return a UR5 with two moving joints whose base floats and turns."""
    held = {"shoulder_pan_joint": 0.3, **{f"wrist_{k}_joint": 0.2 for k in (1, 2, 3)}}
    return taut.load(FILES["ur5_robot.urdf"].path, base="free", lock=held)


def swing(times: np.ndarray) -> tuple[np.ndarray, ...]:
    s, c, size = np.sin(5 * times)[:, None], np.cos(5 * times)[:, None], np.array([0.3, -0.5])
    return size * s, 5 * size * c, -25 * size * s


LAW = Following(ComputedTorque(np.array([90.0, 110.0]), 20.0), swing)
TABLE = (np.linspace(0, 0.3, 7), np.random.default_rng(0).uniform(-5, 5, (7, 2)))
TORQUES: dict[str, Any] = {
    "none": None,
    "constant": [1.0, -0.5],
    "table": TABLE,
    "law": LAW,
    "sampled law": Sampled(LAW, 0.007, delay=0.0105, encoder=1e-3, noise=[1e-4, 1e-3], rates="difference"),
    "sampled table": Sampled(TABLE, 0.01, delay=0.004),
}


def both(robot: Robot, *given: Any, **options: Any) -> None:
    """Compare the loop in C with the one in Python."""
    fast, slow = (robot.simulate(*given, **options, compiled=compiled) for compiled in (True, False))
    for name in ("t", "q", "qd", "qdd", "tau", "work"):
        assert getattr(fast, name) == pytest.approx(getattr(slow, name), rel=1e-10, abs=1e-10), name


@pytest.mark.parametrize(
    ("method", "torque"),
    [*(("rk4", torque) for torque in TORQUES), ("semi_implicit", "sampled law"), ("variational", "law")],
)
def test_c_and_python_agree(pendulum: Robot, method: str, torque: str) -> None:
    starts = np.random.default_rng(1).uniform(-1, 1, (5, 2))
    both(pendulum, starts, 2 * starts, TORQUES[torque], t=[0.0, 0.013, 0.1, 0.11], step=0.004, method=method)


def test_wrenches_and_drives_act_in_the_loop(pendulum: Robot) -> None:
    def push(t: float) -> list[float]:
        return [10 * np.sin(9 * t), 3.0, 0.0, 0.0, 0.0, t]

    both(pendulum, [0.3, 0.2], None, LAW, t=0.05, step=0.005, wrenches={"link2": push}, drives=True)
    found = pendulum.simulate([0.3, 0.2], torque=TABLE, t=0.1, step=0.01, wrenches={"link2": push})
    for t, q, qd, qdd, tau in zip(found.t, found.q, found.qd, found.qdd, found.tau, strict=True):
        assert qdd == pytest.approx(pendulum.forward_dynamics(q, qd, tau, {"link2": push(t)}), abs=1e-11)


def test_a_free_base_in_the_loop(free_body: Robot) -> None:
    rng = np.random.default_rng(3)
    q0, qd0 = free_body.random_position(3), rng.uniform(-2, 2, (3, free_body.nv))
    both(free_body, q0, qd0, rng.uniform(-1, 1, free_body.nv), t=0.05, step=0.01)


def test_many_states_move_as_each_alone(pendulum: Robot) -> None:
    starts = np.random.default_rng(0).uniform(-1, 1, (77, 2))
    torques = np.random.default_rng(1).uniform(-1, 1, (77, 2))
    together = pendulum.simulate(starts, torque=torques, t=0.1, step=0.01, threads=2)
    for k in (0, 31, 32, 76):
        alone = pendulum.simulate(starts[k], torque=torques[k], t=0.1, step=0.01)
        assert together.q[k] == pytest.approx(alone.q, abs=1e-13)


def test_a_sampled_torque_is_that_of_the_measured_state(pendulum: Robot) -> None:
    """Period, delay and hold, step by step: each torque acts from its delay on until the next one arrives."""
    seen: list[tuple[float, np.ndarray]] = []

    def torque(t: float, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        seen.append((t, q.copy()))
        return np.array([t + 1, 0.0])

    grid = np.round(np.arange(0, 0.1001, 0.005), 6)
    found = pendulum.simulate([0.5, 0.5], torque=Sampled(torque, 0.02, delay=0.03, encoder=0.1), t=grid)
    assert [t for t, _ in seen] == pytest.approx([0.0, 0.02, 0.04, 0.06, 0.08])
    assert all(np.abs(q / 0.1 - np.rint(q / 0.1)).max() < 1e-9 for _, q in seen)
    expected = np.where(grid < 0.03 - 1e-9, 0.0, 1 + 0.02 * np.floor((grid - 0.03) / 0.02 + 1e-6))
    expected[-1] = found.tau[-1, 0]  # at the end a torque may just arrive
    assert found.tau[:, 0] == pytest.approx(expected)


def test_momentum_is_kept_by_the_variational_integrator_and_energy_stays_bounded(pendulum: Robot) -> None:
    """The energy error is as large in each of six parts of 30,000 steps."""
    found = pendulum.simulate([0.4, 0.3], t=np.linspace(0, 60, 6001), step=2e-3, method="variational")
    error = np.abs(found.energy_error[1:]).reshape(6, -1).max(axis=1)
    assert error.max() < 1.2 * error.min()
    weightless = pendulum.with_gravity([0, 0, 0])
    turning = weightless.simulate([0.4, 1.0], [2.0, -1.0], t=5.0, step=5e-3, method="variational")
    h = weightless.evaluate("momentum", turning.q, turning.qd)[:, 5]
    assert np.abs(h - h[0]).max() < 1e-11 * abs(h[0])


@pytest.mark.parametrize(("method", "order"), [("rk4", 4), ("variational", 2), ("semi_implicit", 1)])
def test_order_of_convergence(pendulum: Robot, method: str, order: int) -> None:
    def end(step: float) -> np.ndarray:
        found = pendulum.simulate([1.0, 0.5], [0.3, -1.0], [0.5, -0.2], t=[0.0, 0.5], step=step, method=method)
        return np.concatenate([found.q[-1], found.qd[-1]])

    def derivative(t: float, x: np.ndarray) -> np.ndarray:
        return np.concatenate([x[2:], pendulum.forward_dynamics(x[:2], x[2:], [0.5, -0.2])])

    exact = solve_ivp(derivative, (0, 0.5), [1.0, 0.5, 0.3, -1.0], "DOP853", rtol=1e-13, atol=1e-13).y[:, -1]
    first, second = (np.abs(end(0.5 / n) - exact).max() for n in (100, 200))
    assert np.log2(first / second) == pytest.approx(order, abs=0.1)


@pytest.mark.parametrize(
    ("method", "tolerance"), [("DOP853", 1e-11), pytest.param("LSODA", 1e-10, marks=pytest.mark.slow)]
)
def test_error_control_on_a_free_base(free_body: Robot, method: str, tolerance: float) -> None:
    """Charts are renewed while the base turns by several radians; dense output keeps unit quaternions, too."""
    q0, qd0 = free_body.random_position(seed=2), np.array([0.5, 0.2, -0.3, 4.0, -3.0, 5.0, 1.0, -1.0])
    fine = free_body.simulate(q0, qd0, t=[0.0, 0.3, 1.0], step=5e-4)
    found = free_body.simulate(q0, qd0, t=[0.0, 0.3, 1.0], method=method, tolerance=tolerance)
    assert np.linalg.norm(free_body.difference(found.q, fine.q), axis=-1).max() < 1e4 * tolerance
    q, qd = found.at(np.linspace(0, 1, 101))
    assert np.abs(np.linalg.norm(q[:, 3:7], axis=-1) - 1).max() < 1e-14
    energy = free_body.energy(q, qd).sum(axis=-1)
    assert np.abs(energy - energy[0]).max() < 1e5 * tolerance
    assert np.abs(np.linalg.norm(found.q[:, 3:7], axis=-1) - 1).max() < 1e-14


def test_coefficients_that_are_held_cost_accuracy_in_proportion(pendulum: Robot) -> None:
    """The error of holding M, b, c and g is proportional to the time they are held."""
    given = {"q0": np.full((4, 2), [0.4, 0.3]), "t": [0.0, 0.2, 0.4], "step": 2e-3}
    exact = pendulum.simulate(**given)
    errors = [np.abs(pendulum.simulate(**given, hold=k).q - exact.q).max() for k in (1, 2, 4, 8)]
    assert np.diff(np.log2(errors)) == pytest.approx([1, 1, 1], abs=0.1) and errors[0] < 1e-3
    with pytest.raises(InputError, match="hold needs the loop in C"):
        pendulum.simulate(torque=lambda t, q, qd: np.zeros(2), t=0.01, hold=4)
    with pytest.raises(InputError, match="hold is -1"):
        pendulum.simulate(t=0.01, hold=-1)


def test_sets_of_parameters_move_under_the_law_of_the_nominal_robot(pendulum: Robot) -> None:
    sets = np.array([1.0, 1.3])[:, None, None] * pendulum.parameters
    starts = np.array([[0.1, 0.2], [0.3, -0.1], [0.0, 0.0]])
    found = pendulum.simulate(starts, torque=LAW, t=0.05, step=0.01, parameters=sets)
    assert found.q.shape == (2, 3, 6, 2)
    assert found.q[0] == pytest.approx(pendulum.simulate(starts, torque=LAW, t=0.05, step=0.01).q, abs=1e-12)
    heavier = pendulum.with_parameters(sets[1])
    for k in range(6):
        state = found.q[1, :, k], found.qd[1, :, k]
        refs = (x[0] for x in swing(found.t[k : k + 1]))
        assert found.tau[1, :, k] == pytest.approx(LAW.law(pendulum, *state, *refs), abs=1e-10)
        assert found.qdd[1, :, k] == pytest.approx(heavier.forward_dynamics(*state, found.tau[1, :, k]), abs=1e-10)
    with pytest.raises(InputError, match="parameters: shape"):
        pendulum.simulate(t=0.01, parameters=[1.0, 2.0])


def test_events_are_found_and_a_terminal_one_ends_the_motion(pendulum: Robot) -> None:
    def upright(t: float, q: np.ndarray, qd: np.ndarray) -> float:
        return q[0] - 0.2

    found = pendulum.simulate([0.4, 0.0], t=1.0, method="DOP853", events=[upright])
    assert len(found.events) >= 1 and found.events[0].what == "upright"
    for event in found.events:
        assert found.at(event.t)[0][0] == pytest.approx(0.2, abs=1e-10)
    upright.terminal = True  # type: ignore[attr-defined]
    ended = pendulum.simulate([0.4, 0.0], t=1.0, method="DOP853", events=[upright])
    assert ended.t[-1] <= found.events[0].t < ended.t[-1] + 1e-3
    with pytest.raises(InputError, match="a time outside of 0 to"):
        ended.at(0.9)


def test_a_motion_that_diverges_keeps_its_beginning(pendulum: Robot) -> None:
    """One of 70 states is pushed too hard from 0.3 s on; all are kept up to there."""
    starts = np.random.default_rng(0).uniform(-1, 1, (70, 2))

    def push(t: float) -> list[float]:
        return [0.0, 1e200 if t > 0.3 else 0.0, 0.0, 0.0, 0.0, 0.0]

    with pytest.raises(
        SimulationError, match=r"acceleration of joint 'joint\d' is not finite after t = 0\.\d+ s"
    ) as caught:
        pendulum.simulate(starts, t=1.0, step=0.01, wrenches={"link2": push})
    so_far = caught.value.partial
    whole = pendulum.simulate(starts, t=1.0, step=0.01)
    assert 30 <= len(so_far.t) <= 32
    assert so_far.q[:, :30] == pytest.approx(whole.q[:, :30], abs=1e-12)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Sampled(None, 0.0), "the period is 0.0; give a number above 0 s"),
        (lambda: Sampled(None, 0.01, delay=-1.0), "the delay is -1.0"),
        (lambda: Sampled(None, 0.01, encoder=-1e-3), "encoder is -0.001"),
        (lambda: Sampled(None, 0.01, rates="guess"), "rates 'guess'; use 'true' or 'difference'"),
        (lambda: Following(ComputedTorque(np.nan, 1.0), swing), "kp holds NaN or infinity"),
        (lambda: Following(ComputedTorque(1.0, 1.0), lambda t: (t, t, t)), "reference of computed_torque"),
    ],
)
def test_bad_controllers_are_refused(pendulum: Robot, make: Callable[[], Any], words: str) -> None:
    with pytest.raises(InputError, match=words) as caught:
        pendulum.simulate(torque=make(), t=0.01)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("wrench", "words"),
    [
        ({"nowhere": [0] * 6}, "no frame 'nowhere'"),
        ({"link2": [0, 1]}, "wrench on 'link2'"),
        ({"link2": lambda t: [np.nan] * 6}, "is not six finite numbers at t = 0 s"),
    ],
)
def test_bad_wrenches_are_refused(pendulum: Robot, wrench: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        pendulum.simulate(t=0.01, wrenches=wrench)


def test_without_a_compiler_it_runs_in_python(pendulum: Robot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    heavier = pendulum.with_values({"m1": 1.25, "L1": 1.0, "m2": 1.0, "L2": 1.0})
    expected = heavier.simulate([0.3, 0.2], t=0.02, step=0.01, compiled=False)
    monkeypatch.setenv("CC", str(tmp_path / "no-compiler"))
    with pytest.warns(RuntimeWarning, match="the simulation runs in Python, slower than compiled"):
        found = heavier.simulate([0.3, 0.2], t=0.02, step=0.01)
    assert found.q == pytest.approx(expected.q, abs=1e-13)
