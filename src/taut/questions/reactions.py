"""Force and moment that neighbouring links exert on each other at every joint: what bearings and bolts carry."""

from __future__ import annotations

from taut.algorithms.newton_euler import transmitted
from taut.questions.machine import Matrix, Vector, Wrenches, pushed
from taut.questions.quantity import Quantity
from taut.questions.question import Question, Space
from taut.robot import Tree


def reaction_wrenches(robot: Tree, q: Vector, qd: Vector, qdd: Vector, wrenches: Wrenches | None = None) -> Matrix:
    """Return [force; moment] that the parent exerts on the link of each joint, in the link's axes at its origin."""
    at = robot.at(q)
    Q = at.positions
    carried = dict(transmitted(robot, Q, at.rates(qd), at.accelerations(qd, qdd), **pushed(robot, Q, wrenches)))
    return [[*carried[i].f, *carried[i].n] for i in range(len(robot.joints))]


QUESTIONS = (
    Question(
        "reaction_wrenches",
        reaction_wrenches,
        ("q", "qd", "qdd"),
        lambda robot: (len(robot.joints), 6),
        Quantity("W", "wrench [force; moment] on the link of every joint, in its axes at its origin", "N, N m"),
        Space.LINK,
        on_wrenches=True,
        aliases=("reactions",),
    ),
)
