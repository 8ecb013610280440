"""The compiler: finds one, compiles once, keeps the result whole, and says in one sentence what is wrong."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from taut.errors import TautError
from taut.toolchain.cache import cache_directory
from taut.toolchain.compiler import CompilerError, compiled, find_compiler, load

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


@pytest.mark.parametrize("part", [0.0, 0.1, 0.5, 0.999])
def test_a_truncated_library_is_made_again(part: float) -> None:
    """Half a library, once loaded, kills Python with a bus error."""
    path = compiled(SOURCE)
    whole = path.read_bytes()
    path.write_bytes(whole[: int(part * len(whole))])
    assert call(SOURCE) == 42.0
    assert path.read_bytes() == whole


def test_a_cache_that_others_may_write_is_refused(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled(SOURCE)
    for mode in (0o777, 0o770, 0o1777, 0o702):
        cache.chmod(mode)
        with pytest.raises(CompilerError, match=r"others may write to the cache .*chmod go-w"):
            compiled(SOURCE)
    cache.chmod(0o755)
    assert call() == 42.0
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    monkeypatch.setenv("TAUT_CACHE", str(tmp_path / "open" / "cache"))
    with pytest.raises(CompilerError, match=r"where others may replace it; set TAUT_CACHE"):
        compiled(SOURCE)
    if os.getuid() == 0:
        monkeypatch.setenv("TAUT_CACHE", str(cache))
        os.chown(cache, 12345, 12345)
        with pytest.raises(CompilerError, match="belongs to another user"):
            compiled(SOURCE)


def script(path: Path, text: str) -> str:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


def test_a_compiler_that_hangs_is_stopped(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With what it has started: a compiler's own processes hold the pipes that Python waits for."""
    hanging = script(
        tmp_path / "hanging", 'case "$1" in --version) echo 1;; *) sleep 60 & echo $! >"$0.pid"; wait;; esac'
    )
    monkeypatch.setenv("CC", hanging)
    monkeypatch.setattr("taut.toolchain.compiler.COMPILING", 0.5)
    with pytest.raises(CompilerError, match=r"hanging' was stopped after 0 s|hanging' was stopped after 1 s"):
        compiled(SOURCE)
    assert list(cache.iterdir()) == []
    child, deadline = int(Path(f"{hanging}.pid").read_text()), time.monotonic() + 5
    while _runs(child) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not _runs(child)


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("cc 'unbalanced", "which is no command"),
        ("/", "is not there|cannot be run"),
        ("true", "'true' made no library; correct or unset CC"),
        ("echo", "'echo' made no library; correct or unset CC"),
        ("false", "'false' failed with code 1"),
        ("-O2", "'-O2' named by CC is not there"),
        ("garbage", "made no library for this machine"),
        ("binary", "cannot be run"),
    ],
)
def test_a_strange_compiler_gets_a_sentence(
    command: str, message: str, tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if command == "garbage":
        command = script(
            tmp_path / "garbage", 'while [ "$1" != -o ] && [ $# -gt 0 ]; do shift; done; [ -z "$2" ] || echo no >"$2"'
        )
    if command == "binary":
        command = str(tmp_path / "binary")
        Path(command).write_bytes(b"\x00\x01")
        Path(command).chmod(0o755)
    monkeypatch.setenv("CC", command)
    with pytest.raises(CompilerError, match=message) as caught:
        load(SOURCE)
    assert "\n" not in str(caught.value)
    assert not cache.exists() or list(cache.iterdir()) == []


def test_many_processes_at_once(cache: Path) -> None:
    code = f"import os; from taut.toolchain.compiler import load; load({SOURCE!r}).twice"
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
