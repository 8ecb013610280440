"""The inverse Jacobian agrees with Pinocchio's Jacobian inverted, on arms that others have written.

Derived functions take angles such as 1.570796 for right angles. Where they keep every digit (``snap=0``) they agree
like the numbers do. Where not, they are the inverse for the decided robot, and what the rounded angles change in J is
multiplied by its condition number at most: |dG| / |G| <= cond(J) |dJ| / |J|.
"""

from __future__ import annotations

import numpy as np
import pytest

from oracle.agreement import random_state
from oracle.pinocchio_oracle import PinocchioOracle, load
from oracle.robot_files import urdf_files
from taut.api import load as load_robot

NAMES = (
    *("ur3_robot.urdf", "ur3_joint_limited_robot.urdf", "ur5_joint_limited_robot.urdf", "ur5_gripper.urdf"),
    *("ur10_robot.urdf", "kinova.urdf", "so100.urdf", "irb140.urdf", "kr16_2.urdf", "puma560_robot.urdf"),
)
FILES = {file.path.name: file for file in urdf_files()}
TOLERANCE = 1e-9


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in NAMES if name in FILES])
def test_inverse_jacobian(name: str) -> None:
    robot = load_robot(FILES[name].path)
    frame, model = robot.tree.frame(None).name, load(FILES[name].text.decode())
    derived = robot.derive("inverse_jacobian", effort="none", snap=0)
    decided = [robot.derive(one, effort="none", accept=1e-2) for one in ("inverse_jacobian", "jacobian")]
    for seed in range(8):
        state = random_state(robot, seed)
        J = PinocchioOracle(model, robot, state).jacobian(frame)
        G = np.linalg.inv(J)
        for found in (robot.inverse_jacobian(state.q), derived(state.q)):
            assert np.abs(found - G).max() <= TOLERANCE * np.abs(G).max()
        own, changed = (function(state.q) for function in decided)
        assert np.abs(own - np.linalg.inv(changed)).max() <= TOLERANCE * np.abs(own).max()
        part, condition = norm(J - changed) / norm(J), np.linalg.cond(J)
        assert norm(own - G) <= (condition * part + 1e-12 * condition) * max(norm(own), norm(G))


def norm(A: np.ndarray) -> float:
    return float(np.linalg.norm(A, 2))
