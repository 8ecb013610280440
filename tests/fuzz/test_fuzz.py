"""Ten thousand mutated robot files: each is a robot that round-trips through TOML, or is refused in one sentence."""

from __future__ import annotations

import random

import pytest

from fuzz.mutate import corpus, mutated
from fuzz.run import outcome

PER_TEST = 1000


@pytest.mark.parametrize("part", range(10))
def test_mutated_files(part: int) -> None:
    seeds = corpus()
    results = [outcome(*mutated(random.Random(f"test {part} {i}"), seeds)) for i in range(PER_TEST)]
    assert 0.02 < results.count("robot") / PER_TEST < 0.9, "the mutations are too wild or too tame to test much"
