"""Base parameters of closed chains: as many as the rank of the regressor at other states, and the same torques."""

from __future__ import annotations

import numpy as np
import pytest

import taut
from taut.formats.toml import read_toml

LINK = """
[joint.link]
name = "{name}"
mass = {m}
com = [{x}, {y}, {z}]
inertia = [0.02, 0.001, 0.03, 0.002, 0, 0.025]
about = "com"
"""


def drawn(seed):
    """Return a random planar loop with an arm, on the base or on a turret: four-bars, slider-cranks, parallelograms."""
    rng = np.random.default_rng(seed)
    a, b, c = rng.uniform(0.2, 0.3), rng.uniform(0.45, 0.6), rng.uniform(0.4, 0.5)
    g = rng.uniform(0.4, 0.5)
    start = "start = { crank = 1.2, coupler = -0.7, rocker = 1.4 }\n"
    if seed % 7 == 5:
        c, g, start = a, b, "start = { crank = 1.2, coupler = -1.2, rocker = 1.2 }\n"
    upright = seed % 2 == 0
    text = f'name = "loop {seed}"\ngravity = [0, {-9.81 if upright else 0}, {0 if upright else -9.81}]\n'
    text += start

    def joint(name, parent, xyz, kind="revolute", axis=(0, 0, 1)):
        m, x, y, z = rng.uniform(0.5, 2), *rng.uniform(-0.2, 0.2, 3)
        head = f'[[joint]]\nname = "{name}"\nkind = "{kind}"\nparent = "{parent}"\nxyz = {list(map(float, xyz))}\n'
        return head + f"axis = {list(axis)}" + LINK.format(name=name, m=m, x=x, y=y, z=z)

    root = "base"
    if seed % 3 == 0:
        text += joint("turret", "base", (0, 0, 0), axis=(0, 1, 0))
        root = "turret"
    text += joint("crank", root, (0, 0, 0)) + joint("coupler", "crank", (a, 0, 0))
    if seed % 5 == 1:
        text = text.replace("rocker = 1.4", "rocker = 0.4")
        text += joint("rocker", root, (0, 0.02, 0), "prismatic", (1, 0, 0))
        at = (0, 0, 0)
    else:
        text += joint("rocker", root, (g, 0, 0))
        at = (c, 0, 0)
    text += joint("arm", "coupler", (0.1, 0.1, 0), axis=(1, 0, 0) if seed % 4 == 0 else (0, 0, 1))
    text += f'[[loop]]\nkind = "pin"\nlink = "coupler"\nxyz = [{b}, 0, 0]\nto = "rocker"\nat = {{ xyz = {list(at)} }}\n'
    return taut.Robot(read_toml(text))


def agree(robot):
    found = robot.base_parameters()
    rng = np.random.default_rng(77)
    states = [robot.random_position(150, 9), *(rng.uniform(-2, 2, (150, robot.nv)) for _ in range(2))]
    Y = robot.regressor(*states).reshape(-1, 10 * len(robot.tree.joints))
    sizes = np.linalg.norm(Y, axis=0)
    seen = sizes > 1e-12 * sizes.max()  # others are rounding of zeros
    values = np.linalg.svd(Y[:, seen] / sizes[seen], compute_uv=False)
    assert found.count == int(np.sum(values > 1e-9 * values[0]))
    tau = robot.inverse_dynamics(*states).reshape(-1)
    again = Y[:, list(found.kept)] @ (found.matrix @ robot.parameters)
    assert np.max(np.abs(again - tau)) < 1e-8 * np.max(np.abs(tau))
    return found


@pytest.mark.parametrize("seed", range(20))
def test_random_closed_chains(seed):
    assert agree(drawn(seed)).proved


def test_regrouping_of_planar_loops_is_exact():
    found = agree(taut.load("four_bar"))
    assert found.symbolic
    assert "Izz1 + 0.04*m2 + 1/10*mx3" in found.groups


@pytest.mark.parametrize("name", ["five_bar", "cam", "rolling_base"])
def test_closed_chains_of_the_library(name):
    agree(taut.load(name))


@pytest.mark.parametrize("name", ["delta", "stewart"])
def test_a_rank_of_numbers_states_how_clear_it_is(name):
    """Loops without a closed form: kept columns stand out by 1e-3, eliminated ones are rounding."""
    found = taut.load(name).base_parameters()
    assert not found.proved
    smallest, largest = found.gap
    assert largest < 1e-10
    assert smallest > 1e-4
    assert taut.load("four_bar").base_parameters().gap is None
