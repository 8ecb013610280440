"""Errors of generated code: compiled functions of UR5 and Panda against Pinocchio on random states.

The files are example-robot-data's, Panda with its fingers locked. Pinocchio is given the robot that the derivation
states, written as URDF: where a file says 1.570796325, the code is that of a right angle. What this makes against the
file as it is stands in a column of its own. Ends with code 1 where an error is beyond 1e-12 (double) or 1e-4 (float).

    python benchmarks/accuracy.py [STATES] [--write]    10000 states; --write renews benchmarks/results/accuracy.md
"""

from __future__ import annotations

import importlib.metadata
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pinocchio as pin

import taut
from taut.api import Robot
from taut.derive.naming.model import stated_robot
from taut.report.machine import processor

PLACE = importlib.metadata.distribution("example-robot-data").locate_file(
    "cmeel.prefix/share/example-robot-data/robots"
)
ROBOTS = {
    "UR5": ("ur_description/urdf/ur5_robot.urdf", {}),
    "Panda": ("panda_description/urdf/panda.urdf", {"panda_finger_joint1": 0.0}),
}
LIMITS = {"double": 1e-12, "float": 1e-4}
Oracle = Callable[[pin.Model, pin.Data, np.ndarray, np.ndarray, np.ndarray], np.ndarray]


def symmetric(upper: np.ndarray) -> np.ndarray:
    return np.triu(upper) + np.triu(upper, 1).T


def torque_derivatives(model: pin.Model, data: pin.Data, q: np.ndarray, v: np.ndarray, a: np.ndarray) -> np.ndarray:
    pin.computeRNEADerivatives(model, data, q, v, a)
    return np.hstack([data.dtau_dq, data.dtau_dv, symmetric(data.M)])


ORACLES: dict[str, Oracle] = {
    "inverse_dynamics": pin.rnea,
    "mass_matrix": lambda model, data, q, v, a: symmetric(pin.crba(model, data, q)),
    "gravity": lambda model, data, q, v, a: pin.computeGeneralizedGravity(model, data, q),
    "forward_dynamics": pin.aba,
    "inverse_dynamics_derivatives": torque_derivatives,
}
"""What Pinocchio says; the third vector is qdd, or tau where a function takes that."""


def answers(robot: Robot, oracle: Oracle, states: np.ndarray) -> np.ndarray:
    """Return Pinocchio's answers for a robot, joints matched by name."""
    model = pin.buildModelFromXML(robot.to_urdf())
    data = model.createData()
    joints = [model.joints[model.getJointId(name)] for name in robot.joint_names]
    assert [joint.idx_v for joint in joints] == list(range(robot.nv)), "Pinocchio has another order"
    found = []
    for q, v, x in zip(*states, strict=True):
        full = pin.neutral(model)
        for joint, angle in zip(joints, q, strict=True):
            turns = joint.nq == 2
            full[joint.idx_q : joint.idx_q + joint.nq] = [np.cos(angle), np.sin(angle)] if turns else angle
        found.append(np.ravel(oracle(model, data, full, v, x)).copy())
    return np.array(found)


def relative(found: np.ndarray, expected: np.ndarray) -> float:
    """Return the largest error, each state's relative to the largest number of its answer."""
    apart = np.abs(found.reshape(expected.shape) - expected).max(axis=1)
    scale = np.abs(expected).max(axis=1)
    return float((apart / np.where(scale > 0, scale, 1.0)).max())


def main(count: int, write: bool) -> int:
    rows = [
        "# Generated code against Pinocchio",
        "",
        f"{processor()}; {count} random states, effort none, numeric parameters. Error of a state: largest",
        "difference divided by the largest number of the answer; the table has the largest of all states.",
        "",
        "| robot | function | double | float | double, file not snapped |",
        "|---|---|---:|---:|---:|",
    ]
    failed = False
    for name, (path, lock) in ROBOTS.items():
        robot = taut.load(Path(str(PLACE)) / path, lock=lock)
        stated = Robot(stated_robot(robot.tree))
        states = np.random.default_rng(1).uniform(-3, 3, (3, count, robot.nv)).astype(np.float32).astype(float)
        for function, oracle in ORACLES.items():
            derived = robot.derive(function, effort="none")
            given = states[: len(derived.arguments)]
            expected = answers(stated, oracle, states)
            double, single = (
                relative(derived.compile(precision=precision)(*given).astype(float), expected) for precision in LIMITS
            )
            raw = relative(derived.compile()(*given), answers(robot, oracle, states))
            failed |= not (double <= LIMITS["double"] and single <= LIMITS["float"])
            rows.append(f"| {name} | {function} | {double:.1e} | {single:.1e} | {raw:.1e} |")
    text = "\n".join(rows) + "\n"
    print(text)
    if write:
        Path(__file__).with_name("results").joinpath("accuracy.md").write_text(text, "utf-8")
    return int(failed)


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:] if word.isdigit()]
    sys.exit(main(numbers[0] if numbers else 10_000, "--write" in sys.argv))
