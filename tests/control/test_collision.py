"""A collision is flagged in time and nothing else is: a panda in closed loop, simulated with generated C.

Encoders of 1e-5 rad, torque noise of 0.1 Nm, every link's mass off by 5 %, every joint's friction off by 20 %, 1 kHz;
20 N push across link 4 at the end of the motion. One threshold for all seeds.
"""

from __future__ import annotations

import re
import subprocess
from importlib.resources import files
from pathlib import Path

import pytest

import taut

pytestmark = pytest.mark.slow

SETTINGS = {"gain": 200, "smooth": 0.004, "slow": 0.1, "threshold": "1.9, 2.6, 1.8, 1.8, 1, 1, 1"}
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
        robot.generate(place / name, functions, effort="quick", name=name, parameters=parameters)
    plant = robot.derive("forward_dynamics", effort="quick", parameters="symbolic")
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


def outcomes(simulation: Path, seconds: float, seeds: int, scale: float = 1.0) -> list[tuple[float, int, int]]:
    """Return (largest change over the threshold, false alarms, delay of the flag [ms]) of every seed."""
    command = [str(simulation), str(seconds), str(seeds), str(scale)]
    rows = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\n")
    return [(float(c), int(a), int(d)) for _, c, a, d in (row.split() for row in rows if row)]


def check(found: list[tuple[float, int, int]]) -> None:
    for largest, alarms, delay in found:
        assert alarms == 0 and largest < 1
        assert 0 <= delay <= 10


def test_flagged_within_ten_milliseconds(simulation: Path) -> None:
    check(outcomes(simulation, 2, 5))


def test_the_thresholds_matter(simulation: Path) -> None:
    """Ten times as high they miss the impact; a tenth of them cries wolf."""
    assert all(delay < 0 for _, _, delay in outcomes(simulation, 0.5, 3, 10.0))
    assert all(alarms > 0 for _, alarms, _ in outcomes(simulation, 0.5, 3, 0.1))


def test_a_minute_of_motion_for_twenty_seeds(simulation: Path) -> None:
    check(outcomes(simulation, 60, 20))
