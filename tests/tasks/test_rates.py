"""Attainable rates, errors of held values with their bounds, bandwidths, several processors, bad input."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import taut
from taut.api import Robot
from taut.cli import main
from taut.errors import InputError
from taut.reduce.scenario import scenario_of
from taut.tasks.bandwidth import bandwidth
from taut.tasks.motion import Fourier, Table, random_fourier
from taut.tasks.processors import divided, pipelined
from taut.tasks.rates import attained, schedule
from taut.tasks.staleness import Stale
from taut.tasks.study import held, slowest
from taut.trajectory import Trajectory

SIZE = 20.0
"""Most that the bound along a motion may be above the error measured along it."""


@pytest.fixture(scope="module")
def puma() -> Robot:
    return taut.load("puma560")


@pytest.fixture(scope="module")
def stale(puma: Robot) -> Stale:
    return Stale.of(puma.derive("mass_matrix+bias", effort="none", verify=False))


def tried(robot: Robot, stale: Stale, count: int, age: float = 0.02) -> None:
    scenario = scenario_of(robot.tree, "armstrong")
    rng = np.random.default_rng(4)
    motions = [random_fourier(scenario, rng) for _ in range(count)]
    fastest = np.array([row[1] for row in scenario.qd])
    for motion in motions[:5]:
        states = motion.at(np.linspace(0, motion.duration, 1500, endpoint=False))
        assert np.isclose(np.abs(states.qd / fastest).max(), 1.0), "one joint reaches the limit of its rate"
        assert np.all(np.abs(states.qdd) <= [row[1] for row in scenario.qdd])
    found = held(stale, motions, age, scenario)
    assert found.violated == 0
    assert found.looseness.max() <= SIZE
    assert found.within is not None and np.all(found.within >= found.measured)


def test_bounds_of_held_values_hold(puma: Robot, stale: Stale) -> None:
    tried(puma, stale, 25)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["puma560", "panda"])
def test_bounds_of_held_values_hold_on_a_thousand_motions(name: str) -> None:
    robot = taut.load(name)
    tried(robot, Stale.of(robot.derive("mass_matrix+bias", effort="none", verify=False)), 1000)


def test_the_measured_error_is_that_of_the_robots_own_torques(puma: Robot, stale: Stale) -> None:
    motion = random_fourier(scenario_of(puma.tree, "armstrong"), np.random.default_rng(5))
    t, age = np.linspace(0, motion.duration, 600), 0.02
    now, then = motion.at(t), motion.at(t - age)
    with_old = np.einsum("tij,tj->ti", puma.mass_matrix(then.q), now.qdd) + puma.bias(then.q, then.qd)
    error = np.abs(with_old - puma.inverse_dynamics(*now)).max(axis=0)
    assert np.all(stale.measured(motion, age) >= error * (1 - 1e-9))
    assert np.allclose(stale.measured(motion, age), error, rtol=0.3)


def test_the_slowest_background_is_on_the_edge(puma: Robot, stale: Stale) -> None:
    motions = [random_fourier(scenario_of(puma.tree, "armstrong"), np.random.default_rng(6))]
    allowed = 0.01 * puma.limits.effort
    age = slowest(stale, motions, allowed, 0.05)
    assert 0.9 < (stale.measured(motions[0], age) / allowed).max() <= 1.0


def test_a_table_of_samples_is_the_motion_it_was_taken_from(puma: Robot) -> None:
    motion = random_fourier(scenario_of(puma.tree, "armstrong"), np.random.default_rng(7))
    t = np.linspace(0, motion.duration, 2000)
    table = Table(Trajectory(t + 3.0, *motion.at(t)))
    between = t[:-1] + 0.4 * np.diff(t)
    for found, right in zip(table.at(between), motion.at(between), strict=True):
        assert np.abs(found - right).max() < 1e-4 * np.abs(right).max()


def test_bandwidth_of_known_signals() -> None:
    slow = Fourier(np.zeros(1), np.array([[1.0, 0.0, 0.0]]), np.zeros((1, 3)), 2 * np.pi)
    assert np.isclose(bandwidth([slow]).qdd, 1.0, rtol=0.3)
    mixed = Fourier(np.zeros(1), np.array([[1.0, *[0.0] * 8, 0.02]]), np.zeros((1, 10)), 2 * np.pi)
    wide = bandwidth([mixed])
    assert wide.q < 3 and wide.qdd > 9 and wide.over_q > 4


# -- rates ------------------------------------------------------------------------


def test_armstrongs_rates_from_his_counts() -> None:
    """1043 operations of the configuration and 239 of the rest, at 100 000 a second: 78 Hz, and 50 and 200 Hz."""
    seconds = {"configuration": 1043e-5, "synchronous": 239e-5}
    assert round(attained(seconds, schedule("1:1", 2)).rates[-1]) == 78
    found = attained(seconds, schedule("4:1", 2))
    assert [round(rate) for rate in found.rates] == [50, 200] and np.isclose(found.utilisation, 1)
    slower = attained(seconds, schedule("4:1", 2), rate=100.0)
    assert np.isclose(slower.utilisation, 0.5, rtol=1e-3) and slower.age < 2 * slower.period
    with pytest.raises(InputError, match=r"need 1\.25 times the processor at 250 Hz") as refused:
        attained(seconds, schedule("4:1", 2), rate=250.0)
    assert "at most 200.1 Hz" in str(refused.value)


def test_the_command_says_what_the_tasks_attain(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--flops", "100k", "--schedule", "4:1", "--effort", "none", "--motions", "2"]
    assert main(["rates", "puma560", *options, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    tasks = found["tasks"]
    needed = 4 * tasks["synchronous"]["seconds"] + tasks["configuration"]["seconds"] + tasks["velocity"]["seconds"]
    assert np.isclose(tasks["synchronous"]["rate"], 4 / needed) and tasks["synchronous"]["rate"] > 200
    assert found["staleness"]["violated"] == 0 and found["greatest_age"] > 0
    assert found["one_rate"]["rate"] > 78
    assert main(["rates", "puma560", *options]) == 0
    assert "slowest background" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("--schedule", "4"), "schedule '4'"),
        (("--schedule", "1:4"), "do not rise"),
        (("--schedule", "5:2:1"), "a multiple of the next"),
        (("--schedule", "4:2:2:1"), "give 2 or 3 numbers"),
        (("--rate", "1M"), "times the processor at 1e+06 Hz"),
        (("--flops", "fast"), "is no speed"),
        (("--flops", "100k", "--measure"), "more than one speed"),
        (("--instructions", "configuration=3", "--clock", "1M"), "give one for each of"),
        (("--instructions", "configuration=x", "--clock", "1M"), "give NAME=COUNT"),
        (("--load", "nowhere"), "nowhere"),
        (("--tasks", "velocity,configuration"), "which comes later"),
        (("--processors", "0"), "give numbers from 1"),
        (("--plot", "errors.txt"), "end it in .png, .svg, .pdf"),
    ],
)
def test_bad_input_is_one_sentence(given: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rates", "double_pendulum", "--effort", "none", *given]) == 2
    error = capsys.readouterr().err
    assert said in error and error.strip().count("\n") == 0


def test_a_load_of_the_wrong_size_is_one_sentence() -> None:
    robot = taut.load("puma260")
    plan = robot.tasks(load=robot.tree.frame(None).name, effort="none", verify=False)
    states = dict.fromkeys(("q", "qd", "qdd"), np.zeros(6))
    with pytest.raises(InputError, match=r"load: .*10") as refused:
        plan(**states, load=np.zeros(9))
    assert "\n" not in str(refused.value)
    held = robot.with_load(2.0)
    load = [2.0, *[0.0] * 9]
    found = plan(q=[0.3] * 6, qd=[0.2] * 6, qdd=[1.0] * 6, load=load)["inverse_dynamics"]
    assert np.allclose(found, held.inverse_dynamics([0.3] * 6, [0.2] * 6, [1.0] * 6))


# -- several processors -------------------------------------------------------------


def test_a_divided_program_keeps_every_order_and_every_bound(puma: Robot) -> None:
    function = puma.derive("inverse_dynamics", effort="none", verify=False)
    program, chain = function.program, function.operations.depth
    alone = divided(program, 1)
    assert alone.makespan == alone.work and alone.messages == 0
    last = alone.makespan
    for p, hop in ((2, 0.0), (6, 0.0), (6, 4.0), (1000, 0.0)):
        found = divided(program, p, hop)
        for i, (here, begin) in found.place.items():
            for arg in program.lines[i].args:
                if arg in found.place:
                    there, began = found.place[arg]
                    assert begin >= began + program.lines[arg].counted + (hop if there != here else 0)
        assert max(chain, found.work / p) <= found.makespan <= last or hop
        last = found.makespan if not hop else last
    busy: dict[int, list[float]] = {}
    for here, begin in divided(program, 6).place.values():
        busy.setdefault(here, []).append(begin)
    assert len(busy) == 6
    line = pipelined(program, 6)
    assert line.interval >= alone.work / 6 and line.latency == 6 * line.interval


# -- worst cases ------------------------------------------------------------------------


@pytest.mark.skipif(not (shutil.which("gcc") and shutil.which("valgrind")), reason="gcc or valgrind is not installed")
@pytest.mark.parametrize("states", [500, pytest.param(10_000, marks=pytest.mark.slow)])
def test_a_task_takes_the_same_instructions_for_every_state(states: int, tmp_path: Path) -> None:
    """Counted by callgrind for each state between -10 and 10; friction by signs of the rates included."""
    folder = tmp_path / "out"
    taut.load("puma260").generate(folder, "joint_torque", tasks="two-rate", effort="none")
    calls = {
        "configuration": "puma260_configuration(in, out)",
        "velocity": "puma260_velocity(in, in + 6, out)",
        "synchronous": "puma260_synchronous(in, in + 6, in + 40, out)",
    }
    counter = ["valgrind", "--tool=callgrind", "--combine-dumps=yes", "--toggle-collect=call", "--dump-after=call"]
    for name, call in calls.items():
        flags = ["-O2", '-DHEADER="puma260.h"', "-DIN=80", "-DOUT=80", f"-DCALL={call}", "-I."]
        source = Path(__file__).with_name("many_states.c")
        subprocess.run(["gcc", *flags, source, "puma260.c", "-lm", "-o", name], cwd=folder, check=True)
        command = [*counter, f"--callgrind-out-file={name}.counts", f"./{name}", str(states)]
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
        rows = (folder / f"{name}.counts").read_text().splitlines()
        counts = [int(row.split()[1]) for row in rows if row.startswith("summary:")]
        counts.remove(0)  # after the last call
        assert len(counts) == states and 50 < min(counts) == max(counts), name
