"""Compiled functions: any leading shape, plain errors, threads, and a cache that many processes may use."""

from __future__ import annotations

import sys
import threading

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
        ((np.zeros(6), ["a"] * 6, np.zeros(6)), "qd: not an array of real numbers"),
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


@pytest.mark.parametrize("shape", [(1, 6), (1, 1, 6), (3, 1, 6)])
def test_shapes_are_kept(shape: tuple[int, ...]) -> None:
    function = derived(*FUNCTION)
    fast = compiled(function)
    states = np.random.default_rng(2).uniform(-1, 1, (3, *shape))
    assert fast(*states).shape == shape
    assert np.allclose(fast(*states), function(*states), rtol=1e-12, atol=1e-12)
    assert fast(*states, np.empty(shape)).shape == shape
    assert compiled(derived("puma560", "mass_matrix"))(states[0]).shape == (*shape, 6)


@pytest.mark.parametrize("shape", [(6, 1), (2, 3), (36,), (0,), (), (6, 0)])
def test_wrong_shapes_are_refused(shape: tuple[int, ...]) -> None:
    fast = compiled(derived(*FUNCTION))
    good = np.zeros(6)
    for states in ((np.zeros(shape), good, good), (good, np.zeros(shape), good), (np.zeros(shape),) * 3):
        with pytest.raises(InputError, match=r"expected \(\.\.\., 6\)"):
            fast(*states)
    for states in ((good,) * 3, (np.zeros((1, 6)),) * 3, (np.zeros((2, 6)),) * 3):
        with pytest.raises(InputError, match="the array for the answer does not fit"):
            fast(*states, np.zeros(shape))


def test_an_answer_of_another_leading_shape_is_refused() -> None:
    fast, matrix = compiled(derived(*FUNCTION)), compiled(derived("puma560", "mass_matrix"))
    for wrong in ((1, 6), (12,), (2, 1, 6)):
        with pytest.raises(InputError, match="does not fit"):
            fast(*np.zeros((3, 2, 6)), np.empty(wrong))
    with pytest.raises(InputError, match=r"array of shape \(2, 6, 6\)"):
        matrix(np.zeros((2, 6)), np.empty((2, 36)))
    frozen = np.empty((2, 6))
    frozen.flags.writeable = False
    with pytest.raises(InputError, match="does not fit"):
        fast(*np.zeros((3, 2, 6)), frozen)


def unaligned(array: np.ndarray) -> np.ndarray:
    """Return a copy that begins one byte after a place where a number may be."""
    room = np.zeros(array.nbytes + 1, np.uint8)[1:].view(array.dtype).reshape(array.shape)
    room[...] = array
    assert not room.flags.aligned
    return room


def test_unaligned_swapped_and_odd_arrays() -> None:
    function = derived(*FUNCTION)
    fast = compiled(function)
    for shape in ((6,), (5, 6)):
        states = np.random.default_rng(3).uniform(-1, 1, (3, *shape))
        expected = fast(*states)
        assert np.array_equal(fast(*map(unaligned, states)), expected)
        assert np.array_equal(fast(*(x.astype(">f8") for x in states)), expected)
        assert np.array_equal(fast(*(x.astype(object) for x in states)), expected)
        assert np.array_equal(fast(*(np.asfortranarray(x) for x in states)), expected)
        with pytest.raises(InputError, match="does not fit"):
            fast(*states, unaligned(expected))


@pytest.mark.parametrize("offset", [0, 1, 5, 6, 7])
@pytest.mark.parametrize("argument", [0, 1, 2])
def test_an_answer_that_overlaps_an_argument(argument: int, offset: int) -> None:
    fast = compiled(derived(*FUNCTION))
    for count in (1, 9):
        room = np.random.default_rng(4).uniform(-1, 1, 6 * count + 20)
        states = [*np.random.default_rng(5).uniform(-1, 1, (3, count, 6))]
        states[argument] = room[: 6 * count].reshape(count, 6)
        expected = fast(*(x.copy() for x in states))
        out = room[offset : offset + 6 * count].reshape(count, 6)
        assert fast(*states, out) is out and np.array_equal(out, expected)


@pytest.mark.parametrize(
    "bad", [np.zeros(6, complex), ["1"] * 6, np.array([b"1"] * 6), [None] * 6, [1j, *[0] * 5], ["1", *[0] * 5]]
)
def test_what_is_not_real_is_refused(bad: object) -> None:
    for call in (compiled(derived(*FUNCTION)), derived(*FUNCTION)):
        with pytest.raises(InputError, match="qd: not an array of real numbers"):
            call(np.zeros(6), bad, np.zeros(6))
