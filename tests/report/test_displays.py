"""What public objects look like in a terminal and in a notebook."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import taut
from taut.errors import shortened
from taut.recordings import Recording

LONGEST = 600


@pytest.fixture(scope="module")
def objects() -> dict[str, Any]:
    robot = taut.load("puma560")
    q = np.zeros(6)
    model = robot.explicit(verify=False)
    gravity = robot.derive("gravity", effort="none")
    return {
        "robot": robot,
        "tree": robot.tree,
        "joint": robot.tree.joints[0],
        "function": gravity,
        "program": gravity.program,
        "equations": model,
        "element": model.M[0, 0],
        "elements": model.M,
        "constant": model.constants["K1"],
        "abbreviated": model.abbreviate(0.01),
        "base parameters": robot.base_parameters(),
        "kinematics": robot.kinematics(),
        "contributions": robot.contributions(q, q, q),
        "rate matrices": robot.rate_matrices(q, q),
        "simulation": robot.simulate(q, q, t=0.02),
        "linear model": robot.linearise(q, q, q),
        "sympy form": model.to_sympy(),
        "recording": Recording("log.csv", np.arange(0, 1, 0.01), np.zeros((100, 6)), np.zeros((100, 6))),
        "inverse kinematics": robot.inverse_kinematics(robot.forward_kinematics([0.1] * 6)),
        "mobility": taut.load("four_bar").mobility(),
        "limits": robot.limits,
        "tasks": taut.load("double_pendulum").tasks(effort="none"),
        "design": taut.load("scara").design(),
    }


def test_every_object_is_short_in_a_terminal(objects: dict[str, Any]) -> None:
    sizes = {name: max(len(str(one)), len(repr(one))) for name, one in objects.items()}
    assert {name: size for name, size in sizes.items() if size >= LONGEST} == {}


def test_a_robot_shows_its_joints_in_a_notebook(objects: dict[str, Any]) -> None:
    shown = objects["robot"]._repr_html_()
    assert shown.count("<tr>") == 7 and "revolute" in shown and "6 degrees of freedom" in shown


def test_a_function_shows_its_equations_in_a_notebook(objects: dict[str, Any]) -> None:
    shown = objects["function"]._repr_html_()
    assert "<details>" in shown and "# answers" in shown


def test_base_parameters_show_their_regrouping_in_a_notebook(objects: dict[str, Any]) -> None:
    found = objects["base parameters"]
    shown = found._repr_html_()
    assert shown.count("<tr>") == found.count + 1
    assert len(found.text().splitlines()) == found.count


def test_a_model_shows_its_equations_in_a_notebook(objects: dict[str, Any]) -> None:
    assert "K1" in objects["equations"]._repr_html_()
    assert objects["element"]._repr_latex_().startswith("$$")


def test_a_simulation_shows_how_far_each_joint_moved(objects: dict[str, Any]) -> None:
    shown = objects["simulation"]._repr_html_()
    assert shown.count("<tr>") == 7 and "energy error" in shown


def test_long_texts_end_with_how_much_is_left_out() -> None:
    text = "\n".join(f"line {k}" for k in range(500))
    short = shortened(text)
    kept, _, rest = short.rpartition("\n")
    assert len(short) < LONGEST and text.startswith(kept)
    assert rest == f"... {500 - len(kept.splitlines())} more"
