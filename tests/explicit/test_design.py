"""Derivatives of elements by parameters, and conditions that make M diagonal, M constant or gravity vanish."""

from __future__ import annotations

import math

import numpy as np
import pytest

import taut
from taut.cli import main
from taut.errors import InputError
from taut.explicit.design import GOALS

UNSEEN = {"stanford_rrp": {"y1": 1.0, "Ixx1": 1.0, "Izz1": 1.0}}
"""Parameters that no element has."""


def evaluated(formula: str, values: dict[str, float], q: np.ndarray) -> float:
    """Return the value of a formula: C12 and S12 are of cumulative angles, q3 is a slide."""
    names = {**values, **{f"q{k + 1}": x for k, x in enumerate(q)}}
    for first in range(len(q)):
        for last in range(first, len(q)):
            angle = float(np.sum(q[first : last + 1]))
            label = "".join(str(k + 1) for k in range(first, last + 1))
            names |= {f"C{label}": math.cos(angle), f"S{label}": math.sin(angle)}
    return float(eval(formula.replace("^", "**"), {}, names))


@pytest.mark.parametrize("name", ["stanford_rrp", "double_pendulum"])
def test_derivatives_are_those_of_the_numeric_algorithm(name: str) -> None:
    """Elements are of second degree at most in a parameter of these arms, so that central differences are exact."""
    robot, rng = taut.load(name), np.random.default_rng(3)
    design, q = robot.design(), np.random.default_rng(4).uniform(-1, 1, robot.dof)
    values = {p: float(rng.uniform(0.5, 1.5)) for p in design.parameters}
    elements = list(design.elements)

    def at(changed: dict[str, float]) -> np.ndarray:
        return robot.with_values({**UNSEEN.get(name, {}), **changed}).evaluate("explicit", q)

    for parameter in design.parameters:
        up, down = (at({**values, parameter: values[parameter] + h}) for h in (0.5, -0.5))
        found = [evaluated(design.derivative(element, parameter), values, q) for element in elements]
        np.testing.assert_allclose(found, up - down, rtol=0, atol=1e-12)


def test_what_is_simple_already_needs_nothing() -> None:
    wheel = taut.load("double_pendulum").with_values({"L1": 0.0, "m1": 1.0, "m2": 1.0, "L2": 1.0, "g": 9.81})
    assert taut.load("stanford_rrp").design().conditions("diagonal")
    assert np.ptp(wheel.mass_matrix(np.linspace(0, 3, 12).reshape(6, 2)), axis=0).max() == 0


def test_conditions_are_needed_and_suffice() -> None:
    """The pendulum's M is constant exactly when one of the three is zero."""
    robot = taut.load("double_pendulum")
    (condition,) = robot.design().conditions("constant")
    sizes = {"L1": 0.7, "L2": 0.4, "m1": 1.1, "m2": 1.3, "g": 9.81}
    q = np.random.default_rng(5).uniform(-3, 3, (20, 2))
    assert np.ptp(robot.with_values(sizes).mass_matrix(q), axis=0).max() > 0.1
    for equation in condition.equations:
        name, _, zero = equation.partition(" = ")
        assert zero == "0"
        assert np.ptp(robot.with_values({**sizes, name: 0.0}).mass_matrix(q), axis=0).max() < 1e-15


def test_bad_input() -> None:
    design = taut.load("double_pendulum").design()
    for call in (
        lambda: design.derivative("M33", "m1"),
        lambda: design.derivative("M11", "m9"),
        lambda: design.conditions("light"),
    ):
        with pytest.raises(InputError, match="choose"):
            call()


def test_in_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["derive", "double_pendulum", "--form", "design"]) == 0
    said = capsys.readouterr().out
    assert all(goal in said for goal in GOALS) and "L1 = 0 or L2 = 0 or m2 = 0" in said
    assert main(["derive", "double_pendulum", "--form", "design", "--latex"]) == 2
