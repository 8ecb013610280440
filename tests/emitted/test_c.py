"""Emitted C computes what ``Program.evaluate`` does, compiles without a warning, and is the same text every time."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import taut
from emitted.functions_of import derived, relative_error, routines, states_of
from sampled import sampled
from taut.emit.c import Module, parts, project
from taut.emit.c.pipeline import cycles
from taut.emit.c.run import run_c
from taut.emit.c.schedule import near_by, over_all, row_by_row, scheduled
from taut.graph import Graph
from taut.graph.program import Program
from taut.graph.prove import disproof
from taut.questions.table import QUESTIONS

FLAGS = ("-O1",)
NATIVE = ("-O2", "-march=native")
EVERY = tuple(QUESTIONS)
FEW = ("inverse_dynamics", "mass_matrix", "joint_torque", "friction", "forward_kinematics")
TOLERANCE = {"double": 1e-13, "float": 1e-4}
"""Rounding of a few hundred operations on numbers of one size."""

ILL_CONDITIONED = 1e4
"""How much more the inverse of an inertia near a singularity amplifies rounding."""

WARNINGS = ("-Wall", "-Wextra", "-Wconversion", "-Werror", "-pedantic")


def worst(module: Module, robot: str, name: str, parameters: str | None, flags: tuple[str, ...], batch: bool) -> float:
    function = derived(robot, name, parameters)
    routine = next(r for r in module.routines if r.name == name)
    dtype = np.float64 if module.precision == "double" else np.float32
    states = states_of(function, 11, dtype)  # two vectors and a rest; one and a rest in float
    values = {p: 0.3 + 0.01 * k for k, p in enumerate(module.parameters)} | dict(routine.values)
    found = run_c(module, routine, states, [values[p] for p in module.parameters], flags, batch)
    return relative_error(found, function(*states.values(), parameters=values))


@pytest.mark.slow
@pytest.mark.parametrize("precision", ["double", "float"])
def test_every_function_of_an_arm(precision: str) -> None:
    module = Module("ur5e", routines("ur5e", EVERY), precision=precision)
    for name in EVERY:
        allowed = TOLERANCE[precision] * (ILL_CONDITIONED if "operational" in name else 1)
        assert worst(module, "ur5e", name, None, FLAGS, batch=False) < allowed, name
        assert worst(module, "ur5e", name, None, FLAGS, batch=True) < allowed, name


@pytest.mark.parametrize(
    ("robot", "parameters"),
    [("panda", "numeric"), ("puma560", "pattern"), ("scara", "symbolic"), ("stanford", "base"), ("iiwa14", "symbolic")],
)
@pytest.mark.parametrize("trig", sampled(["poly", "libm"], 2))
def test_robots_and_ways_to_treat_parameters(robot: str, parameters: str, trig: str) -> None:
    module = Module(robot, routines(robot, FEW, parameters), trig=trig)
    assert module.baked == (parameters == "numeric")
    for name in FEW:
        for batch in (False, True):
            assert worst(module, robot, name, parameters, NATIVE, batch) < TOLERANCE["double"], name


def test_a_free_base() -> None:
    robot = taut.load("ur5e", base="free")
    function = robot.derive("inverse_dynamics", effort="none")
    module = Module("floating", [function.routine()])
    states = states_of(function, 9)
    found = run_c(module, module.routines[0], states, [], FLAGS, batch=True)
    assert relative_error(found, function(*states.values())) < TOLERANCE["double"]


def test_parameters_may_change_at_run_time() -> None:
    names = ("inverse_dynamics", "gravity")
    module = Module("puma560", routines("puma560", names, "symbolic"))
    function = derived("puma560", "gravity", "symbolic")
    heavier = {p: 1.5 * function.values.get(p, 0.4) for p in module.parameters}
    states = states_of(function, 3)
    found = run_c(module, module.routines[1], states, [heavier[p] for p in module.parameters], FLAGS, batch=False)
    assert relative_error(found, function(*states.values(), parameters=heavier)) < TOLERANCE["double"]
    assert "init" in module.header() and "default_parameters" in module.header()


def test_nan_and_infinity_reach_what_depends_on_them() -> None:
    function = derived("ur5e", "inverse_dynamics")
    module = Module("ur5e", routines("ur5e", ("inverse_dynamics",)))
    states = states_of(function, 8)
    states["q"][1, 1], states["q"][2, 1], states["qdd"][3, 0], states["q"][5, 3] = np.nan, np.inf, np.inf, -np.inf
    for batch in (False, True):
        found = run_c(module, module.routines[0], states, [], NATIVE, batch)
        assert np.isfinite(found[[0, 4, 6, 7]]).all()
        assert np.isnan(found[1, 1]) and np.isnan(found[2, 1]) and np.isnan(found[5, 3])
        assert not np.isfinite(found[3, 0])


@pytest.mark.parametrize(
    ("precision", "parameters"), [("double", "symbolic"), pytest.param("float", "numeric", marks=pytest.mark.slow)]
)
def test_a_directory_builds_without_warnings_and_passes_its_test(
    precision: str, parameters: str, tmp_path: Path
) -> None:
    module = Module("panda", routines("panda", FEW, parameters), taut.load("panda").joint_names, precision=precision)
    for name, text in project(module).items():
        (tmp_path / name).write_text(text, "utf-8")
    compilers = [["cc", "-std=c99", "-O2"], ["cc", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover"]]
    if shutil.which("g++"):
        compilers.append(["g++", "-x", "c++", "-march=native", "-O1"])
    for k, command in enumerate(compilers):
        target = str(tmp_path / f"selftest{k}")
        subprocess.run([*command, *WARNINGS, "panda.c", "selftest.c", "-o", target, "-lm"], cwd=tmp_path, check=True)
        done = subprocess.run([target], capture_output=True, text=True, check=False)
        assert done.returncode == 0 and done.stdout.endswith("passed\n"), done.stdout + done.stderr


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("flag", ["-ffast-math", "-Ofast"])
def test_fast_math_stops_where_sines_are_polynomials(compiler: str, flag: str, tmp_path: Path) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"no {compiler} here")
    for trig, allowed in (("poly", False), ("libm", True)):
        text = Module("scara", routines("scara", ("gravity",)), trig=trig).single_file
        (tmp_path / "scara.c").write_text(text, "utf-8")
        command = [compiler, flag, "-c", "scara.c"]
        done = subprocess.run(command, cwd=tmp_path, check=False, capture_output=True, text=True)
        assert (done.returncode == 0) == allowed, done.stderr
        assert allowed or "#error" in done.stderr or "break the sines of this file" in done.stderr


def test_the_self_test_can_fail(tmp_path: Path) -> None:
    module = Module("scara", routines("scara", ("inverse_dynamics",)))
    files = project(module)
    files["scara.c"] = files["scara.c"].replace("tau[0] = ", "tau[0] = 1e-9 + ")
    for name, text in files.items():
        (tmp_path / name).write_text(text, "utf-8")
    subprocess.run(["cc", "scara.c", "selftest.c", "-o", "selftest", "-lm"], cwd=tmp_path, check=True)
    done = subprocess.run(["./selftest"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "FAILED" in done.stdout


def test_the_self_test_of_float_code_finds_a_number_that_is_off_by_a_millionth(tmp_path: Path) -> None:
    """Far below the rounding of float: found because the text is computed in double, too."""
    module = Module("puma260", routines("puma260", ("gravity",), "numeric"), precision="float")
    files = project(module)
    begin = files["puma260.c"].index("void puma260_gravity(")
    found = re.compile(r"(?<= )[1-9]\d*\.\d{3,}(?=f)|0\.\d{6,}(?=f)").search(files["puma260.c"], begin)
    assert found
    wrong = f"{float(found[0]) * (1 + 1e-6):.9f}"
    files["puma260.c"] = files["puma260.c"][: found.start()] + wrong + files["puma260.c"][found.end() :]
    for name, text in files.items():
        (tmp_path / name).write_text(text, "utf-8")
    subprocess.run(["cc", "puma260.c", "selftest.c", "-o", "selftest", "-lm"], cwd=tmp_path, check=True)
    done = subprocess.run(["./selftest"], cwd=tmp_path, capture_output=True, text=True, check=False)
    failed = [row for row in done.stdout.split("\n") if "  FAILED" in row]
    assert done.returncode == 1 and [row.partition("  ")[0] for row in failed] == ["gravity (in double)"], done.stdout


@pytest.mark.skipif(shutil.which("cmake") is None, reason="no cmake here")
def test_a_directory_builds_with_cmake(tmp_path: Path) -> None:
    for name, text in project(Module("scara", routines("scara", ("mass_matrix",)))).items():
        (tmp_path / name).write_text(text, "utf-8")
    for command in (["cmake", "-B", "build"], ["cmake", "--build", "build"], ["ctest", "--test-dir", "build"]):
        subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)


@pytest.mark.parametrize(
    "name", ['"; system("touch owned"); //', "int", "1a", "\N{ROBOT FACE}", "*/ }", "a\nb\\", "??/", "", "_x__y_"]
)
def test_hostile_names_make_valid_harmless_code(name: str, tmp_path: Path) -> None:
    routine = replace(routines("double_pendulum", ("gravity",), "symbolic")[0], remarks=(name, "*/ #error"))
    program = routine.program
    renamed = {p: f"{name}{k}" for k, p in enumerate(routine.parameters)}
    lines = tuple(x._replace(data=renamed.get(x.data, x.data)) if x.op == "input" else x for x in program.lines)
    hostile = replace(
        routine,
        program=replace(program, lines=lines),
        values={renamed.get(p, p): v for p, v in routine.values.items()},
    )
    module = Module(name, [hostile], [name, name])
    files = project(module)
    for file, text in files.items():
        assert re.fullmatch(r"[\w.]+", file)
        assert text.isascii()
        (tmp_path / file).write_text(text, "utf-8")
    source = f"{module.prefix}.c"
    subprocess.run(["cc", *WARNINGS, source, "selftest.c", "-o", "selftest", "-lm"], cwd=tmp_path, check=True)
    assert subprocess.run(["./selftest"], cwd=tmp_path, check=False, capture_output=True).returncode == 0
    assert not (tmp_path / "owned").exists()


@pytest.mark.slow
def test_operations_counted_in_the_text_are_those_promised() -> None:
    for name in ("inverse_dynamics", "forward_dynamics", "jacobian"):
        module = Module("panda", routines("panda", (name,)), batch=False)
        body = re.search(r"/\* begin: (\d+) operations \*/(.*?)/\* end \*/", module.source(), re.S)
        assert body
        statements = re.findall(r"^    const double t\d+ = \S+ [-+*/] \S+;(.*)$", body[2], re.M)
        counted = sum(mark != " /* angle */" for mark in statements)
        assert counted == int(body[1]) == derived("panda", name).operations.total


@pytest.mark.parametrize(("robot", "name"), [("panda", "forward_dynamics"), ("puma560", "mass_matrix")])
@pytest.mark.parametrize("trig", ["poly", "libm"])
def test_a_function_in_parts_gives_the_same_numbers(
    robot: str, name: str, trig: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    mode = "symbolic" if robot == "puma560" else None
    modules = []
    for whole, size in ((10**6, 0), (50, 40)):
        monkeypatch.setattr(parts, "WHOLE", whole)
        monkeypatch.setattr(parts, "PART", size)
        modules.append(Module(robot, routines(robot, (name,), mode), trig=trig))
        assert modules[-1].single_file.count(f"{robot}_PART void") == 0 or whole == 50
    assert modules[1].single_file.count(f"{robot}_{name}_part") > 4
    states = states_of(derived(robot, name, mode), 11)
    p = [0.3 + 0.01 * k for k in range(len(modules[0].parameters))]
    for batch in (False, True):
        found = [run_c(m, m.routines[0], states, p, FLAGS, batch) for m in modules]
        assert np.array_equal(*found)
    for file, text in project(modules[1]).items():
        (tmp_path / file).write_text(text, "utf-8")
    command = ["cc", *WARNINGS, f"{robot}.c", "selftest.c", "-o", "selftest", "-lm"]
    subprocess.run(command, cwd=tmp_path, check=True)
    subprocess.run(["./selftest"], cwd=tmp_path, check=True, capture_output=True)


def test_the_same_bytes_whatever_the_hash_seed() -> None:
    text = (
        "import taut\nfrom taut.emit.c import Module, project\n"
        "f = taut.load('puma560').derive('inverse_dynamics', parameters='symbolic', effort='none')\n"
        "print(project(Module('puma560', [f.routine()])))"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", text], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1


@pytest.mark.parametrize(
    "order", [scheduled, near_by, partial(near_by, window=1), partial(over_all, registers=1), over_all, row_by_row]
)
@pytest.mark.parametrize("name", ["inverse_dynamics", "joint_torque", "friction"])
def test_another_order_is_the_same_program(name: str, order: Callable[[Program], Program]) -> None:
    program = derived("puma560", name, "pattern").program
    ordered = order(program)
    assert ordered.faults() == []
    assert sorted(line.op for line in ordered.lines) == sorted(line.op for line in program.lines)
    graph = Graph()
    assert disproof(ordered.trace(graph), program.trace(graph), 2) is None


def test_order_needs_fewer_values_at_once() -> None:
    def most_alive(program: Program) -> int:
        lines = program.lines
        last = {arg: i for i, line in enumerate(lines) for arg in line.args}
        held = [i for i, line in enumerate(lines) if line.counted]
        return max(sum(j <= i < last.get(j, j) for j in held) for i in held)

    for robot in ("puma560", "ur5e", "iiwa14"):
        program = derived(robot, "mass_matrix").program
        assert most_alive(over_all(program)) < most_alive(program)
        assert cycles(scheduled(program)) < cycles(program)
