"""Functions cut into tasks: exact when all run in each cycle, and as small as they are meant to be."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import taut
from taut.api import Robot
from taut.derive import Function, derive
from taut.derive.naming.model import ONE_NAMING
from taut.errors import InputError
from taut.graph.program import Program, Signed
from taut.robot import Tree
from taut.tasks.generate import planned
from taut.tasks.plan import Plan
from taut.tasks.proof import prove
from taut.tasks.recombined import random_states

ROBOTS = (
    "puma260",
    "puma560",
    "ur5e",
    "tx40",
    "scara",
    "stanford",
    "stanford_rrp",
    "double_pendulum",
    "iiwa14",
    "panda",
)


@cache
def robot_of(name: str, base: str = "fixed") -> Robot:
    return taut.load(name, base=base)


def unsearched(tree: Tree, name: str, frame: str | None, **options: object) -> Function:
    options = {"effort": "none", "verify": False, "forms": ONE_NAMING, **options}
    return derive(tree, name, frame=frame, **options)  # type: ignore[arg-type]


def numbers(plan: Plan, states: dict[str, np.ndarray]) -> np.ndarray:
    symbols: dict[str, object] = dict(plan.together.values)
    for name, names in plan.together.arguments.items():
        symbols.update({symbol: states[name][:, k] for k, symbol in enumerate(names)})
    return np.stack(np.broadcast_arrays(*plan.evaluate(symbols)), axis=-1)


@pytest.mark.parametrize(("name", "base"), [*((name, "fixed") for name in ROBOTS), ("puma260", "free")])
def test_the_tasks_together_are_the_textbook_torque(name: str, base: str) -> None:
    robot = robot_of(name, base)
    plan = planned(robot.tree, [("inverse_dynamics", None)], "two-rate", unsearched)
    proof = prove(plan, robot.tree).proof  # over GF(2^61 - 1); raises where a task is wrong
    assert proof.points >= 3
    if "parameters" not in plan.together.arguments:  # a robot whose numbers are known
        states = random_states(plan, robot.tree.quaternions, 5, seed=2)
        expected = robot.inverse_dynamics(states["q"], states["qd"], states["qdd"])
        assert np.abs(numbers(plan, states) - expected).max() < 1e-6 * np.abs(expected).max()
    synchronous = plan.tasks[-1]
    assert synchronous.operations.mul <= robot.nv**2 and synchronous.operations.add <= robot.nv**2
    assert list(synchronous.arguments) == ["qdd"]


def test_a_wrong_task_is_seen() -> None:
    robot = robot_of("double_pendulum")
    plan = planned(robot.tree, [("inverse_dynamics", None)], "two-rate", unsearched)
    first = plan.tasks[0]
    sign, line = first.program.outputs[0]
    wrong = Program(first.program.lines, (Signed(-sign, line), *first.program.outputs[1:]))
    broken = Plan(plan.together, (replace(first, program=wrong), *plan.tasks[1:]))
    with pytest.raises(taut.errors.TautError, match="is wrong"):
        prove(broken, robot.tree)


def test_friction_is_summed_in_the_background() -> None:
    robot = robot_of("puma260")
    plan = planned(robot.tree, [("joint_torque", None)], "two-rate", unsearched)
    prove(plan, robot.tree)
    states = random_states(plan, (), 5, seed=3)
    expected = robot.joint_torque(states["q"], states["qd"], states["qdd"])
    assert np.allclose(numbers(plan, states), expected, rtol=0, atol=1e-9 * np.abs(expected).max())
    assert plan.tasks[-1].operations.total <= 72, "friction costs the synchronous task nothing"


def test_a_load_lives_in_the_background() -> None:
    robot = robot_of("puma260")
    frame = robot.tree.frame(None).name
    plan = planned(robot.tree, [("inverse_dynamics", None)], "two-rate", lambda *given: unsearched(*given, load=frame))
    prove(plan, robot.tree, load=frame)
    slow, velocity, fast = plan.tasks
    assert "load" in slow.arguments and "load" not in fast.arguments
    assert (slow.operations.mul, slow.operations.add) <= (190, 150) and slow.operations.add <= 150
    assert velocity.operations.mul <= 200 and velocity.operations.add <= 170
    states = random_states(plan, (), 4, seed=4)
    states["load"][:] = [2.0, 0.1, -0.2, 0.3, 0.05, 0.01, 0.06, -0.02, 0.015, 0.04]
    held = robot.with_load(2.0, (0.05, -0.1, 0.15), None, frame)
    m, com = 2.0, np.array([0.05, -0.1, 0.15])
    about_origin = np.array([[0.05, 0.01, -0.02], [0.01, 0.06, 0.015], [-0.02, 0.015, 0.04]])
    about_com = about_origin - m * (com @ com * np.eye(3) - np.outer(com, com))
    entries = [about_com[0, 0], about_com[0, 1], about_com[1, 1], about_com[0, 2], about_com[1, 2], about_com[2, 2]]
    held = robot.with_load(m, com, entries, frame)
    expected = held.inverse_dynamics(states["q"], states["qd"], states["qdd"])
    assert np.allclose(numbers(plan, states), expected, rtol=0, atol=1e-9 * np.abs(expected).max())


def test_izaguirres_counts_are_reached_without_a_search() -> None:
    plan = planned(robot_of("puma260").tree, [("inverse_dynamics", None)], "two-rate", unsearched)
    slow, velocity, fast = (task.operations for task in plan.tasks)
    assert (slow.mul, slow.add) <= (98, 70) and slow.add <= 70
    assert velocity.mul <= 140 and velocity.add <= 110
    assert fast.mul <= 36 and fast.add <= 36


def test_a_small_hand_over_costs_operations_in_the_background_alone() -> None:
    robot = robot_of("puma260")
    by_worth = {}
    for worth in (0, 4, 1000):
        plan = planned(robot.tree, [("inverse_dynamics", None)], "two-rate", unsearched, worth)
        prove(plan, robot.tree)
        by_worth[worth] = plan
    crossing = {worth: len(plan.tasks[0].hands.get("velocity", ())) for worth, plan in by_worth.items()}
    assert crossing[0] > crossing[4] > crossing[1000] == 0
    assert len({plan.tasks[-1].operations.total for plan in by_worth.values()}) == 1
    assert by_worth[0].tasks[1].operations.total < by_worth[1000].tasks[1].operations.total


def test_several_functions_and_other_groupings() -> None:
    robot = robot_of("stanford_rrp")
    chosen = [("inverse_dynamics", None), ("forward_kinematics", None), ("gravity", None)]
    for tasks in ("two-rate", "velocity,synchronous", "configuration,synchronous", "synchronous"):
        plan = planned(robot.tree, chosen, tasks, unsearched)
        prove(plan, robot.tree)
        assert {answer.label for task in plan.tasks for answer in task.answers} == {name for name, _ in chosen}


@pytest.mark.parametrize(
    ("tasks", "said"),
    [
        ("velocity,configuration,synchronous", "task 'velocity' would need 'configuration', which comes later"),
        ("configuration,velocity", "task 'velocity' would need the later stage 'acceleration' for inverse_dynamics"),
        ("two rates", "'two rates' is no task"),
        ("configuration,configuration", "which comes later"),
    ],
)
def test_tasks_that_cannot_be_are_refused(tasks: str, said: str) -> None:
    with pytest.raises(InputError, match=said.replace("'", ".")) as refused:
        planned(robot_of("double_pendulum").tree, [("inverse_dynamics", None)], tasks, unsearched)
    assert "\n" not in str(refused.value)
