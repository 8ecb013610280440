"""One-step models in CasADi: C with its interface, loaded as an external function, and a closed loop with IPOPT."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import taut

casadi = pytest.importorskip("casadi")


def loaded(robot: taut.Robot, function: str, folder: Path, name: str = "step") -> Any:
    """Return a function of a robot as CasADi loads it from a shared library."""
    source, library = folder / f"{name}.c", folder / f"{name}.so"
    source.write_text(robot.casadi_c(function, name, effort="none"))
    subprocess.run(["cc", "-O1", "-fPIC", "-shared", source, "-o", library, "-lm"], check=True)
    return casadi.external(name, str(library))


@pytest.mark.slow
def test_a_function_and_its_sparse_jacobian_are_loaded(tmp_path: Path) -> None:
    link = {"mass": 1.3, "com": [0.1, -0.05, 0.2], "inertia": [0.03, 0.001, 0.02, -0.002, 0.003, 0.04], "about": "com"}
    rows = [{"a": 0.2, "alpha": alpha, "d": 0.1, "link": link} for alpha in (0, 1.1)]
    robot = taut.from_dh("modified", rows, name="two")
    step = loaded(robot, "rk4_step", tmp_path)
    rng = np.random.default_rng(0)
    q, qd, tau, dt = rng.normal(size=2), rng.normal(size=2), rng.normal(size=2), np.array([0.02])
    assert step.name_in() == ["q", "qd", "tau", "dt"]
    expected = robot.evaluate("rk4_step", q, qd, tau, dt)
    assert np.array(step(q, qd, tau, dt)).ravel() == pytest.approx(expected, rel=1e-12)
    x = casadi.MX.sym("x", 2)
    slope = casadi.Function("slope", [x], [casadi.jacobian(step(q, qd, x, dt), x)])
    whole = robot.evaluate("rk4_step_derivatives", q, qd, tau, dt)
    assert np.array(slope(tau)) == pytest.approx(whole[:, 4:6], rel=1e-10, abs=1e-14)
    euler = loaded(robot, "euler_step", tmp_path, "euler")
    assert euler.jacobian().nnz_out(1) == 6  # of 4 x 2: a position does not depend on the other's rate


@pytest.mark.slow
def test_model_predictive_control_of_seven_joints(tmp_path: Path) -> None:
    """Panda moves to a posture: 12 steps of 40 ms ahead, torques within the limits, the plant by Runge-Kutta."""
    robot = taut.load("panda")
    step = loaded(robot, "semi_implicit_step", tmp_path)
    n, horizon, dt = 7, 12, 0.04
    target = np.array([0.3, -0.5, 0.2, -1.9, 0.1, 1.6, 0.5])
    q, qd = np.array([0.0, -0.8, 0.0, -2.4, 0.0, 1.6, 0.8]), np.zeros(n)
    hold = robot.gravity(target)
    begin = casadi.MX.sym("begin", 2 * n)
    torques = casadi.MX.sym("torques", n, horizon)
    states = casadi.MX.sym("states", 2 * n, horizon)
    cost, gaps, before = 0, [], begin
    for k in range(horizon):
        after = states[:, k]
        gaps.append(after - step(before[:n], before[n:], torques[:, k], dt))
        cost += 50 * casadi.sumsqr(after[:n] - target) + 0.5 * casadi.sumsqr(after[n:])
        cost += 1e-4 * casadi.sumsqr(torques[:, k] - hold)
        before = after
    unknown = casadi.veccat(torques, states)
    problem = {"x": unknown, "p": begin, "f": cost, "g": casadi.vertcat(*gaps)}
    options = {
        "ipopt": {"hessian_approximation": "limited-memory", "print_level": 0, "max_iter": 60, "tol": 1e-4},
        "print_time": False,
    }
    solver = casadi.nlpsol("mpc", "ipopt", problem, options)
    limit = robot.limits.effort
    bounds = np.concatenate([np.tile(limit, horizon), np.full(2 * n * horizon, np.inf)])
    guess = np.concatenate([np.tile(robot.gravity(q), horizon), np.tile(np.concatenate([q, qd]), horizon)])
    first = np.abs(q - target).max()
    for _ in range(20):
        found = solver(x0=guess, p=np.concatenate([q, qd]), lbx=-bounds, ubx=bounds, lbg=0, ubg=0)
        guess = np.array(found["x"]).ravel()
        tau = guess[:n]
        assert (np.abs(tau) <= limit + 1e-6).all()
        q, qd = np.split(robot.evaluate("rk4_step", q, qd, tau, [dt]), 2)
    assert np.abs(q - target).max() < 0.05 * first
    assert np.abs(qd).max() < 0.2
