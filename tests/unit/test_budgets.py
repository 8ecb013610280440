"""A search keeps its time, ends where nothing is left to try, and says what it has refused; the clock is the test's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

import taut
from taut.analysis.opcount import count
from taut.derive.checks.health import Health
from taut.derive.naming.model import DerivedRobot, derived_robot
from taut.derive.naming.parameters import SNAP
from taut.derive.starts.candidates import traced
from taut.derive.stored.programs import StoredProgram
from taut.derive.tightening.candidate import Candidate
from taut.derive.tightening.clock import Ended, Ending
from taut.derive.tightening.schedule import SETTLED, Phase, searched
from taut.derive.tightening.tighten import Budget, tighten
from taut.derive.tightening.timed_searches import TimedSearches, Trace
from taut.graph.program import Program, Signed

LONG = (Phase(1, 64, Budget(rounds=50, steps=500, trial=25, patience=50)),)


class Ticking:
    """A clock that goes on by the same time whenever it is read."""

    def __init__(self, tick: float) -> None:
        self.time, self._tick = 0.0, tick

    def __call__(self) -> float:
        self.time += self._tick
        return self.time


def model_of(name: str) -> DerivedRobot:
    return derived_robot(taut.load(name).tree, "pattern", SNAP)


def begun(name: str, function: str) -> tuple[DerivedRobot, list[Candidate]]:
    model = model_of(name)
    return model, traced(model, function, "best", None)


def test_a_search_is_ended_before_what_follows_it_would_be_late() -> None:
    times = iter([0.0, 0.0, 0.2, 1.0, 1.1, 1.1, 1.5, 1.65, 1.85])
    ending = Ending(2.0, lambda: next(times))
    ending.begun()  # at 0.0
    assert ending.asked()  # at 0.2: reading the program took 0.2
    assert ending.asked()  # at 1.0
    assert not ending.is_over()  # at 1.1
    ending.begun()  # at 1.5
    assert ending.asked()  # at 1.65
    assert not ending.asked()  # at 1.85 with 0.2 to come


def test_without_a_budget_nothing_ends() -> None:
    ending = Ending(None, Ticking(1e9))
    ending.begun()
    assert ending.asked() and not ending.is_over()


@pytest.mark.parametrize("reserve", [0.0, 1.5])
def test_searches_end_within_their_seconds(reserve: float) -> None:
    model, pool = begun("scara", "inverse_dynamics")
    clock = Ticking(0.01)
    searches = TimedSearches(model, "m+a", 1, 3.0, Trace(0.0, None), now=clock)
    searches.reserve = reserve
    found = searches(pool, LONG, None)
    assert searches.ended is Ended.TIME
    assert 0.5 * (3.0 - reserve) < clock.time < 3.0 - reserve + 0.2
    assert count(found[0].program).total <= count(pool[0].program).total


def test_nothing_is_searched_where_the_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("taut.derive.tightening.workers.tighten", lambda *_, **__: pytest.fail("a search was begun"))
    model, pool = begun("scara", "mass_matrix")
    searches = TimedSearches(model, "m+a", 1, 1.0, Trace(0.0, None), now=Ticking(2.0))
    assert searches(pool, LONG, None)[0].program in {one.program for one in pool}
    assert searches.ended is Ended.TIME and not searches.has_time


def test_a_robot_whose_proof_takes_longer_than_the_budget_says_so() -> None:
    found = taut.load("scara").derive("mass_matrix", seconds=1e-6)
    assert not found.reproducible and not found.interrupted
    assert any("no search: tracing and proof alone take longer than 1e-06 s" in note for note in found.notes)


def test_a_small_function_ends_when_nothing_is_left_to_try(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    monkeypatch.setattr("taut.derive.tightening.workers.tighten", counted(tighten, calls))
    model, pool = begun("double_pendulum", "mass_matrix")
    found, ended = searched(pool, (Phase(1, 64, Budget(rounds=2, steps=500)),), model, lambda p: count(p).total)
    assert ended is Ended.STEPS
    assert SETTLED <= len(calls) <= 2 * SETTLED
    assert count(found[0].program).total <= count(pool[0].program).total


def counted(function: Callable[..., Any], calls: list[Any]) -> Callable[..., Any]:
    def call(*given: Any, **named: Any) -> Any:
        calls.append(given)
        return function(*given, **named)

    return call


def test_a_round_that_loses_digits_is_made_again_with_fewer_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    _, pool = begun("scara", "inverse_dynamics")
    program, answers = pool[0].program, iter([False])
    monkeypatch.setattr(Health, "keeps_digits", lambda *_: next(answers, True))
    found = tighten(program, Budget(rounds=1, steps=2_000))
    assert len(found.refused) == 1
    assert found.refused[0].startswith("search, round 1: ") and found.refused[0].endswith("digits are lost")
    assert count(found.program).total < count(program).total


def test_a_stored_program_that_is_another_function_is_refused_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    robot = taut.load("scara")
    right = robot.derive("inverse_dynamics", effort="none")
    assert right.structural is not None and not right.refused
    known = right.structural
    wrong = Program(known.lines, tuple(Signed(-sign, line) for sign, line in known.outputs))
    offered = [StoredProgram(wrong, {}, True)]
    monkeypatch.setattr("taut.derive.starts.candidates.stored", lambda *_: offered)
    found = robot.derive("inverse_dynamics", effort="none")
    assert replace(found, refused=()) == right
    assert "refused: stored program: " in found.explain()
    assert "it is another function for this robot" in found.explain()
