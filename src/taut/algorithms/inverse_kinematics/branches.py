"""All branches of an arm's inverse kinematics, for a pose of numbers, batches or symbols."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from taut.algorithms.inverse_kinematics.arm import ROUNDING, arm_of, six_joints
from taut.algorithms.inverse_kinematics.constants import Constants
from taut.algorithms.inverse_kinematics.formulas import solver_of
from taut.robot import Tree
from taut.spatial import Mat3, Scalar, Vec3


def all_branches(
    robot: Tree, pose: Sequence[Scalar], frame: str | None = None, name: Callable[[float], Scalar] = float
) -> tuple[str, list[list[Scalar]]]:
    """Return the geometry in words, and for each branch the six angles and what it lacks.

    Args:
        robot: without symbols, its angles decided.
        pose: the first three rows of the 4x4 matrix, one after the other.
        frame: carried by six revolute joints; the last one by default.
        name: makes the constants of the arm scalars of the formulas.
    """
    arm = arm_of(robot, robot.frame(frame))
    solver = solver_of(arm)
    R, t = Mat3(*(Vec3(*pose[4 * k : 4 * k + 3]) for k in range(3))), Vec3(*pose[3::4])
    if solver.backwards:
        arm, R, t = arm.reversed, R.T, -(R.T @ t)
    of = Constants(ROUNDING * min(1.0, arm.reach), name)
    seen, Q, origin = arm.upright
    turned = Mat3(*(of.vector(row) for row in Q))
    branches = solver.branches(seen, of, turned.times(R), turned @ (t - of.vector(origin)))
    angles = [list(reversed(one.angles) if solver.backwards else one.angles) for one in branches]
    return solver.title, [[*row, one.lack] for row, one in zip(angles, branches, strict=True)]


def carrying(robot: Tree, frame: str) -> list[int]:
    """Return where the positions of the six joints that carry a frame stand in q."""
    starts: dict[int, int] = {}
    at = 0
    for i in robot.independent:
        starts[i] = at
        at += robot.joints[i].motion.nq
    return [starts[i] for i in six_joints(robot, robot.frame(frame))]
