"""The variational one-step model: its residual vanishes, its Jacobian is right, its energy does not drift."""

from __future__ import annotations

import numpy as np
import pytest

import taut


@pytest.fixture(scope="module")
def robot() -> taut.Robot:
    link = {"mass": 1.3, "com": [0.1, -0.05, 0.2], "inertia": [0.03, 0.001, 0.02, -0.002, 0.003, 0.04], "about": "com"}
    rows = [{"a": 0.2, "alpha": alpha, "d": 0.1, "link": link} for alpha in (0, 1.1)]
    return taut.from_dh("modified", rows, name="two", gravity=[0, -9.81, 0])


def test_the_residual_vanishes_and_its_jacobian_is_right(robot: taut.Robot) -> None:
    rng, dt = np.random.default_rng(1), np.array([0.002])
    q, qd, tau = rng.uniform(-1, 1, (3, 2))
    p = robot.mass_matrix(q) @ qd
    after, momentum = np.split(robot.evaluate("variational_step", q, p, tau, dt), 2)
    residual = robot.evaluate("variational_residual", q, p, tau, dt, after)
    assert np.abs(residual).max() < 1e-13
    J, h = robot.evaluate("variational_residual_jacobian", q, p, tau, dt, after), 1e-6
    columns = [(robot.evaluate("variational_residual", q, p, tau, dt, after + h * e) - residual) / h for e in np.eye(2)]
    assert np.abs(J - np.transpose(columns)).max() < 1e-6 * np.abs(J).max()
    exact = robot.evaluate("rk4_step", q, qd, tau, dt)  # of order 2: the third power of the step is left
    assert np.abs(after - exact[:2]).max() < 1e-6
    assert np.linalg.solve(robot.mass_matrix(after), momentum) == pytest.approx(exact[2:], abs=1e-5)


def test_energy_stays_bounded(robot: taut.Robot) -> None:
    step = robot.derive("variational_step", effort="none").compile()
    q, p, nothing, dt = np.array([0.5, 0.3]), np.zeros(2), np.zeros(2), np.array([0.005])
    energies = []
    for _ in range(8000):
        q, p = np.split(step(q, p, nothing, dt), 2)
        q, p = q.copy(), p.copy()
        energies.append((q, p))
    places, momenta = (np.array(x) for x in zip(*energies, strict=True))
    rates = np.linalg.solve(robot.mass_matrix(places), momenta[..., None])[..., 0]
    parts = robot.energy(places, rates)
    drift = np.abs(parts.sum(axis=1) - parts.sum(axis=1)[0]) / parts[:, 0].max()
    assert drift.max() < 5e-3
    assert drift[4000:].max() < 1.5 * drift[:4000].max()  # it does not grow
