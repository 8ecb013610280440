"""Terms of control laws against the matrices they are made of, for robots nobody here wrote, with a free base, too."""

from __future__ import annotations

import subprocess
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import taut
from laws.random_robots import random_tree
from taut.control import (
    CollisionDetector,
    FrictionFeedforward,
    MomentumObserver,
    Passivity,
    RateFilter,
    external_wrench,
)
from taut.errors import InputError

SEEDS = st.integers(0, 10_000)


def drawn(robot: taut.Robot, seed: int) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    return [robot.random_position(3, seed=seed), *rng.uniform(-2, 2, (3, 3, robot.nv))]


def times(A: np.ndarray, x: np.ndarray) -> np.ndarray:
    return (A @ x[..., None])[..., 0]


@given(SEEDS, st.integers(1, 5), st.booleans())
@settings(max_examples=15)
def test_terms_are_products_of_the_matrices(seed: int, joints: int, free: bool) -> None:
    robot = taut.Robot(random_tree(seed, joints, free=free))
    q, qd, qd_r, qdd_r = drawn(robot, seed)
    M, C, g, pi = robot.mass_matrix(q), robot.coriolis_matrix(q, qd), robot.gravity(q), robot.parameters
    p = robot.evaluate("generalized_momentum", q, qd)
    np.testing.assert_allclose(p, times(M, qd), atol=1e-9)
    np.testing.assert_allclose(
        robot.evaluate("coriolis_transpose", q, qd), times(np.swapaxes(C, -1, -2), qd), atol=1e-8
    )
    tau = robot.evaluate("passivity_torque", q, qd, qd_r, qdd_r)
    np.testing.assert_allclose(tau, times(M, qdd_r) + times(C, qd_r) + g, atol=1e-8)
    Y = robot.evaluate("passivity_regressor", q, qd, qd_r, qdd_r)
    at_rest = np.zeros_like(qd)
    rotors = tau - Y @ pi
    np.testing.assert_allclose(
        rotors, robot.inverse_dynamics(q, at_rest, qdd_r) - (robot.regressor(q, at_rest, qdd_r) @ pi), atol=1e-8
    )
    np.testing.assert_allclose(
        robot.evaluate("adaptation", q, qd, qd_r, qdd_r), times(np.swapaxes(Y, -1, -2), qd - qd_r), atol=1e-7
    )
    np.testing.assert_allclose(robot.evaluate("momentum_regressor", q, qd) @ pi + (rotors * 0), p, atol=1e-8)
    np.testing.assert_allclose(robot.evaluate("energy_regressor", q, qd) @ pi, robot.energy(q, qd), atol=1e-8)


@pytest.mark.parametrize(
    "name",
    ["generalized_momentum", "coriolis_transpose", "passivity_torque", "adaptation", "energy_regressor"],
)
@pytest.mark.parametrize("base", ["fixed", "free"])
def test_derived_terms_are_proved_and_right(name: str, base: str) -> None:
    robot = taut.load("ur5e", base=base, lock={"wrist_2_joint": 0.2, "wrist_3_joint": -0.4})
    function = robot.derive(name, effort="none")
    given_states = dict(zip(("q", "qd", "qd_r", "qdd_r"), drawn(robot, 3), strict=True))
    states = [given_states[key] for key in function.arguments]
    assert function.proof is not None
    np.testing.assert_allclose(function(*states), robot.evaluate(name, *states), atol=1e-9)


def test_gravity_with_a_load() -> None:
    robot = taut.load("panda")
    q = robot.random_position(4, seed=1)
    held = robot.with_load(2.0, (0.01, 0.02, 0.1))
    load = np.broadcast_to([2.0, 0.02, 0.04, 0.2, 0, 0, 0, 0, 0, 0], (4, 10))
    np.testing.assert_allclose(robot.evaluate("gravity_with_load", q, load), held.gravity(q), atol=1e-10)


def test_the_observer_finds_a_constant_push_and_starts_without_a_jump() -> None:
    robot = taut.load("ur5e")
    step, push = 1e-3, np.array([3.0, -5, 2, 1, 0.5, -0.2])
    observer = MomentumObserver(robot, 50.0, step, effort="none")
    forward = robot.derive("forward_dynamics", effort="none").compile()
    q, qd = np.array([0.1, -1, 1, 0.2, 0.3, 0.4]), np.full(6, 0.1)
    for k in range(150):
        tau = robot.gravity(q)
        r = observer.update(q, qd, tau)
        assert k > 0 or not r.any()
        half = qd + step / 2 * forward(q, qd, tau + push)  # midpoint rule
        q, qd = q + step * half, qd + step * forward(q + step / 2 * qd, half, tau + push)
    np.testing.assert_allclose(observer.residual, push, atol=0.1)
    observer.reset()
    assert not observer.update(q, qd, tau).any()


def test_the_c_twins_compute_the_same(tmp_path: Path) -> None:
    """The observer in Python and in C on the same random momenta."""
    rng = np.random.default_rng(2)
    p, rate = rng.normal(size=(2, 50, 3))
    listed = [", ".join(repr(x) for x in array.ravel().tolist()) for array in (p, rate)]
    (tmp_path / "twin.c").write_text(f"""
#include "taut_observer.h"
#include "taut_adaptation.h"
#include <stdio.h>
static const double p[] = {{{listed[0]}}}, rate[] = {{{listed[1]}}};
int main(void)
{{
    taut_observer o = {{.n = 3, .step = 1e-2, .gain = {{10, 20, 30}}, .limit = {{1, 2, 100}}}};
    taut_observer_reset(&o);
    for (int k = 0; k < 50; ++k)
        taut_observer_update(&o, p + 3 * k, rate + 3 * k);
    double estimate[2] = {{1, 1}}, gains[2] = {{2, 2}}, lowest[2] = {{0.5, 0.5}}, highest[2] = {{9, 9}};
    const double y[2] = {{3, -4}};
    taut_adapt(2, 0.5, gains, lowest, highest, 0, y, estimate);
    taut_adapt(2, 0.5, gains, lowest, highest, 1, y, estimate);
    printf("%.17g %.17g %.17g %g %g", o.residual[0], o.residual[1], o.residual[2], estimate[0], estimate[1]);
}}""")
    command = ["cc", "-std=c99", "-Wall", "-Werror", f"-I{files('taut') / 'control' / 'c'}", tmp_path / "twin.c"]
    subprocess.run([*command, "-o", tmp_path / "twin"], check=True)
    found = [float(x) for x in subprocess.run(tmp_path / "twin", capture_output=True, text=True).stdout.split()]
    gain, limit, integral = np.array([10, 20, 30.0]), np.array([1, 2, 100.0]), p[0].copy()
    for now, slope in zip(p, rate, strict=True):
        r = np.clip(gain * (now - integral), -limit, limit)
        integral = now - r / gain + 1e-2 * (slope + r)
    np.testing.assert_allclose(found[:3], r, rtol=1e-12)
    assert found[3:] == [0.5, 5.0]


def test_the_passivity_law_in_c_is_the_text_in_python() -> None:
    from taut.control.law import law_function

    robot = taut.load("ur5e", lock={"wrist_1_joint": 0.3, "wrist_2_joint": 0.2, "wrist_3_joint": -0.4})
    law = Passivity(5.0, np.array([20.0, 20, 10]))
    states = [*drawn(robot, 1)[:2], *np.random.default_rng(4).uniform(-1, 1, (3, 3, 3))]
    np.testing.assert_allclose(law_function(robot.tree, law)(*states), law(robot, *states), atol=1e-9)


def test_the_wrench_behind_torques() -> None:
    robot = taut.load("panda")
    q = np.array([0.3, -0.4, 0.2, -1.9, 0.4, 1.7, 0.1])
    J, F = robot.jacobian(q), np.array([10.0, -5, 3, 1, 2, -1])
    found = external_wrench(J, J.T @ F)
    np.testing.assert_allclose(found.wrench, F, atol=1e-9)
    assert found.unobservable.shape == (6, 0) and found.unexplained < 1e-9
    below = external_wrench(robot.jacobian(q, "panda_link4"), robot.jacobian(q, "panda_link4").T @ F)
    assert below.unobservable.shape[1] >= 2  # four joints carry link 4
    np.testing.assert_allclose(robot.jacobian(q, "panda_link4").T @ below.unobservable, 0, atol=1e-9)


def test_friction_ahead_has_no_jump() -> None:
    robot = taut.load("puma560")
    law = FrictionFeedforward(robot, 0.05, effort="none")
    at = law.update(np.linspace(-0.2, 0.2, 4001)[:, None] * np.ones(6))
    assert np.abs(np.diff(at, axis=0)).max() <= 0.01 * np.abs(at).max()
    fast = np.full(6, 0.5)
    np.testing.assert_allclose(law.update(fast), robot.friction(fast), atol=1e-9)


def test_filtered_rates() -> None:
    rate = RateFilter(1e-3, 5e-3)
    found = [rate.update(np.array([2e-3 * k])) for k in range(100)]
    assert found[0] == 0 and abs(found[-1] - 2.0) < 1e-6


@pytest.mark.parametrize(
    ("gain", "step", "said"), [(3000.0, 1e-3, "below 2"), (-1.0, 1e-3, "above 0"), (10.0, 0.0, "above 0")]
)
def test_bad_settings_are_one_sentence(gain: float, step: float, said: str) -> None:
    with pytest.raises(InputError, match=said):
        MomentumObserver(taut.load("ur5e"), gain, step, effort="none")


def test_a_wrench_of_wrong_size_is_refused() -> None:
    with pytest.raises(InputError, match=r"\(6, nv\)"):
        external_wrench(np.zeros((6, 7)), np.zeros(6))


def test_thresholds_from_quiet_motion() -> None:
    rng = np.random.default_rng(3)
    quiet = [np.cumsum(rng.normal(0, 0.01, (500, 2)), axis=0) for _ in range(3)]
    detector = CollisionDetector.from_quiet_motion(quiet, 1e-3, 0.1)
    for recording in quiet:
        detector.reset()
        assert not any(detector.update(residual).any() for residual in recording)
        assert detector.update(recording[-1] + [0.0, 3.0]).tolist() == [False, True]
    higher = CollisionDetector.from_quiet_motion(quiet, 1e-3, 0.1, margin=2.5)
    np.testing.assert_allclose(higher.threshold, 2 * detector.threshold)
    for recordings, margin in (([], 1.25), ([np.zeros(3)], 1.25), (quiet, 0.9)):
        with pytest.raises(InputError, match="collision detector"):
            CollisionDetector.from_quiet_motion(recordings, 1e-3, 0.1, margin)
