"""Every number that the five papers print has a verdict, recomputed here, and stands on a page."""

from __future__ import annotations

import re
from collections import Counter
from types import ModuleType

import pytest

from papers import angeles_page, burdick_page, izaguirre_page, puma560_page, robmat_page
from papers.audit import ASSUMPTION, EQUAL, KINDS, MISPRINT, PUBLISHED, QUOTED, Verdict, differs, equal

PAGES = {
    "burdick": burdick_page,
    "armstrong": puma560_page,
    "robmat": robmat_page,
    "izaguirre": izaguirre_page,
    "angeles": angeles_page,
}


@pytest.fixture(scope="module")
def verdicts() -> dict[int, Verdict]:
    found: dict[int, Verdict] = {}
    for paper, page in PAGES.items():
        own = page.numbers() if paper != "armstrong" else page.verdicts()
        assert all(PUBLISHED[number]["paper"] == paper for number in own)
        found |= own
    return found


def test_all_87_numbers_have_a_verdict(verdicts):
    assert len(PUBLISHED) == 87
    assert sorted(verdicts) == list(range(87))
    kinds = Counter(verdict.kind for verdict in verdicts.values())
    assert set(kinds) <= set(KINDS)
    assert kinds[EQUAL] > 40 and kinds[MISPRINT] >= 5


def test_what_differs_says_why(verdicts):
    for number, verdict in verdicts.items():
        if verdict.kind in (MISPRINT, ASSUMPTION, QUOTED):
            assert verdict.why, number
        if verdict.kind != QUOTED:
            assert verdict.ours and verdict.command, number


def test_a_wrong_number_is_not_called_equal():
    with pytest.raises(AssertionError, match="printed"):
        equal(2, {"mult": 401, "add": 255}, "")
    with pytest.raises(AssertionError, match="is what is printed"):
        differs(2, MISPRINT, {"mult": 401, "add": 254}, "", "")


@pytest.mark.parametrize("page", [burdick_page, izaguirre_page, robmat_page, angeles_page])
def test_a_page_is_what_its_command_writes(page: ModuleType):
    assert page.PAGE.read_text("utf-8") == page.page(), "run 'make tables'"


@pytest.mark.parametrize("paper", PAGES)
def test_every_number_stands_on_the_page_of_its_paper(paper: str):
    rows = re.findall(r"^\| (\d+) \| .*\| (\w[\w ]*) \|.*$", PAGES[paper].PAGE.read_text("utf-8"), re.M)
    listed = {int(number) for number, _ in rows}
    assert {k for k, row in enumerate(PUBLISHED) if row["paper"] == paper} <= listed


def test_burdicks_appendix():
    assert len(burdick_page.agreeing_as_printed()) == 84
    wrong = {name for name, verdict in burdick_page.judged().items() if verdict == MISPRINT}
    assert {"K115", "V12", "D135", "M11", "c511", "b512", "g2"} <= wrong
    assert {"K111", "V1", "M13", "c344", "b546", "g5"}.isdisjoint(wrong)


def test_izaguirres_program():
    off = izaguirre_page.errors_as_printed()
    assert set(off) == {"D11", "D12", "D13"}
    assert [share for _, share in off.values()] == pytest.approx([0.008, 0.028, 0.11], rel=0.1)
    assert {row for row, _ in izaguirre_page.impossible_rows()} == {"table1, ia1", "table1, ds4"}


def test_the_height_of_example_2_tells_the_exchanged_digits():
    low, high = angeles_page.heights()
    assert abs(high - 1.80) < 0.02 < 0.5 < abs(low - 1.80)
