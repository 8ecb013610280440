"""From the whole tree to the machine: external wrenches in, mimicking joints gathered out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from taut.algorithms import kinematics
from taut.robot import Spread, Tree
from taut.spatial import Force, Motion, Scalar, Vec3, is_exactly

Vector = Sequence[Scalar]
Matrix = list[list[Scalar]]
Wrenches = Mapping[str, Vector]
"""{frame name: [force; moment] the world exerts, in world axes at the frame's origin}: they take J^T F off a torque."""


def pushed(robot: Tree, Q: Sequence[Vector], wrenches: Wrenches | None) -> dict[str, Any]:
    """Return the algorithms' argument ``external``: the wrenches as forces on bodies, each in its body's frame."""
    if not wrenches:
        return {}
    forces: dict[int, Force] = {}
    for name, wrench in wrenches.items():
        frame = robot.frame(name)
        if frame.body < 0:
            continue  # the base holds it
        X_WF = kinematics.frame_pose(robot, Q, frame)
        back = X_WF.R.T
        in_frame = Force(back @ Vec3(*wrench[3:]), back @ Vec3(*wrench[:3]))
        force = frame.transform.force_to_parent(in_frame)
        forces[frame.body] = forces[frame.body] + force if frame.body in forces else force
    return {"external": forces}


def plus(a: Sequence[Vector], b: Sequence[Vector]) -> list[list[Scalar]]:
    """Return the sum of two lists of vectors."""
    return [[x + y for x, y in zip(p, r, strict=True)] for p, r in zip(a, b, strict=True)]


def product(A: Sequence[Vector], B: Sequence[Vector]) -> Matrix:
    """Return the product of two matrices; entries of B that are zero by structure cost nothing."""
    columns = transposed(B)

    def entry(row: Vector, column: Vector) -> Scalar:
        terms = [a * b for a, b in zip(row, column, strict=True) if not is_exactly(b, 0)]
        return sum(terms[1:], terms[0]) if terms else 0

    return [[entry(row, column) for column in columns] for row in A]


def units(robot: Tree) -> Matrix:
    """Return rates of one for each degree of freedom in turn."""
    return [[1 if j == k else 0 for j in range(robot.nv)] for k in range(robot.nv)]


def transposed(rows: Sequence[Vector]) -> Matrix:
    """Return the transposed matrix."""
    return [list(column) for column in zip(*rows, strict=True)]


def columns(at: Spread, J: Sequence[Sequence[Motion]]) -> Matrix:
    """Return the motions per rate of every joint as a matrix [linear; angular] over the independent rates."""
    return transposed(at.reduced_rows([[*column.v, *column.w] for part in J for column in part]))
