"""The program printed by Izaguirre et al. 1992, Appendix A: right with five repairs, wrong without."""

from __future__ import annotations

import csv
import math

import numpy as np
import pytest

from papers.arms import columns, standard_arm
from papers.formulas import DATA, Values, load
from taut.algorithms.compound_links import compound_gravity, compound_mass_matrix
from taut.algorithms.newton_euler import newton_euler
from taut.robot import Tree
from taut.spatial import NO_INERTIA, Inertia

TABLE = load("puma260_izaguirre.json")
PAIRS = [(i, j) for i in range(1, 7) for j in range(i, 7)]
NAMES = [f"D{i}{j}" for i, j in PAIRS] + [f"G{i}" for i in range(1, 7)]
ROTORS = [float(TABLE["formulas"][f"IA{i}"]) for i in range(1, 7)]
with (DATA / "puma260_izaguirre.csv").open() as file:
    SAMPLES = [{name: float(x) for name, x in row.items()} for row in csv.DictReader(file)]
POSITIONS = [[row[f"q{i}"] for i in range(1, 7)] for row in SAMPLES]
DIGITS = 2e-12  # 12 printed digits of numbers below 10; positions likewise


def puma260() -> Tree:
    """Return the arm with its six significant moments, all about the origin of the distal frame."""
    m = TABLE["moments"]
    bodies = [NO_INERTIA] * 6
    bodies[3] = Inertia.from_parameters((0, 0, m["y4"], 0, m["Ixx4_origin"], 0, 0, 0, 0, m["Izz4_origin"]))
    bodies[5] = Inertia.from_parameters((m["m6"], 0, 0, m["z6"], 0, 0, 0, 0, 0, 0))
    return standard_arm("puma260", [("R", math.radians(alpha), a, d) for alpha, a, d in TABLE["rows"]], bodies)


def program(q: list[float], repaired: bool) -> dict[str, float]:
    formulas = TABLE["formulas"] | (TABLE["repairs"] if repaired else {})
    values = Values({"GRAV": 9.81, **{f"Q{i}": angle for i, angle in enumerate(q, 1)}}, formulas)
    return {name: values[name] for name in NAMES}


def compound(q: list[float]) -> dict[str, float]:
    robot = puma260()
    D = np.asarray(compound_mass_matrix(robot, columns(q)), float) + np.diag(ROTORS)
    G = compound_gravity(robot, columns(q))
    return {f"D{i}{j}": D[i - 1, j - 1] for i, j in PAIRS} | {f"G{i}": G[i - 1][0] for i in range(1, 7)}


@pytest.mark.parametrize("q", POSITIONS)
def test_the_repaired_program_is_the_compound_link_model(q):
    found, expected = program(q, repaired=True), compound(q)
    for name in NAMES:
        assert found[name] == pytest.approx(expected[name], rel=0, abs=1e-14), name


@pytest.mark.parametrize("row", SAMPLES)
def test_compound_links_agree_with_the_independent_program(row):
    found = compound([row[f"q{i}"] for i in range(1, 7)])
    for name in NAMES:
        assert found[name] == pytest.approx(row[name], rel=0, abs=10 * DIGITS), name


@pytest.mark.parametrize("q", POSITIONS[:5])
def test_newton_euler_agrees(q):
    robot, found, rest = puma260(), program(q, repaired=True), columns([0] * 6)
    G = np.asarray(newton_euler(robot, columns(q), rest, rest))[:, 0]
    np.testing.assert_allclose(G, [found[f"G{i}"] for i in range(1, 7)], rtol=0, atol=1e-13)
    for j in range(6):
        column = np.asarray(newton_euler(robot, columns(q), rest, columns(np.eye(6)[j])))[:, 0] - G
        column[j] += ROTORS[j]
        expected = [found[f"D{min(i, j) + 1}{max(i, j) + 1}"] for i in range(6)]
        np.testing.assert_allclose(column, expected, rtol=0, atol=1e-13)


def test_as_printed_the_first_row_is_wrong_and_nothing_else():
    errors = {name: 0.0 for name in NAMES}
    largest = dict(errors)
    for q in np.random.default_rng(260).uniform(-math.pi, math.pi, (500, 6)).tolist():
        printed, repaired = program(q, repaired=False), program(q, repaired=True)
        for name in NAMES:
            errors[name] = max(errors[name], abs(printed[name] - repaired[name]))
            largest[name] = max(largest[name], abs(repaired[name]))
    wrong = {name for name, error in errors.items() if error > 1e-14}
    assert wrong == {"D11", "D12", "D13"}
    assert max(errors.values()) == pytest.approx(2.8e-3, rel=0.05)
    shares = [errors[name] / largest[name] for name in ("D11", "D12", "D13")]
    assert shares == pytest.approx([0.008, 0.028, 0.11], rel=0.1)


@pytest.mark.parametrize("row", SAMPLES)
def test_the_printed_program_is_transcribed_rightly(row):
    found = program([row[f"q{i}"] for i in range(1, 7)], repaired=False)
    for name in ("D11", "D12", "D13"):
        assert found[name] == pytest.approx(row[name.replace("D", "Dprinted")], rel=0, abs=DIGITS), name
