"""Interval arithmetic: nothing inside an interval escapes it."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taut.reduce.interval import Interval, boxes
from taut.spatial.array import cos, sin

ENDS = st.tuples(*(st.floats(-20, 20, allow_subnormal=False),) * 2).map(sorted)
PLACES = st.floats(0, 1)


def inside(interval: Interval, value: float) -> bool:
    return bool(interval.low <= value <= interval.high)


def place(ends: list[float], share: float) -> float:
    return min(ends[1], max(ends[0], ends[0] + share * (ends[1] - ends[0])))


@given(ENDS, ENDS, PLACES, PLACES)
@settings(max_examples=300, deadline=None)
def test_every_operation_holds_what_it_should(a: list[float], b: list[float], s: float, t: float) -> None:
    x, y = Interval(*a), Interval(*b)
    p, q = place(a, s), place(b, t)
    exact_p, exact_q = Fraction(p), Fraction(q)
    for found, value in [
        (x + y, exact_p + exact_q),
        (x - y, exact_p - exact_q),
        (3.0 - x, 3 - exact_p),
        (x * y, exact_p * exact_q),
        (x * 0.1, exact_p * Fraction(0.1)),
        (x**2, exact_p**2),
        (x**3, exact_p**3),
    ]:
        assert Fraction(float(found.low)) <= value <= Fraction(float(found.high))
    assert inside(x.sin(), math.sin(p))
    assert inside(x.cos(), math.cos(p))


@pytest.mark.parametrize("k", range(-4, 5))
def test_extremes_of_sine_and_cosine_are_exact(k: int) -> None:
    here = Interval(k * math.pi - 0.1, k * math.pi + 0.1).cos()
    assert (here.high if k % 2 == 0 else here.low) == (1 if k % 2 == 0 else -1)
    shifted = Interval(k * math.pi + 0.1, k * math.pi + 3.0).cos()  # between two extremes: neither is inside
    assert shifted.high < 1
    assert shifted.low > -1
    assert Interval(0.1, 2.0).sin().high == 1
    assert Interval(0.1, 1.5).sin().high < 1


def test_bounds_are_tight_where_a_symbol_occurs_once() -> None:
    found = Interval(0.2, 0.4).cos()
    assert found.low == pytest.approx(math.cos(0.4), abs=1e-14)
    assert found.high == pytest.approx(math.cos(0.2), abs=1e-14)


def test_boxes_cover_the_range_without_gaps() -> None:
    first, second = boxes([(-1, 1), (0, 3)], [True, True], 9)
    assert len(first.low) == 9
    assert first.low.min() == -1
    assert first.high.max() == 1
    area = (first.high - first.low) * (second.high - second.low)
    assert area.sum() == pytest.approx(6)


def test_an_expression_on_boxes_holds_it_on_samples() -> None:
    def expression(a: Any, b: Any) -> Any:
        return cos(a) * sin(a + b) ** 2 - b * 0.3 + sin(a) * cos(a)

    x, y = boxes([(-2, 2), (0, 1)], [True, True], 400)
    found = expression(x, y)
    rng = np.random.default_rng(3)
    for p, q in zip(rng.uniform(-2, 2, 300), rng.uniform(0, 1, 300), strict=True):
        box = np.flatnonzero((x.low <= p) & (p <= x.high) & (y.low <= q) & (q <= y.high))[0]
        assert found.low[box] <= expression(p, q) <= found.high[box]
    whole = expression(Interval(-2, 2), Interval(0, 1))
    assert found.high.max() <= whole.high  # cutting narrows
