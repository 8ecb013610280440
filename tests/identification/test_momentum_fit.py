"""The fit from momentum over windows, which uses no accelerations."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import taut
from identification.synthetic import excited
from identification.test_identify import arm
from taut.api import Robot
from taut.identify.estimate.columns import Model
from taut.identify.estimate.energy import energy_columns
from taut.identify.estimate.identification import Settings
from taut.identify.estimate.momentum import momentum_columns
from taut.identify.estimate.split import Split
from taut.recordings.conditioning import Motion
from taut.recordings.recording import Recording


@pytest.fixture(scope="module")
def truth() -> Robot:
    return arm()


def test_momentum_and_forces_balance_the_torque(truth: Robot) -> None:
    """The rate of the momentum and the other forces are the columns of the torque, which have accelerations."""
    rate = 1e4
    t, *_ = excited(truth, seconds=0.1, rate=rate)
    _, q, qd, qdd = excited(truth, seconds=0.1, rate=rate, amplitude=2.0)
    motion = Motion(rate, q, qd, qdd, np.zeros_like(q), "", 0.0)
    model = Model(truth.tree, np.ones(3))
    gained, forces = momentum_columns(model, replace(motion, qdd=np.full_like(q, np.nan)))
    slope = np.gradient(gained, 1 / rate, axis=0)
    expected = model(motion)
    assert len(t) > 100 and np.abs(gained).max() > 0.1
    assert np.abs(slope + forces - expected)[2:-2].max() < 1e-5 * np.abs(expected).max()


def test_power_is_what_energy_gains_and_friction_takes(truth: Robot) -> None:
    """The rate of the energy and the drives' power are the power of the columns of the torque."""
    rate = 1e4
    _, q, qd, qdd = excited(truth, seconds=0.1, rate=rate, amplitude=2.0)
    motion = Motion(rate, q, qd, qdd, np.zeros_like(q), "", 0.0)
    model = Model(truth.tree, np.ones(3))
    energy = energy_columns(model, replace(motion, qdd=np.full_like(q, np.nan)))
    slope = np.gradient(energy, 1 / rate, axis=0)
    expected = np.einsum("tj,tjp->tp", qd, model(motion)[:, :, : model.count])
    assert np.abs(slope - expected)[2:-2].max() < 1e-5 * np.abs(expected).max()


def test_energy_gives_the_torques_of_another_motion(truth: Robot) -> None:
    t, q, qd, qdd = excited(truth, seconds=20.0)
    tau = truth.joint_torque(q, qd, qdd)
    tau = tau + 0.01 * tau.std(0) * np.random.default_rng(8).normal(size=tau.shape)
    fit = taut.identify(truth, [Recording("made", t, q, tau)], settings=Settings(Split(0.3), estimator="energy"))
    assert fit.consistent and any("energy over" in note for note in fit.notes)
    _, q, qd, qdd = excited(truth, seed=5)
    expected, predicted = truth.joint_torque(q, qd, qdd), fit.robot.joint_torque(q, qd, qdd)
    assert np.sqrt(((expected - predicted) ** 2).mean(0) / (expected**2).mean(0)).max() < 0.1


def test_noisy_positions_give_the_truth_within_errors(truth: Robot) -> None:
    t, q, qd, qdd = excited(truth, seconds=20.0)
    rng = np.random.default_rng(8)
    tau = truth.joint_torque(q, qd, qdd)
    tau = tau + 0.03 * tau.std(0) * rng.normal(size=tau.shape)
    log = Recording("made", t, q + 1e-3 * rng.normal(size=q.shape), tau)
    fit = taut.identify(truth, [log], settings=Settings(Split(0.3), estimator="momentum"))
    assert fit.consistent and any("momentum over" in note for note in fit.notes)
    pi = np.concatenate([truth.parameters, [j.drive.rotor_inertia for j in truth.tree.joints]])
    base = fit.selection.model.base
    found = np.array([fit.parameters[name] for name in base.names])
    off = np.abs(found[:, 0] - base.matrix @ pi) / found[:, 1]
    _, q, qd, qdd = excited(truth, seed=5)
    expected, predicted = truth.joint_torque(q, qd, qdd), fit.robot.joint_torque(q, qd, qdd)
    error = np.sqrt(((expected - predicted) ** 2).mean(0) / (expected**2).mean(0))
    assert np.median(off) < 1.5 and (off < 3).mean() > 0.8
    assert error.max() < 0.06
