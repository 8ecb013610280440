"""What a link costs in each stage of Angeles, Ma, Rojas 1989, section 6, when the stages are traced.

The paper counts 50 m + 46 a a link in stage 2 and 55 m + 44 a in stage 3. Three of the additions of
stage 2 are a_i - rho_{i-1}, which is constant between revolute joints and is found off line here.
"""

from __future__ import annotations

import pytest

from taut.derive import derive
from taut.report.complexity import PRINTED_STAGES, formula, kane_stages
from taut.report.general_chain import general_chain


def test_a_link_costs_what_the_paper_says():
    six, seven = kane_stages(6), kane_stages(7)
    more = {stage: (seven[stage].mul - six[stage].mul, seven[stage].add - six[stage].add) for stage in six}
    assert six["1"].total == 0
    assert more["2"] == (50, 46 - 3)
    assert more["3"] == (55, 44)


@pytest.mark.parametrize("n", [2, 6, 8])
def test_the_whole_costs_no_more_than_the_paper_says(n):
    found = kane_stages(n)
    _, _, mul, add = PRINTED_STAGES["all"]
    assert found["all"].mul <= mul(n)  # (58)
    assert found["all"].add <= add(n)  # (59)
    assert sum(found[stage].total for stage in "123") == found["all"].total


def test_the_stages_add_up_to_the_derivation_as_traced():
    derived = derive(general_chain(4), "inverse_dynamics", "kane", "symbolic", "quick").steps[0].operations
    whole = kane_stages(4)["all"]
    assert (whole.mul, whole.add) == (derived.mul, derived.add)


def test_printed_formulas_are_what_their_text_says():
    joints = range(2, 9)
    for mul_text, add_text, mul, add in PRINTED_STAGES.values():
        assert formula(joints, [mul(n) for n in joints]) == mul_text
        assert formula(joints, [add(n) for n in joints]) == add_text


@pytest.mark.parametrize(
    ("counts", "text"),
    [
        ([0, 1, 2, 3, 4], "n"),
        ([9, 5, 5, 5, 5], "5"),
        ([7, 1, 3, 6, 10, 15], "(1/2)n^2 + (1/2)n"),
        ([0, -1, -8, -27, -64, -125], "-n^3"),
        ([1, 2, 4, 8, 16, 32, 64, 128], ""),
    ],
)
def test_polynomials(counts, text):
    assert formula(range(len(counts)), counts) == text
