"""Closed chains beside recordings, which have the independent joints alone."""

from __future__ import annotations

import numpy as np
import pytest

import taut
from taut.errors import InputError
from taut.recordings.recording import Recording


def recorded(robot):
    """Return a recording of a slow motion; its torques are zero where the robot has no closed form."""
    t = np.linspace(0, 3, 601)
    phases = np.arange(robot.nv)
    q, qd = 1 + 0.5 * np.sin(2 * t[:, None] + phases), np.cos(2 * t[:, None] + phases)
    solved = robot.in_closed_form()
    tau = solved.inverse_dynamics(q, qd, -4 * (q - 1)) if solved.nq == robot.nv else np.zeros_like(q)
    return Recording("made.csv", t, q, tau)


def test_a_loop_in_closed_form_predicts_its_torque():
    robot = taut.load("four_bar")
    found = taut.validate(robot, [recorded(robot)])
    assert found.error["crank"] < 0.5
    assert taut.validate(robot.with_gravity([0, -5, 0]), [recorded(robot)]).error["crank"] > 10


@pytest.mark.parametrize(
    ("name", "ask", "said"),
    [
        ("delta", taut.validate, "no positions of dependent joints, and its loops have no closed form; compare"),
        ("four_bar", taut.identify, "drives of 'four_bar', whose joint ratios change with its position; identif"),
    ],
)
def test_what_needs_more_is_refused_in_a_sentence(name, ask, said):
    robot = taut.load(name)
    with pytest.raises(InputError, match=said) as told:
        ask(robot, [recorded(robot)])
    assert "\n" not in str(told.value)
