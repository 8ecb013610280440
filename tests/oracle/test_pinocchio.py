"""taut agrees with Pinocchio on every URDF with degrees of freedom that the test packages bring."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from oracle.examine import with_pinocchio
from oracle.pinocchio_oracle import load
from oracle.robot_files import RobotFile, urdf_files
from oracle.table import PROPERTY
from taut.api import load as load_robot
from taut.errors import InputError

FILES = urdf_files()
MOVING = [file for file in FILES if file.may_move]


def named(file: RobotFile) -> str:
    return file.name


def test_the_packages_bring_robots() -> None:
    packages = {file.name.partition("/")[0] for file in MOVING}
    assert packages == {"example-robot-data", "rtb-data", "pybullet", "taut"}
    assert len(MOVING) > 100


@pytest.mark.parametrize("file", MOVING, ids=named)
@pytest.mark.parametrize("free", [False, True], ids=["fixed", "free"])
def test_agrees_or_refuses_with_reason(
    file: RobotFile, free: bool, record_property: Callable[[str, object], None]
) -> None:
    verdict = with_pinocchio(file, free=free)
    record_property(PROPERTY, verdict.told)
    assert verdict.result != "DISAGREES", verdict.reason
    assert verdict.result != "refused", f"Pinocchio loads it, taut says: {verdict.reason}"
    if verdict.result == "refused by both":
        assert file.path.name in verdict.reason and ";" in verdict.reason, "no place or no advice in the error"


def test_files_without_moving_joints_are_told_apart() -> None:
    for file in FILES:
        if not file.may_move:
            with pytest.raises(InputError):
                load_robot(file.path)


@pytest.mark.parametrize("file", [file for file in FILES if not file.may_move][::50], ids=named)
def test_pinocchio_sees_no_moving_joints_either(file: RobotFile) -> None:
    try:
        model = load(file.text.decode())
    except ValueError:
        return
    assert model.nv == 0
