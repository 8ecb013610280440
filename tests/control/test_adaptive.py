"""Slotine and Li's controller learns a panda whose masses it believes to be 30 % wrong."""

from __future__ import annotations

import numpy as np
import pytest

import taut
from taut.control.adaptive import AdaptiveController, informed_rate
from taut.control.passivity import Passivity

STEP, PERIOD = 5e-4, 4.0
SLOPE, DAMPING = 20.0, np.array([20, 20, 10, 10, 1, 1, 0.3])
HOME = np.array([0, 0.3, 0, -1.8, 0, 2, 0.5])
SWING = np.array([0.5, 0.4, 0.5, 0.4, 0.5, 0.4, 0.5])


def wanted(t: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A periodic motion: position, rates, accelerations."""
    w, phase = 2 * np.pi / PERIOD, np.arange(7)
    one, two = w * t + phase, 2 * (w * t + phase)
    return (
        HOME + SWING * (np.sin(one) + 0.4 * np.sin(two)),
        SWING * w * (np.cos(one) + 0.8 * np.cos(two)),
        -SWING * w**2 * (np.sin(one) + 1.6 * np.sin(two)),
    )


def tracking_errors(controller: AdaptiveController, robot: taut.Robot, seconds: float) -> np.ndarray:
    """Return the RMS position error of every period, the robot integrated by Runge-Kutta between samples."""
    forward = robot.derive("forward_dynamics", effort="none").compile()
    q, qd, _ = wanted(0.0)
    x, errors = np.concatenate([q, qd]), []
    for k in range(round(seconds / STEP)):
        reference = wanted(k * STEP)
        tau = controller.update(x[:7], x[7:], *reference)
        errors.append(x[:7] - reference[0])

        def slope(x: np.ndarray, tau: np.ndarray = tau) -> np.ndarray:
            return np.concatenate([x[7:], forward(x[:7], x[7:], tau)])

        k1 = slope(x)
        k2 = slope(x + STEP / 2 * k1)
        k3 = slope(x + STEP / 2 * k2)
        x = x + STEP / 6 * (k1 + 2 * k2 + 2 * k3 + slope(x + STEP * k3))
    squares = (np.array(errors) ** 2).reshape(round(seconds / PERIOD), -1)
    return np.sqrt(squares.mean(axis=1))


def controller(robot: taut.Robot, adapting: bool) -> AdaptiveController:
    """Return the controller with every link 30 % too light or too heavy."""
    factor = np.where(np.random.default_rng(1).uniform(size=(7, 1)) < 0.5, 0.7, 1.3)
    wrong = (robot.parameters.reshape(7, 10) * factor).ravel()
    times = np.linspace(0, PERIOD, 401)
    Y = robot.derive("passivity_regressor", effort="none").compile()
    along = np.array([Y(q, qd, qd, qdd) for q, qd, qdd in map(wanted, times)])
    rate = informed_rate(along / np.sqrt(DAMPING)[:, None], times, 2.0)
    return AdaptiveController(robot, wrong, SLOPE, DAMPING, rate if adapting else 1e-300, STEP, effort="none")


@pytest.mark.slow
@pytest.mark.parametrize("adapting", [True, False])
def test_errors_vanish_with_adaptation_alone(adapting: bool) -> None:
    robot = taut.load("panda")
    errors = tracking_errors(controller(robot, adapting), robot, 20.0)
    ratio = errors[-1] / errors[0]
    print(f"\nlast over first period: {ratio:.4f}, adapting {adapting}")
    assert ratio <= 0.01 if adapting else ratio > 0.2


def test_a_saturated_torque_stops_learning_and_reset_forgets() -> None:
    robot = taut.load("panda")
    law = AdaptiveController(robot, robot.parameters, SLOPE, DAMPING, 1.0, STEP, limit=1e-3, effort="none")
    q, qd, qdd = wanted(0.3)
    assert np.abs(law.update(q + 0.1, qd, q, qd, qdd)).max() <= 1e-3
    np.testing.assert_array_equal(law.estimate, robot.parameters)
    law.reset(2 * robot.parameters)
    np.testing.assert_array_equal(law.estimate, 2 * robot.parameters)
    law.reset()
    np.testing.assert_array_equal(law.estimate, robot.parameters)


def test_at_the_true_parameters_it_is_the_passivity_torque() -> None:
    robot = taut.load("panda")
    law = AdaptiveController(robot, robot.parameters, SLOPE, DAMPING, 1e-9, STEP, effort="none")
    q, qd, qdd = wanted(0.3)
    found = law.update(q + 0.01, qd + 0.1, q, qd, qdd)
    same = Passivity(SLOPE, DAMPING)(robot, q + 0.01, qd + 0.1, q, qd, qdd)
    np.testing.assert_allclose(found, same, atol=1e-9)
