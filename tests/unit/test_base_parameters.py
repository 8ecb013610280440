"""Base parameters: published counts, ranks of float regressors, and formulas that hold at fresh points."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import taut
from laws.random_robots import random_tree
from oracle.robot_files import urdf_files
from sampled import sampled
from taut import library
from taut.errors import InputError
from taut.formats.formula import parse
from taut.graph import Graph
from taut.graph.evaluate import evaluate
from taut.identify.base_parameters import BaseParameters, base_parameter_count, base_parameters
from taut.identify.echelon import Values, echelon
from taut.identify.exact_robot import exact_robot
from taut.identify.field_regressor import FieldRegressor, geometry_point
from taut.identify.numeric_regrouping import stacked_regressor
from taut.identify.parameters import parameter_values
from taut.robot import Mimic, Placement, Tree
from taut.robot.edit import symbols
from taut.spatial import Vec3

NO_GRAVITY, OBLIQUE = (0.0, 0.0, 0.0), (1.0, 2.0, -9.0)

# Gravity along joint 1, the same with rotor inertias, no gravity, oblique gravity.
COUNTS = {
    "puma560_full": (36, 40, 34, 38),
    "puma260": (36, 40, 34, 38),
    "rx90": (36, 40, 34, 38),
    "ur5e": (36, 40, 34, 38),
    "6R with an offset": (36, 40, 36, 38),
    "stanford_full": (33, 37, 31, 35),
    "panda": (43, 48, 39, 45),
    "iiwa14": (43, 48, 39, 45),
    "general_6r": (38, 43, 36, 38),
    "PUMA's first three": (15, 16, 13, 17),
    "stanford_rrp": (12, 13, 10, 14),
    "scara": (8, 11, 8, 10),
}

RANK = 1e-9
"""Relative singular values below this are rounding: of the robots here the least that counts is above 1e-3."""

AGREEMENT = 1e-9
"""Relative error of the regrouped regressor: lengths are taken with twelve digits."""


@cache
def arm(name: str) -> taut.Robot:
    if name == "6R with an offset":
        puma = taut.load("puma560_full")
        second = puma.tree.joints[1]
        moved = replace(second, placement=Placement(second.placement.p + Vec3(0.1, 0, 0), second.placement.turns))
        return taut.Robot(replace(puma.tree, joints=(puma.tree.joints[0], moved, *puma.tree.joints[2:])))
    if name == "PUMA's first three":
        return taut.load("puma560_full", lock={"joint4": 0.0, "joint5": 0.0, "joint6": 0.0})
    return taut.load(name)


def assert_regroups(robot: Tree, found: BaseParameters) -> None:
    """Check at float states that the kept columns are independent and stand for all."""
    Y = stacked_regressor(robot, found.columns)
    assert np.abs(Y - Y[:, found.kept] @ found.matrix).max() <= AGREEMENT * np.abs(Y).max()
    sizes = np.linalg.norm(Y[:, found.kept], axis=0)
    assert sizes.min() > 0
    values = np.linalg.svd(Y[:, found.kept] / sizes, compute_uv=False)
    assert values[-1] > RANK * values[0]


class TestCounts:
    @pytest.mark.parametrize("name", sampled(list(COUNTS), 3))
    def test_published_and_measured(self, name: str) -> None:
        robot = arm(name)
        found = (
            base_parameters(robot.tree),
            base_parameters(robot.tree, drives=True),
            base_parameters(robot.tree, gravity=NO_GRAVITY),
            base_parameters(robot.tree, gravity=OBLIQUE),
        )
        assert tuple(f.count for f in found) == COUNTS[name]
        assert all(f.proved and f.symbolic and f.rank == f.count == len(f.names) for f in found)

    def test_puma_260_with_drives_and_friction(self) -> None:
        """Izaguirre et al. 1992: 60 moments, 6 motor inertias, 12 frictions; 52 of 78 are independent."""
        found = base_parameters(arm("puma260").tree, drives=True, friction=True)
        assert (len(found.parameters), found.count) == (78, 52)

    @pytest.mark.parametrize("name", ["puma560", "stanford", "scara", "ur10e", "tx40"])
    def test_without_proof_the_same(self, name: str) -> None:
        robot = arm(name)
        proved, quick = base_parameters(robot.tree), base_parameters(robot.tree, prove=False)
        assert (quick.names, quick.groups, quick.proved) == (proved.names, proved.groups, False)
        assert base_parameter_count(robot.tree) == proved.count

    def test_a_free_base_shows_all_of_its_trunk_and_seven_of_each_revolute_link(self) -> None:
        robot = taut.load("ur5e", base="free")
        assert base_parameters(robot.tree).count == base_parameters(robot.tree, gravity=NO_GRAVITY).count == 10 + 7 * 6

    def test_rounded_right_angles_are_right_angles(self) -> None:
        rounded = arm("panda").tree.map(lambda x: x, angle=lambda x: round(float(x), 4))
        assert any(angle == 1.5708 for joint in rounded.joints for _, angle in joint.placement.turns)
        assert base_parameters(rounded).count == 43

    def test_a_humanoid(self) -> None:
        [talos] = [file.path for file in urdf_files() if file.path.name == "talos_reduced.urdf"]
        robot = taut.load(talos, base="free")
        found = base_parameters(robot.tree)
        assert found.proved
        assert found.count == 10 + 7 * (len(robot.tree.joints) - 1)
        assert_regroups(robot.tree, found)


class TestRandomTrees:
    @pytest.mark.parametrize("seed", sampled(range(30), 4))
    def test_the_count_is_the_rank_of_float_regressors(self, seed: int) -> None:
        robot = random_tree(seed, 1 + seed % 6, free=seed % 5 == 4, chain=seed % 3 == 0)
        found = base_parameters(robot, drives=seed % 2 == 1)
        assert found.symbolic
        assert found.count == _float_rank(robot, found)
        assert_regroups(robot, found)

    @pytest.mark.parametrize("seed", sampled(range(16), 5))
    def test_mimicking_joints_coupled_drives_and_offsets(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        robot = random_tree(seed, 2 + seed % 4, chain=seed % 3 == 0)
        last = len(robot.joints) - 1
        mimic = Mimic(last, 0, float(rng.choice([1, -1, 2, 0.5, -0.7])), float(rng.choice([0, 0.3, math.pi / 2])))
        robot = replace(
            robot,
            mimics=(mimic,) if seed % 4 else (),
            coupling=((last, 0, float(rng.choice([1.0, -0.4]))),) if seed % 3 else (),
        )
        found = base_parameters(robot, drives=True, friction=seed % 2 == 0, offsets=seed % 4 < 2)
        assert found.count == _float_rank(robot, found)
        assert_regroups(robot, found)


class TestFormulas:
    @pytest.mark.parametrize("name", sampled(library.open_chains(), 3))
    def test_they_hold_for_any_geometry(self, name: str) -> None:
        """Exactly, at a point of the finite field where they were not made; and in floats."""
        robot = valued(arm(name))
        found = base_parameters(robot.tree, drives=True)
        exact = found.robot
        fresh = Values(geometry_point(exact.tree, seed=1234))
        regressor = FieldRegressor(exact.tree, exact.graph, fresh, found.columns)
        assert regressor.rank(found.count) == found.count
        assert regressor.kills(found.null_vectors(fresh))
        assert_regroups(robot.tree, found)

    def test_a_wrong_formula_is_seen(self) -> None:
        found = base_parameters(arm("puma560_full").tree)
        values = Values(geometry_point(found.robot.tree))
        regressor = FieldRegressor(found.robot.tree, found.robot.graph, values, found.columns)
        regressor.rank(found.count)
        vectors = found.null_vectors(values)
        assert regressor.kills(vectors)
        vectors[0] = {k: x + 1 if k == found.kept[0] else x for k, x in {found.kept[0]: 0, **vectors[0]}.items()}
        assert not regressor.kills(vectors)

    def test_they_are_khalils_for_the_rx90(self) -> None:
        """Regrouped parameters of Khalil and Dombre's book, table of the RX-90, in taut's names."""
        found = base_parameters(arm("rx90").tree)
        groups = dict(zip(found.names, found.groups, strict=True))
        assert groups["mx2"] == "mx2 + D3*(m3 + m4 + m5 + m6)"
        assert groups["Ixx2"] == "Ixx2 - Iyy2 - D3^2*(m3 + m4 + m5 + m6)"
        assert groups["my3"] == "my3 + RL4*(m4 + m5 + m6) + mz4"
        assert groups["Ixx3"] == "Ixx3 - Iyy3 + RL4^2*(m4 + m5 + m6) + 2*RL4*mz4 + Iyy4"
        assert groups["my4"] == "my4 - mz5"
        assert groups["Ixx6"] == "Ixx6 - Iyy6"
        assert set(found.unidentifiable) == {*"m1 mx1 my1 mz1 Ixx1 Ixy1 Iyy1 Ixz1 Iyz1 m2 mz2".split()}

    @pytest.mark.parametrize("name", ["puma560_full", "stanford_full", "general_6r", "ur5e", "scara"])
    def test_the_text_says_what_the_matrix_does(self, name: str) -> None:
        robot = valued(arm(name))
        found = base_parameters(robot.tree, drives=True)
        pi = np.random.default_rng(3).uniform(0.5, 1.5, len(found.parameters))
        values = {key: value.value for key, value in robot.tree.values.items()} | dict(
            zip(found.parameters, pi, strict=True)
        )
        graph = Graph()
        nodes = [graph.lift(parse(group.replace("^", "**"), graph)) for group in found.groups]
        np.testing.assert_allclose(evaluate(nodes, values), found.matrix @ pi, rtol=1e-9)

    def test_numbers_give_numbers(self) -> None:
        robot = taut.load("sixr_thomas_tesar")
        found = base_parameters(robot.tree)
        groups = dict(zip(found.names, found.groups, strict=True))
        assert groups["mx2"] == "mx2 + 1.02*(m3 + m4 + m5 + m6)"

    def test_the_torque_is_that_of_the_base_parameters(self) -> None:
        robot = arm("puma560")
        found = base_parameters(robot.tree, drives=True)
        q, qd, qdd = np.random.default_rng(0).uniform(-2, 2, (3, 50, 6))
        Y = np.concatenate([robot.regressor(q, qd, qdd), robot.drive_regressor(qd, qdd)], axis=-1)
        base = found.matrix @ parameter_values(robot.tree, found.columns)
        kept = [found.columns[k] for k in found.kept]
        tau = robot.inverse_dynamics(q, qd, qdd)
        np.testing.assert_allclose(Y[..., kept] @ base, tau, atol=1e-12 * np.abs(tau).max())


class TestGauge:
    def test_wanted_parameters_stay(self) -> None:
        """Izaguirre keeps the six motor inertias and the last mass."""
        wanted = [f"Im{i}" for i in range(1, 7)] + ["m6"]
        found = base_parameters(arm("puma260").tree, drives=True, friction=True, keep=wanted)
        assert found.count == 52
        assert set(wanted) <= set(found.names)
        assert_regroups(arm("puma260").tree, found)

    def test_the_first_named_is_the_most_wanted(self) -> None:
        """Joint 1 shows only the sum of its rotor's inertia and its link's."""
        for first, second in (("Im1", "Izz1"), ("Izz1", "Im1")):
            found = base_parameters(arm("puma560").tree, drives=True, keep=[first, second])
            assert first in found.names
            assert second not in found.names

    def test_a_name_that_does_not_exist(self) -> None:
        with pytest.raises(InputError, match="no parameter 'Ixx7'"):
            base_parameters(arm("puma560").tree, keep=["Ixx7"])

    def test_the_same_every_time(self) -> None:
        one, two = (base_parameters(arm("panda").tree, drives=True) for _ in range(2))
        assert (one.names, one.groups) == (two.names, two.groups)


class TestExactness:
    def test_echelon_uses_identities_without_being_told(self) -> None:
        graph = Graph()
        c, s = graph.symbol("a").cos(), graph.symbol("a").sin()
        rows = [{0: c, 1: s}, {0: -s, 1: c}, {0: 1, 1: 1}]
        values = Values(geometry_point(arm("panda").tree))
        assert echelon(rows, [0, 1], values) == {0: {0: 1}, 1: {1: 1}}

    def test_axes_and_angles(self) -> None:
        tree = random_tree(7, 5)
        exact = exact_robot(tree)
        values = Values(geometry_point(exact.tree))
        for joint in exact.tree.joints:
            assert values.of(joint.motion.axis.dot(joint.motion.axis)) == 1
            for row in joint.placement.transform.R.matrix.rows:
                assert values.of(row.dot(row)) == 1

    def test_missing_values_are_told(self) -> None:
        found = base_parameters(arm("general_6r").tree)
        with pytest.raises(InputError, match="has no value"):
            _ = found.matrix


def valued(robot: taut.Robot) -> taut.Robot:
    """Return the robot with a value for every symbol."""
    missing = sorted(symbols(robot.tree) - set(robot.tree.values))
    draws = np.random.default_rng(5).uniform(0.2, 0.8, len(missing))
    return robot.with_values(dict(zip(missing, map(float, draws), strict=True)))


def _float_rank(robot: Tree, found: BaseParameters) -> int:
    Y = stacked_regressor(robot, found.columns)
    sizes = np.linalg.norm(Y, axis=0)
    seen = sizes > RANK * sizes.max()
    values = np.linalg.svd(Y[:, seen] / sizes[seen], compute_uv=False)
    return int(np.count_nonzero(values > RANK * values[0]))
