"""Code that reads parameters at run time is right for every value: zeros, tiny and negative ones, equal pairs."""

from __future__ import annotations

import shutil
from functools import lru_cache

import numpy as np
import pytest

import taut
from emitted.parameter_values import Values, errors, evaluated, expected, given_values, settings, states, worst
from taut.derive import Function, derive
from taut.emit.c import PORTABLE
from taut.emit.c.module import Module
from taut.emit.c.run import run_c
from taut.emit.javascript.run import run_javascript
from taut.emit.javascript.source import javascript_source
from taut.emit.python.run import run_python
from taut.emit.python.source import python_source
from taut.emit.routine import Routine
from taut.emit.statements import parameter_names
from taut.errors import InputError

ARMS = (("panda", "symbolic"), ("puma560", "pattern"), ("iiwa14", "symbolic"), ("stanford_full", "pattern"))
LIMIT = 2e-14
"""Largest error of any output on its own scale: a few roundings."""


@lru_cache
def derived(robot: str, parameters: str, function: str, generic: bool = False) -> Function:
    return derive(taut.load(robot).tree, function, parameters=parameters, effort="none", generic=generic)


def some(named: dict[str, Values], every: int) -> dict[str, Values]:
    """Return settings in turn, whole links among them."""
    return {name: x for k, (name, x) in enumerate(named.items()) if k % every == 0 or name.startswith("all of")}


@pytest.mark.parametrize(
    "function",
    ["inverse_dynamics", *(pytest.param(name, marks=pytest.mark.slow) for name in ("mass_matrix", "gravity", "bias"))],
)
@pytest.mark.parametrize(("robot", "parameters"), ARMS)
def test_every_parameter_may_have_any_value(robot: str, parameters: str, function: str) -> None:
    found = derived(robot, parameters, function)
    assert not found.generic
    named = settings(given_values(robot, found))
    chosen = list(named.values())
    off = errors(evaluated(found, chosen), expected(robot, found, chosen))
    assert off.max() < LIMIT, worst(named, off)


def test_the_shortest_program_is_not_right_everywhere() -> None:
    """The check sees what it should: the generic torque of panda divides by 15 of its parameters and more."""
    found = derived("panda", "symbolic", "inverse_dynamics", generic=True)
    assert found.generic
    assert found.operations.total < derived("panda", "symbolic", "inverse_dynamics").operations.total
    named = settings(given_values("panda", found))
    chosen = list(named.values())
    off = errors(evaluated(found, chosen), expected("panda", found, chosen))
    assert np.isnan(off).sum() >= 15
    assert off[0] < 1e-13


@pytest.mark.parametrize(
    ("robot", "parameters"), [ARMS[0], *(pytest.param(*arm, marks=pytest.mark.slow) for arm in ARMS[1:])]
)
def test_emitted_code_may_be_given_any_value(robot: str, parameters: str) -> None:
    found = derived(robot, parameters, "inverse_dynamics")
    routine = found.routine()
    names = parameter_names([routine])
    named = some(settings(given_values(robot, found)), every=7)
    chosen = list(named.values())
    wanted, given = expected(robot, found, chosen), states(found)
    module = Module(robot, [routine])
    text = python_source(robot, [routine])
    in_c = [run_c(module, routine, given, [v[n] for n in names], PORTABLE, batch=False) for v in chosen]
    in_python = [run_python(text, routine, given, [v[n] for n in names]) for v in chosen]
    for answers in (in_c, in_python):
        off = errors(np.array(answers), wanted)
        assert off.max() < LIMIT, worst(named, off)


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node to run JavaScript")
def test_javascript_may_be_given_any_value() -> None:
    found = derived("puma560", "pattern", "inverse_dynamics")
    routine: Routine = found.routine()
    named = some(settings(given_values("puma560", found)), every=90)
    chosen = list(named.values())
    text, names = javascript_source("puma560", [routine]), parameter_names([routine])
    answers = [run_javascript(text, routine, states(found), [v[n] for n in names]) for v in chosen]
    off = errors(np.array(answers), expected("puma560", found, chosen))
    assert off.max() < LIMIT, worst(named, off)


@pytest.mark.slow
@pytest.mark.parametrize(("robot", "parameters"), [("puma560", "pattern"), ("stanford_full", "pattern")])
def test_forward_dynamics_where_the_mass_matrix_is_regular(robot: str, parameters: str) -> None:
    """As good as the textbook algorithm in the same precision, whatever the condition of M."""
    found = derived(robot, parameters, "forward_dynamics")
    values = given_values(robot, found)
    named = {
        name: x for name, x in settings(values).items() if not name.endswith("* -1") and not name.startswith("all of")
    }
    chosen = list(named.values())
    wanted = expected(robot, found, chosen)
    regular = np.isfinite(wanted.astype(float)).all(axis=(1, 2)) & (np.abs(wanted).max(axis=(1, 2)) < 1e6)
    assert regular.sum() > 0.8 * len(chosen)
    off = errors(evaluated(found, chosen), wanted)
    plain = errors(expected(robot, found, chosen, np.float64), wanted)
    assert (off <= 30 * plain + LIMIT)[regular].all(), worst(named, np.where(regular, off / (plain + LIMIT), 0))


def test_a_generic_program_refuses_values_for_which_it_divides_by_zero() -> None:
    found = derived("panda", "symbolic", "inverse_dynamics", generic=True)
    given = [rows[0] for rows in states(found).values()]
    with pytest.raises(InputError, match="divides by zero"):
        found(*given, parameters={"mx5": 0.0})
    with pytest.raises(InputError, match="divides by zero"):
        found.compile(parameters={"mx5": 0.0})
    safe = derived("panda", "symbolic", "inverse_dynamics")
    assert np.isfinite(safe(*given, parameters={"mx5": 0.0})).all()
