"""What ``taut show`` and ``taut simulate`` say of loops: closures, redundant conditions, tied joints, cams, rolling."""

from __future__ import annotations

import json

import pytest

import taut
from taut.cli import main


def shown(capsys, *options):
    assert main(["show", *options]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("four_bar", ["four_bar: 1 degree of freedom", "2 of 5, 3 follow from them", "Assembled position"]),
        ("palletiser", ["rod = 1 * arm + -1 * lever + 0", "by the tied joints", "motors"]),
        ("cam", ["follower = ", "x = cam"]),
        ("rolling_base", ["(sin(yaw)) * rate of x + (-cos(yaw)) * rate of y = 0", "3 of 3"]),
    ],
)
def test_loops_are_told(capsys, name, lines):
    text = shown(capsys, name)
    assert all(line in text for line in lines)


def test_a_program_reads_them(capsys):
    known = json.loads(shown(capsys, "four_bar", "--json"))["closures"]
    robot = taut.load("four_bar")
    assert known["position_names"] == list(robot.position_names)
    assert known["conditions"] - known["independent_conditions"] == len(robot.mobility().redundant)
    assert [loop["kind"] for loop in known["loops"]] == ["pin"]


def test_an_open_loop_is_told(capsys, tmp_path):
    path = tmp_path / "open.toml"
    path.write_text(taut.load("five_bar").with_active({"pin": False}).to_toml())
    text = shown(capsys, str(path))
    assert "open" in text
    assert "independent conditions" not in text


def test_the_end_of_a_simulation_names_dependent_joints(capsys):
    assert main(["simulate", "four_bar", "-t", "0.002"]) == 0
    end = [line.split() for line in capsys.readouterr().out.splitlines()[-4:]]
    assert [row[0] for row in end] == ["joint", "crank", "coupler", "rocker"]
    assert [len(row) for row in end] == [5, 5, 2, 2]
