"""Friction and position terms of a drive: numbers, files, derived programs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import taut
from taut.api import Robot
from taut.formats import read
from taut.robot import Drive

DRIVE = Drive(
    coulomb=1.5,
    viscous=0.4,
    offset=0.1,
    smoothing=0.02,
    stribeck=0.7,
    stribeck_speed=0.3,
    root=0.2,
    square=-0.1,
    asymmetry=0.05,
    cos1=0.3,
    sin1=-0.2,
    cos2=0.1,
    sin2=0.15,
    spring_crank=0.2,
    spring_ground=0.8,
    spring_angle=1.65,
    spring_length=0.6,
    spring_force=90.0,
    spring_rate=40.0,
    spring_curve=12.0,
)


def arm() -> Robot:
    robot = taut.load("puma560").numeric
    first, *others = robot.joints
    joints = (replace(first, drive=DRIVE), *(replace(joint, drive=Drive()) for joint in others))
    return Robot(replace(robot, joints=joints))


def by_hand(q: np.ndarray, v: np.ndarray) -> np.ndarray:
    d = DRIVE
    size = np.sqrt(v**2 + d.smoothing**2)
    s = v / size
    friction = d.coulomb * s + d.viscous * v + d.offset + d.stribeck * s / (1 + (v / d.stribeck_speed) ** 2)
    friction += d.root * s * np.sqrt(size) + d.square * s * v**2 + d.asymmetry * s * v
    a, b = d.spring_crank, d.spring_ground
    length = np.sqrt(a * a + b * b - 2 * a * b * np.cos(q + d.spring_angle))
    x = length - d.spring_length
    lever = a * b * np.sin(q + d.spring_angle) / length
    position = d.cos1 * np.cos(q) + d.sin1 * np.sin(q) + d.cos2 * np.cos(2 * q) + d.sin2 * np.sin(2 * q)
    return friction + position + lever * (d.spring_force + d.spring_rate * x + d.spring_curve * x * x)


def test_joint_torque_holds_every_term() -> None:
    robot = arm()
    q, qd, qdd = np.random.default_rng(3).uniform(-2, 2, (3, 40, robot.nv))
    extra = robot.joint_torque(q, qd, qdd) - robot.inverse_dynamics(q, qd, qdd)
    assert np.allclose(extra[:, 0], by_hand(q[:, 0], qd[:, 0]), rtol=1e-12)
    assert np.allclose(extra[:, 1:], 0)


@pytest.mark.parametrize("kind", ["toml", "urdf"])
def test_files_keep_every_term(kind: str) -> None:
    robot = arm()
    text = robot.to_toml() if kind == "toml" else robot.to_urdf()
    assert read(text, f"arm.{kind}", kind).joints[0].drive == DRIVE


def test_compiled_joint_torque_is_the_same() -> None:
    robot = arm()
    q, qd, qdd = np.random.default_rng(4).uniform(-2, 2, (3, 40, robot.nv))
    fast = robot.derive("joint_torque", effort="none").compile()
    assert np.allclose(fast(q, qd, qdd), robot.joint_torque(q, qd, qdd), rtol=1e-11)
