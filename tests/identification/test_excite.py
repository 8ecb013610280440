"""Exciting trajectories keep limits, rest at both ends and tell parameters apart."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import taut
from identification.synthetic import excited
from taut.api import Robot
from taut.cli import main
from taut.errors import InputError
from taut.identify import excite as module
from taut.identify.collision_spheres import Sphere, Spheres, read_spheres
from taut.identify.excite import Score, Series, excite, information_of, worst_error
from taut.recordings.recording import Recording


@pytest.fixture(autouse=True)
def short_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "STARTS", 1)
    monkeypatch.setattr(module, "FIRST", 8)
    monkeypatch.setattr(module, "POLISH", 2)


@pytest.fixture(scope="module")
def robot() -> Robot:
    return taut.load("puma560").lock({"joint4": 0.0, "joint5": 0.0, "joint6": 0.0})


@pytest.mark.parametrize("form", ["fourier", "polynomial"])
def test_limits_and_rest_and_condition(robot: Robot, form: str) -> None:
    found = excite(robot.tree, rate=1000.0, form=form)
    limits = [robot.tree.joints[i].limits for i in robot.tree.independent]
    assert (found.q <= [x.upper for x in limits]).all() and (found.q >= [x.lower for x in limits]).all()
    assert (np.abs(found.qd) <= [x.velocity for x in limits]).all()
    assert np.abs(found.qd[0]).max() < 1e-9 and np.abs(found.qdd[0]).max() < 1e-9
    assert np.allclose(np.gradient(found.q, 1e-3, axis=0)[1:-1], found.qd[1:-1], atol=1e-3)
    series, score = Series(robot.tree, 10.0, form), Score(robot.tree)
    draws = np.random.default_rng(3).normal(size=(10, series.size))
    assert found.condition < np.median([score.condition(*series.motion(x, 1000)) for x in draws])


def test_gradient_of_the_score_is_that_of_differences(robot: Robot) -> None:
    series, score = Series(robot.tree, 10.0), Score(robot.tree)
    rng = np.random.default_rng(2)
    motion = series.motion(rng.normal(size=series.size), 50)
    value, slopes = score.smooth(*motion, 4.0)
    for kind in range(3):
        direction = rng.normal(size=motion[kind].shape)
        ends = []
        for sign in (1, -1):
            moved = list(motion)
            moved[kind] = motion[kind] + sign * 1e-5 * direction
            ends.append(score.smooth(*moved, 4.0)[0])
        assert np.isclose((ends[0] - ends[1]) / 2e-5, (slopes[kind] * direction).sum(), rtol=1e-3, atol=1e-5)
    assert value >= np.log(score.condition(*motion))


def test_next_best_lowers_the_worst_standard_error(robot: Robot) -> None:
    """After a recording in which one joint hardly moves, the next trajectory tells its parameters twice as well."""
    t, q, qd, qdd = excited(robot)
    q[:, 2], qd[:, 2], qdd[:, 2] = 0.03 * q[:, 2], 0.03 * qd[:, 2], 0.03 * qdd[:, 2]
    tau = robot.inverse_dynamics(q, qd, qdd)
    tau = tau + 0.02 * tau.std(0) * np.random.default_rng(1).normal(size=tau.shape)
    known, noise = information_of(robot.tree, [Recording("poor", t, q, tau)])
    found = excite(robot.tree, rate=10.0, known=known, noise=noise)
    assert found.gain > 2
    again = Score(robot.tree, noise).information(found.q, found.qd, found.qdd) + known
    assert np.isclose(worst_error(known, again) / worst_error(again, again), found.gain, rtol=1e-6)


def test_command_writes_csv(tmp_path: Path) -> None:
    out = tmp_path / "e.csv"
    locked = [x for k in (4, 5, 6) for x in ("--lock", f"joint{k}=0")]
    assert main(["excite", "puma560", *locked, "-o", str(out), "--period", "5"]) == 0
    head, *rows = out.read_text().splitlines()
    assert head.startswith("t,q_joint1") and len(rows) == 500


def test_spheres_are_kept_apart(robot: Robot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FIRST", 15)
    monkeypatch.setattr(module, "POLISH", 60)
    given = [Sphere("base", (0.0, 0.0, 0.0), 0.5), Sphere("link6", (0.0, 0.0, 0.0), 0.1)]
    spheres = Spheres(robot.tree, [*given, Sphere("link1", (0.0, 0.0, 0.0), 0.2)])
    assert spheres.pairs == [(0, 1), (1, 2)]  # base and link1 have a joint between them
    free, apart = (excite(robot.tree, rate=1000.0, spheres=some) for some in ([], given))
    assert spheres.distances(free.q)[:, 0].min() < 0 < spheres.distances(apart.q)[:, 0].min()
    assert apart.condition < 2 * free.condition


def test_spheres_that_always_meet_are_named(robot: Robot) -> None:
    given = [Sphere("base", (0.0, 0.0, 0.0), 2.0), Sphere("link6", (0.0, 0.0, 0.0), 0.1)]
    with pytest.raises(InputError, match="spheres on base and link6 meet"):
        excite(robot.tree, spheres=given)


def test_cost_of_contact_has_its_derivative(robot: Robot) -> None:
    spheres = Spheres(robot.tree, [Sphere("base", (0.0, 0.0, 0.0), 0.9), Sphere("link6", (0.1, 0.0, 0.0), 0.1)])
    rng = np.random.default_rng(4)
    q, direction = rng.uniform(-1, 1, (2, 20, 3))
    cost, slope = spheres.cost(q, 10.0)
    ends = [spheres.cost(q + sign * 1e-5 * direction, 10.0)[0] for sign in (1, -1)]
    assert cost > 0 and np.isclose((ends[0] - ends[1]) / 2e-5, (slope * direction).sum(), rtol=1e-3)


def test_spheres_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "spheres.toml"
    file.write_text('[[sphere]]\nlink = "base"\nradius = 0.5\n[[sphere]]\nlink = "link6"\ncentre = [0, 0, 0.1]\n')
    with pytest.raises(InputError, match="sphere 2 is not complete"):
        read_spheres(str(file))
    file.write_text(file.read_text() + "radius = 0.1\n")
    assert read_spheres(str(file))[1] == Sphere("link6", (0.0, 0.0, 0.1), 0.1)
