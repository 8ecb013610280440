"""The self-test of generated C knows the robot by two references that share nothing with the program."""

from __future__ import annotations

import re
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import taut
from taut.api import Robot
from taut.derive import derive
from taut.derive.checks.truth import file_states, plain
from taut.derive.references import exactly, samples
from taut.formats.urdf import read_urdf

ARM = """<robot name="arm"><link name="l0"/>
<link name="l1"><inertial><origin xyz="0.2 0.05 0.01"/><mass value="5"/>
  <inertia ixx="0.05" iyy="0.08" izz="0.06" ixy="0.001" ixz="0.002" iyz="0.003"/></inertial></link>
<link name="l2"><inertial><origin xyz="0.1 -0.04 0.03"/><mass value="2"/>
  <inertia ixx="0.03" iyy="0.02" izz="0.04" ixy="0.002" ixz="-0.001" iyz="0.001"/></inertial></link>
<joint name="j1" type="continuous"><parent link="l0"/><child link="l1"/><origin rpy="0.7 0 0"/>
  <axis xyz="0 0 1"/></joint>
<joint name="j2" type="continuous"><parent link="l1"/><child link="l2"/><origin xyz="0.4 0 0.1" rpy="1.5708 0 0"/>
  <axis xyz="0 0 1"/></joint></robot>"""


def arm() -> Robot:
    return Robot(read_urdf(ARM, "arm.urdf"))


def passed(folder: Path) -> tuple[bool, str]:
    """Build the self-test in a folder and run it."""
    sources = [str(file) for file in sorted(folder.glob("*.c"))]
    subprocess.run(["cc", "-O1", *sources, "-lm", "-o", str(folder / "selftest")], check=True)
    run = subprocess.run([folder / "selftest"], capture_output=True, text=True, check=False)
    return run.returncode == 0, run.stdout


def test_both_references_are_there_with_their_bounds(tmp_path: Path) -> None:
    functions = ["inverse_dynamics", "mass_matrix", "forward_dynamics", "jacobian"]
    arm().generate(tmp_path, functions, effort="none", batch=True)
    fine, told = passed(tmp_path)
    assert fine, told
    for name in functions:
        for form in ("", " (batch)"):
            errors = dict(re.findall(rf"^{name}{re.escape(form)}(, file's digits|) +error (\S+), allowed", told, re.M))
            assert float(errors[""]) < 1e-13
            assert 1e-8 < float(errors[", file's digits"]) < 1e-4


def test_a_wrong_number_in_the_code_or_in_either_reference_is_found(tmp_path: Path) -> None:
    arm().generate(tmp_path, ["inverse_dynamics"], effort="none")
    for name, array in (("arm.c", ""), ("selftest.c", "decided"), ("selftest.c", "written")):
        file = tmp_path / name
        text = file.read_text()
        start = text.index(f"{array}[18] = {{") if array else text.rindex("void arm_inverse_dynamics")
        place = re.compile(r"\d\.\d{6,}").search(text, start)
        assert place is not None
        wrong = f"{float(place.group()) * 1.05:.15f}"
        file.write_text(text[: place.start()] + wrong + text[place.end() :])
        fine, told = passed(tmp_path)
        assert not fine and "FAILED" in told
        file.write_text(text)
    assert passed(tmp_path)[0]


@pytest.mark.parametrize(
    ("robot", "options"),
    [
        ("double_pendulum", {"parameters": "symbolic"}),
        ("double_pendulum", {"parameters": "base"}),
        ("arm", {"keep": ["m2"], "load": "l2", "precision": "float"}),
        ("arm", {"snap": 0}),
    ],
    ids=["symbolic", "base", "kept and load, float", "every digit"],
)
def test_every_way_of_treating_parameters_passes(tmp_path: Path, robot: str, options: dict[str, object]) -> None:
    made = arm() if robot == "arm" else taut.load(robot)
    made.generate(tmp_path, ["inverse_dynamics", "mass_matrix"], effort="none", **options)
    fine, told = passed(tmp_path)
    assert fine, told
    text = (tmp_path / "selftest.c").read_text()
    assert text.count("By the textbook algorithm in extended precision") == (4 if "keep" in options else 2)


def test_references_have_more_digits_than_the_plain_algorithm() -> None:
    robot = taut.load("puma560")
    states = {name: x[:20] for name, x in file_states(robot.tree).items()}
    precise = exactly(robot.numeric, "inverse_dynamics", states)
    assert precise.dtype == np.longdouble
    apart = np.abs(precise - plain(robot.numeric, "inverse_dynamics", states)).max()
    assert 0 < apart < 1e-12


def test_a_function_that_was_not_compared_has_no_reference() -> None:
    robot = taut.load("double_pendulum")
    found = derive(robot.tree, "gravity", effort="none")
    assert samples(robot.tree, found, np.dtype(float)) is not None
    assert samples(robot.tree, replace(found, difference=None), np.dtype(float)) is None
