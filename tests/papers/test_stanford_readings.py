"""The Stanford arm of Angeles, Ma, Rojas 1989, example 1, in the five readings of its garbled Table 2."""

from __future__ import annotations

import csv
import math

import numpy as np
import pytest

from papers.arms import columns, modified_arm
from papers.formulas import DATA
from taut.algorithms.kane import kane
from taut.algorithms.newton_euler import newton_euler
from taut.robot import Tree
from taut.spatial import Inertia, Sym3, Vec3

TWISTS = {  # degrees; the signs are not to be read in print
    "A": (0, 90, 90, 0, 90, 90),
    "B": (0, -90, 90, 0, -90, 90),
    "C": (0, -90, 90, 0, 90, -90),
    "C extending": (0, -90, 90, 0, 90, -90),
    "D": (0, 90, -90, 0, 90, -90),
}
D = (0.1, 0.1, 0.0, 0.6, 0.0, 0.0)
MASSES = (9.0, 6.0, 4.0, 1.0, 0.6, 0.5)
CENTRES = ((0, 0, -0.1), (0, 0, 0), (0, 0, 0), (0, 0, 0.1), (0, 0.06, 0), (0, 0, 0))
TENSORS = (
    (0.02, 0.01, 0.01),
    (0.05, 0.01, 0.06),
    (0.4, 0.4, 0.01),
    (0.001, 0.0005, 0.001),
    (0.0005, 0.0002, 0.0005),
    (0.003, 0.001, 0.002),
)
AMPLITUDE = np.array([math.pi / 30, -math.pi / 60, 0.01, math.pi / 30, math.pi / 30, math.pi / 30])
RATE = 2 * math.pi / 10


def stanford(reading: str) -> Tree:
    bodies = [
        Inertia.about_centre(m, Vec3(*c), Sym3(x, 0, y, 0, 0, z))
        for m, c, (x, y, z) in zip(MASSES, CENTRES, TENSORS, strict=True)
    ]
    rows = [
        ("P" if i == 2 else "R", math.radians(twist), 0.0, d)
        for i, (twist, d) in enumerate(zip(TWISTS[reading], D, strict=True))
    ]
    return modified_arm("stanford", rows, bodies)


def state(t: float, extending: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return q, qd, qdd of the printed trajectory; b_3 runs against the axis unless read as extending."""
    amplitude = AMPLITUDE * np.array([1, 1, 1 if extending else -1, 1, 1, 1])
    start = np.array([0, math.pi / 2, 0, 0, 0, 0])
    return (
        start + amplitude * (t - math.sin(RATE * t) / RATE),
        amplitude * (1 - math.cos(RATE * t)),
        amplitude * RATE * math.sin(RATE * t),
    )


def rows(reading: str) -> list[dict[str, str]]:
    with (DATA / "stanford_angeles.csv").open() as file:
        return [row for row in csv.DictReader(file) if row["reading"] == reading]


@pytest.mark.parametrize("algorithm", [newton_euler, kane])
@pytest.mark.parametrize("reading", TWISTS)
def test_torques_over_the_trajectory(reading, algorithm):
    robot = stanford(reading)
    samples = rows(reading)
    assert len(samples) == 21
    for row in samples:
        expected = np.array([float(row[f"tau{i}"]) for i in range(1, 7)])
        tau = algorithm(robot, *(columns(x) for x in state(float(row["t"]), reading == "C extending")))
        assert np.abs(np.asarray(tau)[:, 0] - expected).max() <= 1e-9 * np.abs(expected).max()


def test_the_readings_differ():
    last = np.array([[float(rows(reading)[-1][f"tau{i}"]) for i in range(1, 7)] for reading in TWISTS])
    apart = np.abs(last[:, None] - last[None]).max(axis=2) + np.eye(len(last))
    assert apart.min() > 1e-3
