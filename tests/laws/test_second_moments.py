"""The tightened recursions give the torques and the mass matrix of any tree, however frames and masses are placed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laws.random_robots import random_state, random_trees
from taut.algorithms.coefficients import Coefficients, explicit_terms
from taut.algorithms.composite_bodies import composite_bodies
from taut.algorithms.coriolis import christoffel
from taut.algorithms.newton_euler import newton_euler
from taut.errors import UnsupportedError
from taut.questions.coefficients import coefficients
from taut.recursions.absolute_rates import AbsoluteRates
from taut.recursions.second_moment_axes import Axes
from taut.recursions.second_moment_christoffel import second_moment_christoffel
from taut.recursions.second_moment_gravity import second_moment_gravity
from taut.recursions.second_moment_matrix import second_moment_matrix
from taut.recursions.second_moments import second_moment_torque
from taut.robot import Placement, Tree
from taut.robot.placement import QuarterTurns
from taut.robot.regroup import regrouped, slid_leaves, turned_leaves
from taut.robot.screws import screw_form

SEEDS = st.integers(0, 2**32 - 1)
RELATIVE = 1e-11

fixed = random_trees(max_joints=7)
floating = random_trees(max_joints=5, free=True).map(
    lambda tree: replace(
        tree, base=Placement(), joints=(replace(tree.joints[0], placement=Placement()), *tree.joints[1:])
    )
)


def lag_sets(tree: Tree, seed: int) -> list[frozenset[int]]:
    turning = [i for i, joint in enumerate(tree.joints) if joint.motion.kind != "free"]
    chosen = np.random.default_rng(seed).random(len(turning)) < 0.5
    return [frozenset(), frozenset(turning), frozenset(i for i, lag in zip(turning, chosen, strict=True) if lag)]


def close(found: object, expected: object) -> None:
    x, y = np.asarray(found, float), np.asarray(expected, float)
    assert np.max(np.abs(x - y)) <= RELATIVE * np.max(np.abs(y), initial=1.0)


@given(st.one_of(fixed, floating), SEEDS)
@settings(max_examples=40)
def test_torque_and_matrix(tree: Tree, seed: int) -> None:
    q, qd, qdd = random_state(tree, seed)
    torque = np.concatenate(newton_euler(tree, q, qd, qdd))
    M = composite_bodies(tree, q)
    bodies = screw_form(tree)
    for arranged in (bodies, regrouped(slid_leaves(bodies)), turned_leaves(regrouped(bodies))):
        for lags in lag_sets(tree, seed):
            found = second_moment_torque(arranged, tree.gravity_acceleration, q, qd, qdd, lags)
            close(np.concatenate(found), torque)
            close(second_moment_matrix(arranged, q, lags), M)


@given(fixed, SEEDS)
@settings(max_examples=30)
def test_christoffel_symbols_and_gravity(tree: Tree, seed: int) -> None:
    q, qd, _ = random_state(tree, seed)
    rest = [[0.0] for _ in qd]
    symbols = np.array(christoffel(tree, q))  # these are symmetric, if only up to rounding
    holding = np.concatenate(newton_euler(tree, q, rest, rest))
    for arranged in (screw_form(tree), regrouped(screw_form(tree)), turned_leaves(regrouped(screw_form(tree)))):
        for lags in lag_sets(tree, seed):
            close(second_moment_christoffel(arranged, q, lags), symbols)
            axes = Axes(arranged, q, lags)
            close(axes.symbols(), symbols)
            close(axes.matrix(), composite_bodies(tree, q))
            close(np.concatenate(axes.gravity(tree.gravity_acceleration)), holding)
            close(np.concatenate(second_moment_gravity(arranged, tree.gravity_acceleration, q, lags)), holding)


@given(fixed, SEEDS)
@settings(max_examples=30)
def test_coefficients_of_the_torque(tree: Tree, seed: int) -> None:
    """What is read off the torque at unit rates is M, the symbols and g; put together it is the torque."""
    q, qd, qdd = random_state(tree, seed)
    flat = [x for part in q for x in part]
    found = coefficients(tree, flat)
    close(found.M, composite_bodies(tree, q))
    close(np.array(found.G).transpose(2, 0, 1), christoffel(tree, q))
    close(found.torque(np.concatenate(qd), np.concatenate(qdd)), np.concatenate(newton_euler(tree, q, qd, qdd)))
    assert len(found.flat) == len(explicit_terms(tree.nv))


@given(SEEDS)
@settings(max_examples=20)
def test_absolute_rates(seed: int) -> None:
    """Any tree of signs will do: what is put together in other rates is the same torque and the same M."""
    n = 5
    rng = np.random.default_rng(seed)
    runs = {j: (int(rng.integers(0, j)), int(rng.choice([-1, 1]))) for j in range(1, n) if rng.random() < 0.6}
    M, G, g, qd, qdd = (rng.normal(size=size) for size in [(n, n), (n, n, n), n, n, n])
    M, G = M + M.T, G + G.transpose(0, 2, 1)
    rates, given_ = AbsoluteRates(runs, n), Coefficients(M, G, g)
    close(rates.torque(given_, qd, qdd), given_.torque(qd, qdd))
    w = np.array(rates.of_joints(qd))
    close(rates.to_joints(w), qd)
    close(w @ np.array(rates.quadratic(M)) @ w, qd @ M @ qd)
    close(rates.forces_of_joints(rates.forces(g)), g)


def test_order_of_the_coefficients() -> None:
    """Each entry of the flat list is the coefficient that its term names."""
    n = range(3)
    M = [[f"M{min(i, j) + 1}{max(i, j) + 1}" for j in n] for i in n]
    g = [f"g{i + 1}" for i in n]

    class Symbol(str):
        def __rmul__(self, twice: object) -> str:
            assert twice == 2
            return f"b{self[1:]}"

    G = [
        [[Symbol(f"c{i + 1}{min(j, k) + 1}" + (f"{max(j, k) + 1}" if j != k else "")) for k in n] for j in n] for i in n
    ]
    assert Coefficients(M, G, g).flat == [term.name for term in explicit_terms(3)]


@given(fixed)
@settings(max_examples=20)
def test_regrouped_revolute_links_keep_seven_parameters(tree: Tree) -> None:
    for body in regrouped(screw_form(tree)):
        m, _, _, hz, *_, Jzz = body.moments.moments
        if body.kind == "revolute":
            assert (m, hz, Jzz) == (0, 0, 0)
        else:
            assert not any(body.moments.J)


@given(fixed)
@settings(max_examples=20)
def test_first_child_of_every_link_stands_on_its_common_normal(tree: Tree) -> None:
    seen = set()
    for body in screw_form(tree):
        if body.parent >= 0 and body.parent not in seen:
            assert body.phi == 0 and body.r == 0
        seen.add(body.parent)


@given(fixed)
@settings(max_examples=20)
def test_turned_leaves_have_their_first_moment_along_x(tree: Tree) -> None:
    bodies = turned_leaves(regrouped(screw_form(tree)))
    carriers = {body.parent for body in bodies}
    for i, body in enumerate(bodies):
        if body.kind == "revolute" and i not in carriers:
            assert body.moments.h.y == 0


def test_quarter_turns_of_a_leaf_are_kept() -> None:
    """A leaf whose joint has a whole quarter turn ends with the same torque, its angle being the arc tangent alone."""
    from laws.random_robots import random_tree

    tree = random_tree(12, 3, ("revolute",), chain=True)
    q, qd, qdd = random_state(tree, 4)
    bodies = list(regrouped(screw_form(tree)))
    bodies[-1] = replace(bodies[-1], theta=QuarterTurns(3))
    expected = second_moment_torque(bodies, tree.gravity_acceleration, q, qd, qdd)
    turned = turned_leaves(bodies)
    assert isinstance(turned[-1].theta, float)
    close(second_moment_torque(turned, tree.gravity_acceleration, q, qd, qdd), expected)


def test_free_joint_inside_a_tree_has_no_screw_form() -> None:
    from laws.random_robots import random_tree

    tree = random_tree(3, 3, free=True)
    with pytest.raises(UnsupportedError, match="not the root"):
        screw_form(tree)
