"""C++ over the generated C: the same bits in every form, no allocation; the ROS 2 package runs against stand-ins."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import taut
from emitted.functions_of import routines
from taut.cli import main
from taut.emit.backend import Request
from taut.emit.backends import BACKENDS

HERE = Path(__file__).parent
EIGEN = Path("/usr/include/eigen3")
STRICT = ["-O1", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not installed: apt-get install g++")
needs_eigen = pytest.mark.skipif(not EIGEN.exists(), reason="Eigen is not installed: apt-get install libeigen3-dev")


def built(folder: Path, *given: str) -> Path:
    done = subprocess.run(["g++", *given, "-o", "program", "-lm"], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder / "program"


def compiled(folder: Path, name: str) -> str:
    subprocess.run(["cc", "-O1", "-c", f"{name}.c"], cwd=folder, check=True)
    return f"{name}.o"


@pytest.fixture(scope="module")
def arm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cpp") / "arm"
    wanted = "torque,mass_matrix,jacobian,christoffel,energy,jacobian_derivative_times_velocity"
    given = ["--functions", wanted, "--language", "cpp", "--effort", "none"]
    assert main(["generate", "scara", "-o", str(folder), "--name", "arm", *given]) == 0
    compiled(folder, "arm")
    return folder


def test_arrays_in_cpp_17(arm: Path) -> None:
    program = built(arm, "-std=c++17", *STRICT, "-Darm_NO_EIGEN", "selftest_cpp.cpp", "arm.o")
    said = subprocess.run([program], capture_output=True, text=True).stdout
    assert said.count("same") == 6 and "0 allocations\npassed" in said


@pytest.mark.slow
@needs_eigen
def test_spans_and_eigen_in_cpp_20(arm: Path) -> None:
    program = built(arm, "-std=c++20", *STRICT, f"-isystem{EIGEN}", "selftest_cpp.cpp", "arm.o")
    said = subprocess.run([program], capture_output=True, text=True).stdout
    assert said.count("same") == 6 and "0 allocations\npassed" in said


def test_a_vector_of_wrong_size_does_not_compile(arm: Path) -> None:
    text = '#include "arm.hpp"\nint main() { std::array<double, 3> q{}; arm::Robot robot; robot.mass_matrix(q); }\n'
    (arm / "wrong.cpp").write_text(text)
    command = ["g++", "-std=c++17", "-Darm_NO_EIGEN", "-fsyntax-only", "wrong.cpp"]
    assert subprocess.run(command, cwd=arm, capture_output=True).returncode != 0
    (arm / "wrong.cpp").write_text(text.replace("3>", "4>"))
    assert subprocess.run(command, cwd=arm, capture_output=True).returncode == 0


def test_the_self_test_sees_a_difference(arm: Path) -> None:
    header = (arm / "arm.hpp").read_text()
    folder = arm / "broken"
    folder.mkdir()
    (folder / "arm.h").write_text((arm / "arm.h").read_text())
    (folder / "selftest_cpp.cpp").write_text((arm / "selftest_cpp.cpp").read_text())
    swapped = header.replace(
        "arm_inverse_dynamics(&k_, q.data(), qd.data()", "arm_inverse_dynamics(&k_, q.data(), q.data()"
    )
    assert swapped != header
    (folder / "arm.hpp").write_text(swapped)
    program = built(folder, "-std=c++17", "-Darm_NO_EIGEN", "selftest_cpp.cpp", "../arm.o")
    done = subprocess.run([program], capture_output=True, text=True)
    assert done.returncode != 0 and "FAILED" in done.stdout


@pytest.mark.slow
@needs_eigen
def test_the_ros2_package(tmp_path: Path) -> None:
    robot = taut.load("puma260")
    made = robot.generate(tmp_path / "p", ["gravity"], language="ros2", effort="none")
    assert {"package.xml", "controllers.xml", "solvers.xml"} <= set(made.files)
    assert 'type="puma260::ComputedTorqueController"' in (tmp_path / "p" / "controllers.xml").read_text()
    (tmp_path / "p" / "run.cpp").write_text((HERE / "ros2_run.cpp").read_text().replace("@n@", "6"))
    flags = ["-std=c++17", *STRICT, f"-isystem{EIGEN}", f"-I{HERE / 'ros2_stubs'}"]
    for file, name in (("computed_torque_controller", "controller"), ("inverse_dynamics_solver", "solver")):
        command = ["g++", *flags, f"-Dmake_plugin=make_{name}", "-c", f"{file}.cpp"]
        done = subprocess.run(command, cwd=tmp_path / "p", capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    relaxed = [flag for flag in flags if flag != "-Werror"]  # gcc 12 sees a mismatch in an inlined operator new
    objects = [compiled(tmp_path / "p", "puma260"), "computed_torque_controller.o", "inverse_dynamics_solver.o"]
    done = subprocess.run([built(tmp_path / "p", *relaxed, "run.cpp", *objects)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    first, *rows = done.stdout.strip().split("\n")
    assert first.split() == [f"{joint}/{kind}" for joint in robot.joint_names for kind in ("position", "velocity")]
    found = {name: np.array(values, float) for name, *values in (row.split() for row in rows)}
    q, qd, qdd = (np.arange(1, 7) * k for k in (0.1, 0.2, 0.3))
    wanted = 0.01 * np.arange(18).reshape(3, 6)
    command = wanted[2] + 20 * (wanted[1] - qd) + 50 * (wanted[0] - q)
    right = {
        "held": robot.gravity(q),
        "moved": robot.inverse_dynamics(q, qd, command),
        "M": robot.mass_matrix(q).ravel(),
        "C": robot.bias(q, qd) - robot.gravity(q),
        "g": robot.gravity(q),
        "f": robot.evaluate("friction", qd),
        "tau": robot.inverse_dynamics(q, qd, qdd),
    }
    for name, values in right.items():
        np.testing.assert_allclose(found[name], values, rtol=0, atol=1e-11 * max(1, np.abs(values).max()))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("puma260", "--parameters", "symbolic"), "parameters at run time in a ROS 2 package"),
        (("puma260", "--base", "free"), "a free joint in a ROS 2 package"),
        (("puma260", "--precision", "float"), "unknown precision in ros2 'float'"),
    ],
)
def test_what_is_no_package_is_one_sentence(
    given: tuple[str, ...], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--language", "ros2", "--functions", "friction", "--effort", "none"]
    assert main(["generate", given[0], "-o", str(tmp_path / "out"), *options, *given[1:]]) == 2
    error = capsys.readouterr().err.strip()
    assert said in error and "\n" not in error


@pytest.mark.parametrize("name", ["double", "std", "this robot"])
def test_a_robot_named_by_a_word_of_cpp(name: str, tmp_path: Path) -> None:
    request = Request(name, routines("double_pendulum", ("gravity",), "symbolic"), ["int", "namespace"])
    for file, text in BACKENDS["cpp"].build(request).files.items():
        (tmp_path / file).write_text(text, "utf-8")
    compiled(tmp_path, request.prefix)
    program = built(tmp_path, "-std=c++17", f"-D{request.prefix}_NO_EIGEN", "selftest_cpp.cpp", f"{request.prefix}.o")
    assert subprocess.run([program], check=False, capture_output=True).returncode == 0
