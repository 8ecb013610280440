"""The prior toward the bodies of a model: a log-det divergence, which decides where the motion does not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import taut
from identification.synthetic import excited
from taut.api import Robot
from taut.errors import InputError
from taut.identify.estimate.identification import Identification, Settings
from taut.identify.estimate.log_det import covariance, pseudo_inertia, whitener
from taut.identify.estimate.split import Split
from taut.recordings.recording import Recording
from taut.spatial import NO_INERTIA, Inertia

JOINTS = {"wrist_1_joint": 0.0, "wrist_2_joint": 0.0, "wrist_3_joint": 0.0}


def divergence(ten: np.ndarray, cad: np.ndarray) -> float:
    P, P0 = np.array(pseudo_inertia(ten)), np.array(pseudo_inertia(cad))
    ratio = np.linalg.solve(P0, P)
    return float(np.trace(ratio) - np.log(np.linalg.det(ratio)) - 4)


@pytest.fixture(scope="module")
def cad() -> Robot:
    """Return three joints of an arm with friction."""
    held = taut.load("ur5e").lock(JOINTS).numeric
    drive = {"coulomb": 2.0, "viscous": 1.0, "smoothing": 0.005}
    return Robot(replace(held, joints=tuple(replace(j, drive=replace(j.drive, **drive)) for j in held.joints)))


@pytest.fixture(scope="module")
def truth(cad: Robot) -> Robot:
    """Return the arm whose links weigh 10 % more and less than the model says."""
    joints = [
        replace(
            j, link=replace(j.link, inertia=Inertia.from_parameters([k * float(x) for x in j.link.inertia.parameters]))
        )
        for j, k in zip(cad.tree.joints, (1.1, 0.9, 1.1), strict=True)
    ]
    return Robot(replace(cad.tree, joints=tuple(joints)))


def fitted(cad: Robot, truth: Robot, prior: str) -> Identification[Robot]:
    """Return the fit of 6 s of small motion, tested on a large one."""
    logs = []
    for seconds, amplitude, seed in ((6.0, 0.15, 1), (10.0, 0.8, 5)):
        t, q, qd, qdd = excited(truth, seconds=seconds, amplitude=amplitude, seed=seed)
        tau = truth.joint_torque(q, qd, qdd)
        tau = tau + 0.1 * tau.std(0) * np.random.default_rng(9).normal(size=tau.shape)
        logs.append(Recording("made", t, q, tau))
    return taut.identify(cad, logs[:1], logs[1:], settings=Settings(Split(0.0), prior=prior))


def test_where_the_motion_is_poor_the_model_decides(cad: Robot, truth: Robot) -> None:
    without, drawn = (fitted(cad, truth, prior) for prior in ("scale", "cad"))
    assert drawn.consistent
    assert np.mean(list(drawn.held_out.values())) < 0.8 * np.mean(list(without.held_out.values()))
    far, near = (
        sum(divergence(r.parameters[10 * i : 10 * i + 10], cad.parameters[10 * i : 10 * i + 10]) for i in range(3))
        for r in (without.robot, drawn.robot)
    )
    assert near < 0.5 < far


def test_the_covariance_is_the_second_order_of_the_divergence(cad: Robot) -> None:
    ten = cad.parameters[10:20]
    precision = np.linalg.inv(covariance(whitener(ten, "link")))
    step = np.random.default_rng(2).normal(size=10)
    step *= 1e-3 / np.sqrt(step @ precision @ step)
    assert 2 * divergence(ten + step, ten) == pytest.approx(step @ precision @ step, rel=1e-2)


def test_a_link_without_a_body_is_named(cad: Robot, truth: Robot) -> None:
    first, *others = cad.tree.joints
    empty = replace(first, link=replace(first.link, inertia=NO_INERTIA))
    with pytest.raises(InputError, match=f"link '{first.link.name}' has no mass"):
        fitted(Robot(replace(cad.tree, joints=(empty, *others))), truth, "cad")
