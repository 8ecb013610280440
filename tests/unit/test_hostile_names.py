"""Names of a robot file in every output: none controls a terminal, a page, a document or a compiler."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

import taut
from emitted.functions_of import routines
from taut.cli import main
from taut.directory import LIST
from taut.emit.backend import Request
from taut.emit.backends import BACKENDS
from taut.emit.names import RESERVED
from taut.report.progress import ProgressLine

HOSTILE = (
    "\x1b[31m\x1b]0;owned\x07\r\x08\x9b2J\N{RIGHT-TO-LEFT OVERRIDE}<script>alert(1)</script>"
    "</title>[x](javascript:y)\\input{/etc/passwd}\\write18{id}$%#&~^_{}*/`${IFS}\"'@R@"
)

CONTROL = ("\x1b", "\r", "\x07", "\x08", "\x9b", "\N{RIGHT-TO-LEFT OVERRIDE}")

ROBOT = """
name = NAME
base_link = BASE
[[joint]]
name = JOINT1
kind = "revolute"
parent = BASE
axis = [0, 0, 1]
limits = { lower = -1, upper = 1, velocity = 1, effort = 9 }
[joint.link]
name = LINK1
mass = 1
moment = [0.1, 0, 0]
inertia = [0, 0, 0.1, 0, 0, 0.1]
about = "origin"
[[joint]]
name = JOINT2
kind = "revolute"
parent = LINK1
xyz = [0.5, 0, 0]
axis = [0, 1, 0]
limits = { lower = -1, upper = 1, velocity = 1, effort = 9 }
[joint.link]
name = LINK2
mass = 2
moment = [0.1, 0.2, 0]
inertia = [0.1, 0, 0.2, 0, 0, 0.1]
about = "origin"
[[frame]]
name = FRAME
link = LINK2
xyz = [0, 0, 0.1]
"""


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    text = ROBOT
    for word in ("NAME", "BASE", "JOINT1", "JOINT2", "LINK1", "LINK2", "FRAME"):
        text = text.replace(word, json.dumps(HOSTILE + word.lower()).replace("\x7f", ""))
    path = tmp_path / "\x1b[31m<script>.toml"
    path.write_text(text, "utf-8")
    return path


COMMANDS = [
    ["show"],
    ["show", "--check"],
    ["show", "--json"],
    ["derive", "--effort", "none"],
    ["derive", "--effort", "none", "--program"],
    ["derive", "--effort", "none", "--explain"],
    ["derive", "--function", "jacobian", "--effort", "none", "--json"],
    ["derive", "--form", "explicit"],
    ["derive", "--form", "explicit", "--latex"],
    ["derive", "--form", "explicit", "--markdown"],
    ["derive", "--form", "explicit", "--sympy"],
    ["derive", "--form", "kinematics", "--latex"],
    ["derive", "--form", "kinematics", "--markdown"],
    ["count", "--effort", "none", "--function", "gravity"],
    ["count", "--effort", "none", "--function", "jacobian", "--json"],
    ["derive", "--function", "jacobian", "--frame", HOSTILE],
]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(command)[:44])
def test_no_command_prints_them_raw(command: list[str], hostile: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command[0], str(hostile), *command[1:]]) in (0, 1, 2)
    printed = capsys.readouterr()
    for text in (printed.out, printed.err):
        assert not [repr(c) for c in CONTROL if c in text]
    if {"--markdown", "--json"} & set(command):
        assert "<script" not in printed.out
    if "--latex" in command:
        assert "\\input" not in printed.out and "\\write" not in printed.out
    assert len(printed.out + printed.err) > 20


@pytest.mark.parametrize("language", BACKENDS)
def test_no_generated_file_has_them_raw(
    language: str, hostile: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "out"
    options = ["--functions", f"gravity,jacobian:{HOSTILE}frame", "--effort", "none", "--language", language]
    assert main(["generate", str(hostile), "-o", str(place), *options]) == 0
    printed = capsys.readouterr()
    texts = {path.name: path.read_text("utf-8") for path in place.iterdir()}
    for text in (printed.out, printed.err, *texts, *texts.values()):
        assert not [repr(c) for c in (*CONTROL, "<script") if c in text]
    for name, text in texts.items():
        assert name == LIST or not [c for c in ("\\input", "\\write", "_{}*/", "${IFS}") if c in text]
        assert name != "README.md" or "](" not in text
    if language == "c":
        [source] = [name for name in texts if name.endswith(".c") and name != "selftest.c"]
        subprocess.run(["cc", "-Wall", "-Werror", source, "selftest.c", "-o", "t", "-lm"], cwd=place, check=True)


def test_notebooks_and_progress(hostile: Path) -> None:
    robot = taut.load(hostile)
    model = robot.explicit()
    page = model._repr_html_()
    assert "<script" not in page and "</title" not in page
    line = ProgressLine(f"{robot.name} gravity")
    assert not [c for c in CONTROL if c in line._title]


STEMS = ["selftest", "test", "math", "stddef", "m", "all", "install", "clean", "help", "explicit", "class", "int", "C"]


@pytest.mark.parametrize("name", STEMS)
def test_names_that_compilers_and_cmake_keep(name: str, tmp_path: Path) -> None:
    build_with_cc(name, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(RESERVED - set(STEMS)))
def test_every_reserved_name(name: str, tmp_path: Path) -> None:
    build_with_cc(name, tmp_path)


def written(name: str, place: Path, parameters: str | None = None) -> str:
    names = ("gravity", "explicit") if parameters else ("gravity",)
    request = Request(name, routines("double_pendulum", names, parameters), ["a", "b"])
    for file, text in BACKENDS["c"].build(request).files.items():
        (place / file).write_text(text, "utf-8")
    return request.prefix


def build_with_cc(name: str, place: Path) -> None:
    stem = written(name, place, "symbolic")
    subprocess.run(["cc", "-I.", f"{stem}.c", "selftest.c", "-o", "t", "-lm"], cwd=place, check=True)
    assert subprocess.run(["./t"], cwd=place, check=False, capture_output=True).returncode == 0


@pytest.mark.skipif(shutil.which("cmake") is None, reason="no cmake here")
@pytest.mark.parametrize(
    "name", [name if name in ("test", "math", "m") else pytest.param(name, marks=pytest.mark.slow) for name in STEMS]
)
def test_reserved_names_build_with_cmake(name: str, tmp_path: Path) -> None:
    written(name, tmp_path, "symbolic")
    for command in (["cmake", "-B", "build"], ["cmake", "--build", "build"], ["ctest", "--test-dir", "build"]):
        done = subprocess.run(command, cwd=tmp_path, check=False, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("compiler", ["g++", "clang++"])
def test_a_function_whose_name_is_a_word_of_cpp(compiler: str, tmp_path: Path) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"no {compiler} here")
    stem = written("arm", tmp_path, "symbolic")
    (tmp_path / "user.cc").write_text(f'#include "{stem}.h"\nint main() {{ return sizeof({stem}_constants) == 0; }}\n')
    subprocess.run([compiler, "-Wall", "-Wextra", "-Werror", "-c", "user.cc"], cwd=tmp_path, check=True)
