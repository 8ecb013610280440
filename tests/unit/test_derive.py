"""Derivation: what it returns is the robot's function, says how it came about, and refuses what it cannot do."""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np
import pytest

import taut
from sampled import sampled
from taut.derive import EFFORTS, MODES, derive
from taut.errors import InputError, TautError
from taut.graph.prove import equal
from taut.questions.table import QUESTIONS
from taut.robot import Placement, Tree

ROUNDING = 1e-12
"""Relative: a few thousand operations of double precision, with a margin for cancellation in one state."""


def method_names(function: str) -> list[str]:
    return [method.name for method in QUESTIONS[function].choices]


def states(robot: Tree, function: str, count: int = 5) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(5)
    given = {}
    for name in QUESTIONS[function].arguments:
        given[name] = rng.uniform(-2, 2, (count, {"q": robot.nq, "load": 10}.get(name, robot.nv)))
    if not robot.single_axis:
        given["q"][:, 3:7] /= np.linalg.norm(given["q"][:, 3:7], axis=1, keepdims=True)
    return given


def assert_same(found: np.ndarray, expected: np.ndarray) -> None:
    assert found.shape == expected.shape
    assert np.abs(found - expected).max() <= ROUNDING * np.abs(expected).max()


class TestAgainstNumbers:
    """The derived program and the plain numeric method are written apart: they meet only in the robot."""

    @pytest.mark.parametrize("function", sampled(list(QUESTIONS), 2))
    def test_every_function(self, function: str) -> None:
        robot = taut.load("puma560")
        given = states(robot.tree, function)
        f = robot.derive(function, effort="none")
        assert f.shape == QUESTIONS[function].shape(robot.tree)
        assert_same(f(*given.values()), robot._ask(function, **given))

    @pytest.mark.parametrize("name", ["stanford", "iiwa14", "ur5e", "panda"])
    def test_searched(self, name: str) -> None:
        robot = taut.load(name)
        given = states(robot.tree, "inverse_dynamics")
        f = robot.derive("inverse_dynamics", effort="normal", seconds=2)
        assert_same(f(*given.values()), robot.inverse_dynamics(*given.values()))

    @pytest.mark.parametrize("mode", MODES)
    def test_every_treatment_of_parameters(self, mode: str) -> None:
        robot = taut.load("puma560")
        given = states(robot.tree, "inverse_dynamics")
        f = robot.derive("inverse_dynamics", parameters=mode, effort="none")
        assert f.parameters == mode
        assert_same(f(*given.values()), robot.inverse_dynamics(*given.values()))

    def test_free_base(self) -> None:
        robot = taut.load("puma560", base="free")
        given = states(robot.tree, "inverse_dynamics")
        f = robot.derive("inverse_dynamics", effort="none")
        assert_same(f(*given.values()), robot.inverse_dynamics(*given.values()))

    def test_locked_joint(self) -> None:
        robot = taut.load("iiwa14", lock={"iiwa_joint_3": 0.4})
        given = states(robot.tree, "mass_matrix")
        assert_same(robot.derive("mass_matrix", effort="none")(*given.values()), robot.mass_matrix(*given.values()))

    def test_other_values_for_symbols(self) -> None:
        robot = taut.load("puma560")
        heavier = robot.with_values({"m2": 20.0})
        given = states(robot.tree, "gravity")
        f = robot.derive("gravity", parameters="pattern", effort="none")
        assert_same(f(*given.values(), parameters={"m2": 20.0}), heavier.gravity(*given.values()))


class TestMethods:
    @pytest.mark.parametrize("function", ["inverse_dynamics", "mass_matrix", "forward_dynamics"])
    def test_all_are_the_same_function(self, function: str) -> None:
        robot = taut.load("stanford_full")
        known = method_names(function)
        found = [derive(robot.tree, function, method, effort="none") for method in known]
        assert all(f.method.startswith(method) for f, method in zip(found, known, strict=True))
        first, *others = (f.graph() for f in found)
        assert all(equal(first, other) for other in others)

    def test_the_best_is_the_cheapest(self) -> None:
        robot = taut.load("puma560_full")
        best = derive(robot.tree, "inverse_dynamics", effort="none").operations.total
        assert best <= min(
            derive(robot.tree, "inverse_dynamics", method, effort="none", verify=False).operations.total
            for method in method_names("inverse_dynamics")
        )


class TestAccount:
    def test_steps_fall_and_end_at_the_count(self) -> None:
        f = taut.load("scara").derive("mass_matrix")
        totals = [step.operations.total for step in f.steps]
        assert totals == sorted(totals, reverse=True)
        assert totals[-1] == f.operations.total < totals[0]
        assert f.proof is not None
        assert all(step.name in f.explain() for step in f.steps)

    def test_the_same_program_every_time(self) -> None:
        robot = taut.load("puma560_burdick")
        one, two = (robot.derive("gravity", effort="normal", seed=3).program for _ in range(2))
        assert one == two

    def test_no_search_names_the_method_it_was_compared_with(self) -> None:
        found = taut.load("scara").derive("mass_matrix", effort="none").proof
        assert found is not None
        assert found.reference.startswith("composite_bodies")

    def test_without_a_proof_it_says_so(self) -> None:
        f = taut.load("scara").derive("gravity", effort="none", verify=False)
        assert f.proof is None
        assert f.as_json()["verified"] is False

    def test_a_budget_is_kept_and_told(self) -> None:
        f = taut.load("puma560_full").derive("inverse_dynamics", effort="max", seconds=0.5)
        assert f.reproducible is False
        assert f.proof is not None

    def test_progress_is_told(self) -> None:
        seen: list[tuple[str, int]] = []
        f = taut.load("stanford_rrp").derive(
            "inverse_dynamics", progress=lambda name, cost: seen.append((name, cost)), fresh=True
        )
        assert seen
        assert min(cost for _, cost in seen) == f.operations.total

    def test_a_wrong_program_does_not_get_through(self, monkeypatch: pytest.MonkeyPatch) -> None:
        robot = taut.load("double_pendulum")
        module = sys.modules["taut.derive.starts.traces"]
        right = module.lower
        monkeypatch.setattr(module, "lower", lambda outputs: right([2 * outputs[0], *outputs[1:]]))
        with pytest.raises(TautError, match="wrong"):
            robot.derive("gravity", effort="none")

    def test_almost_right_angles_are_taken_for_right_and_told(self) -> None:
        robot = taut.load("puma560_full")
        joints = list(robot.tree.joints)
        placement = Placement(joints[1].placement.p, ((0, float(np.pi / 2) + 1e-9),))
        joints[1] = replace(joints[1], placement=placement)
        near = taut.Robot(replace(robot.tree, joints=tuple(joints)))
        snapped = near.derive("mass_matrix", effort="none")
        kept = near.derive("mass_matrix", effort="none", snap=0)
        assert any("1 angle taken for a right angle" in note for note in snapped.notes)
        assert kept.notes == ()
        assert snapped.operations.total < kept.operations.total


class TestCall:
    def test_missing_parameters_are_named(self) -> None:
        f = taut.load("scara").derive("gravity", effort="none")
        with pytest.raises(InputError, match=r"parameters without values: .*m3"):
            f(np.zeros(4))

    def test_number_of_arguments(self) -> None:
        f = taut.load("puma560").derive("bias", effort="none")
        with pytest.raises(InputError, match="give q, qd"):
            f(np.zeros(6))

    def test_shape_of_an_argument(self) -> None:
        f = taut.load("puma560").derive("gravity", effort="none")
        with pytest.raises(InputError, match=r"expected \(\.\.\., 6\)"):
            f(np.zeros(5))

    def test_leading_axes(self) -> None:
        f = taut.load("puma560").derive("mass_matrix", effort="none")
        assert f(np.zeros((3, 2, 6))).shape == (3, 2, 6, 6)
        assert f(np.zeros(6)).shape == (6, 6)


class TestWrongInput:
    @pytest.mark.parametrize(
        ("options", "words"),
        [
            ({"function": "dance"}, "no function 'dance'"),
            ({"function": "mas_matrix"}, "did you mean 'mass_matrix'"),
            ({"method": "magic"}, "no method 'magic' for gravity"),
            ({"method": "composite_bodies"}, "no method 'composite_bodies' for gravity"),
            ({"parameters": "few"}, "choose one of symbolic"),
            ({"parameters": "numeric"}, "symbols without values"),
            ({"effort": "heroic"}, f"choose one of {', '.join(EFFORTS)}"),
            ({"seconds": 0}, "the budget is 0 seconds"),
            ({"seconds": -1.0}, "the budget is -1.0 seconds"),
            ({"seconds": float("nan")}, "the budget is nan seconds"),
            ({"function": "jacobian", "frame": "nowhere"}, "no frame 'nowhere'"),
            ({"function": "operational_inertia"}, "cannot move in direction"),
        ],
    )
    def test_one_sentence(self, options: dict, words: str) -> None:
        given = {"function": "gravity", "effort": "none"} | options
        with pytest.raises(InputError) as refused:
            derive(taut.load("scara").tree, **given)
        assert words in str(refused.value)
