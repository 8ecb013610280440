"""A user's script over the public names is fully typed: mypy --strict has nothing to say about it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import numpy as np
import taut

robot: taut.Robot = taut.load("puma560", lock={"joint6": 0.0}).with_load(1.0, np.array([0.0, 0.0, 0.1]))
n: int = robot.dof
names: tuple[str, ...] = robot.joint_names
q = robot.random_position(3, seed=1)
tau: np.ndarray = robot.inverse_dynamics(q, np.zeros(n), np.zeros(n))
function: taut.Function = robot.derive("gravity", effort="quick")
total: int = function.operations.total
fast = function.compile()
print(fast(q), robot.explicit().M[0, 0], robot.limits.lower, robot.simulate(t=0.1).q, {robot: total})
made = robot.generate("out", ["gravity"], language="python", effort="quick")
try:
    taut.load("nothing")
except taut.InputError as error:
    print(error, made.files, names, tau)
"""

HIDDEN = "\nrobot.joints\n"
"""Data of the tree is no public name of the robot."""


@pytest.mark.slow
@pytest.mark.parametrize("text, found", [(SCRIPT, "Success"), (SCRIPT + HIDDEN, 'no attribute "joints"')])
def test_a_script_passes_strict_type_checks(text: str, found: str, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", "", "--follow-imports=silent", str(script)]
    run = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert found in run.stdout, run.stdout
