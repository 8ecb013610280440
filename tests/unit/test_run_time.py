"""Run-time parameters: one for each place of a robot file, under the names that the file or its places give."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import taut
from taut.derive.function import Function
from taut.emit.c import Module
from taut.emit.routine import Routine
from taut.errors import InputError
from taut.formats import read
from taut.formats.izaguirre import read_izaguirre
from taut.robot.records import records
from unit.test_cli import run

RIGHT = "1.5707963267948966"
PLACES = ["0 0 0.267", "0 0 0", "0 -0.293 0", "0.0525 0 0", "0.0775 -0.3425 0", "0 0 0", "0.076 0.097 0"]
ROLLS = ["0", f"-{RIGHT}", RIGHT, RIGHT, RIGHT, RIGHT, f"-{RIGHT}"]
DAMPING = [10, 10, 5, 5, 5, 2, 2]
LINKS = [
    (2.382, "-0.0002 0.02905 -0.01233", (0.0056905, -1.579e-05, 5.125e-06, 0.0049566, -0.000873378, 0.003316654)),
    (1.869, "0.00022 -0.12856 0.01735", (0.0095989, 1.541e-06, 5.56e-06, 0.00382472, -0.00317156, 0.007565669)),
    (1.6383, "0.0466 -0.02463 -0.00768", (0.00310955, 0.00030837, -0.00058453, 0.00264483, 0.000338893, 0.0026624)),
    (1.7269, "0.07047 -0.11575 0.012", (0.005889, 0.00137112, 0.00088143, 0.00359703, -0.001762155, 0.00543244)),
    (1.3203, "-0.00032 0.01604 -0.026", (0.00534665, 1.5117e-05, -3.69e-07, 0.0049779, -0.00022132, 0.0013624)),
    (1.325, "0.06469 0.03278 0.02141", (0.0014745, -0.000488, 0.0002953, 0.0019037, 0.00014749, 0.0023652)),
    (0.17, "0 -0.00677 -0.01098", (9.3e-05, 0, 0, 5.87e-05, -3.6e-06, 0.000132)),
]
"""The xArm7 of UFACTORY as its maker publishes it: masses, mass centres, inertias, offsets, friction."""

ENTRIES = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")


@cache
def urdf() -> str:
    parts = ['<link name="link0"/>']
    for k, (mass, com, inertia) in enumerate(LINKS, 1):
        tensor = " ".join(f'{name}="{x}"' for name, x in zip(ENTRIES, inertia, strict=True))
        parts.append(
            f'<link name="link{k}"><inertial><origin xyz="{com}" rpy="0 0 0"/><mass value="{mass}"/>'
            f"<inertia {tensor}/></inertial></link>"
            f'<joint name="joint{k}" type="revolute"><parent link="link{k - 1}"/><child link="link{k}"/>'
            f'<origin xyz="{PLACES[k - 1]}" rpy="{ROLLS[k - 1]} 0 0"/><axis xyz="0 0 1"/>'
            f'<dynamics damping="{DAMPING[k - 1]}" friction="1"/><limit lower="-3" upper="3"/></joint>'
        )
    return f'<robot name="xarm7">{"".join(parts)}</robot>'


def robot(text: str) -> taut.Robot:
    return taut.Robot(read(text, "xarm7.urdf", "urdf"))


@cache
def arm() -> taut.Robot:
    return robot(urdf())


@cache
def derived(function: str, **options: str) -> Function:
    return arm().derive(function, effort="none", **options)


def state(n: int = 7) -> list[np.ndarray]:
    return list(np.random.default_rng(3).uniform(-1, 1, (3, n)))


def close(found: np.ndarray, expected: np.ndarray) -> bool:
    return bool(np.abs(found - expected).max() <= 1e-9 * np.abs(expected).max())


def test_every_parameter_changes_its_place_alone() -> None:
    torque, pose = derived("joint_torque", parameters="symbolic"), derived("forward_kinematics", parameters="symbolic")
    q, qd, qdd = state()
    names = torque.run_time_names
    assert {f"fc{k}" for k in range(1, 8)} | {f"fv{k}" for k in range(1, 8)} | {"g", "m7", "d3", "a4"} <= set(names)
    unseen = {"m1", "mz1", "m2"}  # of the ten parameters of each link only what a joint feels
    assert len([n for n in names if re.fullmatch(r"(m[xyz]?|I\w\w)\d", n)]) >= 70 - 13 - len(unseen)
    before, felt = torque(q, qd, qdd), 0
    for name in names:
        value = torque.values[name] * 1.3 + 0.01
        other = arm().with_values({name: value})
        found = torque(q, qd, qdd, parameters={name: value})
        assert close(found, other.joint_torque(q, qd, qdd)), name
        felt += not close(found, before)
    assert felt >= len(names) - 10  # some of the first links only enter in sums that a joint does not feel
    assert set(pose.run_time_names) == {"d1", "d3", "a4", "a5", "d5", "a7", "d7"}
    for name in pose.run_time_names:
        value = pose.values[name] + 0.1
        other = arm().with_values({name: value})
        assert close(pose(q, parameters={name: value}), other.forward_kinematics(q)), name


@pytest.mark.parametrize(
    ("old", "new", "name", "value"),
    [
        ("0 -0.293 0", "0 -0.31 0", "d3", -0.31),
        ("0.0775 -0.3425 0", "0.08 -0.3425 0", "a5", 0.08),
        ('damping="2" friction="1"', 'damping="2" friction="1.5"', "fc6", 1.5),
    ],
)
def test_names_are_those_of_the_places_in_the_file(old: str, new: str, name: str, value: float) -> None:
    edited, q = robot(urdf().replace(old, new, 1)), state()
    torque = derived("joint_torque", parameters="symbolic")
    assert close(torque(*q, parameters={name: value}), edited.joint_torque(*q))


def test_kept_names_are_inputs_and_all_else_is_in_the_code() -> None:
    function = arm().derive("inverse_dynamics", effort="none", keep=["m7", "rz7"])
    assert set(function.run_time_names) == {"m7", "rz7"}
    assert function.operations.total <= derived("inverse_dynamics").operations.total + 40
    text = urdf().replace('<mass value="0.17"/>', '<mass value="0.4"/>').replace("-0.01098", "0.02")
    assert close(function(*state(), parameters={"m7": 0.4, "rz7": 0.02}), robot(text).inverse_dynamics(*state()))
    header = Module("xarm7", [Routine.of(function)]).header()
    assert "xarm7_PARAMETERS = 2" in header
    assert "mass centre z [m], link 'link7', from the origin of joint 'joint7', in its axes" in header
    with pytest.raises(InputError, match="no symbol or parameter 'm9'"):
        arm().derive("gravity", effort="none", keep=["m9"])
    with pytest.raises(InputError, match="keep with parameters 'symbolic'"):
        arm().derive("gravity", effort="none", parameters="symbolic", keep=["m7"])


@pytest.mark.parametrize(
    "name", ["inverse_dynamics", "mass_matrix", "bias", "gravity", "forward_dynamics", "inverse_dynamics_derivatives"]
)
def test_a_load_is_an_input_of_every_function(name: str) -> None:
    scara = taut.load("stanford")
    function = scara.derive(name, effort="none", load="link6")
    assert {f"load_{p}" for p in ("m", "mx", "my", "mz")} & set(function.run_time_names)
    mass, centre, inertia = 1.2, np.array([0.02, -0.03, 0.1]), np.array([0.03, 0.001, 0.02, 0.002, 0.003, 0.025])
    cxx, cyy, czz = centre**2
    about = inertia + mass * np.array(
        [cyy + czz, -centre[0] * centre[1], cxx + czz, -centre[0] * centre[2], -centre[1] * centre[2], cxx + cyy]
    )
    ten = [mass, *(mass * centre), *about]
    given = dict(zip((f"load_{p}" for p in taut.robot.PARAMETER_NAMES), ten, strict=True))
    loaded = scara.with_load(mass, centre, inertia, "link6")
    arguments = dict(zip(("q", "qd", "qdd"), state(6), strict=True)) | {"tau": state(6)[2]}
    states = [arguments[argument] for argument in function.arguments]
    expected = getattr(loaded, name)(*states)
    if isinstance(expected, tuple):
        expected = np.concatenate(expected, axis=-1)
    assert close(function(*states, parameters=given), expected)
    plain = getattr(scara, name)(*states)
    assert close(function(*states), np.concatenate(plain, axis=-1) if isinstance(plain, tuple) else plain)


TWO = """
convention = "modified"
[[joint]]
dh = { a = 0.3 }
link = { mass = 1, com = [0.3, 0, 0] }
[[joint]]
dh = { a = %s }
link = { mass = 1, com = [0.3, 0, 0] }
[[frame]]
name = "tool"
link = "link2"
xyz = [%s, 0, 0]
"""


def test_equal_numbers_are_no_tie_and_one_name_is() -> None:
    apart = taut.Robot(read(TWO % ("0.3", "0.3"), "two.toml", "toml"))
    pose = apart.derive("forward_kinematics", parameters="pattern", effort="none")
    assert set(pose.run_time_names) == {"a1", "a2", "a_tool"}
    q = [0.4, -0.7]
    moved = apart.with_values({"a_tool": 0.5}).forward_kinematics(q)
    assert close(pose(q, parameters={"a_tool": 0.5}), moved)
    tied = taut.Robot(read("values = { l = 0.3 }" + TWO % ('"l"', '"l"'), "two.toml", "toml"))
    assert set(tied.derive("forward_kinematics", parameters="pattern", effort="none").run_time_names) == {"a1", "l"}


def test_a_robot_file_of_the_papers_says_what_is_baked() -> None:
    text = """number_links 2
    sigma 0 0
    alpha 0 0
    dpar 0 0
    apar l1 l2
    mass m1 m2
    constant l1 0.3
    variable l2 0.4
    constant m1 1.5
    variable m2 2.5
    stop"""
    arm = taut.Robot(read_izaguirre(text))
    for mode in (None, "pattern"):
        function = arm.derive("inverse_dynamics", parameters=mode, effort="none")
        assert set(function.run_time_names) <= {"l2", "m2", "g"}, mode
        assert "m2" in function.run_time_names
        header = Module("arm", [Routine.of(function)]).header()
        assert "PARAMETER_m2" in header
        assert "PARAMETER_m1" not in header
    q = state(2)
    assert close(function(*q, parameters={"m2": 3.0}), arm.with_values({"m2": 3.0}).inverse_dynamics(*q))


def test_every_run_time_parameter_has_its_unit_and_body_in_the_header() -> None:
    puma = taut.load("puma560")
    function = puma.derive("inverse_dynamics", parameters="pattern", effort="none")
    header = Module("puma560", [Routine.of(function)]).header()
    rows = re.findall(r"puma560_PARAMETER_(\w+) = \d+, /\* (.*?) \*/", header)
    assert [name for name, _ in rows] == list(function.run_time_names)
    assert all(re.search(r": .+ \[.+\], (link|joint|world)", row) for _, row in rows), rows
    assert dict(rows)["a2"].startswith("a2: ")
    assert dict(rows)["rx2"] == "rx2: mass centre x [m], link 'link2', in the link's frame"
    assert "g" in dict(rows)


def test_records_of_a_robot_are_listed_by_name() -> None:
    known = {record.symbol: record for record in records(arm().tree)}
    assert known["fc3"].value == 1.0
    assert known["fc3"].unit == "N m"
    assert known["g"].value == 9.81
    assert known["mz7"].of == "link 'link7'"
    assert not known["mz7"].run_time


def test_the_command_line_lists_keeps_and_loads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "xarm7.urdf").write_text(urdf())
    file = str(tmp_path / "xarm7.urdf")
    _, listed, _ = run(capsys, "show", file, "--parameters", "--json")
    names = [entry["symbol"] for entry in json.loads(listed)["parameters"]]
    assert len(set(names)) == len(names)
    assert {"fc1", "fc7", "g", "a4", "mz7"} <= set(names)
    gravity = ("derive", file, "--function", "gravity", "--effort", "none")
    code, out, _ = run(capsys, *gravity, "--keep", "m7,rz7", "--load", "link7")
    assert code == 0
    assert re.search(r"#   m7 += 0.17 +at run time  mass \[kg\], link 'link7'", out)
    assert re.search(r"#   load_m += 0 +at run time", out)
    assert re.search(r"#   g += 9.81 +in the code", out)
    code, _, err = run(capsys, *gravity, "--keep", "mass7")
    assert code == 2
    assert "no symbol or parameter 'mass7'" in err
