"""Every language says what ``Program.evaluate`` says, for every robot of the library."""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from emitted.functions_of import derived, relative_error, states_of
from sampled import sampled
from taut import library
from taut.derive.function import Function
from taut.emit.backend import States
from taut.emit.c import Module
from taut.emit.c.run import run_c
from taut.emit.casadi import casadi_function
from taut.emit.javascript import javascript_source, run_javascript
from taut.emit.jax import jax_function
from taut.emit.python import python_source, run_python
from taut.emit.routine import Routine

NAMES = ("inverse_dynamics", "mass_matrix")
TOLERANCE = 1e-13


def with_numbers(robot: str, name: str) -> Function:
    """Return a function whose open symbols have been given numbers."""
    function = derived(robot, name)
    made_up = {symbol: 0.3 + 0.01 * k for k, symbol in enumerate(function.parameter_names)}
    return replace(function, values={**made_up, **function.values})


def in_casadi(routine: Routine, states: States) -> np.ndarray:
    function = casadi_function(routine)
    return np.array([np.ravel(np.array(function(*state))) for state in zip(*states.values(), strict=True)])


def in_jax(routine: Routine, states: States) -> np.ndarray:
    import jax

    jax.config.update("jax_enable_x64", True)
    return np.asarray(jax.vmap(jax_function(routine))(*states.values()))


LANGUAGES: dict[str, tuple[bool, Callable[[Routine, States], np.ndarray]]] = {
    "c": (True, lambda routine, states: run_c(Module("arm", [routine]), routine, states, [], ("-O1",), batch=True)),
    "python": (True, lambda routine, states: run_python(python_source("arm", [routine]), routine, states, [])),
    "javascript": (
        shutil.which("node") is not None,
        lambda routine, states: run_javascript(javascript_source("arm", [routine]), routine, states, []),
    ),
    "casadi": (importlib.util.find_spec("casadi") is not None, in_casadi),
    "jax": (importlib.util.find_spec("jax") is not None, in_jax),
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("robot", sampled(library.open_chains(), 4))
def test_agrees_with_the_reference(robot: str, language: str) -> None:
    runs_here, run = LANGUAGES[language]
    if not runs_here:
        pytest.skip(f"nothing here runs {language}")
    for name in NAMES:
        function = with_numbers(robot, name)
        states = states_of(function, 3)
        found = run(Routine.of(function, baked=True), states)
        assert relative_error(found, function(*states.values())) < TOLERANCE, name
