"""One damped Newton step of inverse kinematics as a compiled function of a robot.

.. math:: \\Delta q = z + J^T (J J^T + \\lambda 1)^{-1} (e - J z)

with the error e = [place; weighted rotation vector] in world axes, the Jacobian J weighted alike, and a wish z that is
granted as far as it does not move the frame [Levenberg 1944; Liegeois 1977]. Held joints have columns of zeros.
"""

from __future__ import annotations

from functools import lru_cache

from taut.algorithms.linear_solve import solve_symmetric
from taut.derive.function import Function
from taut.derive.naming.model import derived_robot
from taut.graph import Node
from taut.graph.lower import lower
from taut.graph.stage import Stage
from taut.questions.kinematics import forward_kinematics, jacobian
from taut.robot import Tree
from taut.runtime.library import Compiled
from taut.spatial import Scalar, Vec3
from taut.spatial.array import atan2, sqrt

NO_TURN = 1e-300
"""Added to the sine of the angle between two orientations, so that no angle is no division by zero."""


@lru_cache(maxsize=64)
def newton_step(tree: Tree, frame: str, place_only: bool) -> Compiled:
    """Return :func:`newton_function`, compiled."""
    return newton_function(tree, frame, place_only).compile()


@lru_cache(maxsize=64)
def newton_function(tree: Tree, frame: str, place_only: bool) -> Function:
    """Return (q, goal, z, free, [damping, weight]) -> [step (nv); error (6 or 3); rows of the pose (12)].

    Args:
        tree: the robot, without symbols; every digit is kept.
        frame: whose pose is wanted.
        place_only: whether the goal is a place (3) instead of the first three rows of a pose (12).
    """
    model = derived_robot(tree, "numeric", 0.0)
    symbols = {
        "q": model.symbols("q"),
        "goal": _symbols(model.graph, "goal", 3 if place_only else 12),
        "z": _symbols(model.graph, "z", tree.nv),
        "free": _symbols(model.graph, "free", tree.nv),
        "damping": _symbols(model.graph, "damping", 2),
    }
    damping, weight = symbols["damping"]
    T = forward_kinematics(model.tree, symbols["q"], frame)[:3]
    J = jacobian(model.tree, symbols["q"], frame)
    scale = [1] * 3 if place_only else [1] * 3 + [weight] * 3
    rows = range(len(scale))
    J = [[s * x * free for x, free in zip(row, symbols["free"], strict=True)] for s, row in zip(scale, J, strict=False)]
    place = [symbols["goal"][k if place_only else 4 * k + 3] - T[k][3] for k in range(3)]
    turn = [] if place_only else [weight * x for x in _rotation_vector(symbols["goal"], T)]
    error = [*place, *turn]
    rest = [e - _dot(row, symbols["z"]) for e, row in zip(error, J, strict=True)]
    square = [[_dot(J[a], J[b]) + (damping if a == b else 0) for b in rows] for a in rows]
    force = solve_symmetric(square, rest)
    step = [
        free * z + _dot([row[j] for row in J], force)
        for j, (free, z) in enumerate(zip(symbols["free"], symbols["z"], strict=True))
    ]
    outputs = [model.graph.lift(x) for x in (*step, *error, *(x for row in T for x in row))]
    return Function(
        name="newton_step",
        robot=tree.name,
        program=lower(outputs),
        arguments={name: tuple(x.name for x in entries) for name, entries in symbols.items()},
        shape=(len(outputs),),
        values=model.naming.values,
        method="damped Newton step",
        parameters="numeric",
        effort="none",
        steps=(),
        proof=None,
        frame=frame,
    )


def _symbols(graph: object, name: str, count: int) -> list[Node]:
    return [graph.symbol(f"{name}{k + 1}", Stage.APPLIED) for k in range(count)]  # type: ignore[attr-defined]


def _dot(a: list[Scalar], b: list[Scalar]) -> Scalar:
    return sum((x * y for x, y in zip(a, b, strict=True)), 0)


def _rotation_vector(goal: list[Node], T: list[list[Scalar]]) -> Vec3:
    """Return axis times angle from the orientation of a frame to that of its goal, in world axes."""
    wanted = [[goal[4 * i + j] for j in range(3)] for i in range(3)]
    R = [[_dot(wanted[i], T[j][:3]) for j in range(3)] for i in range(3)]
    sine = Vec3(R[2][1] - R[1][2], R[0][2] - R[2][0], R[1][0] - R[0][1]) * 0.5
    s, c = sqrt(sine.dot(sine)), (R[0][0] + R[1][1] + R[2][2] - 1) * 0.5
    return sine * (atan2(s, c) / (s + NO_TURN))
