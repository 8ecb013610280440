"""Compiled functions under threads, fork, pickling, kill -9, a full disk and a read-only cache."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import shutil
import signal
import subprocess
import sys
import threading
import time
import warnings
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from emitted.functions_of import derived, states_of
from taut.runtime.library import Compiled, compiled
from taut.toolchain.compiler import compiled as compiled_library

FUNCTION = ("puma560", "gravity")
MANY = 8

COMPILE = """
import sys, warnings
import numpy as np, taut
from taut.runtime.library import compiled
warnings.simplefilter("always")
f = taut.load("puma560").derive("gravity", effort="none")
g = compiled(f)
assert np.allclose(g(np.ones(6)), f(np.ones(6)), rtol=1e-13)
print("native" if g.native else "numpy")
"""

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes as Unix has them")


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TAUT_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_eight_threads_compile_and_call_the_same(cache: Path) -> None:
    function = derived(*FUNCTION)
    q = states_of(function, 3000)["q"]
    expected = function(q)
    ready = threading.Barrier(MANY)

    def work(_: int) -> bool:
        ready.wait()
        fast = compiled(function)
        return fast.native and all(np.allclose(fast(q), expected, rtol=1e-12, atol=1e-12) for _ in range(5))

    with ThreadPoolExecutor(MANY) as pool:
        assert all(pool.map(work, range(MANY)))
    assert [path.suffix for path in cache.iterdir()] == [".so"]


def test_a_forked_child_calls_and_compiles() -> None:
    function = derived(*FUNCTION)
    q = states_of(function, 5000)["q"]
    fast = compiled(function, threads=2)
    expected = fast(q)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # the test runner may have threads
        child = os.fork()
    if child == 0:
        same = np.array_equal(fast(q), expected) and np.array_equal(compiled(function, threads=2)(q), expected)
        os._exit(0 if same else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert np.array_equal(fast(q), expected)


def _answer(fast: Compiled, q: np.ndarray) -> np.ndarray:
    assert fast.native
    return fast(q)


def test_pickled_to_eight_processes() -> None:
    function = derived(*FUNCTION)
    fast = compiled(function, precision="float")
    q = states_of(function, MANY * 10, np.float32)["q"].reshape(MANY, 10, -1)
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["taut.derive.function"])  # imported once, not eight times
    with ProcessPoolExecutor(MANY, context) as pool:
        found = list(pool.map(_answer, [fast] * MANY, q))
    assert np.array_equal(found, fast(q)) and found[0].dtype == np.float32
    again = pickle.loads(pickle.dumps(fast))
    assert repr(again) == repr(fast) and np.array_equal(again(q), fast(q))
    assert np.array_equal(pickle.loads(pickle.dumps(function))(q), function(q))


def test_kill_9_during_a_compile(tmp_path: Path, cache: Path) -> None:
    slow = tmp_path / "slow-cc"
    slow.write_text('#!/bin/sh\ncase "$*" in *--version*) echo slow;; *) echo $$ >"$0.pid"; exec sleep 60;; esac\n')
    slow.chmod(0o755)
    process = subprocess.Popen([sys.executable, "-c", COMPILE], env={**os.environ, "CC": str(slow)})
    pid, deadline = tmp_path / "slow-cc.pid", time.monotonic() + 60
    while not (pid.exists() and pid.read_text()) and time.monotonic() < deadline:
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    os.kill(int(pid.read_text()), signal.SIGKILL)
    [left] = cache.iterdir()
    assert left.name.startswith("compiling-")
    done = subprocess.run([sys.executable, "-c", COMPILE], env=dict(os.environ), check=True, capture_output=True)
    assert done.stdout == b"native\n"
    assert left.exists()  # it might still be at work
    os.utime(left, (0, 0))
    compiled_library("int nothing;")
    assert {path.suffix for path in cache.iterdir()} == {".so"}


def _run_in_mount(options: str, cache: Path, prepare: str = "true") -> subprocess.CompletedProcess[str]:
    """Run COMPILE in a namespace where the cache is a file system of its own; skip where there is no such thing."""
    if shutil.which("unshare") is None or subprocess.run(["unshare", "-rm", "true"], check=False).returncode:
        pytest.skip("no mount namespaces here")
    cache.mkdir(mode=0o700)
    mount = f"mount -t tmpfs -o mode=700,{options} taut '{cache}'"
    script = f"{mount} && {prepare} && exec '{sys.executable}' -c '{COMPILE}'".replace("$CACHE", str(cache))
    return subprocess.run(["unshare", "-rm", "sh", "-c", script], capture_output=True, text=True, check=False)


def test_a_full_disk(cache: Path) -> None:
    done = _run_in_mount("size=8k", cache)
    assert (done.returncode, done.stdout) == (0, "numpy\n"), done.stderr
    assert "runs in NumPy" in done.stderr and "o space left on device" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_read_only_cache(cache: Path) -> None:
    empty = _run_in_mount("size=1m", cache, "mount -o remount,ro '$CACHE'")
    assert (empty.returncode, empty.stdout) == (0, "numpy\n"), empty.stderr
    assert "Read-only file system" in empty.stderr and "set TAUT_CACHE" in empty.stderr
    cache.rmdir()
    fill = f"'{sys.executable}' -c '{COMPILE}' && mount -o remount,ro '$CACHE'"
    filled = _run_in_mount("size=9m", cache, fill)
    assert (filled.returncode, filled.stdout) == (0, "native\nnative\n"), filled.stderr
