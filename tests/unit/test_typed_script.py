"""A user's script over the public names is fully typed: mypy --strict has nothing to say about it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import taut

SCRIPT = Path(__file__).parents[1] / "data" / "user" / "script.py"

HIDDEN = "\nrobot.joints\n"
"""Data of the tree is no public name of the robot: the one error that is found."""


@pytest.mark.slow
def test_a_script_passes_strict_type_checks(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.read_text("utf-8") + HIDDEN, encoding="utf-8")
    options = ["--strict", "--config-file=", "--follow-imports=silent", f"--cache-dir={tmp_path}", str(script)]
    source = {"MYPYPATH": str(Path(taut.__file__).parents[1])}
    command = [sys.executable, "-m", "mypy", *options]
    run = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False, env=os.environ | source)
    assert 'no attribute "joints"' in run.stdout, run.stdout
    assert "Found 1 error" in run.stdout, run.stdout
