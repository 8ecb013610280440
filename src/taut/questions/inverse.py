"""Inverse kinematics in closed form: a function of a pose, for robots whose geometry has one.

It is found by name and no part of the questions that every robot answers, see :mod:`taut.questions.table`.
"""

from __future__ import annotations

from taut.algorithms.inverse_kinematics import all_branches
from taut.questions.machine import Matrix, Vector
from taut.questions.quantity import Quantity
from taut.questions.question import Question, of_size
from taut.robot import Tree


def inverse_kinematics(robot: Tree, pose: Vector, frame: str | None = None) -> Matrix:
    """Return all branches of six angles at which a frame has a pose, each with what it lacks, 0 where it exists."""
    return all_branches(robot, pose, frame)[1]


INVERSE_KINEMATICS = Question(
    "inverse_kinematics",
    inverse_kinematics,
    ("pose",),
    of_size(8, 7),
    Quantity("q", "a row for each branch: six angles [rad], then what it lacks, 0 up to rounding where it exists"),
    on_frame=True,
    aliases=("ik",),
)

NAMED_ONLY = (INVERSE_KINEMATICS,)
