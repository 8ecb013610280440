"""Second derivatives, centroidal quantities and one-step models against Pinocchio and against differences."""

from __future__ import annotations

import numpy as np
import pinocchio as pin
import pytest

import taut
from oracle.agreement import random_state
from oracle.pinocchio_oracle import PinocchioOracle, load
from oracle.robot_files import urdf_files
from sampled import sampled
from taut.errors import UnsupportedError

FILES = {file.path.name: file for file in urdf_files() if file.name.startswith("example-robot-data")}

STEPS = ("euler_step", "semi_implicit_step", "rk4_step")


def sliding() -> taut.Robot:
    """Return an arm of three joints, the last one prismatic, with oblique axes and uneven links."""
    link = {"mass": 1.3, "com": [0.1, -0.05, 0.2], "inertia": [0.03, 0.001, 0.02, -0.002, 0.003, 0.04], "about": "com"}
    rows = [
        {"a": 0.1, "alpha": 0, "d": 0.2, "link": link},
        {"a": 0.2, "alpha": 1.1, "d": 0.1, "link": link},
        {"a": 0, "alpha": -0.7, "d": 0, "kind": "prismatic", "link": link},
    ]
    return taut.from_dh("modified", rows, name="sliding")


def differences(function, x: np.ndarray, h: float = 1e-6) -> np.ndarray:  # type: ignore[no-untyped-def]
    """Return central differences of a function of a vector, the last axis over its entries."""
    return np.stack([(function(x + h * e) - function(x - h * e)) / (2 * h) for e in np.eye(len(x))], axis=-1)


@pytest.mark.parametrize("name", ["puma560", "sliding"])
def test_second_derivatives_are_differences_of_the_first(name: str) -> None:
    robot = sliding() if name == "sliding" else taut.load(name)
    n, rng = robot.nv, np.random.default_rng(3)
    q, qd, qdd = rng.uniform(-1, 1, (3, n))
    qq, qv, vv, qa = robot.evaluate("inverse_dynamics_second_derivatives", q, qd, qdd)

    def first(q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        return np.stack(robot.inverse_dynamics_derivatives(q, qd, qdd))

    by_q, by_qd = differences(lambda x: first(x, qd), q), differences(lambda x: first(q, x), qd)
    scale = np.abs(by_q).max()
    assert np.abs(qq - by_q[0]).max() < 1e-6 * scale
    assert np.abs(qv - np.swapaxes(by_q[1], -1, -2)).max() < 1e-6 * scale
    assert np.abs(qv - by_qd[0]).max() < 1e-6 * scale
    assert np.abs(vv - by_qd[1]).max() < 1e-6 * scale
    assert np.abs(qa - np.swapaxes(by_q[2], -1, -2)).max() < 1e-6 * scale
    assert np.abs(qq - np.swapaxes(qq, -1, -2)).max() < 1e-9 * scale


def test_second_derivatives_are_differences_of_pinocchio_s_first() -> None:
    file = FILES["ur5_robot.urdf"]
    robot = taut.load(file.path)
    state = random_state(robot, seed=5)
    oracle = PinocchioOracle(load(file.decoded), robot, state)
    model, data = oracle.model, oracle.data
    found = robot.evaluate("inverse_dynamics_second_derivatives", state.q, state.qd, state.qdd)

    def first(q: np.ndarray, v: np.ndarray) -> np.ndarray:
        pin.computeRNEADerivatives(model, data, q, v, state.qdd)
        return np.stack([data.dtau_dq, data.dtau_dv, np.triu(data.M) + np.triu(data.M, 1).T])

    by_q = differences(lambda x: first(x, oracle.v), oracle.q)
    by_v = differences(lambda x: first(oracle.q, x), oracle.v)
    expected = (by_q[0], by_v[0], by_v[1], np.swapaxes(by_q[2], -1, -2))
    scale = max(np.abs(x).max() for x in expected)
    for one, other in zip(found, expected, strict=True):
        assert np.abs(one - other).max() < 1e-6 * scale


@pytest.mark.parametrize(("name", "free"), [("ur5_robot.urdf", False), ("anymal.urdf", True)])
def test_centroidal_quantities_are_pinocchio_s(name: str, free: bool) -> None:
    file = FILES[name]
    robot = taut.load(file.path, base="free" if free else "fixed")
    state = random_state(robot, seed=2)
    oracle = PinocchioOracle(load(file.decoded, free=free), robot, state)
    model, data, G = oracle.model, oracle.data, oracle.G
    # Pinocchio counts the base link of a fixed robot, too: it carries no momentum, but moves the centre of mass.
    A = robot.evaluate("centroidal_momentum_matrix", state.q)
    bias = robot.evaluate("centroidal_momentum_bias", state.q, state.qd)
    J = robot.evaluate("center_of_mass_jacobian", state.q)
    pin.dccrba(model, data, oracle.q, oracle.v)
    moving = robot.center_of_mass(state.q)
    carried = np.cross(np.asarray(data.com[0]) - moving, (data.Ag @ G)[:3].T).T
    expected = data.Ag @ G
    expected[3:] += carried
    assert np.abs(A - expected).max() < 1e-10 * np.abs(expected).max()
    h = 1e-6

    def momentum(at: np.ndarray) -> np.ndarray:
        return robot.evaluate("centroidal_momentum_matrix", at) @ state.qd

    numeric = (momentum(robot.step(state.q, state.qd, h)) - momentum(robot.step(state.q, state.qd, -h))) / (2 * h)
    assert np.abs(bias - numeric).max() < 1e-7 * np.abs(numeric).max()
    if free:
        assert np.abs(bias - data.dAg @ oracle.v).max() < 1e-9 * np.abs(bias).max()
        expected_J = pin.jacobianCenterOfMass(model, data, oracle.q) @ G
        assert np.abs(J - expected_J).max() < 1e-10
    ahead, back = (robot.center_of_mass(robot.step(state.q, state.qd, s * h)) for s in (1, -1))
    assert J @ state.qd == pytest.approx((ahead - back) / (2 * h), abs=1e-7)


@pytest.mark.parametrize("name", STEPS)
def test_one_step_models_and_their_derivatives(name: str) -> None:
    robot = taut.load("puma560")
    rng, n = np.random.default_rng(4), 6
    q, qd, tau, dt = rng.uniform(-1, 1, n), rng.uniform(-1, 1, n), rng.uniform(-9, 9, n), np.array([0.01])
    found = robot.evaluate(name, q, qd, tau, dt)
    method = {"rk4_step": "rk4", "semi_implicit_step": "semi_implicit"}.get(name)
    if method is None:
        qdd = robot.forward_dynamics(q, qd, tau)
        assert found == pytest.approx(np.concatenate([q + 0.01 * qd, qd + 0.01 * qdd]), rel=1e-12)
    else:
        run = robot.simulate(q, qd, tau, t=0.01, step=0.01, method=method)
        assert found == pytest.approx(np.concatenate([run.q[-1], run.qd[-1]]), rel=1e-9)
    J = robot.evaluate(f"{name}_derivatives", q, qd, tau, dt)
    given = np.concatenate([q, qd, tau, dt])

    def step(x: np.ndarray) -> np.ndarray:
        return robot.evaluate(name, *np.split(x, [n, 2 * n, 3 * n]))

    expected = differences(step, given)
    assert np.abs(J - expected).max() < 1e-7 * np.abs(expected).max()


@pytest.fixture(scope="module")
def flying() -> taut.Robot:
    """Return two links of a PUMA 560 on a free base."""
    return taut.load("puma560", base="free", lock={f"joint{k}": 0.2 for k in (3, 4, 5, 6)})


@pytest.mark.parametrize(
    "method", sampled([("semi_implicit_step", 1), ("euler_step", 1), ("rk4_step", 4)], 3, lambda method: method[0])
)
def test_one_step_models_of_a_free_base(flying: taut.Robot, method: tuple[str, int]) -> None:
    name, order = method
    """They converge to the simulated motion, quaternions have length 1, derivatives are those along the rates."""
    rng, n, m = np.random.default_rng(4), flying.nv, flying.nq
    q = flying.random_position(seed=1)
    qd, tau = rng.uniform(-1, 1, n), rng.uniform(-5, 5, n)
    exact = flying.simulate(q, qd, tau, t=0.2, step=1e-3)

    def error(steps: int) -> float:
        x = np.concatenate([q, qd])
        for _ in range(steps):
            x = flying.evaluate(name, x[:m], x[m:], tau, [0.2 / steps])
        assert np.linalg.norm(x[3:7]) == pytest.approx(1, abs=1e-14)
        return float(np.abs(np.concatenate([flying.difference(x[:m], exact.q[-1]), x[m:] - exact.qd[-1]])).max())

    assert np.log2(error(4) / error(8)) == pytest.approx(order, abs=0.1)
    J = flying.evaluate(f"{name}_derivatives", q, qd, tau, [0.05])
    there = flying.evaluate(name, q, qd, tau, [0.05])

    def local(x: np.ndarray) -> np.ndarray:
        after = flying.evaluate(name, flying.step(q, x[:n]), qd + x[n : 2 * n], tau + x[2 * n : -1], 0.05 + x[-1:])
        return np.concatenate([flying.difference(there[:m], after[:m]), after[m:]])

    expected = differences(local, np.zeros(3 * n + 1))
    assert np.abs(J - expected).max() < 1e-8 * np.abs(expected).max()


def test_a_one_step_model_of_a_free_base_is_derived(flying: taut.Robot) -> None:
    q, rest = flying.random_position(seed=2), [0.1] * flying.nv
    for name, given in (("semi_implicit_step", (q, rest, rest, [0.01])), ("linear_model", (q, rest, rest))):
        function = flying.derive(name, effort="none")
        assert function.proof is not None
        assert function(*given) == pytest.approx(flying.evaluate(name, *given), rel=1e-9, abs=1e-12)
    model = flying.linearise(q, rest, rest)
    assert np.abs(flying.evaluate("linear_model", q, rest, rest) - np.hstack([model.A, model.B])).max() < 1e-9
    with pytest.raises(UnsupportedError, match="quaternions"):
        flying.casadi_c("semi_implicit_step")


def test_one_step_models_are_derived_counted_and_proved() -> None:
    robot = sliding()
    rng = np.random.default_rng(1)
    states = [*rng.uniform(-1, 1, (3, 5, 3)), np.full((5, 1), 0.02)]
    for name in ("semi_implicit_step", "rk4_step", "semi_implicit_step_derivatives"):
        function = robot.derive(name, effort="none")
        assert function.proof is not None and function.operations.total > 20
        assert function(*states) == pytest.approx(robot.evaluate(name, *states), rel=1e-9, abs=1e-12)


def test_sparsity_is_that_of_the_numbers() -> None:
    robot = sliding()
    rng = np.random.default_rng(0)
    for name, arguments in (("jacobian", 1), ("linear_model", 3), ("inverse_dynamics_derivatives", 3)):
        function = robot.derive(name, effort="none")
        values = [function(*rng.uniform(-1, 1, (arguments, 3))) for _ in range(3)]
        assert (function.sparsity == (np.abs(values).max(axis=0) > 0)).all()
        assert not function.sparsity.all()
