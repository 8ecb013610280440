"""The page on Armstrong's PUMA 560: fresh, complete in its misprints, its copied numbers right."""

from __future__ import annotations

import numpy as np
import pytest

from papers import puma560_page
from papers.armstrong import CONSTANTS, ELEMENTS, TABLE
from papers.formulas import Values, trigonometry


@pytest.mark.slow
def test_the_page_is_what_its_generator_writes():
    assert puma560_page.PAGE.read_text("utf-8") == puma560_page.page(), "run 'make tables'"


def test_every_misprint_of_the_data_is_listed():
    wrong = {name for part in ("constants", "elements") for name, row in TABLE[part].items() if "misprint" in row}
    listed = {where for table, where, *_ in puma560_page.MISPRINTS if table in ("A2", "A4", "A5", "A6")}
    assert listed - {"a13, abbreviated"} == wrong


def test_two_inertias_exchanged_explain_the_printed_constants():
    assert puma560_page._with_exchanged_inertias() == pytest.approx((1.43, 1.38), rel=0.005)


def test_printed_abbreviations_are_near_the_printed_elements():
    """With the constants of Table A3: what is left out is a few percent of an element's size, and 0 is small."""
    printed = {name: row["printed"] for name, row in TABLE["constants"].items()}
    rng = np.random.default_rng(3)
    q = rng.uniform(-3, 3, (300, 6))
    assert set(puma560_page.SHORT) <= set(ELEMENTS)
    for name, formula in puma560_page.SHORT.items():
        full, short = [], []
        for at in q:
            known = {**printed, **trigonometry(list(at), "S", "C")}
            full.append(Values(known, {k: f for k, f in ELEMENTS.items() if k not in CONSTANTS}).value(ELEMENTS[name]))
            short.append(Values(known, {}).value(formula))
        off = np.abs(np.array(full) - np.array(short)).max()
        assert off <= (0.006 if formula == "0" else max(0.16 * np.abs(full).max(), 1e-3)), name
