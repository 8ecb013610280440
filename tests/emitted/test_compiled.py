"""Compiled functions: any leading shape, plain errors, threads, and a cache that many processes may use."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from emitted.functions_of import derived, states_of
from taut.errors import InputError
from taut.runtime.library import compiled

FUNCTION = ("puma560", "inverse_dynamics")


def test_any_leading_shape_broadcasts() -> None:
    function = derived(*FUNCTION)
    fast = compiled(function)
    q, qd, qdd = (x.reshape(2, 3, 4, -1) for x in states_of(function, 24).values())
    expected = function(q, qd, qdd)
    assert fast.native and fast.shape == (6,)
    assert np.allclose(fast(q, qd, qdd), expected, rtol=1e-12, atol=1e-12)
    assert np.allclose(fast(q[0, 0, 0], qd[0, 0, 0], qdd[0, 0, 0]), expected[0, 0, 0], rtol=1e-12, atol=1e-12)
    assert np.allclose(fast(q[0, 0, 0], qd, qdd[0]), function(q[0, 0, 0], qd, qdd[0]), rtol=1e-12, atol=1e-12)
    assert fast(q[:0], qd[:0], qdd[:0]).shape == (0, 3, 4, 6)


def test_lists_integers_and_strided_arrays() -> None:
    function = derived(*FUNCTION)
    fast = compiled(function)
    whole = np.arange(36).reshape(3, 12)
    strided = [whole[k, ::2] for k in range(3)]
    assert np.array_equal(fast(*strided), fast(*(row.tolist() for row in strided)))
    assert np.array_equal(fast(*strided), fast(*(np.array(row, float) for row in strided)))
    reversed_rows = np.random.default_rng(1).uniform(-1, 1, (3, 5, 6))[:, ::-1]
    assert np.array_equal(fast(*reversed_rows), fast(*np.ascontiguousarray(reversed_rows)))


def test_a_matrix_answer_and_float() -> None:
    function = derived("puma560", "mass_matrix")
    q = states_of(function, 7, np.float32)["q"]
    assert compiled(function)(q[0]).shape == (6, 6)
    single = compiled(function, precision="float")(q)
    assert single.dtype == np.float32 and np.allclose(single, function(q), rtol=1e-4, atol=1e-4)


def test_parameters_become_constants() -> None:
    function = derived("double_pendulum", "gravity")
    values = {"m1": 1.0, "L1": 0.5, "m2": 2.0, "L2": 0.25}
    q = np.array([0.3, -0.7])
    assert np.allclose(compiled(function, parameters=values)(q), function(q, parameters=values), rtol=1e-14)
    with pytest.raises(InputError, match="without values"):
        compiled(function)


@pytest.mark.parametrize(
    ("states", "message"),
    [
        ((np.zeros(6), np.zeros(6)), "2 arguments"),
        ((np.zeros(6), np.zeros(6), np.zeros(6), np.zeros(6), np.zeros(6)), "5 arguments"),
        ((np.zeros(6), np.zeros(6), np.zeros(5)), "qdd: shape"),
        ((np.zeros(6), 1.0, np.zeros(6)), "qd: a single number"),
        ((np.zeros(6), ["a"] * 6, np.zeros(6)), "qd: not an array"),
        ((np.zeros((2, 6)), np.zeros((3, 6)), np.zeros(6)), "leading axes"),
    ],
)
def test_bad_arguments_are_one_sentence(states: tuple[object, ...], message: str) -> None:
    with pytest.raises(InputError, match=message):
        compiled(derived(*FUNCTION))(*states)


def test_nan_goes_through() -> None:
    assert np.isnan(compiled(derived(*FUNCTION))(np.full(6, np.nan), np.zeros(6), np.zeros(6))[1:5]).all()


def test_threads_share_one_function() -> None:
    function = derived(*FUNCTION)
    fast = compiled(function)
    states = [tuple(states_of(function, 2000, seed=k).values()) for k in range(4)]
    expected = [fast(*s) for s in states]
    wrong: list[int] = []

    def work(k: int) -> None:
        for _ in range(20):
            if not np.array_equal(fast(*states[k]), expected[k]):
                wrong.append(k)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_a_large_batch_is_shared_by_threads() -> None:
    function = derived(*FUNCTION)
    states = [x.reshape(2, 4501, -1) for x in states_of(function, 9002).values()]
    one, three = compiled(function), compiled(function, threads=3)
    assert np.allclose(three(*states), one(*states), rtol=1e-13, atol=1e-13)
    assert np.array_equal(three(*(x[0, 0] for x in states)), one(*(x[0, 0] for x in states)))
    with pytest.raises(InputError, match="0 threads"):
        compiled(function, threads=0)


def test_the_answer_may_be_put_into_an_array() -> None:
    function = derived(*FUNCTION)
    fast = compiled(function)
    states = list(states_of(function, 20).values())
    out = np.empty((20, 6))
    assert fast(*states, out) is out and np.array_equal(out, fast(*states))
    assert fast(*(x[::2] for x in states), out[:10]).base is out and np.array_equal(out[:10], fast(*states)[::2])
    for bad in (np.empty((20, 5)), np.empty((20, 6), np.float32), np.empty((20, 12))[:, ::2], [0.0]):
        with pytest.raises(InputError, match="does not fit"):
            fast(*states, bad)


@pytest.mark.parametrize("count", range(1, 18))
def test_every_tail_of_a_batch(count: int) -> None:
    function = derived(*FUNCTION)
    fast = compiled(function)
    states = list(states_of(function, count).values())
    assert np.allclose(
        fast(*states), np.array([fast(*one) for one in zip(*states, strict=True)]), rtol=1e-12, atol=1e-12
    )


def test_nothing_leaks() -> None:
    function = derived(*FUNCTION)
    fast = compiled(function)
    one = tuple(x[0] for x in states_of(function, 1).values())
    before = [sys.getrefcount(x) for x in one]
    for _ in range(1000):
        fast(*one)
        with pytest.raises(InputError):
            fast(one[0], one[1])
    assert [sys.getrefcount(x) for x in one] == before


def test_without_a_compiler_numpy_answers_with_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    function = derived(*FUNCTION)
    monkeypatch.setenv("CC", "no-such-compiler")
    with pytest.warns(RuntimeWarning, match="runs in NumPy"):
        slow = compiled(function)
    states = tuple(states_of(function, 3).values())
    assert not slow.native and np.array_equal(slow(*states), function(*states))


COMPILE = """
import numpy as np, taut
from taut.runtime.library import compiled
f = taut.load("puma560").derive("gravity", effort="quick")
assert np.allclose(compiled(f)(np.ones(6)), f(np.ones(6)), rtol=1e-13)
"""


def test_two_processes_compile_the_same_at_once(tmp_path: Path) -> None:
    environment = {**os.environ, "TAUT_CACHE": str(tmp_path)}
    running = [subprocess.Popen([sys.executable, "-c", COMPILE], env=environment) for _ in range(2)]
    assert [process.wait() for process in running] == [0, 0]
    assert len(list(tmp_path.glob("*.so"))) == 1


def test_a_killed_compile_leaves_no_broken_library(tmp_path: Path) -> None:
    slow = tmp_path / "slow-cc"
    slow.write_text('#!/bin/sh\ncase "$*" in *--version*) echo slow;; *) touch "$0.started"; sleep 60;; esac\n')
    slow.chmod(0o755)
    cache = tmp_path / "cache"
    environment = {**os.environ, "TAUT_CACHE": str(cache), "CC": str(slow)}
    process = subprocess.Popen([sys.executable, "-c", COMPILE], env=environment, start_new_session=True)
    try:
        deadline = time.monotonic() + 60
        while not (tmp_path / "slow-cc.started").exists() and time.monotonic() < deadline:
            time.sleep(0.05)
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    assert (tmp_path / "slow-cc.started").exists() and list(cache.glob("*.so")) == []
    subprocess.run([sys.executable, "-c", COMPILE], env={**os.environ, "TAUT_CACHE": str(cache)}, check=True)
