"""Derivatives of any question along a direction of motion, by dual numbers."""

from __future__ import annotations

from typing import Any

from taut.questions.machine import Vector
from taut.robot import Tree
from taut.spatial import Scalar
from taut.spatial.dual import Dual, level_of, slope_of


def moved(robot: Tree, q: Vector, v: Vector) -> list[Scalar]:
    """Return q as dual numbers that move with the rates v; rates of poses and orientations are in their own axes."""
    found: list[Scalar] = []
    level = 1 + max((level_of(x) for x in (*q, *v)), default=0)
    at_q = at_v = 0
    for i in robot.independent:
        motion = robot.joints[i].motion
        own, rate = q[at_q : at_q + motion.nq], v[at_v : at_v + motion.nv]
        found += [Dual(x, slope, level) for x, slope in zip(own, motion.slopes(own, rate), strict=True)]
        at_q, at_v = at_q + motion.nq, at_v + motion.nv
    return found


def slopes(answer: Any, level: int | None = None) -> Any:
    """Return the derivative of what was computed on dual numbers of a level, in its shape."""
    return [slopes(x, level) for x in answer] if isinstance(answer, (list, tuple)) else slope_of(answer, level)


def unit(n: int, k: int) -> list[Scalar]:
    """Return the k-th of n unit vectors."""
    return [int(j == k) for j in range(n)]
