"""A derived function in other languages by one call: the same numbers everywhere."""

from __future__ import annotations

import ctypes
from dataclasses import replace

import numpy as np
import pytest

import taut
from taut.errors import InputError
from taut.toolchain.compiler import load


@pytest.fixture(scope="module")
def mass_matrix() -> taut.Function:
    return taut.load("ur5e").derive("mass_matrix", effort="none")


def test_c(mass_matrix: taut.Function) -> None:
    library = load(mass_matrix.to_c(name="arm"))
    q, found = np.linspace(0.1, 0.7, 6), np.empty((6, 6))
    library.arm_mass_matrix(*(x.ctypes.data_as(ctypes.c_void_p) for x in (q, found)))
    assert np.allclose(found, mass_matrix(q), rtol=1e-13)


def test_casadi(mass_matrix: taut.Function) -> None:
    pytest.importorskip("casadi")
    q = np.linspace(0.1, 0.7, 6)
    assert np.allclose(np.array(mass_matrix.to_casadi()(q)), mass_matrix(q), rtol=1e-13)


def test_jax(mass_matrix: taut.Function) -> None:
    pytest.importorskip("jax")
    q = np.linspace(0.1, 0.7, 6)
    assert np.allclose(np.asarray(mass_matrix.to_jax()(q)), mass_matrix(q), rtol=1e-5)


def test_sympy(mass_matrix: taut.Function) -> None:
    pytest.importorskip("sympy")
    q = np.linspace(0.1, 0.7, 6)
    found = mass_matrix.to_sympy()
    assert found.shape == (6, 6)
    by_name = {symbol: q[int(symbol.name[1:]) - 1] for symbol in found.free_symbols}
    numbers = np.array(found.subs(by_name).tolist(), float)
    assert np.allclose(numbers, mass_matrix(q), rtol=1e-12)


def test_sympy_keeps_parameters_that_are_read_at_run_time() -> None:
    pytest.importorskip("sympy")
    gravity = taut.load("double_pendulum").derive("gravity", parameters="symbolic", effort="none")
    found = gravity.to_sympy()
    assert found.shape == (2, 1)
    names = {symbol.name for symbol in found.free_symbols}
    assert names <= {"q1", "q2", *gravity.parameter_names} and names & set(gravity.parameter_names)


def test_text_and_a_parameter_without_a_value(mass_matrix: taut.Function) -> None:
    assert "# answers" in mass_matrix.text() and "M[1,1] = " in mass_matrix.text()
    pytest.importorskip("casadi")
    open_ended = taut.load("double_pendulum").derive("gravity", parameters="symbolic", effort="none")
    with pytest.raises(InputError, match="without values"):
        replace(open_ended, values={}).to_casadi()
