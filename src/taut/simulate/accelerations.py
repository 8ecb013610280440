"""Functions of a robot that a simulation calls, in compiled code where there is a compiler.

The programs keep every digit of the robot's description, so that they equal ``robot.forward_dynamics`` and the others
up to rounding.
"""

from __future__ import annotations

from functools import lru_cache

from taut.derive.traced import exact_function
from taut.robot import Tree
from taut.runtime.library import Compiled


@lru_cache(maxsize=64)
def compiled_function(tree: Tree, name: str, frame: str | None = None) -> Compiled:
    """Return a function of a robot without symbols, compiled once per process."""
    return exact_function(tree, name, frame).compile()
