"""taut agrees with MuJoCo on every MJCF and URDF that MuJoCo loads, or says why it does not read the file."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from oracle.examine import with_mujoco
from oracle.robot_files import RobotFile, mjcf_files, moving_urdf_files
from oracle.table import PROPERTY, coverage, coverage_lines

FILES = mjcf_files() + moving_urdf_files()

LEAST_COVERED = 0.85
"""Part of the MJCF files that MuJoCo loads, and that have joints, which taut reads and agrees on."""


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_agrees_or_refuses_with_reason(file: RobotFile, record_property: Callable[[str, object], None]) -> None:
    verdict = with_mujoco(file)
    record_property(PROPERTY, verdict.told)
    assert verdict.result != "DISAGREES", verdict.reason
    assert verdict.result != "refused", f"MuJoCo loads it, taut says: {verdict.reason}"


def test_most_files_that_mujoco_loads_agree(capsys: pytest.CaptureFixture[str]) -> None:
    """Of the MJCF files with joints; the reasons of the rest are printed."""
    agreed, rest = coverage([with_mujoco(file) for file in mjcf_files()])
    with capsys.disabled():
        print("\n".join(["", *coverage_lines(agreed, rest)]))
    assert agreed >= 15
    assert agreed >= LEAST_COVERED * (agreed + rest.total())
