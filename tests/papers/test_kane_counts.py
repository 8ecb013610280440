"""What a link costs in each stage of Angeles, Ma, Rojas 1989, section 6, when the stages are traced.

The paper counts 50 m + 46 a a link in stage 2 and 55 m + 44 a in stage 3. Three of the additions of
stage 2 are a_i - rho_{i-1}, which is constant between revolute joints and is found off line here.
"""

from __future__ import annotations

import re

import pytest

from taut.derive import derive
from taut.report.complexity import formula, page
from taut.report.general_chain import general_chain
from taut.report.kane_counts import PRINTED_STAGES, STEPS, kane_stages, kane_steps, listed
from taut.report.markdown import root_of_the_clone


def test_a_link_costs_what_the_paper_says():
    six, seven = kane_stages(6), kane_stages(7)
    more = {stage: (seven[stage].mul - six[stage].mul, seven[stage].add - six[stage].add) for stage in six}
    assert six["1"].total == 0
    assert more["2"] == (50, 46 - 3)
    assert more["3"] == (55, 44)


@pytest.mark.parametrize("n", [2, 6, 8])
def test_the_whole_costs_no_more_than_the_paper_says(n):
    found = kane_stages(n)
    printed = PRINTED_STAGES["all"]
    assert found["all"].mul <= printed.mul(n, 0)  # (58)
    assert found["all"].add <= printed.add(n, 0)  # (59)
    assert sum(found[stage].total for stage in "123") == found["all"].total


def test_the_stages_add_up_to_the_derivation_as_traced():
    derived = derive(general_chain(4), "inverse_dynamics", "kane", "symbolic", "none").steps[0].operations
    whole = kane_stages(4)["all"]
    assert (whole.mul, whole.add) == (derived.mul, derived.add)


def test_printed_formulas_are_what_their_text_says():
    for printed in PRINTED_STAGES.values():
        for text, count in ((printed.mul_text, printed.mul), (printed.add_text, printed.add)):
            for n, p in ((n, p) for n in range(2, 9) for p in (0, 1, 3)):
                value = eval(re.sub(r"(?<=\d)([np])", r"*\1", text), {"n": n, "p": p})
                assert value == count(n, p), text


def test_every_step_costs_what_the_list_says():
    """Three additions of p'' are constant between revolute joints and formed beforehand."""
    middle, slide = kane_steps(6, 4), kane_steps(6, 3, [3])
    for step in STEPS:
        if step.name in middle and step.when != "prismatic":
            less = 3 if step.name == "p''" else 0
            assert (middle[step.name].mul, middle[step.name].add) == (step.mul, step.add - less), step.name
    assert (slide["a"].mul, slide["a"].add) == (2, 0)
    assert slide["p''"].mul >= middle["p''"].mul + 2


def test_the_list_adds_up_to_what_the_page_says():
    for n, p in ((2, 0), (6, 1), (7, 3)):
        found = listed(n, p)
        assert (found["1"].mul, found["1"].add) == (2 * p, 0)
        assert (found["2"].mul, found["2"].add) == (50 * n + 2 * p - 37, 46 * n + 4 * p - 37)
        assert (found["3 at first"].mul, found["3 at first"].add) == (55 * n - 38, 44 * n - 36)
        assert (found["3"].mul, found["3"].add) == (55 * n - 62, 44 * n - 54)


def test_a_slide_costs_no_more_than_the_sum_of_the_printed_stages():
    found = kane_stages(6, [3])["all"]
    assert sum(PRINTED_STAGES[s].mul(6, 1) for s in "123") == 525 >= found.mul
    assert sum(PRINTED_STAGES[s].add(6, 1) for s in "123") == 437 >= found.add


@pytest.mark.slow
def test_the_page_is_what_its_command_writes():
    assert (root_of_the_clone() / "docs" / "methods.md").read_text("utf-8") == page(), "run 'make tables'"


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
