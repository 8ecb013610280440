"""The algorithms of the papers give what Newton and Euler give, on any tree of single-axis joints."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws.random_robots import KINDS, random_state, random_tree, random_trees
from taut.algorithms.compound_links import (
    compound_gravity,
    compound_mass_matrix,
    compound_torque,
    velocity_torques,
)
from taut.algorithms.extended_bodies import (
    extended_body_christoffel,
    extended_body_gravity,
    extended_body_mass_matrix,
    extended_body_torque,
)
from taut.algorithms.kane import kane
from taut.algorithms.lagrange_euler import configuration_space, lagrange_euler
from taut.algorithms.newton_euler import newton_euler
from taut.errors import InputError
from taut.graph.evaluate import evaluate
from taut.graph.node import Graph
from taut.graph.stage import Stage
from taut.robot import DescribedJoint, Link, Revolute, Tree, assemble
from taut.spatial import Inertia, Vec3

TORQUES = (kane, lagrange_euler, extended_body_torque, compound_torque)
SEEDS = st.integers(0, 2**32 - 1)
RELATIVE = 1e-11  # a few thousand roundings of 1e-16, with cancellation between joints


def close(found: object, expected: object) -> None:
    """Compare relative to the largest number, or to 1 (N, N m, kg m^2) where all are smaller or vanish."""
    x, y = np.asarray(found, float), np.asarray(expected, float)
    assert x.shape == y.shape
    assert np.max(np.abs(x - y), initial=0.0) <= RELATIVE * np.max(np.abs(y), initial=1.0)


def unit(n: int, j: int) -> list[list[float]]:
    return [[float(i == j)] for i in range(n)]


def mass_matrix_by_newton_euler(robot: Tree, q: list[list[float]]) -> np.ndarray:
    n = len(robot.joints)
    rest = [[0.0]] * n
    g = np.asarray(newton_euler(robot, q, rest, rest))
    return np.hstack([np.asarray(newton_euler(robot, q, rest, unit(n, j))) - g for j in range(n)])


def christoffel_by_newton_euler(robot: Tree, q: list[list[float]]) -> np.ndarray:
    """beta_ijk from the bias at pairs of unit rates: it is a quadratic form in the rates."""
    n = len(robot.joints)
    rest = [[0.0]] * n
    g = np.asarray(newton_euler(robot, q, rest, rest))[:, 0]

    def bias(*joints: int) -> np.ndarray:
        rates = [[float(sum(i == j for j in joints))] for i in range(n)]
        return np.asarray(newton_euler(robot, q, rates, rest))[:, 0] - g

    beta = np.zeros((n, n, n))
    for j in range(n):
        beta[:, j, j] = bias(j)
        for k in range(j):
            beta[:, j, k] = beta[:, k, j] = (bias(j, k) - bias(j) - bias(k)) / 2
    return beta


@pytest.mark.parametrize("algorithm", TORQUES)
@given(robot=random_trees(max_joints=7), seed=SEEDS)
def test_torque_is_newton_eulers(algorithm, robot, seed):
    q, qd, qdd = random_state(robot, seed)
    close(algorithm(robot, q, qd, qdd), newton_euler(robot, q, qd, qdd))


@pytest.mark.parametrize("kinds", [("revolute",), ("prismatic",), KINDS])
@pytest.mark.parametrize("algorithm", TORQUES)
def test_torque_of_a_long_chain(algorithm, kinds):
    robot = random_tree(5, 9, kinds, chain=True)
    q, qd, qdd = random_state(robot, 6)
    close(algorithm(robot, q, qd, qdd), newton_euler(robot, q, qd, qdd))


@given(robot=random_trees(max_joints=6), seed=SEEDS)
def test_mass_matrices(robot, seed):
    q, _, _ = random_state(robot, seed)
    expected = mass_matrix_by_newton_euler(robot, q)
    close(extended_body_mass_matrix(robot, q), expected)
    close(compound_mass_matrix(robot, q), expected)
    close(configuration_space(robot, q).M, expected)


@given(robot=random_trees(max_joints=6), seed=SEEDS)
def test_gravity(robot, seed):
    q, _, _ = random_state(robot, seed)
    rest = [[0.0]] * len(robot.joints)
    expected = newton_euler(robot, q, rest, rest)
    close(extended_body_gravity(robot, q), expected)
    close(compound_gravity(robot, q), expected)
    close([[g] for g in configuration_space(robot, q).G], expected)


@given(robot=random_trees(max_joints=5), seed=SEEDS)
def test_velocity_coefficients(robot, seed):
    q, _, _ = random_state(robot, seed)
    expected = christoffel_by_newton_euler(robot, q)
    close(extended_body_christoffel(robot, q), expected)
    _, B, C, _ = configuration_space(robot, q)
    n = len(robot.joints)
    close(C, [[expected[i, j, j] for j in range(n)] for i in range(n)])
    for (j, k), column in B.items():
        close(column, expected[:, j, k])


@given(robot=random_trees(max_joints=7), seed=SEEDS)
def test_velocity_torques_are_the_bias_without_gravity(robot, seed):
    q, qd, _ = random_state(robot, seed)
    rest = [[0.0]] * len(robot.joints)
    moving = np.asarray(newton_euler(robot, q, qd, rest)) - np.asarray(newton_euler(robot, q, rest, rest))
    close(velocity_torques(robot, q, qd), moving)


@pytest.mark.parametrize("algorithm", TORQUES)
def test_a_batch_of_states_is_as_good_as_one(algorithm):
    robot = random_tree(11, 4)
    states = [random_state(robot, seed) for seed in range(3)]
    batch = [[[np.array(x)] for x in np.asarray(part)[:, :, 0].T] for part in zip(*states, strict=True)]
    tau = algorithm(robot, *batch)
    for s, state in enumerate(states):
        close([[t[s]] for [t] in tau], newton_euler(robot, *state))


@pytest.mark.parametrize("algorithm", TORQUES)
def test_symbols_are_as_good_as_numbers(algorithm):
    robot = random_tree(21, 4)
    graph, inertial = Graph(), {}

    def named(number: float) -> object:
        symbol = graph.symbol(f"p{len(inertial)}")
        inertial[symbol.name] = number
        return symbol

    traced = robot.map(lambda number: number, inertial=named)
    state = random_state(robot, 22)
    stages = (Stage.CONFIGURATION, Stage.VELOCITY, Stage.ACCELERATION)
    symbols = [[[graph.symbol(f"{stage.name}{i}", stage)] for i in range(len(robot.joints))] for stage in stages]
    known = {
        s.name: x for part, values in zip(symbols, state, strict=True) for [s], [x] in zip(part, values, strict=True)
    }
    tau = evaluate([t for [t] in algorithm(traced, *symbols)], known | inertial)
    close([[t] for t in tau], newton_euler(robot, *state))


@pytest.mark.parametrize("algorithm", TORQUES)
def test_a_floating_root_is_refused_by_name(algorithm):
    robot = random_tree(1, 2, free=True)
    with pytest.raises(InputError, match=r"joint 'root'.*revolute and prismatic.*free"):
        algorithm(robot, *random_state(robot, 1))


def test_kane_refuses_a_moment_without_mass():
    weightless = Inertia.from_parameters((0, 0.1, 0, 0, 0, 0, 0, 0, 0, 0))
    robot = assemble(
        "arm", [Link("base"), Link("tip", weightless)], [DescribedJoint("j", "base", "tip", motion=Revolute())]
    )
    with pytest.raises(InputError, match=r"link 'tip'.*no mass centre"):
        kane(robot, [[0.0]], [[0.0]], [[0.0]])


def test_a_massless_link_with_inertia_is_served():
    rotor = Inertia.from_parameters((0, 0, 0, 0, 0.1, 0, 0.2, 0, 0, 0.25))
    robot = assemble(
        "rotor",
        [Link("base"), Link("tip", rotor)],
        [DescribedJoint("j", "base", "tip", motion=Revolute(Vec3(0.6, 0.0, 0.8)))],
    )
    for algorithm in TORQUES:
        close(algorithm(robot, [[0.3]], [[1.0]], [[2.0]]), [[2.0 * (0.36 * 0.1 + 0.64 * 0.25)]])
