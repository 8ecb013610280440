"""What every test shares: Hypothesis draws the same examples in every run; a run ends with the oracles' verdicts."""

from hypothesis import settings

from oracle.table import pytest_terminal_summary as pytest_terminal_summary

settings.register_profile("same", derandomize=True, deadline=None, print_blob=True)
settings.load_profile("same")
