"""Accelerations of a robot under joint torques, in compiled code where there is a compiler.

.. math:: \\ddot q = FD(q, \\dot q, \\tau - d(q, \\dot q))

with the torque d that the drives lose: friction, offsets and springs. The program keeps every digit of the robot's
description, so that it equals ``robot.forward_dynamics`` up to rounding.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from taut.derive.derive import derive
from taut.robot import Tree
from taut.runtime.library import Compiled

TorqueLost = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""(q, qd) -> the torques that friction, offsets and springs of the drives take (..., nv)."""


@lru_cache(maxsize=64)
def compiled_function(tree: Tree, name: str, frame: str | None = None) -> Compiled:
    """Return a function of a robot without symbols, compiled once per process."""
    return derive(tree, name, effort="quick", snap=0.0, frame=frame).compile()


def torque_lost(tree: Tree) -> TorqueLost:
    """Return the torque of the drives: joint torque without accelerations, less that of the rigid bodies."""
    supplied, rigid = compiled_function(tree, "joint_torque"), compiled_function(tree, "bias")

    def lost(q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        return np.asarray(supplied(q, qd, np.zeros_like(qd)) - rigid(q, qd))

    return lost
