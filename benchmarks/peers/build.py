"""Compiles contestants: same compilers, same flags for all; kept until something changes."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from taut.report.stopwatch import STOPWATCH

HERE = Path(__file__).parent
KEPT = HERE.parents[1] / "build" / "bench"
FLAGS = ("-O3", "-fno-math-errno", "-ffp-contract=fast", "-march=native")
"""Of all contestants, those that taut compiles with for this processor."""

COMPILERS = {"gcc": ("gcc", "g++"), "clang": ("clang", "clang++")}
"""{name: (for C, for C++)}."""

DEFINITIONS = (
    "-DBOOST_MPL_LIMIT_LIST_SIZE=30",
    "-DBOOST_MPL_LIMIT_VECTOR_SIZE=30",
    "-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS",
    "-DBOOST_FUSION_INVOKE_MAX_ARITY=12",
    "-DBOOST_VARIANT_USE_RELAXED_GET_BY_DEFAULT",
)
"""What Pinocchio's own build file asks of its users; the last allows a collection of few joints."""

GENERATORS = {
    "pinocchio_casadi.cpp": ("casadi", "casadi", "casadi"),
    "pinocchio_cppadcg.cpp": ("cmeel-cppad", "cmeel.prefix/lib", "cppad_lib"),
}
"""{program that writes C: (package, folder, name) of the library it needs}."""

PATIENCE = 1800
"""Seconds a compiler may take."""


class CannotBuildError(Exception):
    """A contestant is not there: what it needs is missing, or it does not compile."""


def compilers() -> list[str]:
    """Return the compilers of this machine."""
    return [name for name, (c, _) in COMPILERS.items() if shutil.which(c)]


@cache
def version(compiler: str) -> str:
    """Return the first line a compiler says about itself."""
    return _run([COMPILERS[compiler][0], "--version"], "compiler").splitlines()[0]


def c_library(text: str, compiler: str, label: str) -> tuple[Path, float]:
    """Return the shared library of a C text, and the seconds it took to compile."""
    command = [COMPILERS[compiler][0], "-std=gnu11", "-w", *FLAGS, "-shared", "-fPIC"]
    return _kept(text, command, version(compiler), label, ".so", ["-x", "c"], ["-lm"])


def cpp_library(file: str, compiler: str) -> Path:
    """Return the shared library of a C++ contestant."""
    command = [COMPILERS[compiler][1], *_cpp(), *FLAGS, "-DNDEBUG", "-DOWN_JOINTS", "-shared", "-fPIC"]
    return _kept(_whole(file), command, version(compiler), Path(file).stem, ".so", ["-x", "c++"])[0]


def mujoco_library(compiler: str) -> Path:
    """Return the shared library that calls MuJoCo's, which comes compiled."""
    place = _package("mujoco", "mujoco")
    theirs = next(iter(sorted(place.glob("libmujoco.so*"))), None)
    if theirs is None:
        raise CannotBuildError("mujoco is installed without its library")
    command = [COMPILERS[compiler][0], "-std=gnu11", "-w", *FLAGS, f"-I{place}/include", "-shared", "-fPIC"]
    text = (HERE / "mujoco_plain.c").read_text()
    tail = [str(theirs), f"-Wl,-rpath,{place}"]
    return _kept(text, command, version(compiler), "mujoco", ".so", ["-x", "c"], tail)[0]


def cpp_program(file: str) -> Path:
    """Return a program that writes a contestant's C; how fast it runs does not matter."""
    package, inside, name = GENERATORS[file]
    place = _package(package, inside)
    compiler = compilers()[0]
    command = [COMPILERS[compiler][1], *_cpp(), "-O0"]
    tail = [f"-L{place}", f"-l{name}", f"-Wl,-rpath,{place}", "-ldl"]
    return _kept(_whole(file), command, version(compiler), Path(file).stem, "", ["-x", "c++"], tail)[0]


def generated(program: Path, robot: Path, question: str) -> str:
    """Return the C that such a program writes for a question to a robot."""
    label = sha256(f"{program.name} {robot.read_text()} {question}".encode()).hexdigest()[:24]
    place = KEPT / f"{question}-{label}"
    target = place / f"{question}.c"
    if not target.exists():
        place.mkdir(parents=True, exist_ok=True)
        draft = place / "draft"
        draft.mkdir(exist_ok=True)
        _run([str(program), str(robot), question, str(draft)], program.name)
        (draft / f"{question}.c").replace(target)
    return target.read_text()


def counting() -> Path:
    """Return the program under which callgrind counts."""
    text = STOPWATCH + (HERE / "counting.c").read_text()
    command = [COMPILERS[compilers()[0]][0], "-std=gnu11", "-O2"]
    return _kept(text, command, version(compilers()[0]), "counting", "", ["-x", "c"], ["-ldl"])[0]


def _kept(
    text: str,
    command: list[str],
    compiler: str,
    label: str,
    suffix: str,
    kind: list[str],
    tail: list[str] | None = None,
) -> tuple[Path, float]:
    identity = "\0".join([text, *command, compiler, *(tail or [])])
    target = KEPT / f"{label}-{sha256(identity.encode()).hexdigest()[:24]}{suffix}"
    took = target.with_name(target.name + ".seconds")
    if not took.exists():
        KEPT.mkdir(parents=True, exist_ok=True)
        source, draft = target.with_name(target.name + ".src"), target.with_name(target.name + ".draft")
        source.write_text(text)
        started = time.perf_counter()
        _run([*command, *kind, str(source), "-x", "none", "-o", str(draft), *(tail or [])], label)
        seconds = time.perf_counter() - started
        draft.replace(target)
        took.write_text(f"{seconds:.3f}")
        if seconds > 5:
            print(f"  built {label} with {command[0]} in {seconds:.0f} s", file=sys.stderr, flush=True)
    return target, float(took.read_text())


def _run(command: list[str], label: str) -> str:
    pipe = subprocess.PIPE
    try:
        started = subprocess.Popen(
            command, stdout=pipe, stderr=pipe, text=True, errors="replace", start_new_session=True
        )
    except OSError as error:
        raise CannotBuildError(f"{label}: {command[0]}: {error.strerror}") from None
    try:
        said, complaints = started.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        os.killpg(started.pid, signal.SIGKILL)  # the compiler proper is a child of the command
        started.communicate()
        raise CannotBuildError(f"{label}: {command[0]} takes longer than {PATIENCE} s") from None
    if started.returncode:
        first = next((row for row in complaints.splitlines() if re.search("error:|undefined", row)), complaints.strip())
        raise CannotBuildError(f"{label}: {command[0]} failed: {first[:200]}")
    return said


def _whole(file: str) -> str:
    """Return a C++ text with the headers beside it put in, so that its hash says everything."""
    text = (HERE / file).read_text()
    return re.sub(r'#include "((?:robot|questions)\.hpp)"', lambda found: _whole(found[1]), text).replace(
        "#pragma once", ""
    )


def _cpp() -> list[str]:
    prefix = _package("libpinocchio", "cmeel.prefix/include")
    places = [prefix, _package("cmeel-eigen", "cmeel.prefix/include/eigen3"), _package("casadi", "casadi/include")]
    return ["-std=c++17", "-w", *DEFINITIONS, *(f"-I{place}" for place in places)]


def _package(name: str, inside: str) -> Path:
    try:
        place = Path(str(distribution(name).locate_file(inside)))
    except PackageNotFoundError:
        raise CannotBuildError(f"not installed: pip install {name}") from None
    if not place.exists():
        raise CannotBuildError(f"{name} is installed without {inside}")
    return place
