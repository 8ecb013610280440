"""Laws of closed chains in independent coordinates, and what bad closed chains are told."""

from __future__ import annotations

import numpy as np
import pytest
from test_closed_base_parameters import drawn

import taut
from taut.cli import main
from taut.derive.derivation import derivation
from taut.derive.starts.traces import starts, textbook
from taut.errors import InputError
from taut.formats.toml import read_toml
from taut.graph.prove_program import disproof_by_nodes
from taut.robot.mechanism import mechanism

NAMES = ("four_bar", "slider_crank", "five_bar", "cam", "rolling_base", "delta", "palletiser")
SEEDS = (0, 1, 3, 4, 5)
"""Random closed chains: four-bars and slider-cranks with arms, on the base or on a turret, and a parallelogram."""


@pytest.fixture(scope="module", params=[*NAMES, *SEEDS])
def robot(request):
    return drawn(request.param) if isinstance(request.param, int) else taut.load(request.param)


@pytest.fixture(scope="module")
def moving(robot):
    rng = np.random.default_rng(5)
    return robot.random_position(2, 5)[1], rng.uniform(-1, 1, robot.nv), rng.uniform(-2, 2, robot.nv)


def shifted(robot, q, qd, h):
    """Return the position after the time h at rates that the closures allow, to second order."""
    if not robot.tree.loops:
        return q + h * qd
    return robot.step(q, qd, h)


def test_inverse_after_forward_is_the_identity(robot, moving):
    q, qd, tau = moving
    again = robot.inverse_dynamics(q, qd, robot.forward_dynamics(q, qd, tau))
    assert np.max(np.abs(again - tau)) < 1e-9 * np.max(np.abs(tau))


def test_coriolis_gives_the_bias_and_a_skew_matrix(robot, moving):
    q, qd, _ = moving
    C = robot.coriolis_matrix(q, qd)
    bias = robot.bias(q, qd)
    assert np.max(np.abs(C @ qd + robot.gravity(q) - bias)) < 1e-12 * max(1, np.max(np.abs(bias)))
    assert np.max(np.abs(robot.christoffel(q) @ qd - C)) < 1e-12 * max(1, np.max(np.abs(C)))
    h = 1e-6
    rate = (robot.mass_matrix(shifted(robot, q, qd, h)) - robot.mass_matrix(shifted(robot, q, qd, -h))) / (2 * h)
    skew = rate - 2 * C
    assert np.max(np.abs(skew + skew.T)) < 1e-7 * max(1, np.max(np.abs(rate)))


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("slider_crank", "coriolis_matrix"),
        ("cam", "coriolis_matrix"),
        ("rolling_base", "coriolis_matrix"),
        ("rolling_base", "bias"),
        ("rolling_base", "passivity_torque"),
    ],
)
def test_every_program_a_search_starts_from_is_the_textbook_algorithm(name, function):
    robot = taut.load(name)
    tree = robot.tree if name != "slider_crank" else robot.in_closed_form().tree
    with derivation(tree, "numeric").robot() as model:
        reference = textbook(model, function)
        found = starts(model, function, many=True, generic=True)
        different = {
            s.method for s in found if disproof_by_nodes(s.program, reference.outputs, 2, spheres=model.spheres)
        }
    assert not different


@pytest.mark.parametrize("name", ["four_bar", "cam", "rolling_base"])
def test_explicit_equations_are_refused_in_a_sentence(name, capsys):
    assert main(["derive", name, "--form", "explicit", "--function", "gravity"]) == 2
    assert "change with its position; derive the functions instead" in capsys.readouterr().err


def test_power_is_the_rate_of_energy(robot, moving):
    q, qd, qdd = moving
    by_origin = robot.evaluate("contributions", q, qd, qdd)  # friction is the row before the last
    power = (by_origin.sum(axis=0) - by_origin[-2]) @ qd
    h = 1e-6
    ahead, back = (
        robot.energy(shifted(robot, q, qd + 0.5 * s * h * qdd, s * h), qd + s * h * qdd).sum() for s in (1, -1)
    )
    assert abs((ahead - back) / (2 * h) - power) < 1e-6 * max(1, abs(power))


def test_parameters_times_regressor_are_the_torque(robot, moving):
    q, qd, qdd = moving
    tau = robot.inverse_dynamics(q, qd, qdd)
    assert np.max(np.abs(robot.regressor(q, qd, qdd) @ robot.parameters - tau)) < 1e-12 * max(1, np.max(np.abs(tau)))


def test_a_file_reads_back(robot):
    assert read_toml(robot.to_toml()) == robot.tree


def test_over_actuation_is_least_norm_or_near_internal_forces():
    robot = taut.load("four_bar")
    q = robot.random_position()
    one = robot.actuator_torque(q, [1], [0.5], ["crank"])
    both = robot.actuator_torque(q, [1], [0.5], ["crank", "rocker"])
    tense = robot.actuator_torque(q, [1], [0.5], ["crank", "rocker"], internal=[2.0, -1.0])
    assert np.linalg.norm(both) < abs(one[0])
    G = np.array([1.0, robot.numeric.at(q.tolist()).rates([1.0])[2][0]])
    assert np.allclose([both @ G, tense @ G], one[0], rtol=1e-12)
    pulled = tense - [2.0, -1.0]
    assert abs(pulled[0] * G[1] - pulled[1] * G[0]) < 1e-12


def test_the_branch_is_chosen_by_the_guess():
    robot = taut.load("four_bar")
    up = robot.assemble(hold={"crank": 1.0})
    down = robot.assemble({"coupler": -2.5, "rocker": -1.2}, hold={"crank": 1.0})
    assert up[0] == down[0] == 1.0
    assert abs(up[2] - down[2]) > 0.5
    assert np.max(np.abs(robot.closure_gap([up, down]))) < 1e-12


def test_the_constraint_jacobian_is_the_slope_of_the_gap():
    """Of the four-bar: every joint has one coordinate, so that rates are derivatives of positions."""
    robot = taut.load("four_bar")
    q = robot.assemble(hold={"crank": 1.0})
    step = 1e-6 * np.eye(robot.nq)
    slope = (robot.closure_gap(q + step) - robot.closure_gap(q - step)).T / 2e-6
    J = robot.constraint_jacobian(q)
    assert np.allclose(J, slope, atol=1e-9) and np.abs(J).max() > 0.1


def test_a_loop_that_is_switched_off_leaves_the_tree():
    robot = taut.load("five_bar")
    free = robot.with_active({"pin": False})
    assert (robot.dof, free.dof) == (2, 4)
    assert free.with_active({"pin": True}) == robot


def test_mobility_names_redundant_rows_and_idle_rods():
    planar = taut.load("four_bar").mobility()
    assert (planar.dof, planar.rank, len(planar.redundant)) == (1, 2, 3)
    assert planar.largest_dropped < 1e-40 < planar.smallest
    assert taut.load("delta").mobility().dof == 3
    rod = taut.Robot(read_toml(SPINNING))
    found = rod.mobility()
    assert found.dof == 1
    assert found.idle == ("rod",)


CRANK = """
name = "bad"
[[joint]]
name = "a"
link = { name = "a", mass = 1, com = [0.1, 0, 0] }
[[joint]]
name = "b"
xyz = [LENGTH, 0, 0]
link = { name = "b", mass = 1, com = [0.1, 0, 0] }
[[joint]]
name = "c"
parent = "base"
xyz = [BASE, 0, 0]
link = { name = "c", mass = 1, com = [0.1, 0, 0] }
[[loop]]
name = "pin"
kind = "pin"
link = "b"
xyz = [0.5, 0, 0]
to = "c"
at = { xyz = [0.4, 0, 0] }
"""

SPINNING = """
name = "rod between balls"
start = { crank = 0.6, swing = 0.2, slide = 0.6 }
actuated = ["crank"]
[[joint]]
name = "crank"
link = { name = "crank", mass = 1, com = [0.1, 0, 0] }
[[joint]]
name = "swing"
xyz = [0.2, 0, 0]
[[joint]]
name = "tilt"
axis = [0, 1, 0]
[[joint]]
name = "spin"
axis = [1, 0, 0]
link = { name = "rod", mass = 0.5, com = [0.25, 0, 0], inertia = [1e-4, 0, 0.01, 0, 0, 0.01], about = "com" }
[[joint]]
name = "slide"
kind = "prismatic"
parent = "base"
xyz = [0, 0.05, 0.1]
axis = [1, 0, 0]
link = { name = "slider", mass = 1 }
[[loop]]
name = "ball"
kind = "ball"
link = "rod"
xyz = [0.5, 0, 0]
to = "slider"
"""


GOOD = CRANK.replace("LENGTH", "0.2").replace("BASE", "0.5")
TWICE = """
[[loop]]
name = "again"
kind = "ball"
link = "b"
xyz = [0.3, 0, 0]
to = "c"
at = { xyz = [0.4, 0.1, 0] }
"""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (CRANK.replace("LENGTH", "0.2").replace("BASE", "5"), r"loop 'pin' does not close: a gap of [34].* is left"),
        (GOOD + TWICE, r"loop '(pin|again)' does not close: a gap of 0.\d+ .* is left"),
        ('independent = ["a", "b"]' + GOOD, "joint 'b' cannot be independent besides the joints named before it"),
        (GOOD.replace('"c"\nat', '"d"\nat'), "no link 'd'"),
        (GOOD.replace('"pin"\nlink', '"knot"\nlink'), "expected one of"),
        ("start = { a = [1, 2] }" + GOOD, "start of 'a': 2 numbers, expected 1; give the position of the joint"),
        (
            "start = { a = [0, 0, 0, 0] }" + GOOD.replace('"a"\nlink', '"a"\nkind = "ball"\nlink'),
            "start of 'a': the quaternion is zero; give a unit quaternion",
        ),
    ],
)
def test_bad_loops_are_told_in_a_sentence(text, said):
    with pytest.raises(InputError, match=said) as told:
        read_toml(text, "bad.toml")
    assert "bad.toml" in str(told.value)
    assert "\n" not in str(told.value)


def test_joints_that_do_not_determine_the_motion_are_refused():
    robot = taut.load("five_bar")
    q = robot.neutral
    with pytest.raises(InputError, match="the motors left do not determine the motion of 2 degrees of freedom"):
        robot.actuator_torque(q, [0, 0], [1, 1], ["left"])
    with pytest.raises(InputError, match="cannot be independent besides"):
        taut.load("four_bar").with_independent("crank", "rocker").mass_matrix(q[:3])


def test_a_crank_without_length_does_not_move_the_loop():
    with pytest.raises(InputError, match="joints 'a' and 'b' of a loop turn about one axis; give the crank"):
        read_toml(GOOD.replace("xyz = [0.2, 0, 0]", "xyz = [0, 0, 0]"))


def test_one_wheel_that_rolls_is_no_crank():
    """The turn of a cart and of its wheel stand in one condition; their axes are not one."""
    robot = taut.load("rolling_base")
    assert read_toml(f"{robot.to_toml()}active = false\n").nv == robot.nv + 1


def test_an_open_position_is_refused():
    robot = taut.load("four_bar")
    with pytest.raises(InputError, match=r"the loops are open by .* assembled position"):
        robot.mass_matrix(robot.neutral + 0.1)
    assert mechanism(robot.tree).size == 0.5
