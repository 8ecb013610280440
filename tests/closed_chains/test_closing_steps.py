"""Newton steps that close loops, as functions: quadratic, exact for balls and pins, generated where q must close."""

from __future__ import annotations

import shutil
import subprocess

import numpy as np
import pytest

import taut
from taut.errors import InputError


@pytest.fixture(scope="module", params=["four_bar", "stewart"])
def stepped(request):
    robot = taut.load(request.param)
    return robot, robot.derive("close", effort="none")


def opened(robot):
    rng = np.random.default_rng(4)
    q = robot.random_position(5, 2)
    p = q + rng.uniform(-0.01, 0.01, q.shape)
    for k in robot.tree.quaternions:
        p[:, k : k + 4] /= np.linalg.norm(p[:, k : k + 4], axis=-1, keepdims=True)
    return p


def test_each_step_squares_the_gap_and_keeps_the_independent_positions(stepped):
    robot, step = stepped
    assert step.proof is not None
    p, first = opened(robot), opened(robot)
    held = [k for k, i in enumerate(robot.position_names) if i in robot.joint_names] if robot.nq == 3 else []
    for _ in range(4):
        found = step(p)
        p, gap = found[:, :-1], found[:, -1]
    assert np.max(gap) < 1e-9
    assert np.max(np.abs(robot.closure_gap(p))) < 1e-13
    assert np.max(np.abs((p - first)[:, held]), initial=0.0) == 0


def test_a_fixed_number_of_steps_is_one_function():
    robot = taut.load("four_bar")
    found = robot.derive("closed_position", effort="none")(opened(robot))
    assert np.max(np.abs(robot.closure_gap(found[:, :-1]))) < 1e-12
    assert np.max(found[:, -1]) < 1e-6


def test_nothing_to_close_is_said():
    with pytest.raises(InputError, match="has no loops that a caller must close"):
        taut.load("puma560").derive("close", effort="none")
    with pytest.raises(InputError, match="has no loops that a caller must close"):
        taut.load("four_bar").in_closed_form().derive("close", effort="none")


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
def test_generated_code_has_the_step_where_the_caller_closes(tmp_path):
    robot = taut.load("four_bar")
    functions = robot.generate(tmp_path / "all", positions="all", effort="none").functions
    assert functions[-1].name == "close"
    header = (tmp_path / "all" / "four_bar.h").read_text()
    assert "Positions q: crank, coupler, rocker; the loops must be closed there." in header
    robot.generate(tmp_path / "solved", "inverse_dynamics", effort="none")
    made = tmp_path / "solved"
    assert "coupler and rocker in closed form, on the branch of crank" in (made / "four_bar.h").read_text()
    assert "q[1]: joint positions" in (made / "four_bar.h").read_text()
    subprocess.run(["cc", "-O1", "-o", "selftest", "selftest.c", "four_bar.c", "-lm"], cwd=made, check=True)
    done = subprocess.run([made / "selftest"], check=True, capture_output=True, text=True)
    assert "passed" in done.stdout


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
@pytest.mark.parametrize(("name", "function"), [("cassie_leg", "inverse_dynamics"), ("delta", "forward_dynamics")])
def test_loops_without_a_closed_form_are_generated(name, function, tmp_path):
    """Rounded angles of a leg, and positions at which a Delta is nearly singular."""
    taut.load(name).generate(tmp_path / "made", [function], effort="none")
    sources = ["selftest.c", f"{name}.c"]
    subprocess.run(["cc", "-O1", "-o", "selftest", *sources, "-lm"], cwd=tmp_path / "made", check=True)
    done = subprocess.run([tmp_path / "made" / "selftest"], check=True, capture_output=True, text=True)
    assert "passed" in done.stdout
