"""``taut generate``: what it writes, what it says, and that nothing is ever half written."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from taut.cli import main
from taut.directory import LIST, write_directory
from taut.errors import InputError
from taut.generate import functions_named

QUICK = ("--effort", "quick")


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
    assert data["files"] == [file] and (tmp_path / file).exists()
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
        (["--precision", "float", "--language", "python"], "only C"),
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
    with pytest.raises(InputError, match="not taut's"):
        write_directory(place, {"mine.c": "3"}, "arm", "c")
    with pytest.raises(InputError, match="holds the code of 'arm'"):
        write_directory(place, {"leg.c": "3"}, "leg", "c")
    assert (tmp_path / "out" / "mine.c").read_text() == "mine" and (tmp_path / "out" / "arm.c").read_text() == "2"
    assert not (tmp_path / "out" / "leg.c").exists()


@pytest.mark.parametrize(
    ("precision", "parameters"),
    [("double", "numeric"), ("float", "symbolic"), ("double", "pattern"), ("float", "base")],
)
def test_precisions_and_parameters(precision: str, parameters: str, tmp_path: Path) -> None:
    options = ["--precision", precision, "--parameters", parameters, "--batch", "--effort", "normal", "--budget", "1"]
    arguments = ["generate", "puma560", "-o", str(tmp_path / "out"), "--functions", "gravity,load_torque"]
    assert main([*arguments, *options]) == 0
    command = ["cc", "puma560.c", "selftest.c", "-o", "selftest", "-lm"]
    subprocess.run(command, cwd=tmp_path / "out", check=True)
    subprocess.run(["./selftest"], cwd=tmp_path / "out", check=True, capture_output=True)


def test_all_is_every_function() -> None:
    assert len(functions_named("all")) >= 20 and functions_named("jacobian:tool") == [("jacobian", "tool")]
