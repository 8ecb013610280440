"""Generated C agrees with Pinocchio or MuJoCo on the file's digits, up to the difference that taut states.

A seeded tenth of the files runs with every test run, all of them with ``make oracle``.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from oracle.builds import ONE
from oracle.generated import verdict_on_code
from oracle.robot_files import RobotFile, mjcf_files, moving_urdf_files
from oracle.table import PROPERTY

FILES = moving_urdf_files() + mjcf_files()
SMALL = [file for file in FILES if file.text.count(b"<joint") <= 20]
"""Files from which the tenth is drawn; a humanoid takes as long as all of them."""

TENTH = random.Random(13).sample(SMALL, len(FILES) // 10)


@pytest.mark.parametrize("file", TENTH, ids=lambda f: f.name)
def test_generated_code_agrees_with_the_oracle(file: RobotFile, record_property: Callable[[str, object], None]) -> None:
    verdict = verdict_on_code(file, ONE)
    record_property(PROPERTY, verdict.told)
    assert verdict.result != "DISAGREES", verdict.reason
    assert "differs from the file's digits" not in verdict.reason, verdict.reason
