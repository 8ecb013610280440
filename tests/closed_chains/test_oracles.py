"""Closed chains of the library against two oracles: Lagrange's equations in mpmath, and Pinocchio."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from lagrange import Lagrange
from plain import plain

import taut
from taut.robot import Loops
from taut.robot.states import own_rates

PLANAR = ("four_bar", "slider_crank", "five_bar")
SPATIAL = ("delta", "stewart")
OTHERS = ("cam", "rolling_base")


def state(robot, seed):
    rng = np.random.default_rng(seed)
    q = robot.random_position(3, seed)[-1]
    return q, rng.uniform(-1, 1, robot.nv), rng.uniform(-2, 2, robot.nv)


def every_rate(robot, q, qd):
    """Return the rates of all joints that follow none."""
    if not robot.tree.loops:
        return np.asarray(qd)
    return own_rates(robot.numeric, q[None], np.asarray(qd)[None])[0]


def own_accelerations(robot, q, qd, qdd):
    at = robot.numeric.at(q.tolist())
    parts = at.accelerations(qd.tolist(), qdd.tolist())
    return np.array([float(x) for i in robot.tree.own for x in parts[i]])


def spread_force(robot, tau):
    """Return forces of the independent rates among those of all joints that follow none."""
    full = np.zeros(sum(robot.tree.joints[i].motion.nv for i in robot.tree.own))
    full[list(robot.tree.independent_rates)] = tau
    return full


def relative(found, expected):
    return np.max(np.abs(found - expected)) / np.max(np.abs(expected))


@pytest.mark.slow
def test_parallelograms_solved_exactly_are_lagranges():
    """All joints of the palletiser with its pins as conditions, against the four coordinates that solve them."""
    robot = taut.load("palletiser")
    q, qd, tau = state(robot, 1)
    at = robot.numeric.at(q.tolist())
    every, rates = (np.array([float(x) for part in parts for x in part]) for parts in (at.positions, at.rates(qd)))
    oracle = Lagrange(plain("palletiser"), every)
    assert max(abs(float(x)) for x in oracle.residual(oracle.q0)) < 1e-12
    force = np.zeros(len(rates))
    force[list(robot.tree.own)] = tau
    expected, multipliers, kept, J = oracle.accelerations(rates, force)
    qdd = robot.forward_dynamics(q, qd, tau)
    mine = np.array([float(x) for part in at.accelerations(qd.tolist(), qdd.tolist()) for x in part])
    assert relative(mine, expected) < 1e-9
    assert relative(robot.inverse_dynamics(q, qd, qdd), tau) < 1e-9
    pushed = sum(float(m) * np.array([float(x) for x in J[r]]) for m, r in zip(multipliers, kept, strict=True))
    opened = taut.Robot(replace(robot.tree, mimics=(), loops=Loops()))
    assert relative(opened.inverse_dynamics(every, rates, mine) - force, pushed) < 1e-9


@pytest.mark.parametrize("name", [*PLANAR, *OTHERS, *(pytest.param(n, marks=pytest.mark.slow) for n in SPATIAL)])
def test_accelerations_and_forces_are_lagranges(name):
    robot = taut.load(name)
    q, qd, tau = state(robot, 1)
    oracle = Lagrange(plain(name), q)
    v = every_rate(robot, q, qd)
    assert max((abs(float(x)) for x in oracle.residual(oracle.q0)), default=0.0) < 1e-12
    full = spread_force(robot, tau)
    expected, multipliers, kept, J = oracle.accelerations(v, full)
    qdd = robot.forward_dynamics(q, qd, tau)
    assert relative(own_accelerations(robot, q, qd, qdd), expected) < 1e-9
    assert relative(robot.inverse_dynamics(q, qd, qdd), tau) < 1e-9
    if not robot.tree.loops:
        return
    transposed = sum(float(m) * np.array([float(x) for x in J[r]]) for m, r in zip(multipliers, kept, strict=True))
    together, pushed = robot.constrained_acceleration(q, qd, full)
    assert relative(together, expected) < 1e-9
    assert relative(pushed, transposed) < 1e-9
    forces = robot.constraint_forces(q, qd, qdd, robot.joint_names)
    values = np.concatenate([force.values for force in forces.values()])
    unique = np.concatenate([force.unique for force in forces.values()])
    known = dict(zip(kept, (float(m) for m in multipliers), strict=True))
    assert unique.any()
    scale = max(map(abs, known.values()))
    assert all(abs(values[r] - known[r]) < 1e-9 * scale for r in np.flatnonzero(unique))
