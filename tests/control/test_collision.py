"""A collision is flagged in time and nothing else is: a panda in closed loop, simulated with generated C.

Encoders of 1e-5 rad, torque noise of 0.1 Nm, every link's mass off by 5 %, every joint's friction off by 20 %, 1 kHz;
20 N push across link 4 at the end of the motion. Thresholds are 1.25 times the largest change over the motions of
twenty seeds; one set of them serves forty others.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import taut
from taut.control.observer import MARGIN

pytestmark = pytest.mark.slow

SETTINGS = {"gain": 200, "smooth": 0.004, "slow": 0.1}
MODEL = (
    "generalized_momentum+coriolis_transpose+gravity",
    "inverse_dynamics",
    "jacobian:impact",
    "forward_kinematics:panda_link4",
)


@pytest.fixture(scope="module")
def simulation(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the simulation: model and plant are generated C, the observer is the hand-written twin."""
    place = tmp_path_factory.mktemp("collision")
    robot = taut.load("panda").with_tool((-0.0825, 0.19, 0.0), name="impact", frame="panda_link4")
    for name, functions, parameters in (("model", MODEL, None), ("plant", ("forward_dynamics",), "symbolic")):
        robot.generate(place / name, functions, effort="none", name=name, parameters=parameters)
    plant = robot.derive("forward_dynamics", effort="none", parameters="symbolic")
    names = plant.routine().parameters
    links = [(re.fullmatch(r"(?:m[xyz]?|I[xyz]{2})(\d+)", name) or "00")[1] for name in names]
    values = [repr(plant.values[name]) for name in names]
    text = (Path(__file__).parent / "collision.c").read_text()
    known = {"numbers": len(names), "values": ", ".join(values), "links": ", ".join(links), **SETTINGS}
    for key, value in known.items():
        text = text.replace(f"@{key}@", str(value))
    (place / "simulation.c").write_text(text)
    headers = [f"-I{x}" for x in (place / "model", place / "plant", files("taut") / "control" / "c")]
    sources = [place / "simulation.c", place / "model" / "model.c", place / "plant" / "plant.c"]
    program = place / "simulation"
    subprocess.run(["cc", "-std=c99", "-O2", *headers, *sources, "-o", program, "-lm"], check=True)
    return program


class Outcome(NamedTuple):
    """What happened with one seed: false alarms, delay of the flag [ms], largest change of each residual [Nm]."""

    alarms: int
    delay: int
    largest: list[float]


def outcomes(simulation: Path, seconds: float, seeds: range, thresholds: Sequence[float]) -> list[Outcome]:
    given = [seconds, seeds.start, len(seeds), *thresholds]
    rows = subprocess.run([simulation, *map(str, given)], check=True, capture_output=True, text=True).stdout.split("\n")
    return [Outcome(int(a), int(d), [float(x) for x in most]) for a, d, *most in (row.split() for row in rows if row)]


@pytest.fixture(scope="module")
def thresholds(simulation: Path) -> np.ndarray:
    """By the rule of ``CollisionDetector.from_quiet_motion``, from other seeds than those that are judged."""
    quiet = outcomes(simulation, 60, range(101, 121), [1e9] * 7)
    return MARGIN * np.max([one.largest for one in quiet], axis=0)


def test_the_thresholds_matter(simulation: Path, thresholds: np.ndarray) -> None:
    """Ten times as high they miss the impact; a tenth of them cries wolf."""
    assert all(one.delay < 0 for one in outcomes(simulation, 0.5, range(1, 4), 10 * thresholds))
    assert all(one.alarms > 0 for one in outcomes(simulation, 0.5, range(1, 4), thresholds / 10))


def test_a_minute_of_motion_for_forty_seeds(simulation: Path, thresholds: np.ndarray) -> None:
    for one in outcomes(simulation, 60, range(1, 41), thresholds):
        assert one.alarms == 0 and 0 <= one.delay <= 10
