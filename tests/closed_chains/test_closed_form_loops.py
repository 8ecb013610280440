"""Planar loops in closed form: the positions and torques of Newton's method, functions proved on both branches."""

from __future__ import annotations

import numpy as np
import pytest

import taut
from taut.errors import InputError
from taut.formats.toml import read_toml
from taut.robot.states import own_positions, placed_positions

LINK = """[joint.link]
name = "{name}"
mass = {m}
com = {com}
inertia = [0.02, 1e-3, 0.03, 2e-3, 0, 0.025]
about = "com"
"""
PIN = """[[loop]]
name = "pin"
kind = "{kind}"
link = "{link}"
xyz = {xyz}
turns = {turns}
to = "{to}"
at = {{ xyz = {at}, turns = {turns} }}
"""


STARTS = {"": (1.1, -0.5, 1.3), "c": (1.0, -0.9, 0.4), "b": (0.4, 0.2, 1.2), "bc": (0.8, 0.0, 0.25)}


def joint(rng, name, parent, xyz, axis, kind="revolute"):
    com = rng.uniform(-0.2, 0.2, 3).round(3).tolist()
    body = LINK.format(name=name, m=round(rng.uniform(0.5, 2), 2), com=com)
    return f'[[joint]]\nname = "{name}"\nkind = "{kind}"\nparent = "{parent}"\nxyz = {xyz}\naxis = {axis}\n{body}'


def planar(slides="", independent="a", offset=0.0, upright=False):
    """Return a loop of joints a, b and c; those named slide; c may turn about the opposite axis."""
    rng = np.random.default_rng(len(slides) + len(independent))
    normal, turns = ([0, 0, 1], []) if not upright else ([0, -1, 0], [["x", "90 deg"]])

    def at(x, y, z=0.0):
        return [x, y, z] if not upright else [x, -z, y]

    start = dict(zip("abc", STARTS[slides], strict=True))
    text = f'name = "planar {slides} {independent}"\nindependent = ["{independent}"]\ngravity = [1, -3, -9]\n'
    text += "start = { " + ", ".join(f"{k} = {x}" for k, x in start.items()) + " }\n"
    text += joint(rng, "a", "base", at(0, 0), normal)
    text += joint(rng, "b", "a", at(0.25, 0.0, offset), at(1, 0) if "b" in slides else normal, kind_of("b", slides))
    along = at(0, 1) if slides == "bc" else at(1, 0)
    place = at(0.0, 0.03) if "c" in slides else at(0.5, 0, offset)
    text += joint(rng, "c", "base", place, along if "c" in slides else normal, kind_of("c", slides))
    end = at(0.05, 0.02) if "b" in slides else at(0.45, 0.1)
    other = at(0.02, 0, offset) if "c" in slides else at(0.4, -0.05)
    return taut.Robot(read_toml(text + PIN.format(kind="pin", link="b", xyz=end, turns=turns, to="c", at=other)))


def kind_of(name, slides):
    return "prismatic" if name in slides else "revolute"


LOOPS = {
    "two chains, both turn": {},
    "one chain, both turn": {"independent": "c", "offset": 0.03},
    "upright plane, links beside each other": {"upright": True, "offset": 0.02},
    "two chains, one slides": {"slides": "c"},
    "one chain, the outer slides": {"slides": "b", "independent": "c"},
    "one chain, the outer turns": {"slides": "c", "independent": "b"},
    "both slide": {"slides": "bc"},
}


@pytest.fixture(scope="module", params=LOOPS)
def pair(request):
    robot = planar(**LOOPS[request.param])
    return robot, robot.in_closed_form()


def states(robot, count=12):
    rng = np.random.default_rng(3)
    return rng.uniform(-1, 1, (count, robot.nv)), rng.uniform(-2, 2, (count, robot.nv))


def test_dyads_close_where_newtons_method_does(pair):
    robot, solved = pair
    assert (solved.nq, solved.nv) == (1, 1)
    q = solved.random_position(12, 4)
    own = own_positions(solved.tree, q)
    assert np.max(np.ptp(q, axis=0)) > 0.05
    assert np.max(np.abs(robot.closure_gap(own))) < 1e-12
    assert np.max(np.abs(placed_positions(solved.tree, own) - q)) == 0


def test_torques_are_those_of_the_assembled_robot(pair):
    robot, solved = pair
    q = solved.random_position(12, 4)
    own, (qd, qdd) = own_positions(solved.tree, q), states(robot)
    for ask in ("inverse_dynamics", "forward_dynamics"):
        expected, found = getattr(robot, ask)(own, qd, qdd), getattr(solved, ask)(q, qd, qdd)
        assert np.max(np.abs(found - expected)) < 1e-9 * np.max(np.abs(expected))


def test_derived_functions_are_proved_and_agree(pair):
    robot, solved = pair
    q = solved.random_position(12, 4)
    own, (qd, qdd) = own_positions(solved.tree, q), states(robot)
    derived = solved.derive("inverse_dynamics", effort="none")
    assert derived.proof is not None
    assert len(derived.arguments["q"]) == 1
    expected = robot.inverse_dynamics(own, qd, qdd)
    assert np.max(np.abs(derived(q, qd, qdd) - expected)) < 1e-9 * np.max(np.abs(expected))


def test_dyads_are_solved_one_after_the_other():
    first = planar()
    text = first.to_toml()
    rng = np.random.default_rng(8)
    text += joint(rng, "d", "c", [0.4, 0.1, 0], [0, 0, 1]) + joint(rng, "e", "base", [1.1, 0.1, 0], [0, 0, 1])
    text += PIN.format(kind="pin", link="d", xyz=[0.5, 0, 0], turns=[], to="e", at=[0.45, 0, 0]).replace("pin", "p2", 1)
    robot = taut.Robot(read_toml(text))
    solved = robot.in_closed_form()
    assert len(solved.tree.loops.dyads) == 2
    assert solved.position_names == ("a",)
    q = solved.random_position(8, 1)
    own, (qd, qdd) = own_positions(solved.tree, q), states(robot, 8)
    assert np.max(np.abs(robot.closure_gap(own))) < 1e-12
    expected, found = robot.inverse_dynamics(own, qd, qdd), solved.inverse_dynamics(q, qd, qdd)
    assert np.max(np.abs(found - expected)) < 1e-9 * np.max(np.abs(expected))


def test_changed_copies_stay_in_closed_form():
    solved = planar().in_closed_form()
    other = solved.with_independent("c")
    assert other.position_names == other.joint_names == ("c",)
    assert solved.with_load(1.0, frame="b").position_names == ("a",)
    assert taut.load("four_bar", base="free").in_closed_form().nq == 8
    forces = [robot.constraint_forces(q, [1.0], [0.5])["pin"].values for robot, q in both(solved)]
    assert np.max(np.abs(forces[0] - forces[1])) < 1e-9 * np.max(np.abs(forces[0]))


def both(solved):
    """Return the robot in closed form and with all positions, each at one state."""
    q = solved.random_position((), 3)
    return (solved, q), (planar(), own_positions(solved.tree, q))


def test_a_position_that_cannot_be_reached_is_refused():
    rocker = taut.load("four_bar").with_independent("rocker").in_closed_form()
    with pytest.raises(InputError, match="the loops cannot close at this position"):
        rocker.inverse_dynamics([0.0], [0.0], [0.0])


@pytest.mark.slow
def test_loops_are_searched():
    """Sines of dependent angles cost operations, so that they are not offered to the search as free ones."""
    solved = taut.load("slider_crank").in_closed_form()
    traced, searched = (solved.derive("mass_matrix", effort=effort, fresh=True) for effort in ("none", "quick"))
    assert searched.proof is not None
    assert searched.operations.total < 0.6 * traced.operations.total
    q = solved.random_position(5, 2)
    assert np.max(np.abs(searched(q) / traced(q) - 1)) < 1e-12
