"""Derived double code keeps its digits on a nasty robot, compiled in several ways."""

from __future__ import annotations

import numpy as np

from oracle.agreement import Verdict
from oracle.builds import Build, answers
from oracle.nasty_robots import exact_torques, nasty_robot
from taut.derive import derive
from taut.derive.checks.truth import BESIDE, file_states, plain
from taut.robot.meaning import decided

STATES = 20
ENOUGH, TIMES = 1e-10, 10.0
"""Largest error of an output on its own scale, or this many times the error of the textbook algorithm."""


def verdict_on_nasty(seed: int, builds: list[Build]) -> Verdict:
    """Compare the C of one robot with the textbook algorithm in 200 bits."""
    verdict = Verdict(f"nasty robot {seed}", "200 bits", "agreed", where="inverse dynamics", tolerance=ENOUGH)
    robot = decided(nasty_robot(seed).tree).tree
    verdict.dof = robot.nv
    states = {name: file_states(robot, STATES)[name] for name in ("q", "qd", "qdd")}
    exact = np.array(exact_torques(robot, list(zip(*(x.tolist() for x in states.values()), strict=True))))
    scale = np.abs(exact).max(axis=0)
    scale = np.maximum(scale, BESIDE * 1e-3 * scale.max())
    textbook = (np.abs(plain(robot, "inverse_dynamics", states) - exact) / scale).max(axis=0)
    for build, found in answers(derive(robot, "inverse_dynamics", effort="none"), states, builds):
        error = (np.abs(found - exact) / scale).max(axis=0)
        verdict.worst = max(verdict.worst, float(error.max()))
        beyond = ~(error <= np.maximum(ENOUGH, TIMES * textbook))
        if beyond.any():
            joint = int(np.argmax(np.where(beyond, error, -1)))
            verdict.disagreements.append(
                f"{build}: joint {joint + 1} {error[joint]:.1e}, textbook {textbook[joint]:.1e}"
            )
    return verdict.concluded()
