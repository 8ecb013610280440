"""What new users met on their first day: each once, as they typed it."""

from __future__ import annotations

import json

import numpy as np
import pytest

import taut
from taut.api import Robot
from taut.cli import main
from taut.errors import InputError


@pytest.fixture(scope="module")
def massless() -> Robot:
    """A PUMA 560 whose last link has no inertia, and no rotor to move it."""
    robot = taut.load("puma560")
    links = robot.parameters.reshape(-1, 10)
    links[-1] = 0
    return robot.with_parameters(links, drives=np.zeros(24))


@pytest.mark.parametrize("shape", [(6,), (3, 6)])
@pytest.mark.parametrize("function", ["forward_dynamics", "forward_dynamics_derivatives"])
def test_a_massless_last_link_has_no_acceleration(massless: Robot, function: str, shape: tuple[int, ...]) -> None:
    state = np.ones(shape)
    with pytest.raises(InputError, match=r"link 'link6': joint 'joint6' moves no inertia, .* lock the joint"):
        getattr(massless, function)(state, state, state)
    assert np.isfinite(massless.inverse_dynamics(state, state, state)).all()


def test_nor_a_program(massless: Robot) -> None:
    with pytest.raises(InputError, match="coordinate 6 of 6 has no inertia"):
        massless.derive("forward_dynamics", effort="none")


def test_a_load_may_have_names() -> None:
    robot, q = taut.load("puma560"), [0.1] * 6
    loaded = robot.with_load("mL", [0, 0, "cL"], ["JL", 0, "JL", 0, 0, "2*JL"])
    with pytest.raises(InputError, match="without values: JL, cL, mL"):
        loaded.gravity(q)
    known = loaded.with_values({"mL": 2.0, "cL": 0.1, "JL": 0.01})
    expected = robot.with_load(2.0, [0, 0, 0.1], [0.01, 0, 0.01, 0, 0, 0.02]).mass_matrix(q)
    assert np.allclose(known.mass_matrix(q), expected, rtol=1e-13)
    assert {"mL", "cL"} <= set(loaded.derive("gravity", effort="none").parameter_names)


def test_show_takes_a_free_base_and_held_joints(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "ur5e", "--base", "free", "--lock", "elbow_joint=1.5", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    names = [joint["name"] for joint in shown["joints"]]
    assert names[0] == "root_joint" and "elbow_joint" not in names


def test_an_explicit_form_of_one_function(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["derive", "double_pendulum", "--form", "explicit", "--function", "gravity", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert list(shown["elements"]) == ["g1", "g2"] and shown["constants"].keys() == {"K4", "K5"}
    assert main(["derive", "double_pendulum", "--form", "explicit", "--function", "bias", "--latex"]) == 0
    page = capsys.readouterr().out
    assert "g_{1}" in page and "Mass matrix" not in page
    assert main(["derive", "double_pendulum", "--form", "explicit", "--function", "jacobian"]) == 2
    assert "no explicit form of 'jacobian'; choose inverse_dynamics" in capsys.readouterr().err


def test_an_error_names_its_place_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["derive", "puma560", "--effort", "little"]) == 2
    assert capsys.readouterr().err == "taut derive: unknown effort 'little'; choose one of none, quick, normal, max\n"
    assert main(["abbreviate", "puma560", "--rule", "none"]) == 2
    assert capsys.readouterr().err.startswith("taut abbreviate: unknown rule 'none'; choose")


def test_torque_is_inverse_dynamics(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["derive", "double_pendulum", "--function", "torque", "--effort", "none", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["function"] == "inverse_dynamics"
