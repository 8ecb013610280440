"""Generated float code on an emulated Cortex-M4F and M7: right outputs, a fixed number of instructions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import taut
from cortex_m import BOARDS, MISSING, available, counted
from taut.derive.checks.truth import completed
from taut.emit.c.module import Module
from taut.tasks.routines import task_routines

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not available(), reason=MISSING)]

MOST = {"ur5e": 800, "panda": 1150}
"""Instructions of inverse dynamics on a Cortex-M4F at -O2 that must not be reached."""


def drawn(robot: taut.Robot, count: int = 5) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(7)
    found = {name: rng.uniform(-2, 2, (count, robot.nv)).astype(np.float32) for name in ("q", "qd", "qdd")}
    found["q"][0, 0] = 900.0  # many turns
    return found


@pytest.mark.parametrize("cpu", BOARDS)
@pytest.mark.parametrize("name", ["puma560", "ur5e", "panda", "scara"])
def test_torques_on_a_microcontroller(name: str, cpu: str, tmp_path: Path) -> None:
    robot = taut.Robot(completed(taut.load(name).tree))  # numbers that a file leaves open are drawn
    function = robot.derive("inverse_dynamics", parameters="numeric", effort="none")
    module = Module(name, [function.routine()], (), "float", batch=False, name=name)
    states = drawn(robot)
    found = counted(module, {"inverse_dynamics": states}, tmp_path, cpu)["inverse_dynamics"]
    expected = robot.inverse_dynamics(*(x.astype(float) for x in states.values()))
    assert np.abs(found.outputs - expected).max() <= 2e-6 * np.abs(expected).max()
    assert found.least == found.most < MOST.get(name, 1500)


@pytest.mark.parametrize("name", ["panda", "scara"])
def test_tasks_on_a_microcontroller(name: str, tmp_path: Path) -> None:
    """Each task on what the one before it hands over; together they are the torque."""
    robot = taut.Robot(completed(taut.load(name).tree))
    plan = robot.tasks(parameters="numeric", effort="none")
    states, handed = drawn(robot), {}
    for task, routine in zip(plan.tasks, task_routines(plan), strict=True):
        place = tmp_path / task.name
        place.mkdir()
        given = {key: states[key] if key in states else handed[key, task.name] for key in routine.arguments}
        module = Module(name, [routine], (), "float", batch=False, name=name)
        found = counted(module, {routine.name: given}, place)[routine.name]
        assert found.least == found.most
        out = found.outputs
        for target, labels in task.hands.items():
            handed[f"from_{task.name}", target], out = out[:, : len(labels)], out[:, len(labels) :]
    expected = robot.inverse_dynamics(*(x.astype(float) for x in states.values()))
    assert np.abs(out - expected).max() <= 3e-6 * np.abs(expected).max()
    assert found.most < 250  # the synchronous task is the last


def test_sines_of_one_float(tmp_path: Path) -> None:
    """Within two units in the last place up to 1000 rad; of 1e-4 where the sine is smaller."""
    graph_robot = taut.load("puma560")
    function = graph_robot.derive("forward_kinematics", effort="none")
    module = Module("arm", [function.routine()], (), "float", batch=False, name="arm")
    rng = np.random.default_rng(5)
    q = np.zeros((200, 6), np.float32)
    q[:, 0] = np.concatenate([rng.uniform(-1000, 1000, 150), np.arange(-25, 25) * 40 * np.pi / 2]).astype(np.float32)
    found = counted(module, {"forward_kinematics": {"q": q}}, tmp_path)["forward_kinematics"].outputs
    exact = np.sin(q[:, 0].astype(np.longdouble)), np.cos(q[:, 0].astype(np.longdouble))
    expected = graph_robot.forward_kinematics(q.astype(float)).reshape(200, 16)
    assert np.abs(found - expected).max() <= 4e-7
    turned = [k for k in range(16) if np.allclose(np.abs(expected[:, k]), np.abs(exact[0].astype(float)), atol=1e-9)]
    assert turned  # an entry of the pose is the sine itself
    sine = np.abs(exact[0].astype(float))
    assert (
        np.abs(np.abs(found[:, turned[0]]) - sine) <= 2 * np.spacing(np.maximum(sine, 1e-4).astype(np.float32))
    ).all()
