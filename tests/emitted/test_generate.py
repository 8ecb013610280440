"""``taut generate``: what it writes, what it says, and that nothing is ever half written."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import taut
from sampled import sampled
from taut.cli import main
from taut.directory import LIST, write_directory
from taut.emit.backend import Backend, Built, Request, States
from taut.emit.backends import BACKENDS
from taut.emit.c.schedule import scheduled
from taut.emit.routine import Routine
from taut.errors import InputError
from taut.generate import functions_named
from taut.graph.program import Program

QUICK = ("--effort", "none")


def test_a_directory_of_c(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = tmp_path / "new" / "scara"
    asked = "inverse_dynamics,jacobian,jacobian:link2"
    code = main(["generate", "puma560", "-o", str(place), "--functions", asked, "--batch", *QUICK])
    assert code == 0
    printed = capsys.readouterr().out
    assert "jacobian_link2" in printed and "e-16" in printed
    assert {p.name for p in place.iterdir()} == {
        "puma560.c",
        "puma560.h",
        "selftest.c",
        "CMakeLists.txt",
        "README.md",
        "puma560.proof.json",
        "as_c.py",
        "check_proof.py",
        LIST,
    }
    subprocess.run(["cc", "puma560.c", "selftest.c", "-o", "selftest", "-lm"], cwd=place, check=True)
    subprocess.run(["./selftest"], cwd=place, check=True, capture_output=True)
    assert not list(tmp_path.rglob(".*"))


@pytest.mark.parametrize(
    ("language", "file"),
    [("python", "scara_dynamics.py"), ("matlab", "scara_gravity.m"), ("latex", "scara_dynamics.tex")],
)
def test_other_languages(language: str, file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["generate", "scara", "-o", str(tmp_path), "--functions", "gravity", "--language", language, *QUICK]
    assert main([*arguments, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    proof = ["scara.proof.json", "check_proof.py", "as_c.py"] if language == "python" else []
    assert data["files"] == [file, *proof] and (tmp_path / file).exists()
    assert data["functions"][0]["name"] == "gravity"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--functions", "gravty"], "did you mean 'gravity'"),
        (["--functions", "gravity:tool"], "has no frame"),
        (["--functions", "gravity,gravity"], "twice"),
        (["--functions", " , "], "no function is named"),
        (["--language", "cobol"], "choose one of c,"),
        (["--precision", "half", "--functions", "gravity"], "choose one of double, float"),
        (["--precision", "float", "--language", "python"], "unknown precision in python 'float'; choose one of double"),
        (["--trig", "cordic", "--functions", "gravity"], "choose one of poly"),
        (["--functions", "jacobian:nowhere"], "nowhere"),
    ],
)
def test_bad_options_are_one_sentence(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["generate", "scara", "-o", str(tmp_path / "out"), *QUICK, *arguments]) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


MASSLESS_TIP = """<robot name="light"><link name="base"/><link name="tip"/>
<link name="arm"><inertial><origin xyz="0.1 0 0"/><mass value="2"/>
<inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="j1" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/></joint>
<joint name="j2" type="continuous"><parent link="arm"/><child link="tip"/><origin xyz="0.3 0 0"/></joint></robot>"""


def test_what_cannot_be_derived_is_reported_and_the_rest_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "light.urdf").write_text(MASSLESS_TIP)
    place = tmp_path / "out"
    arguments = ["generate", str(tmp_path / "light.urdf"), "-o", str(place), *QUICK, "--functions"]
    assert main([*arguments, "inverse_dynamics,forward_dynamics,gravity", "--json"]) == 1
    printed = capsys.readouterr()
    data = json.loads(printed.out)
    assert data["partial"] is True and list(data["missing"]) == ["forward_dynamics"]
    assert [row["name"] for row in data["functions"]] == ["inverse_dynamics", "gravity"]
    assert "forward_dynamics is missing: " in printed.err and "has no inertia of its own" in printed.err
    header = (place / "light.h").read_text()
    assert "light_gravity(" in header and "forward_dynamics" not in header
    assert main([*arguments, "gravity", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["partial"] is False
    assert main(["generate", arguments[1], "-o", str(tmp_path / "none"), "--functions", "forward_dynamics"]) == 2
    assert not (tmp_path / "none").exists()


def test_without_a_compiler_it_says_so_and_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    arguments = ["generate", "scara", "-o", str(tmp_path / "out"), "--functions", "gravity", *QUICK]
    assert main([*arguments, "--json"]) == 1
    printed = capsys.readouterr()
    assert "not run and compared: the C compiler 'no-such-compiler' named by CC is not there" in printed.err
    data = json.loads(printed.out)
    assert data["functions"][0]["error"] is None and "no-such-compiler" in data["not_run"]
    assert (tmp_path / "out" / "scara.c").exists()
    monkeypatch.setenv("PATH", "/nowhere")
    assert main([*arguments, "--language", "javascript"]) == 1
    assert "there is no 'node'" in capsys.readouterr().err
    assert main([*arguments, "--language", "python"]) == 0


def test_another_name(tmp_path: Path) -> None:
    arguments = ["generate", "scara", "-o", str(tmp_path), "--functions", "gravity", "--name", "My arm!", *QUICK]
    assert main(arguments) == 0
    assert (tmp_path / "My_arm.c").exists() and "void My_arm_gravity(" in (tmp_path / "My_arm.h").read_text()


def test_from_python(tmp_path: Path) -> None:
    robot = taut.load("panda")
    done = robot.generate(tmp_path / "out", ["gravity", "jacobian:panda_link3"], language="python", effort="none")
    assert done.files[0] == "panda_dynamics.py" and not done.partial
    assert [row.name for row in done.functions] == ["gravity", "jacobian_panda_link3"]
    assert all(row.error is not None and row.error < 1e-12 for row in done.functions)
    with pytest.raises(InputError, match="choose one of c, cpp, ros2, python"):
        robot.generate(tmp_path / "other", ["gravity"], language="cobol")


def test_lines_are_ordered_once_a_function(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ordered: list[Program] = []

    def noted(program: Program) -> Program:
        ordered.append(program)
        return scheduled(program)

    monkeypatch.setattr("taut.emit.c.module.scheduled", noted)
    taut.load("ur5e").generate(tmp_path / "out", ["gravity", "mass_matrix", "jacobian"], batch=True, effort="none")
    assert len(ordered) == 3


def test_another_language_is_one_entry(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A toy backend, written here, is found by the command line, run, compared and written."""

    def run(routine: Routine, states: States, _: Sequence[float]) -> np.ndarray:
        symbols = {s: states[name][:, k] for name, those in routine.arguments.items() for k, s in enumerate(those)}
        answers = routine.program.evaluate({**routine.values, **symbols})
        return np.stack(np.broadcast_arrays(*answers), axis=1)

    def build(request: Request) -> Built:
        return Built({f"{request.prefix}.toy": request.routines[0].program.to_text()}, run)

    monkeypatch.setitem(BACKENDS, "toy", Backend("toy", build))
    arguments = ["generate", "panda", "-o", str(tmp_path), "--functions", "gravity", *QUICK]
    assert main([*arguments, "--language", "toy", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["files"] == ["panda.toy"] and data["functions"][0]["error"] < 1e-14
    assert main([*arguments, "--language", "toi"]) == 2 and "latex, toy" in capsys.readouterr().err


def test_a_place_that_is_a_file_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(InputError, match="it is a file"):
        write_directory(str(tmp_path / "file"), {"a": "b"}, "arm", "c")
    assert (tmp_path / "file").read_text() == "mine"


def test_a_failed_write_leaves_what_was_there(tmp_path: Path) -> None:
    write_directory(str(tmp_path / "out"), {"a": "old"}, "arm", "c")
    with pytest.raises(InputError):
        write_directory(str(tmp_path / "out"), {"a": "new", "no/such/place": "x"}, "arm", "c")
    assert (tmp_path / "out" / "a").read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["out"]


def test_nothing_stale_is_left_and_nothing_of_others_is_touched(tmp_path: Path) -> None:
    place = str(tmp_path / "out")
    write_directory(place, {"arm.c": "1", "arm.h": "1"}, "arm", "c")
    (tmp_path / "out" / "mine.c").write_text("mine")
    write_directory(place, {"arm.py": "1"}, "arm", "python")
    write_directory(place, {"arm.c": "2"}, "arm", "c")
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert names == {"arm.c", "arm.py", "mine.c", LIST}
    with pytest.raises(InputError, match="was not written by taut"):
        write_directory(place, {"mine.c": "3"}, "arm", "c")
    with pytest.raises(InputError, match="holds the code of 'arm'"):
        write_directory(place, {"leg.c": "3"}, "leg", "c")
    assert (tmp_path / "out" / "mine.c").read_text() == "mine" and (tmp_path / "out" / "arm.c").read_text() == "2"
    assert not (tmp_path / "out" / "leg.c").exists()


def test_an_edited_file_is_replaced_by_force_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["generate", "scara", "-o", str(tmp_path), "--functions", "gravity", "--language", "python", *QUICK]
    assert main(arguments) == 0
    place = next(tmp_path.glob("*.py"))
    written = place.read_text()
    place.write_text(written + "# mine")
    capsys.readouterr()
    assert main(arguments) == 2
    assert f"{place}: was edited since taut wrote it" in capsys.readouterr().err
    assert place.read_text().endswith("# mine")
    assert main([*arguments, "--force"]) == 0 and place.read_text() == written


@pytest.mark.parametrize(
    "case",
    sampled([("float", "symbolic"), ("double", "numeric"), ("double", "pattern"), ("float", "base")], 2, "-".join),
)
def test_precisions_and_parameters(case: tuple[str, str], tmp_path: Path) -> None:
    precision, parameters = case
    options = ["--precision", precision, "--parameters", parameters, "--batch", "--effort", "normal", "--budget", "1"]
    arguments = ["generate", "puma560", "-o", str(tmp_path / "out"), "--functions", "gravity,load_torque"]
    assert main([*arguments, *options]) == 0
    command = ["cc", "puma560.c", "selftest.c", "-o", "selftest", "-lm"]
    subprocess.run(command, cwd=tmp_path / "out", check=True)
    subprocess.run(["./selftest"], cwd=tmp_path / "out", check=True, capture_output=True)


def test_all_is_every_function() -> None:
    assert len(functions_named("all")) >= 20 and functions_named("jacobian:tool") == [("jacobian", "tool")]
