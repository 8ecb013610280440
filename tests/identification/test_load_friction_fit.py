"""Friction by load is found from a recording where there is any, and is part of the fitted robot."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import taut
from identification.synthetic import excited, recording
from taut.api import Robot, identify
from taut.errors import InputError
from taut.identify.estimate.identification import Settings
from taut.robot import Drive

MU = (0.0, 0.15, 0.2)


def plant(factors: tuple[float, ...] = MU) -> Robot:
    robot = taut.load("puma560").lock({"joint4": 0.0, "joint5": 0.0, "joint6": 0.0}).numeric
    drives = [Drive(rotor_inertia=0.5, coulomb=2.0, viscous=1.5, smoothing=0.01, load_friction=mu) for mu in factors]
    joints = [replace(joint, drive=drive) for joint, drive in zip(robot.joints, drives, strict=True)]
    return Robot(replace(robot, joints=tuple(joints)))


@pytest.mark.slow
def test_it_is_found_and_predicts_another_motion() -> None:
    truth = plant()
    log = recording(truth, noise=0.02)
    fit, without = (
        identify(plant((0.0, 0.0, 0.0)), [log], settings=Settings(forbid=forbid))
        for forbid in ({}, {"*": {"load_friction"}})
    )
    found = [joint.drive.load_friction for joint in fit.robot.tree.joints]
    assert found[0] == 0 and np.allclose(found[1:], MU[1:], atol=0.03)
    assert "load_friction" in fit.terms["joint3"] and "load_friction" not in fit.terms["joint1"]
    assert any("load_friction" in reason for reason in fit.reasons["joint3"])
    assert not any("load_friction" in terms for terms in without.terms.values())
    _, q, qd, qdd = excited(truth, seed=5)
    tau = truth.joint_torque(q, qd, qdd)
    errors = [np.std(tau - x.robot.joint_torque(q, qd, qdd), axis=0) / np.std(tau, axis=0) for x in (fit, without)]
    assert errors[0][2] < 0.05 and errors[0][2] < 0.5 * errors[1][2]


def test_a_term_that_is_not_known_is_named() -> None:
    log = recording(plant((0.0, 0.0, 0.0)), seconds=3.0)
    with pytest.raises(InputError, match="load_friction"):
        identify(plant(), [log], settings=Settings(force={"*": {"load"}}))
