"""Quantities with units: conversions, tolerances and what is refused."""

import math

import pytest

from taut import InputError
from taut.measuring.units import parse_quantity, parse_unit


@pytest.mark.parametrize(
    ("text", "unit", "value", "tolerance"),
    [
        ("17.4 kg +- 0.01 kg + 1 %", "kg", 17.4, 0.184),
        ("-143 mm ± 3 mm", "m", -0.143, 0.003),
        ("90 deg", "rad", math.pi / 2, None),
        ("2.5e3 g cm^2 +/- 2 %", "kg m^2", 2.5e-4, 5e-6),
        ("12 rpm", "rad/s", 12 * math.pi / 30, None),
        ("3 N m s/rad", "N m s/rad", 3.0, None),
        ("7", "", 7.0, None),
    ],
)
def test_quantities_are_read_in_si_units(text, unit, value, tolerance):
    found = parse_quantity(text, unit)
    assert found.value == pytest.approx(value, rel=1e-14)
    assert found.tolerance == (None if tolerance is None else pytest.approx(tolerance, rel=1e-12))


@pytest.mark.parametrize(
    ("text", "unit", "words"),
    [
        (17.4, "kg", "17.4 has no unit"),
        ("17.4", "kg", "has no unit"),
        ("17.4 s", "kg", "expected a unit like kg"),
        ("17.4 stone", "kg", "is not a unit"),
        ("heavy", "kg", "does not begin with a number"),
        ("1 kg +- -2 kg", "kg", "negative"),
        ("1 kg +- 1 g +- 2 g", "kg", "two tolerances"),
        ("1e999 kg", "kg", "too large"),
        ("1" * 500 + " kg", "kg", "longer"),
        (None, "kg", "no quantity"),
    ],
)
def test_what_is_no_quantity_is_refused_with_its_place(text, unit, words):
    with pytest.raises(InputError, match=words) as error:
        parse_quantity(text, unit, "sheet: mass")
    assert "sheet: mass" in str(error.value)


def test_a_slash_divides_by_the_next_name_alone():
    assert parse_unit("N m/rad") == parse_unit("N m")
    assert parse_unit("m/s^2") == (1, (0, 1, -2, 0))
