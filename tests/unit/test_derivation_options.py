"""Defaults of the options of a derivation."""

from __future__ import annotations

from argparse import ArgumentParser

import pytest

from taut.commands.derivation import LONGEST, derivation_options, settings_of


@pytest.mark.parametrize(
    ("options", "budget"),
    [("", None), ("--effort max", LONGEST), ("--effort max --budget 1h", 3600), ("--budget 2min", 120)],
)
def test_the_highest_effort_ends_within_five_minutes_unless_told(options: str, budget: float | None) -> None:
    parser = ArgumentParser()
    derivation_options(parser)
    assert settings_of(parser.parse_args(options.split())).budget == budget
    assert LONGEST < 300
