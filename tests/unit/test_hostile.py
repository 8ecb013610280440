"""Hostile files: one sentence, or a robot, within seconds and a bounded memory."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from unit.hostile_files import CASES

SCRIPT = Path(__file__).parent / "hostile_files.py"
SECONDS, MEGABYTES = 10.0, 1000.0
HARMLESS = {
    "6000 defaults in 6000 classes",
    "5000 default attributes of 5000 geoms",
    "chained mimics",
}
"""Cases that are large and legal."""

SLOW = {
    *("chained mimics", "empty joints of MJCF", "empty joints of URDF", "deep frames", "a row of SYMORO"),
    *("a row of URDF", "nested classes"),
    *("a row of MJCF", "a row of TOML", "a row of a specification", "5000 default attributes of 5000 geoms"),
    *("values of TOML", "empty frames of TOML", "empty joints of TOML", "a shorter row of TOML"),
    *("chained mimics that grow", "mimics in a ring", "many sites", "deep bodies", "many welds"),
}
"""Cases that take seconds."""


@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.slow if n in SLOW else ()) for n in CASES])
def test_hostile_file(name: str) -> None:
    """Each case runs in a process of its own, so that its memory is its own."""
    run = subprocess.run([sys.executable, SCRIPT, name], capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr[-300:]
    seconds, megabytes, sentence = run.stdout.split("\n", 2)
    assert float(seconds) < SECONDS
    assert float(megabytes) < MEGABYTES
    assert (sentence.strip() == "") == (name in HARMLESS)
    assert "\n" not in sentence.strip() and len(sentence) < 2100
