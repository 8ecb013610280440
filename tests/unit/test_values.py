"""Robots and functions as values: compared, hashed, copied, pickled and shown short; SymPy's matrices; typed names."""

from __future__ import annotations

import copy
import pickle
import runpy
from pathlib import Path

import numpy as np
import pytest

import taut
from oracle.robot_files import urdf_files
from taut.errors import InputError
from taut.robot.edit import symbols

SCRIPT = Path(__file__).parents[1] / "data" / "user" / "script.py"


@pytest.mark.parametrize("name", ["puma560", "panda", "stanford_full"])
def test_robots_are_values(name: str) -> None:
    robot, again = taut.load(name), taut.load(name)
    assert robot == again and hash(robot) == hash(again) and robot is not again
    for other in (pickle.loads(pickle.dumps(robot)), copy.copy(robot), copy.deepcopy(robot)):
        assert other == robot and hash(other) == hash(robot) and type(other) is taut.Robot
        assert other.to_toml() == robot.to_toml()
    loaded = robot.with_load(1e-9)
    assert loaded != robot and robot != loaded.with_gravity([0, 0, 0]) and robot != name
    assert len({robot, again, loaded}) == 2


def test_symbols_and_values_are_part_of_a_robot() -> None:
    robot = taut.load("double_pendulum")
    named = robot.with_load("mL")
    assert named != robot and named == pickle.loads(pickle.dumps(named)) != robot.with_load("mX")
    known = pickle.loads(pickle.dumps(named)).with_values({"mL": 2.0})
    assert known != named and known.with_values({"mL": 3.0}) != known
    with pytest.raises(InputError, match="mL"):
        pickle.loads(pickle.dumps(named)).gravity([0, 0])


def test_functions_are_values() -> None:
    one, two = (taut.load("puma560").derive("gravity", effort="none") for _ in range(2))
    assert one == two and hash(one) == hash(two) and isinstance(one, taut.Function)
    assert one != taut.load("puma560").derive("bias", effort="none")
    again = pickle.loads(pickle.dumps(one))
    assert again == one and np.array_equal(again(np.ones(6)), one(np.ones(6)))
    fast = one.compile()
    assert fast == two.compile() == pickle.loads(pickle.dumps(fast)) == copy.deepcopy(fast)
    assert hash(fast) == hash(two.compile()) and fast != one


def test_what_is_printed_is_short() -> None:
    robot = taut.load("puma560")
    humanoid = next(file for file in urdf_files() if file.name.endswith("talos_full_v2.urdf"))
    for thing in (robot, taut.load(humanoid.path, base="free"), robot.derive("gravity", effort="none")):
        assert len(str(thing)) == len(repr(thing)) < 600
    assert repr(robot) == "<Robot puma560: RRRRRR, dof 6, joint1, joint2, joint3, joint4, joint5, joint6>"


@pytest.mark.parametrize("name", ["double_pendulum", "stanford_rrp"])
def test_sympy_has_matrices(name: str) -> None:
    pytest.importorskip("sympy")
    robot = taut.load(name)
    free = sorted(symbols(robot.tree) - set(robot.tree.values))
    robot = robot.with_values({name: 0.3 + 0.1 * k for k, name in enumerate(free)})
    form = robot.explicit(verify=False).to_sympy()
    q, qd, qdd = np.random.default_rng(2).normal(size=(3, robot.nv))
    numbers = dict(zip([*form.q, *form.qd, *form.qdd], [*q, *qd, *qdd], strict=True))

    def at(matrix: object) -> np.ndarray:
        return np.array(form.numeric(matrix).subs(numbers).evalf(), dtype=float)

    assert np.allclose(at(form.M), robot.mass_matrix(q), rtol=1e-12, atol=1e-12)
    assert np.allclose(at(form.C), robot.coriolis_matrix(q, qd), rtol=1e-12, atol=1e-12)
    assert np.allclose(at(form.g).ravel(), robot.gravity(q), rtol=1e-12, atol=1e-12)
    assert np.allclose(at(form.tau).ravel(), robot.inverse_dynamics(q, qd, qdd), rtol=1e-12, atol=1e-12)


def test_a_users_script_runs() -> None:
    runpy.run_path(str(SCRIPT))
