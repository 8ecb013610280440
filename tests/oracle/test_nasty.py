"""Derived double code keeps its digits on nasty robots: within 1e-10 of 200 bits, or ten times Newton-Euler's error.

A few robots run with every test run, a hundred with ``make oracle``.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from oracle.builds import ALL
from oracle.nasty_code import verdict_on_nasty
from oracle.table import PROPERTY
from sampled import sampled


@pytest.mark.parametrize("seed", sampled([2, 17, 33, 58], 2))
def test_a_few_nasty_robots(seed: int, record_property: Callable[[str, object], None]) -> None:
    verdict = verdict_on_nasty(seed, ALL[:2])
    record_property(PROPERTY, verdict.told)
    assert verdict.result == "agreed", verdict.reason
