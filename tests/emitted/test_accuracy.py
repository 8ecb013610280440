"""Generated code is exact to 1e-12 in double and 1e-4 in float, against Pinocchio on the robot it states."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "accuracy.py"


@pytest.mark.slow
def test_against_pinocchio() -> None:
    done = subprocess.run([sys.executable, str(SCRIPT), "200"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("| UR5 |") == done.stdout.count("| Panda |") == 5
