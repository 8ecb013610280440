"""What every test shares: Hypothesis draws the same examples in every run; a run ends with the oracles' verdicts."""

import gc
import os
import signal
from collections.abc import Iterator

import pytest
from hypothesis import settings

from oracle.table import pytest_terminal_summary as pytest_terminal_summary

os.environ["TAUT_PROGRAMS"] = os.devnull  # what earlier runs have found must not change what a test derives
settings.register_profile("same", derandomize=True, deadline=None, print_blob=True)
settings.load_profile("same")


def pytest_collection_finish() -> None:
    """Let the garbage collector pass over modules and tests, which stay, and come less often: graphs are large."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


@pytest.fixture
def heeds_ctrl_c() -> Iterator[None]:
    """Let the test and its children be interrupted: a shell that runs tests in the background has them ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
