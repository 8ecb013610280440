"""The elements of an explicit model are right, for any arm."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import taut
from explicit.arms import general_arm, planar_arm
from laws.random_robots import random_inertia, random_state, random_tree
from taut.errors import TautError, UnsupportedError
from taut.explicit import ExplicitModel, explicit
from taut.questions.table import QUESTIONS
from taut.robot import DescribedJoint, Link, Placement, Prismatic, Revolute, Tree, assemble
from taut.spatial import Vec3

LIBRARY = ["double_pendulum", "scara", "stanford", "stanford_rrp", "puma560", "puma560_burdick", "ur5e"]


@pytest.fixture(scope="module")
def puma() -> ExplicitModel:
    return taut.load("puma560").explicit()


@pytest.mark.parametrize("name", LIBRARY)
def test_every_element_is_a_coefficient_of_the_newton_euler_torque(name):
    model = taut.load(name).explicit()
    assert model.proof is not None
    assert model.proof.points == 3


@pytest.mark.parametrize("joints", [1, 2, 3])
def test_general_arms(joints):
    assert general_arm(joints).explicit().proof is not None


@pytest.mark.parametrize(("seed", "joints"), [(1, 3), (2, 3), (3, 2), (7, 3), (12, 4), (18, 4)])
def test_random_trees_with_slides_have_the_numbers_of_the_algorithms(seed, joints):
    """Axes and placements in any direction; kinds are drawn, slides among them."""
    tree = random_tree(seed, joints)
    model = explicit(tree)
    assert model.proof is not None
    q, qd, qdd = (np.array([x for part in parts for x in part]) for parts in random_state(tree, seed))
    expected = np.array(QUESTIONS["explicit_torque"].compute(tree, q, qd, qdd), dtype=float)
    found = model.function(torque=True)(q, qd, qdd)
    assert found == pytest.approx(expected, rel=0, abs=1e-12 * np.abs(expected).max())
    assert model.function()(q) == pytest.approx(expected[: -model.n], rel=0, abs=1e-12 * np.abs(expected).max())


def test_random_trees_cover_both_kinds_of_joint():
    kinds = {joint.motion.kind for seed, n in ((1, 3), (2, 3), (12, 4)) for joint in random_tree(seed, n).joints}
    assert kinds == {"revolute", "prismatic"}


def test_a_wrong_term_is_found(puma):
    first, *rest = puma.b[3, 0, 2].terms
    with pytest.raises(TautError, match=r"element of row 4|relation"):
        puma.with_terms({"b413": [first.times(2), *rest]}).prove()
    first, *rest = puma.M[0, 0].terms
    with pytest.raises(TautError, match="element of row 1"):
        puma.with_terms({"M11": rest}).prove()


def test_a_wrong_relation_is_found(puma):
    element = puma.elements["b413"]
    wrong = replace(element.relation, parts=((Fraction(1), "b314"),))
    elements = {**puma.elements, "b413": replace(element, relation=wrong)}
    with pytest.raises(TautError, match="relation b413"):
        replace(puma, elements=elements).prove()


def test_coriolis_matrix(puma):
    robot = taut.load("puma560")
    rng = np.random.default_rng(4)
    q, qd = rng.uniform(-3, 3, (2, 6))
    values = dict(zip(puma.elements, puma.function()(q), strict=True))
    C = [[sum(float(f) * values[e.name] * qd[k] for f, e, k in puma.C[i, j]) for j in range(6)] for i in range(6)]
    assert np.array(C) == pytest.approx(robot.coriolis_matrix(q, qd), abs=1e-12)


@pytest.mark.parametrize("joints", [2, 3, 4])
def test_mass_matrix_of_a_planar_arm_has_no_first_angle_and_a_term_for_every_pair(joints):
    """M11 of n point masses on a planar chain: a constant and one cosine for every pair of links."""
    model = planar_arm(joints).explicit()
    used = {name for e in model.elements.values() if e.kind == "M" for t in e.terms for name, _ in t.monomial}
    assert not any(name[1] == "1" for name in used)
    assert len(model.M[0, 0].terms) == 1 + joints * (joints - 1) // 2
    assert all(len(t.monomial) <= 1 for e in model.elements.values() if e.kind in "Mg" for t in e.terms)


def test_antiparallel_joints_subtract():
    """The last joint of the SCARA turns the other way round."""
    model = taut.load("scara").explicit()
    assert model.angles["C2m4"] == ((1, 1), (3, -1))
    assert not any(name.endswith("12m4") for name in model.generators)  # nothing depends on the first joint


def following_arm(kind: type[Revolute] | type[Prismatic], multiplier: float, offset: float) -> Tree:
    """Return an arm whose second joint follows its first."""
    rng = np.random.default_rng(8)
    links = [Link("base"), *(Link(f"link{i}", random_inertia(rng)) for i in range(1, 4))]
    joints = [
        DescribedJoint("a", "base", "link1", Placement(Vec3(0.0, 0.0, 0.3)), kind()),
        DescribedJoint("b", "link1", "link2", Placement(Vec3(0.4, 0.0, 0.0)), kind(), mimic=("a", multiplier, offset)),
        DescribedJoint("c", "link2", "link3", Placement(Vec3(0.3, 0.0, 0.0), ((0, 0.7),)), Revolute()),
    ]
    return assemble("following", links, joints)


@pytest.mark.parametrize(("kind", "multiplier"), [(Revolute, -1.0), (Revolute, 2.0), (Prismatic, 0.4)])
def test_joints_that_follow_others(kind, multiplier):
    tree = following_arm(kind, multiplier, 0.2)
    model = explicit(tree)
    q, qd, qdd = np.random.default_rng(5).uniform(-2, 2, (3, 2))
    expected = np.array(QUESTIONS["explicit_torque"].compute(tree, q, qd, qdd), dtype=float)
    assert model.function(torque=True)(q, qd, qdd) == pytest.approx(expected, abs=1e-12 * np.abs(expected).max())


def test_a_joint_that_follows_at_half_the_angle_is_refused():
    with pytest.raises(UnsupportedError, match=r"joint 'b' follows another at 0.5 times its angle"):
        explicit(following_arm(Revolute, 0.5, 0.0))
