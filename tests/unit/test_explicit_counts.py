"""The explicit equations: what they cost, what they share, and how functions are put together from tightened parts."""

from __future__ import annotations

import numpy as np
import pytest

import taut
from sampled import sampled
from taut.algorithms.coefficients import Coefficients, explicit_terms
from taut.analysis.opcount import count
from taut.derive import derive
from taut.derive.naming.model import DerivedRobot, derived_robot
from taut.derive.naming.parameters import SNAP
from taut.derive.starts.compose import composed
from taut.derive.starts.traces import starts, textbook
from taut.graph.lower import lower
from taut.graph.program import Program
from taut.graph.prove import disproof
from taut.questions.table import QUESTIONS
from taut.robot.parallel import parallel_before


def model_of(name: str, mode: str) -> DerivedRobot:
    return derived_robot(taut.load(name).tree, mode, SNAP)


@pytest.mark.parametrize(
    ("name", "mode", "published"),
    [
        pytest.param("puma560_burdick", "pattern", 422, marks=pytest.mark.slow),
        ("stanford_rrp", "pattern", None),
        ("scara", "pattern", None),
    ],
)
def test_a_searched_explicit_form_is_proved_and_below_what_is_published(
    name: str, mode: str, published: int | None
) -> None:
    f = derive(taut.load(name).tree, "explicit", parameters=mode, effort="normal", fresh=True)
    assert f.proof is not None
    assert published is None or f.operations.total < published  # EMDEG's PUMA 560: 291 + 131
    assert f.shape == (len(explicit_terms(taut.load(name).nv)),)


def test_equal_and_negated_coefficients_are_one_line() -> None:
    """Symmetries cost nothing: b_kji and -b_ijk are one line, and what vanishes is no line at all."""
    robot = taut.load("puma560_burdick")
    program = derive(robot.tree, "explicit", effort="none").program
    lines = {term.name: output for term, output in zip(explicit_terms(6), program.outputs, strict=True)}
    assert lines["b413"].line == lines["b314"].line != 0  # G_4,13 = -G_3,14
    assert lines["b413"].sign == -lines["b314"].sign
    zeros = {name for name, output in lines.items() if program.lines[output.line].op == "constant"}
    assert {"c11", "c22", "c33", "b112"} & zeros == {"c11", "c22", "c33"}
    assert program.lines[lines["c66"].line].data == 0


def test_rotor_inertias_are_on_the_diagonal_of_the_mass_matrix_alone() -> None:
    """A heavier rotor changes M_ii by itself and nothing else."""
    from dataclasses import replace

    robot = taut.load("stanford_rrp")
    joints = tuple(replace(j, drive=replace(j.drive, rotor_inertia=2.0)) for j in robot.tree.joints)
    heavier = taut.Robot(replace(robot.tree, joints=joints))
    rng = np.random.default_rng(3)
    q = rng.uniform(-1, 1, robot.nq)
    symbols = {name: rng.uniform(0.5, 1) for name in robot.derive("explicit", effort="none").parameter_names}
    before = robot.derive("explicit", effort="none")(q, parameters=symbols)
    after = heavier.derive("explicit", effort="none")(q, parameters=symbols)
    terms = explicit_terms(robot.nv)
    expected = [2.0 * (t.kind == "M" and t.indices[0] == t.indices[1]) for t in terms]
    assert np.allclose(after - before, expected, atol=1e-12)


@pytest.mark.parametrize("function", ["explicit", "explicit_torque", "inverse_dynamics", "forward_dynamics", "bias"])
@pytest.mark.parametrize("name", sampled(["stanford_rrp", "scara"], 2))
def test_every_start_is_the_same_function(name: str, function: str) -> None:
    model = model_of(name, "pattern")
    found = starts(model, function, many=True)
    assert {start.method for start in starts(model, function)[:1]} <= {start.method for start in found}
    assert [start.cost for start in found] == sorted(start.cost for start in found)
    assert len({start.method for start in found}) == len(found)
    reference = textbook(model, function).outputs
    for start in found:
        assert disproof(start.outputs, reference, 1, seed=5, spheres=model.spheres) is None, start.method


@pytest.mark.parametrize("function", [name for name, asked in QUESTIONS.items() if asked.composition])
@pytest.mark.parametrize("name", sampled(["scara", "puma560_burdick"], 2))
def test_functions_put_together_from_parts(name: str, function: str) -> None:
    model = model_of(name, "pattern")

    def tightened(part: str) -> Program:
        return lower(starts(model, part)[0].outputs)

    found = composed(model, function, tightened)
    reference = textbook(model, function).outputs
    assert len(found) == 2  # both arms have parallel joints
    for start in found:
        assert disproof(start.outputs, reference, 1, seed=5) is None, start.method
        assert count(start.outputs).total <= 1.2 * starts(model, function)[0].cost


def test_what_has_no_parts_is_not_composed() -> None:
    model = model_of("scara", "pattern")
    assert composed(model, "gravity", lambda part: pytest.fail(part)) == []


def test_runs_of_parallel_joints() -> None:
    """A prismatic joint between two revolute ones does not part a run; an antiparallel one has another sign."""
    scara = model_of("scara", "pattern").regrouped
    assert scara is not None
    assert parallel_before(scara) == {1: (0, 1), 3: (1, -1)}


def test_coefficients_from_a_list() -> None:
    rng = np.random.default_rng(0)
    flat = list(rng.normal(size=len(explicit_terms(3))))
    assert np.allclose(Coefficients.listed(flat, 3).flat, flat)


def test_general_arm_on_carried_axes() -> None:
    """Without right angles, axes carried outward are markedly cheaper than tensors carried inward."""
    found = starts(model_of("general_6r", "symbolic"), "explicit")
    assert "axes carried outward" in found[0].method
    assert found[0].cost < 1638
