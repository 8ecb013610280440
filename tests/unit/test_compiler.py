"""The compiler: finds one, compiles once, keeps the result whole, and says in one sentence what is wrong."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from taut.errors import TautError
from taut.runtime.compiler import CompilerError, cache_directory, compiled, find_compiler, load

SOURCE = "#include <math.h>\ndouble twice(double x) { return 2.0 * fabs(x); }\n"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TAUT_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def call(source: str = SOURCE) -> float:
    from ctypes import c_double

    function = load(source).twice
    function.restype, function.argtypes = c_double, [c_double]
    return float(function(-21.0))


def test_it_compiles_once(cache: Path) -> None:
    assert call() == 42.0
    [library] = cache.iterdir()
    written = library.stat().st_mtime_ns
    assert compiled(SOURCE) == library
    assert library.stat().st_mtime_ns == written


def test_another_text_or_flag_is_another_library(cache: Path) -> None:
    paths = {compiled(SOURCE), compiled(SOURCE + "\n"), compiled(SOURCE, ("-O2",)), compiled(SOURCE)}
    assert len(paths) == len(list(cache.iterdir())) == 3


def test_another_compiler_is_another_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = compiled(SOURCE)
    other = tmp_path / "other compiler"
    other.write_text(f'#!/bin/sh\n[ "$1" = --version ] && echo other && exit\nexec {find_compiler()[0]} "$@"\n')
    other.chmod(0o755)
    monkeypatch.setenv("CC", f"'{other}' -g")
    assert find_compiler() == [str(other), "-g"]
    assert compiled(SOURCE) != first


def test_a_damaged_library_is_made_again() -> None:
    compiled(SOURCE).write_bytes(b"not a library")
    assert call() == 42.0


def test_a_killed_compiler_leaves_nothing_broken(cache: Path) -> None:
    (cache / "compiling-left").mkdir(parents=True)  # what a killed process leaves behind
    (cache / "compiling-left" / "library.so").write_bytes(b"half")
    assert call() == 42.0


def test_many_processes_at_once(cache: Path) -> None:
    code = f"import os; from taut.runtime.compiler import load; load({SOURCE!r}).twice"
    several = [subprocess.Popen([sys.executable, "-c", code], env=dict(os.environ)) for _ in range(4)]
    assert [process.wait() for process in several] == [0] * 4
    assert [path.suffix for path in cache.iterdir()] == [".so"]


def test_a_text_that_does_not_compile(cache: Path) -> None:
    with pytest.raises(CompilerError, match=r"failed with code 1: .*error") as caught:
        compiled("int main(void) { return nothing; }")
    assert "\n" not in str(caught.value)
    assert list(cache.iterdir()) == []


def test_no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(CompilerError, match=r"no C compiler found .*; install one or name it in CC"):
        find_compiler()
    monkeypatch.setenv("CC", "/nowhere/cc -O9")
    with pytest.raises(TautError, match="'/nowhere/cc' named by CC is not there; correct or unset CC"):
        find_compiler()


def test_no_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("TAUT_CACHE", str(tmp_path / "file" / "cache"))
    with pytest.raises(CompilerError, match=r"cannot be kept in .* set TAUT_CACHE"):
        compiled(SOURCE)


def test_where_the_cache_is(monkeypatch: pytest.MonkeyPatch) -> None:
    assert cache_directory() == Path(os.environ["TAUT_CACHE"])
    monkeypatch.delenv("TAUT_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert cache_directory() == Path("/somewhere/taut")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache_directory() == Path.home() / ".cache" / "taut"
