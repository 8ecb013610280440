"""Numbers take no more operations than zeros and ties of a file, and these no more than free parameters."""

from __future__ import annotations

import pytest

import taut
from taut.derive import derive
from taut.derive.naming.model import FORMULAS


@pytest.mark.parametrize("function", ["inverse_dynamics", "mass_matrix"])
@pytest.mark.parametrize("name", ["puma560", "puma260", "stanford", "ur5e"])
def test_numeric_pattern_symbolic(name: str, function: str) -> None:
    tree = taut.load(name).tree
    numeric, pattern, symbolic = (
        derive(tree, function, parameters=mode, effort="none").operations.total
        for mode in ("numeric", "pattern", "symbolic")
    )
    assert numeric <= pattern <= symbolic


def test_numbers_take_a_program_of_free_parameters() -> None:
    """A program stored for free parameters serves a robot in numbers; it is proved, and right for the file's digits."""
    tree = taut.load("puma560").tree
    found = derive(tree, "mass_matrix", effort="none")
    assert found.stored and found.form == FORMULAS and not found.run_time
    assert found.operations.total <= 104
    assert found.proof is not None and found.difference is not None and found.difference.largest < 1e-12
