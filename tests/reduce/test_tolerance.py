"""Tolerances of lumped constants: first order against Monte Carlo and against closed forms."""

from __future__ import annotations

import numpy as np
import pytest

from papers import tolerance_page
from papers.formulas import load
from taut.errors import InputError
from taut.explicit.tolerance import monte_carlo, propagate
from taut.graph import Graph, Node
from taut.robot.parts import Value

PAPER = load("puma560_armstrong.json")


@pytest.fixture(scope="module")
def formulas() -> dict[str, Node]:
    return tolerance_page.formulas()


@pytest.fixture(scope="module")
def values() -> dict[str, Value]:
    return tolerance_page.values()


def test_first_order_is_within_five_percent_of_monte_carlo(formulas: dict[str, Node], values: dict[str, Value]) -> None:
    linear, drawn = propagate(formulas, values), monte_carlo(formulas, values)
    for name in formulas:
        assert linear.tolerances[name] == pytest.approx(drawn.tolerances[name], rel=0.05), name
    assert np.abs(linear.correlation - drawn.correlation).max() < 0.03


def test_constants_that_share_parameters_are_correlated(formulas: dict[str, Node], values: dict[str, Value]) -> None:
    found = propagate(formulas, values)
    at = {name: k for k, name in enumerate(found.names)}
    # I10 and I12 are both a length times the wrist's mass; drives share nothing with anything.
    assert found.correlation[at["I10"], at["I12"]] == pytest.approx(1, abs=0.01)
    assert found.correlation[at["I15"], at["I16"]] == pytest.approx(1)
    assert found.correlation[at["Im1"], at["I1"]] == 0


def test_an_error_known_in_closed_form() -> None:
    graph = Graph()
    m, r = graph.symbol("m"), graph.symbol("r")
    found = propagate({"I": m * r * r}, {"m": Value(2.0, 0.1), "r": Value(3.0, 0.2)})
    assert found.tolerances["I"] == pytest.approx(np.hypot(9 * 0.1, 2 * 2 * 3 * 0.2))
    assert found.contributions["I"] == pytest.approx({"r": 2.4, "m": 0.9})
    assert list(found.contributions["I"]) == ["r", "m"]


def test_what_cancels_has_no_tolerance() -> None:
    graph = Graph()
    a, b = graph.symbol("a"), graph.symbol("b")
    found = propagate({"same": (a + b) - a, "none": b}, {"a": Value(1.0, 0.5), "b": Value(2.0)})
    assert found.tolerances == {"same": None, "none": None}
    assert found.exact["none"] == ("b",)


def test_parameters_without_tolerance_are_named(formulas: dict[str, Node], values: dict[str, Value]) -> None:
    found = propagate(formulas, values)
    assert set(found.exact["I5"]) == {"a2", "d4"}
    assert "Izz1" in found.exact["I1"]
    assert found.exact["I23"] == ()


def test_a_parameter_without_a_value_is_refused() -> None:
    with pytest.raises(InputError, match="parameter 'x' has no value"):
        propagate({"K": Graph().symbol("x")}, {})


def test_the_library_has_the_tolerances_of_the_tables(values: dict[str, Value]) -> None:
    """Tables 4 to 6: masses 0.01 kg + 1 % (added), centres 3 mm, wrist 25 % and 50 %, link 3 as with the wrist."""
    expected = {f"m{k}": 0.01 + 0.01 * values[f"m{k}"].value for k in (2, 3)}
    expected |= {f"m{k}": 0.25 * values[f"m{k}"].value for k in (4, 5, 6)}
    expected |= dict.fromkeys(("rx2", "ry2", "rz2", "ry3", "rz3"), 0.003)
    expected |= {name: 0.25 * abs(values[name].value) for name in ("rz4", "rz6")}
    expected |= {"Ixx2": 0.03 * 0.130, "Iyy2": 0.05 * 0.524, "Izz2": 0.03 * 0.539}
    expected |= {"Ixx3": 0.04 * 0.192, "Iyy3": 0.05 * 0.0154, "Izz3": 0.04 * 0.212}
    wrist = [n for n in values if n[0] == "I" and n[-1] in "456" and n[1] != "m"]
    expected |= {name: 0.5 * values[name].value for name in wrist}
    expected |= {f"Im{k}": PAPER["constants"][f"Im{k}"]["tolerance"] for k in range(1, 7)}
    assert {name: v.tolerance for name, v in values.items() if v.tolerance} == pytest.approx(expected)


def test_gravity_constant_of_link_three_is_known_as_it_was_measured(
    formulas: dict[str, Node], values: dict[str, Value]
) -> None:
    """Table A3 has 0.20 for g2: the first moment of link 3 and wrist, which were measured together."""
    assert tolerance_page.assembled(formulas, values).tolerances["G2"] == pytest.approx(0.20, rel=0.05)
    assert propagate(formulas, values).tolerances["G2"] == pytest.approx(0.93, rel=0.05)


def test_the_page_is_what_its_generator_writes() -> None:
    assert tolerance_page.PAGE.read_text("utf-8") == tolerance_page.page()
