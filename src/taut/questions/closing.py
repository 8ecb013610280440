"""Closing loops by Newton's method: one step, or a fixed number of steps, as functions for generated code.

.. math:: J_d\\,\\Delta q_d = -\\phi(q)

phi is how far the closures are open, and J_d their Jacobian by the dependent positions. Independent positions stay as
they are. Near an assembled position each step squares the gap.
"""

from __future__ import annotations

from taut.errors import InputError
from taut.questions.ambient import normalised
from taut.questions.machine import Vector
from taut.questions.quantity import Quantity
from taut.questions.question import Question
from taut.robot import Tree
from taut.spatial import Scalar, sqrt

STEPS = 3
"""Newton steps of ``closed_position``: from a gap of 1e-2 of the robot's size to rounding."""


def close(robot: Tree, q: Vector) -> list[Scalar]:
    """Return q after one Newton step that closes the loops, and the length of the gaps before it."""
    if not robot.must_close:
        what = f"'{robot.name}' has no loops that a caller must close"
        raise InputError(what, "close", "leave this function out: every q is a position")
    at = robot.at(q)
    gaps = at.conditions.gaps
    others: list[Scalar] = [0] * (len(at.own_rows) - len(gaps))
    change = at.closing.solve([-gap for gap in gaps] + others)
    moved: list[Scalar] = []
    at_q = at_v = 0
    for i in robot.own:
        motion = robot.joints[i].motion
        rates = [change.get(at_v + k, 0) for k in range(motion.nv)]
        at_v += motion.nv
        if i in robot.placed:
            part = q[at_q : at_q + motion.nq]
            at_q += motion.nq
            moved += [x + slope for x, slope in zip(part, motion.slopes(part, rates), strict=True)]
    return [*normalised(robot, moved), sqrt(sum((gap * gap for gap in gaps[1:]), gaps[0] * gaps[0]))]


def closed_position(robot: Tree, q: Vector) -> list[Scalar]:
    """Return q after three Newton steps that close the loops, and the length of the gaps before the last of them."""
    for _ in range(STEPS):
        *q, gap = close(robot, q)
    return [*q, gap]


def _positions_and_gap(robot: Tree) -> tuple[int, ...]:
    return (robot.nq + 1,)


CLOSED = Quantity("closed", "positions q after the step, and the length of the gaps before it [m, and sines of angles]")

NAMED_ONLY = (
    Question("close", close, ("q",), _positions_and_gap, CLOSED, on_loops=True),
    Question("closed_position", closed_position, ("q",), _positions_and_gap, CLOSED, on_loops=True),
)
