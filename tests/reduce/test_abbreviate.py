"""Abbreviation: what the rules keep, and that the error told is the error made."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import taut
from papers.formulas import Values, trigonometry
from taut.api.equations import Equations
from taut.errors import InputError
from taut.explicit.model import ExplicitModel
from taut.explicit.torque_program import explicit_program
from taut.graph.evaluate import evaluate
from taut.graph.prove import disproof
from taut.reduce.abbreviate import Abbreviated, ModelInScenario
from taut.reduce.curve import curve
from taut.reduce.error import definiteness
from taut.reduce.operations import as_printed
from taut.reduce.scenario import Load, Scenario, scenario_of
from taut.reduce.significance import amplitude, units

PRINTED = {
    "M12": "6.90e-1*S2 - 1.34e-1*C23 + 2.38e-2*C2",
    "M22": "6.79 + 7.44e-1*S3",
    "M23": ".333 + 3.72e-1*S3 - 1.10e-2*C3",
    "M33": "1.16",
    "M34": "-1.25e-3*S4*S5",
    "M35": "1.25e-3*C4*C5",
    "M44": "0.20",
    "M55": "0.18",
    "M66": "0.19",
    "b123": "2.67e-1*S23 - 7.58e-3*C23",
    "b223": "2.20e-2*S3 + 7.44e-1*C3",
    "b224": "-2.48e-3*C3*S4*S5",
    "b225": "-2.50e-3*S5 + 2.48e-3*(C3*C4*C5 - S3*S5)",
    "b345": "-2.50e-3*S4*C5",
    "c12": "6.90e-1*C2 + 1.34e-1*S23 - 2.38e-2*S2",
    "c34": "-1.25e-3*C4*S5",
    "c35": "-1.25e-3*C4*S5",
    "g2": "-37.2*C2 - 8.4*S23 + 1.02*S2",
    "g3": "-8.4*S23 + 0.25*C23",
    "g4": "2.8e-2*S23*S4*S5",
    "g5": "-2.8e-2*(C23*S5 + S23*C4*C5)",
}
"""Abbreviated expressions of Armstrong, Khatib and Burdick (1986), Tables A4 to A7, where they follow their rule."""

ZERO = "M14 M15 M16 M24 M25 M26 M36 M45 M46 M56 b124 b125 b126 b134 b145 b146 b156 b245 b246 b256 b456 c14 c15 c24 c25"
"""Elements they print as about zero, or zero."""

ARM = """
name = "arm"
[[joint]]
name = "shoulder"
turns = [["x", "90 deg"]]
limits = { lower = -2, upper = 2, velocity = 3, effort = 40 }
link = { mass = 2, com = [0.4, 0.002, 0], inertia = [0.01, 0, 0.1, 0, 0, 0.1], about = "com" }
[[joint]]
name = "elbow"
xyz = [0.5, 0, 0]
limits = { lower = -2, upper = 2, velocity = 3, effort = 20 }
link = { mass = 1, com = [0.3, 0, 0], inertia = [0.01, 0, 0.05, 0, 0, 0.05], about = "com" }
"""


@pytest.fixture(scope="module")
def puma() -> Equations:
    return taut.load("puma560").explicit(verify=False)


@pytest.fixture(scope="module")
def short(puma: Equations) -> Abbreviated:
    return puma.abbreviate(0.01, "armstrong")


@pytest.fixture
def arm(tmp_path: Path) -> taut.api.Robot:
    file = tmp_path / "arm.toml"
    file.write_text(ARM)
    return taut.load(file)


def torques(model: ExplicitModel, states: tuple[np.ndarray, ...], **values: np.ndarray) -> np.ndarray:
    symbols = {**model.values, **values}
    for name, state in zip(("q", "qd", "qdd"), states, strict=True):
        symbols |= {f"{name}{k + 1}": x for k, x in enumerate(state.T)}
    found = explicit_program(model, torque=True).evaluate(symbols)[-model.n :]
    return np.array([np.broadcast_to(x, len(states[0])) for x in found]).T


class TestArmstrong:
    def test_keeps_what_he_printed(self, short: Abbreviated) -> None:
        rng = np.random.default_rng(5)
        for q in rng.uniform(-3, 3, (20, 6)):
            symbols = {**short.model.values, **{f"q{k + 1}": x for k, x in enumerate(q)}}
            ours = dict(zip(short.model.elements, evaluate(short.model.outputs(), symbols), strict=True))
            known = Values(trigonometry(list(q), "S", "C"), PRINTED)
            for name in PRINTED:
                size = max(
                    abs(float(t.factor)) * abs(short.full.constants[t.constant].value) for t in self.terms(short, name)
                )
                assert ours[name] == pytest.approx(known[name], abs=0.03 * size), name  # he printed two or three digits

    def terms(self, short: Abbreviated, name: str) -> tuple:
        return short.full.elements[name].terms

    def test_drops_what_he_dropped(self, short: Abbreviated) -> None:
        assert [name for name in ZERO.split() if not short.model.elements[name].is_zero] == []

    def test_costs_no_more_than_his(self, short: Abbreviated) -> None:
        """305 operations with torque; 25 for M, products such as CC2 given: Tables 1 and 3."""
        assert short.after["torque"].total <= 305
        mass = [element for element in short.model.elements.values() if element.kind == "M"]
        assert as_printed(mass, short.model).total <= 25
        assert short.after["M"].total <= 25
        assert short.before["torque"].total <= 1165

    def test_a_shared_element_keeps_what_matters_to_any_joint(self, short: Abbreviated) -> None:
        for judged in short.terms:
            kept = {
                any(t.monomial == judged.term.monomial for t in short.model.elements[e].terms) for e in judged.elements
            }
            assert kept == {judged.kept}
        assert short.model.elements["b413"].relation is not None

    def test_shares_decide(self, short: Abbreviated) -> None:
        assert all(term.share >= 0.01 for term in short.kept)
        assert all(term.share < 0.01 for term in short.dropped)


class TestError:
    def test_is_the_difference_to_newton_and_euler(self, short: Abbreviated) -> None:
        states = short.scenario.sample(2000, seed=9)
        exact = taut.load("puma560").inverse_dynamics(*states)
        difference = np.abs(torques(short.model, states) - exact).max(axis=0)
        for error, worst in zip(short.errors, difference, strict=True):
            assert worst <= error.bound * (1 + 1e-9)
            assert worst == pytest.approx(error.worst, rel=0.5)
            assert 0 < error.rms < error.worst <= error.bound

    def test_the_full_model_has_none(self, puma: Equations) -> None:
        whole = puma.abbreviate(0.0)
        assert whole.dropped == ()
        assert {error.bound for error in whole.errors} == {0.0}
        states = whole.scenario.sample(50)
        assert np.allclose(torques(whole.model, states), taut.load("puma560").inverse_dynamics(*states), atol=1e-9)

    def test_mass_matrix_stays_positive_definite(self, short: Abbreviated) -> None:
        assert short.definiteness.proved
        assert short.warnings == ()

    def test_a_joint_that_is_far_off_is_told(self, short: Abbreviated) -> None:
        far = replace(short.errors[3], worst=0.2 * short.errors[3].largest)
        assert "joint4: the torque is off by up to 20 %" in replace(short, errors=(far,)).warnings[0]

    def test_a_mass_matrix_that_is_none_is_told(self, puma: Equations) -> None:
        ranged = ModelInScenario.of(puma)
        spoilt = puma.with_terms({"M55": ()})
        found = definiteness(puma, spoilt, ranged.samples, ranged.boxes)
        assert not found.holds
        assert found.least < 0 < found.full
        told = replace(puma.abbreviate(0.01), definiteness=found).warnings
        assert "not positive definite" in told[0]


class TestTorqueRule:
    @pytest.mark.parametrize("threshold", [0.003, 0.03])
    def test_the_error_is_guaranteed(self, puma: Equations, threshold: float) -> None:
        found = puma.abbreviate(threshold, rule="torque")
        assert all(error.bound <= threshold * error.largest * (1 + 1e-9) for error in found.errors)
        assert found.dropped
        states = found.scenario.sample(1000, seed=4)
        wrong = np.abs(torques(found.model, states) - taut.load("puma560").inverse_dynamics(*states)).max(axis=0)
        assert all(x <= threshold * error.largest for x, error in zip(wrong, found.errors, strict=True))

    def test_fewer_operations_than_armstrong_at_the_same_error(self, puma: Equations, short: Abbreviated) -> None:
        found = puma.abbreviate(0.01, rule="torque")
        assert found.operations < 0.6 * short.operations


class TestBudget:
    def test_operations_are_kept_and_error_falls_with_them(self, puma: Equations) -> None:
        found = curve(ModelInScenario.of(puma), 3)
        assert [p.operations for p in found] == sorted(p.operations for p in found)
        assert all(a.worst > b.worst for a, b in pairwise(found))
        assert puma.abbreviate(rule="budget", operations=150).operations <= 150

    def test_too_few_operations_are_refused(self, puma: Equations) -> None:
        with pytest.raises(InputError, match="allow 0 or more"):
            puma.abbreviate(rule="budget", operations=-1)


class TestLoad:
    def test_the_bound_holds_for_any_part_of_the_load(self, arm: taut.api.Robot) -> None:
        load = {"mass": 1.5, "com": [0.4, 0.1, 0], "inertia": [0.02, 0, 0.02, 0, 0, 0.03]}
        found = arm.explicit().abbreviate(0.05, {"load": load}, rule="torque")
        assert found.scenario.load == Load(1.5, (0.4, 0.1, 0.0), (0.02, 0.0, 0.02, 0.0, 0.0, 0.03))
        assert found.dropped
        states = found.scenario.sample(300, seed=3)
        for part in (0.0, 0.3, 1.0):
            carried = arm.with_load(1.5 * part, load["com"], [part * x for x in load["inertia"]])
            scaled = {n: v * part for n, v in found.model.values.items() if n == "load_mass" or n.startswith("load_I")}
            difference = np.abs(torques(found.model, states, **scaled) - carried.inverse_dynamics(*states)).max(axis=0)
            assert all(x <= e.bound * (1 + 1e-9) for x, e in zip(difference, found.errors, strict=True))


class TestProgram:
    def test_torque_is_that_of_the_expressions(self, puma: Equations) -> None:
        program = explicit_program(puma, torque=True)
        assert program.faults() == []
        assert disproof(program.trace(puma.graph), puma.outputs(torque=True), 2, seed=8) is None

    def test_a_search_keeps_the_numbers(self, arm: taut.api.Robot) -> None:
        found = arm.explicit().abbreviate(0.02)
        program = found.tightened(effort="normal")
        states = found.scenario.sample(20)
        values = {name: constant.value for name, constant in found.model.constants.items()}
        for name, state in zip(("q", "qd", "qdd"), states, strict=True):
            values |= {f"{name}{k + 1}": x for k, x in enumerate(state.T)}
        tau = np.array(program.evaluate(values)[-2:]).T
        assert np.allclose(tau, torques(found.model, states))


def test_amplitudes_of_products_of_one_angle(puma: Equations) -> None:
    scenario = scenario_of(puma.robot)
    assert amplitude(puma, (("S23", 1), ("C23", 1)), scenario) == pytest.approx(0.5)
    assert amplitude(puma, (("S5", 2), ("C5", 1)), scenario) == pytest.approx(2 / 3**1.5)
    assert amplitude(puma, (("C2", 2), ("S23", 1)), scenario) == 1
    assert amplitude(puma, (), scenario) == 1


def test_units_hold_every_term_once(puma: Equations) -> None:
    places = [(name, term) for unit in units(puma) for name, term in unit.places]
    assert len(places) == len(set(places)) == sum(len(e.terms) for e in puma.elements.values())


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"threshold": -0.1}, "threshold -0.1"),
        ({"threshold": float("nan")}, "threshold nan"),
        ({"threshold": 1.0}, "below 1"),
        ({"rule": "guess"}, "choose one of armstrong, torque, budget"),
        ({"rule": "budget"}, "give operations"),
        ({"operations": 100}, "give operations with the rule 'budget'"),
        ({"scenario": Scenario(("x",), ((0, 1),), ((0, 1),), ((0, 1),))}, "joints x"),
    ],
)
def test_what_makes_no_sense_is_refused(puma: Equations, options: dict, said: str) -> None:
    with pytest.raises(InputError, match=said):
        puma.abbreviate(**options)


def test_symbols_without_values_are_refused() -> None:
    model = taut.load("double_pendulum").explicit()
    with pytest.raises(InputError, match=r"has no value|without values"):
        model.abbreviate(0.01, {"all": {"q": [-1, 1], "qd": 1, "qdd": 1}})
