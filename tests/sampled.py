"""Long tables of cases: a part runs with the fast tests, the rest with the slow ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest


def sampled(cases: Sequence[Any], every: int, name: Callable[[Any], str] = str) -> list[Any]:
    """Return the cases as parameters of a test; all but each ``every``-th are marked slow."""
    return [
        pytest.param(case, marks=pytest.mark.slow if k % every else (), id=name(case)) for k, case in enumerate(cases)
    ]
