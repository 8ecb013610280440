"""What the functions of one robot share: named once, and no function depends on what was derived before it."""

from __future__ import annotations

import pytest

import taut
from taut.derive import derivation as module
from taut.derive.derivation import Derivation, derivation
from taut.graph import Graph

ROBOT = "scara"
FUNCTIONS = ("gravity", "inverse_dynamics", "jacobian", "mass_matrix")


def programs(names: tuple[str, ...]) -> dict[str, str]:
    robot = taut.load(ROBOT)
    return {name: robot.derive(name, effort="none", fresh=True).program.to_text() for name in names}


def test_programs_do_not_depend_on_what_was_derived_before() -> None:
    assert programs(FUNCTIONS) == programs(FUNCTIONS[::-1])


def test_numbers_are_named_once(monkeypatch: pytest.MonkeyPatch) -> None:
    named: list[str] = []
    naming = module.derived_robot

    def counted(tree: taut.Robot, *options: object) -> object:
        named.append(tree.name)
        return naming(tree, *options)

    monkeypatch.setattr(module, "derived_robot", counted)
    robot = taut.load(ROBOT).with_gravity([0.1, 0.2, -9.7])  # derived by no other test
    for name in FUNCTIONS:
        robot.derive(name, effort="none", fresh=True)
    assert len(named) == 2  # with its symbols, and once more with seeded values for them


def test_a_lent_robot_is_given_back_as_it_was() -> None:
    shared = Derivation(taut.load(ROBOT).tree, "pattern")
    with shared.robot() as model:
        graph, size = model.graph, len(model.graph.nodes)
        moved = model.symbols("q")[0].sin() * model.symbols("qd")[0]
        with shared.robot() as other:  # while it is lent, another one is named anew
            assert other.graph is not graph
    assert len(graph.nodes) == size
    with shared.robot() as model:
        again = model.symbols("q")[0].sin() * model.symbols("qd")[0]
        assert again is not moved and again.serial == moved.serial
    with pytest.raises(ZeroDivisionError), shared.robot() as model:
        raise ZeroDivisionError
    assert len(graph.nodes) == size


def test_equal_robots_and_options_share() -> None:
    first, second = taut.load(ROBOT).tree, taut.load(ROBOT).tree
    assert derivation(first, "pattern") is derivation(second, "pattern")
    assert derivation(first, "pattern") is not derivation(first, "symbolic")


def test_forgotten_nodes_are_made_anew() -> None:
    graph, other = Graph(), Graph()
    x, foreign = graph.symbol("x"), other.symbol("x").cos()
    graph.lift(foreign)
    graph.forget(1)
    assert graph.nodes == [x]
    assert graph.lift(foreign) is x.cos()
