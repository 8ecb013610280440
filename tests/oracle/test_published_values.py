"""Numbers that others have published.

SymPyBotics and the Robotics Toolbox print values of their PUMA 560 models in their test suites; the robots
are described anew in TOML beside the numbers, so the whole way from file to torque is tested.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from taut.formats.toml import read_toml
from taut.questions.table import QUESTIONS
from taut.robot import Tree
from taut.robot.edit import numeric, with_values
from taut.spatial import ZERO

PUBLISHED = Path(__file__).parent.parent / "data" / "published"

DIGITS = 1e-13
"""Relative: fifteen printed digits, and a few hundred roundings of the recursion on either side."""


def read(name: str) -> Any:
    return json.loads((PUBLISHED / name).read_text())


def robot(name: str) -> Tree:
    return read_toml((PUBLISHED / name).read_text(), name)


# -- SymPyBotics --------------------------------------------------------------

SYMPYBOTICS = read("sympybotics_puma560.json")
CASES = [(model, case) for model in SYMPYBOTICS["models"] for case in model["cases"]]


def label(value: Any) -> str | None:
    return value.get("robot") or value["parameters_from"]


def assert_printed(found: Any, expected: Any) -> None:
    expected = np.array(expected, dtype=float)
    np.testing.assert_allclose(np.array(found, dtype=float), expected, rtol=0, atol=DIGITS * np.abs(expected).max())


def with_parameters(tree: Tree, parameters: list[float]) -> Tree:
    order = SYMPYBOTICS["parameter_order"]
    named = {f"{order[k % 10]}{k // 10 + 1}": value for k, value in enumerate(parameters)}
    return numeric(with_values(tree, named))


@pytest.mark.parametrize(("model", "case"), CASES, ids=label)
def test_sympybotics_dynamics(model: dict[str, Any], case: dict[str, Any]) -> None:
    puma = with_parameters(robot(model["robot"]), case["parameters"])
    q, qd, qdd = (SYMPYBOTICS[name] for name in ("q", "qd", "qdd"))
    still = QUESTIONS["gravity"].compute(puma, q)
    assert_printed(QUESTIONS["inverse_dynamics"].compute(puma, q, qd, qdd), case["tau"])
    assert_printed(still, case["gravity"])
    assert_printed(QUESTIONS["mass_matrix"].compute(puma, q), case["mass_matrix"])
    velocity = np.array(case["velocity"])
    # The velocity torque is a difference of two torques, each rounded at the size of the larger.
    size = max(np.abs(case["gravity"]).max(), np.abs(velocity).max())
    moving = np.subtract(QUESTIONS["bias"].compute(puma, q, qd), still)
    np.testing.assert_allclose(moving, velocity, rtol=0, atol=DIGITS * size)
    np.testing.assert_allclose(
        np.array(QUESTIONS["coriolis_matrix"].compute(puma, q, qd), dtype=float) @ qd,
        velocity,
        rtol=0,
        atol=DIGITS * size,
    )


@pytest.mark.parametrize("model", SYMPYBOTICS["models"], ids=label)
def test_sympybotics_kinematics(model: dict[str, Any]) -> None:
    puma = with_parameters(robot(model["robot"]), [0.0] * 60)
    assert_printed(QUESTIONS["forward_kinematics"].compute(puma, SYMPYBOTICS["q"]), model["pose"])
    assert_printed(QUESTIONS["jacobian"].compute(puma, SYMPYBOTICS["q"]), model["jacobian"])


# -- Robotics Toolbox ---------------------------------------------------------

TOOLBOX = read("robotics_toolbox_puma560.json")
PUMA = numeric(robot(TOOLBOX["robot"]))
QN = TOOLBOX["q"]
REST = [0.0] * 6


def assert_rounded(found: Any, printed: Any) -> None:
    """Compare with printed text: at most half a unit of its last digit away."""
    values = np.array(printed, dtype=float)
    half_units = [0.5 * 10.0 ** -len(text.partition(".")[2]) for text in np.ravel(printed)]
    off = np.abs(np.ravel(np.array(found, dtype=float)) - np.ravel(values))
    assert (off <= np.array(half_units) * (1 + 1e-6)).all(), f"off by {off} at half units {half_units}"


@pytest.mark.parametrize(
    "case", TOOLBOX["torques"], ids=lambda c: f"qd={c['qd']} qdd={c['qdd']} gravity={c['gravity']}"
)
def test_toolbox_torque_with_friction(case: dict[str, Any]) -> None:
    puma = PUMA if case["gravity"] else replace(PUMA, gravity_acceleration=ZERO)
    torque = QUESTIONS["joint_torque"].compute(puma, QN, [case["qd"]] * 6, [case["qdd"]] * 6)
    assert_rounded(torque, case["tau"])


def test_toolbox_matrices() -> None:
    assert_rounded(QUESTIONS["mass_matrix"].compute(PUMA, QN), TOOLBOX["mass_matrix"])
    coriolis = TOOLBOX["coriolis"]
    assert_rounded(QUESTIONS["coriolis_matrix"].compute(PUMA, QN, coriolis["qd"]), coriolis["matrix"])
    assert_rounded(QUESTIONS["operational_inertia"].compute(PUMA, QN), TOOLBOX["operational_inertia"])


def test_toolbox_inertia_torque() -> None:
    case = TOOLBOX["inertia_torque"]
    assert_rounded(np.array(QUESTIONS["mass_matrix"].compute(PUMA, QN), dtype=float) @ case["qdd"], case["tau"])


def test_toolbox_wrench_of_the_tool_on_the_world() -> None:
    case = TOOLBOX["wrench"]
    turn = np.array(QUESTIONS["forward_kinematics"].compute(PUMA, QN), dtype=float)[:3, :3]
    force, moment = turn @ case["in_tool_axes"][:3], turn @ case["in_tool_axes"][3:]
    wrench = {PUMA.frame().name: [*-force, *-moment]}  # taut counts what the world exerts on the tool
    assert_rounded(QUESTIONS["inverse_dynamics"].compute(PUMA, QN, REST, REST, wrench), case["tau"])


def test_toolbox_acceleration_against_friction() -> None:
    case = TOOLBOX["acceleration"]
    net = np.subtract(case["tau"], QUESTIONS["friction"].compute(PUMA, case["qd"]))
    assert_rounded(QUESTIONS["forward_dynamics"].compute(PUMA, QN, case["qd"], list(net)), case["qdd"])
