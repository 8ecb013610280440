"""Scenarios: from the robot's limits, from a file, and what is refused."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import taut
from taut.errors import InputError
from taut.reduce.scenario import Scenario, scenario_of
from taut.robot.parts import Limits

ARM = """
name = "arm"
[[joint]]
name = "shoulder"
turns = [["x", "90 deg"]]
limits = { lower = -1, upper = 1, velocity = 2, effort = 120 }
link = { mass = 2, com = [0.5, 0, 0], inertia = [0, 0, 0.1, 0, 0, 0.1], about = "com" }
[[joint]]
name = "slide"
kind = "prismatic"
xyz = [1, 0, 0]
limits = { lower = 0, upper = 0.5, velocity = 1, effort = 8 }
link = { mass = 4 }
"""


@pytest.fixture
def arm(tmp_path: Path) -> taut.api.Robot:
    file = tmp_path / "arm.toml"
    file.write_text(ARM)
    return taut.load(file)


def scenario_file(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "scenario.toml"
    file.write_text(text)
    return file


def test_the_default_stays_within_torque_limits() -> None:
    """Motors can give the torque at other states than those by which the ranges were found."""
    for name in ("puma560", "iiwa14", "ur10e"):
        robot = taut.load(name)
        found, limits = scenario_of(robot.tree), robot.limits
        q, qd, qdd = found.sample(4000, seed=11)
        used = np.abs(robot.inverse_dynamics(q, qd, qdd)).max(axis=0) / limits.effort
        assert np.all(used <= 1.0) and used.max() > 0.8
        assert found.q == tuple(zip(limits.lower, limits.upper, strict=True))
        assert np.all(np.array(found.qd)[:, 1] <= limits.velocity)
        wide = scenario_of(robot.tree, "armstrong")
        assert np.abs(robot.inverse_dynamics(*wide.sample(200))).max() > 1.5 * limits.effort.max()


def test_a_motor_that_cannot_hold_its_arm(arm: taut.api.Robot) -> None:
    weak = replace(arm.tree.joints[0], limits=replace(arm.tree.joints[0].limits, effort=30.0))
    with pytest.raises(InputError, match=r"joint 'shoulder' needs 49 at the least, its torque limit is 30"):
        scenario_of(replace(arm.tree, joints=(weak, arm.tree.joints[1])))


def test_limits_of_the_file_in_armstrongs_scenario(arm: taut.api.Robot) -> None:
    found = scenario_of(arm.tree, "armstrong")
    assert found.joints == ("shoulder", "slide")
    assert found.q == ((-1, 1), (0, 0.5))
    assert found.qd == ((-2, 2), (-1, 1))
    assert found.qdd[1] == (-2, 2)  # 8 N on 4 kg
    least = 2 * 0.25 + 0.1 + 4 * 1.0  # the slide moves along the shoulder's axis: the same inertia everywhere
    assert found.qdd[0] == pytest.approx((-120 / least, 120 / least))


def test_a_file_narrows_what_the_robot_says(arm: taut.api.Robot, tmp_path: Path) -> None:
    text = """
    [all]
    qd = 0.5
    [joint.shoulder]
    q = ["-30 deg", "10 deg"]
    qdd = [0, 3]
    [joint.slide]
    qd = [0, 0.25]
    [load]
    mass = 2
    com = [0, 0, 0.1]
    inertia = [0.1, 0, 0.1, 0, 0, 0.1]
    frame = "link2"
    """
    found = scenario_of(arm.tree, scenario_file(tmp_path, text))
    assert found.q[0] == pytest.approx((-math.pi / 6, math.pi / 18))
    assert found.qd == ((-0.5, 0.5), (0, 0.25))
    assert found.qdd[0] == (0, 3)
    assert 0 < found.qdd[1][1] == -found.qdd[1][0] < 8 / 6  # what is left of 8 N for the slide and the load
    assert found.load is not None
    assert (found.load.mass, found.load.com, found.load.frame) == (2, (0, 0, 0.1), "link2")
    assert scenario_of(arm.tree, found) is found


@pytest.mark.parametrize("limit", ["lower", "upper", "velocity", "effort"])
def test_a_missing_limit_is_refused_by_name(arm: taut.api.Robot, limit: str) -> None:
    second = replace(arm.tree.joints[1], limits=replace(arm.tree.joints[1].limits, **{limit: None}))
    with pytest.raises(InputError, match=f"joint 'slide' has no limit '{limit}'"):
        scenario_of(replace(arm.tree, joints=(arm.tree.joints[0], second)))


def test_a_scenario_stands_in_for_missing_limits(arm: taut.api.Robot) -> None:
    bare = replace(arm.tree, joints=tuple(replace(joint, limits=Limits()) for joint in arm.tree.joints))
    found = scenario_of(bare, {"all": {"q": [-1, 1], "qd": 1, "qdd": 2}})
    assert found.q == ((-1, 1), (-1, 1))
    with pytest.raises(InputError, match="no limit 'effort'"):
        scenario_of(bare, {"all": {"q": [-1, 1], "qd": 1}})


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"speed": 1}, "unknown key 'speed'"),
        ({"joint": {"sholder": {"qd": 1}}}, "did you mean 'shoulder'"),
        ({"joint": {"shoulder": {"velocity": 1}}}, "unknown key 'velocity'"),
        ({"all": {"qd": [1, -1]}}, "lower 1 is above upper -1"),
        ({"all": {"qd": -1}}, "no size"),
        ({"all": {"qd": [1, 2, 3]}}, "found 3 numbers"),
        ({"all": {"q": 1}}, r"give \[lower, upper\]"),
        ({"joint": {"shoulder": {"q": [0, 90]}}}, "more than a full turn"),
        ({"all": {"qd": "fast"}}, "free names"),
        ({"all": {"qd": True}}, "expected a number"),
        ({"all": {"qd": float("nan")}}, "nan"),
        ({"all": 3}, "expected a table"),
        ({"load": {}}, "'mass' is missing"),
        ({"load": {"mass": -1}}, "0 kg or more"),
        ({"load": {"mass": 1, "com": [0, 0]}}, "expected 3"),
        ({"load": {"mass": 1, "inertia": [1, 1, 1]}}, "expected 6"),
        ({"load": {"mass": 1, "frame": "link9"}}, "no frame 'link9'"),
    ],
)
def test_mistakes_are_named(arm: taut.api.Robot, given: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        scenario_of(arm.tree, given)
    assert "scenario" in str(caught.value)


@pytest.mark.parametrize(("text", "said"), [("[all", "not TOML"), ("a = " + "[" * 3000, "not TOML|nested")])
def test_a_file_that_is_no_toml(arm: taut.api.Robot, tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        scenario_of(arm.tree, scenario_file(tmp_path, text))


def test_a_file_that_cannot_be_read(arm: taut.api.Robot, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read"):
        scenario_of(arm.tree, tmp_path / "none.toml")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="cannot read"):
        scenario_of(arm.tree, tmp_path / "bytes.toml")
    with pytest.raises(InputError, match="cannot read"):
        scenario_of(arm.tree, tmp_path)


def test_a_scenario_of_another_robot_is_refused(arm: taut.api.Robot) -> None:
    with pytest.raises(InputError, match="give shoulder, slide"):
        scenario_of(arm.tree, Scenario(("a",), ((0, 1),), ((0, 1),), ((0, 1),)))


def test_a_floating_base_is_refused(arm: taut.api.Robot) -> None:
    with pytest.raises(InputError, match="is free"):
        scenario_of(taut.robot.edit.free_base(arm.tree))


def test_samples_stay_inside_and_reach_the_ends(arm: taut.api.Robot) -> None:
    found = scenario_of(arm.tree, "armstrong")
    q, qd, qdd = found.sample(200)
    for drawn, ranges in ((q, found.q), (qd, found.qd), (qdd, found.qdd)):
        low, high = np.array(ranges).T
        assert np.all((low <= drawn) & (drawn <= high))
    assert set(np.unique(qd[::2, 1])) == {-1, 1}
    assert np.array_equal(q, found.sample(200)[0])
