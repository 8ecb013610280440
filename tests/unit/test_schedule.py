"""What a search begins with, and what each of its phases goes on with."""

from __future__ import annotations

from itertools import pairwise

import pytest

import taut
from taut.analysis.opcount import count
from taut.derive.naming.model import DerivedRobot, derived_robot
from taut.derive.naming.parameters import SNAP
from taut.derive.starts.traces import NEARLY, starts, textbook
from taut.derive.tightening.candidate import Candidate
from taut.derive.tightening.schedule import Phase
from taut.derive.tightening.tighten import Budget
from taut.graph import Graph, Stage
from taut.graph.lower import lower
from taut.graph.program import Program
from taut.graph.prove import disproof

BUDGET = Budget(rounds=1, steps=10)


def model_of(name: str) -> DerivedRobot:
    return derived_robot(taut.load(name).tree, "pattern", SNAP)


def chain(operations: int, name: str) -> Program:
    graph = Graph()
    x = graph.symbol(name, Stage.CONFIGURATION)
    value = x
    for k in range(operations):
        value = value * x if k % 2 else value + x * x
    return lower([value])


@pytest.mark.parametrize("function", ["inverse_dynamics", "mass_matrix"])
def test_many_starts_are_one_function_and_cost_nearly_the_same(function: str) -> None:
    model = model_of("stanford_full")
    few, many = starts(model, function), starts(model, function, many=True)
    assert {start.method for start in few} < {start.method for start in many}
    assert max(start.cost for start in many) <= NEARLY * max(start.cost for start in few)
    assert all(a.cost <= b.cost for a, b in pairwise(many))
    reference = textbook(model, function).outputs
    assert all(disproof(start.outputs, reference, 1, seed=5) is None for start in many)


def test_a_body_that_carries_others_may_lag() -> None:
    """From the start where the second body lags, the torque of this arm ends lower than from the cheapest one."""
    found = starts(model_of("stanford_full"), "inverse_dynamics", many=True)
    assert any("lagging 2, 6" in start.method for start in found[1:])


def test_large_robots_are_not_traced_again_for_every_body(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("taut.derive.starts.traces.FEW_BODIES", 5)
    model = model_of("stanford_full")
    few, many = (starts(model, "inverse_dynamics", many=wanted) for wanted in (False, True))
    assert [start.method for start in few] == [start.method for start in many]


def test_a_phase_goes_on_with_the_best_or_begins_anew_where_they_came_from() -> None:
    first = [Candidate(chain(8, "a"), "a"), Candidate(chain(9, "b"), "b"), Candidate(chain(10, "c"), "c")]
    better = [Candidate(chain(4, "c"), "c"), Candidate(chain(5, "a"), "a")]
    found = [*better, *first]
    assert [one for one, _ in Phase(2, 1, BUDGET).chosen(first, found)] == better
    anew = Phase(2, 2, BUDGET, anew=True).chosen(first, found)
    assert [(one.method, seed) for one, seed in anew] == [("c", 0), ("a", 0), ("c", 1), ("a", 1)]
    assert {count(one.program).total for one, _ in anew} == {
        count(first[0].program).total,
        count(first[2].program).total,
    }
