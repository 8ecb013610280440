"""Simulated motions: energy, order of convergence, accelerations of an independent oracle, and bad input."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pinocchio as pin
import pytest

import taut
from oracle.pinocchio_oracle import load as load_pinocchio
from oracle.robot_files import urdf_files
from taut.api import Robot
from taut.cli import main
from taut.control import ComputedTorque, Following
from taut.errors import InputError, InputWarning
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


@pytest.mark.parametrize(
    ("method", "bound"), [("rk4", 1e-8), ("DOP853", 1e-8), ("LSODA", 1e-7), ("semi_implicit", 0.02)]
)
def test_energy_is_kept(pendulum: Robot, method: str, bound: float) -> None:
    assert pendulum.simulate([1.5, 0.5], t=3.0, step=2e-3, method=method).drift < bound
    moving = taut.load("puma560").simulate([0.1] * 6, [1.0, -1.0, 1.0, 1.0, -1.0, 1.0], t=2.0, step=2e-3, method=method)
    assert 0 < moving.drift < bound


@pytest.mark.parametrize(("method", "order"), [("rk4", 4), ("semi_implicit", 1)])
def test_order_of_convergence(free_body: Robot, method: str, order: int) -> None:
    """The error falls with the stated power of the step, on a free base whose orientation turns by several radians."""
    rng = np.random.default_rng(1)
    qd0 = rng.uniform(-2, 2, free_body.nv)
    q0 = free_body.random_position(seed=2)
    tau = rng.uniform(-1, 1, free_body.nv)

    def end(step: float) -> tuple[np.ndarray, np.ndarray]:
        found = free_body.simulate(q0, qd0, tau, t=[0.0, 0.4], method=method, step=step)
        assert np.abs(np.linalg.norm(found.q[..., 3:7], axis=-1) - 1).max() < 1e-14
        return found.q[-1], found.qd[-1]

    steps = (0.02, 0.01, 0.005) if order == 4 else (4e-3, 2e-3, 1e-3)
    (qa, va), (qb, vb), (qc, vc) = map(end, steps)
    ratios = [
        np.linalg.norm(free_body.difference(qa, qb)) / np.linalg.norm(free_body.difference(qb, qc)),
        np.linalg.norm(va - vb) / np.linalg.norm(vb - vc),
    ]
    assert np.log2(ratios) == pytest.approx(order, abs=0.35)


def test_accelerations_along_a_motion_are_pinocchio_s() -> None:
    file = FILES["ur5_robot.urdf"]
    robot, model = taut.load(file.path), load_pinocchio(file.decoded)
    order = [model.joints[model.getJointId(name)].idx_v for name in robot.joint_names]
    assert order == list(range(robot.nv))

    def reference(times: np.ndarray) -> tuple[np.ndarray, ...]:
        s, c = np.sin(times)[:, None] * np.ones(6), np.cos(times)[:, None] * np.ones(6)
        return s, c, -s

    def torque(t: float, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        return 10 * np.sin(3 * t + np.arange(6)) - qd

    law = Following(ComputedTorque(80.0, 18.0), reference)
    in_c = robot.simulate([0.1] * 6, torque=law, t=0.5, step=0.01)
    in_python = robot.simulate([0.1] * 6, [0.5] * 6, torque, t=0.5, step=0.01)
    assert in_python.evaluations == in_c.evaluations == 4 * 50 + 1
    data = model.createData()
    for found in (in_c, in_python):
        for q, qd, qdd, tau in zip(found.q, found.qd, found.qdd, found.tau, strict=True):
            assert qdd == pytest.approx(pin.aba(model, data, q, qd, tau), rel=1e-9, abs=1e-9)


def test_methods_agree_under_a_table_of_torques(pendulum: Robot) -> None:
    table = (np.linspace(0, 1, 6), np.random.default_rng(0).uniform(-5, 5, (6, 2)))
    fixed = pendulum.simulate([0.3, 0.2], torque=table, t=1.0, step=5e-4)
    adaptive = pendulum.simulate([0.3, 0.2], torque=table, t=1.0, step=5e-4, method="DOP853")
    assert np.abs(fixed.q - adaptive.q).max() < 1e-8
    assert np.abs(fixed.work - adaptive.work).max() < 1e-7
    assert fixed.drift < 1e-7


def test_a_batch_moves_as_its_states_alone(pendulum: Robot) -> None:
    starts = np.random.default_rng(0).uniform(-1, 1, (3, 2))
    together = pendulum.simulate(starts, t=0.1, step=0.01)
    assert together.q.shape == (3, 11, 2)
    for k, start in enumerate(starts):
        alone = pendulum.simulate(start, t=0.1, step=0.01)
        assert together.q[k] == pytest.approx(alone.q, abs=1e-13)
        assert together.energy[k] == pytest.approx(alone.energy, abs=1e-12)


def test_drives_lose_energy_and_torques_are_cut_off() -> None:
    robot = taut.load("puma560")
    found = robot.simulate(qd0=[1.0] * 6, torque=[1e4] + [0.0] * 5, t=0.1, drives=True, saturate=True)
    assert found.tau[:, 0] == pytest.approx(np.full(101, 97.6))
    lost = np.cumsum(np.sum(found.tau * found.qd, axis=1))[-2] * 1e-3 - found.work[-1]
    assert lost > 0
    expected = robot.joint_torque(found.q, found.qd, found.qdd)
    assert expected == pytest.approx(found.tau, abs=1e-9)


def test_files_hold_the_whole_motion(pendulum: Robot, tmp_path: Path) -> None:
    found = pendulum.simulate([0.3, 0.2], t=0.05, step=0.01)
    found.save(tmp_path / "motion.csv")
    found.save(tmp_path / "motion.npz")
    read = np.genfromtxt(tmp_path / "motion.csv", delimiter=",", names=True)
    assert (read["q2"] == found.q[:, 1]).all() and (read["tau1"] == found.tau[:, 0]).all()
    assert (np.load(tmp_path / "motion.npz")["qdd"] == found.qdd).all()
    found.plot(tmp_path / "motion.svg")
    assert (tmp_path / "motion.svg").stat().st_size > 1000
    again = pendulum.simulate([0.3, 0.2], torque=str(tmp_path / "motion.csv"), t=0.05, step=0.01)
    assert (again.q == found.q).all()
    with pytest.raises(InputError, match=r"end the name in \.csv or \.npz"):
        found.save(tmp_path / "motion.txt")


def test_a_page_plays_the_motion(pendulum: Robot, tmp_path: Path) -> None:
    """Its data are the places of the links at the stored times."""
    found = pendulum.simulate([0.3, 0.2], t=0.05, step=0.01)
    found.animate(tmp_path / "motion.html")
    text = (tmp_path / "motion.html").read_text("utf-8")
    assert "http" not in text
    data = json.loads(text.partition("const data = ")[2].partition(";\n")[0])
    ends = pendulum.forward_kinematics(found.q, "link2")[:, :3, 3]
    assert np.array(data["points"])[:, 3:6] == pytest.approx(ends, abs=1e-4) and data["parents"][:2] == [-1, 0]
    with pytest.raises(InputError, match=r"end the name in \.html"):
        found.animate(tmp_path / "motion.gif")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"step": 0.0}, "the step is 0.0; give a number above 0"),
        ({"step": -1e-3}, "the step is -0.001"),
        ({"step": float("nan")}, "the step is nan"),
        ({"t": -1.0}, "the end time is -1.0"),
        ({"t": [0.0, 0.2, 0.1]}, "time 3 is 0.1 s after 0.2 s"),
        ({"t": 1e9}, "more than 50000000 steps"),
        ({"method": "euler"}, "method 'euler'; use one of rk4"),
        ({"torque": [1.0, 2.0, 3.0]}, r"torque: shape \(3,\), expected"),
        ({"torque": ([0.0, 1.0], [[1.0, 2.0]])}, "2 times and 1 rows"),
        ({"qd0": [0.0, float("inf")]}, "qd0: holds NaN or infinity"),
        ({"torque": "nowhere.csv"}, "nowhere.csv"),
    ],
)
def test_bad_input_is_one_sentence(pendulum: Robot, arguments: dict[str, object], words: str) -> None:
    with pytest.raises(InputError, match=words) as caught:
        pendulum.simulate(**arguments)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("method", ["rk4", "DOP853"])
def test_a_torque_that_fails_keeps_the_motion_so_far(pendulum: Robot, method: str) -> None:
    def torque(t: float, q: np.ndarray, qd: np.ndarray) -> list[float]:
        return [0.0, np.nan if t > 0.0251 else 0.0]

    with pytest.raises(SimulationError, match=r"returns nan for joint 'joint2' at t = 0\.0\d+ s") as caught:
        pendulum.simulate([0.3, 0.2], torque=torque, t=np.linspace(0, 0.1, 101), method=method)
    so_far = caught.value.partial
    whole = pendulum.simulate([0.3, 0.2], t=np.linspace(0, 0.1, 101), method=method)
    assert 1 <= len(so_far.t) <= 26
    assert so_far.q == pytest.approx(whole.q[: len(so_far.t)], abs=1e-9)
    with pytest.raises(SimulationError, match=r"returns shape \(3,\) at t = 0 s"):
        pendulum.simulate(torque=lambda t, q, qd: np.zeros(3), method=method)


def test_functions_of_the_user_that_fail_are_named(pendulum: Robot) -> None:
    """Whatever they raise: one sentence with the time, and the motion so far."""

    def crossing(t: float, q: np.ndarray, qd: np.ndarray) -> float:
        return float("nan") if t > 0.05 else 1.0

    with pytest.raises(SimulationError, match=r"torque function: fails at t = 0 s: division by zero; see its code"):
        pendulum.simulate(torque=lambda t, q, qd: 1 / 0)
    with pytest.raises(SimulationError, match=r"event 'crossing': returns nan at t = 0\.\d+ s") as caught:
        pendulum.simulate(events=[crossing], method="RK45", t=0.2)
    assert 1 <= len(caught.value.partial.t) < 200
    with pytest.raises(InputError, match=r"wrench on 'link2': fails between t = 0 and .* s: 'x'; see its code"):
        pendulum.simulate(wrenches={"link2": lambda t: {}["x"]})
    with pytest.raises(SimulationError, match=r"steps shrink to nothing at t = 0\.\d+ s, where joint 'joint\d' is the"):
        pendulum.simulate(qd0=[1.0, 1.0], torque=lambda t, q, qd: 50 * qd**3, method="RK45", tolerance=1e-6)


def test_a_free_base_needs_a_unit_quaternion_and_a_fixed_step(free_body: Robot) -> None:
    with pytest.raises(InputError, match="is not of length 1"):
        free_body.simulate(2 * free_body.neutral)
    with pytest.raises(InputError, match="cannot step a free base; use rk4"):
        free_body.simulate(method="variational")


def test_a_start_outside_of_the_limits_is_said() -> None:
    with pytest.warns(InputWarning, match="starts outside of its limits"):
        taut.load("puma560").simulate([9.0] + [0.0] * 5, t=0.002)


def test_the_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "motion.csv"
    assert main(["simulate", "puma560", "-t", "0.05", "--step", "0.01", "-o", str(file)]) == 0
    assert "6 points, 21 evaluations" in capsys.readouterr().out
    assert len(file.read_text().splitlines()) == 7
    assert main(["simulate", "puma560", "--q0=1,2"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert main(["simulate", "puma560", "--step", "0"]) == 2
    assert "the step is 0.0" in capsys.readouterr().err
