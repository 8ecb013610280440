"""The torque as a linear function of inertial parameters: of all links, and of a load."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from taut.algorithms.newton_euler import newton_euler
from taut.algorithms.regressor import regressor as rigid_regressor
from taut.questions.machine import Matrix, Vector, transposed
from taut.questions.quantity import TORQUE, Quantity
from taut.questions.question import TEXTBOOK, Method, Question, Space, per_joint
from taut.recursions.point_regressor import point_regressor
from taut.robot import Tree
from taut.spatial import NO_INERTIA, Inertia, Scalar

RegressorAlgorithm = Callable[..., list[list[list[Scalar]]]]
"""(robot, q, qd, qdd) -> the columns of the regressor, each the joint forces, one list a joint."""


def regressor(robot: Tree, q: Vector, qd: Vector, qdd: Vector, columns: RegressorAlgorithm = rigid_regressor) -> Matrix:
    """Return Y with tau = Y pi: ten columns a link, in taut's parameter order."""
    at = robot.at(q)
    found = columns(robot, at.positions, at.rates(qd), at.accelerations(qd, qdd))
    return transposed([at.gather(column) for column in found])


def load_torque(robot: Tree, q: Vector, qd: Vector, qdd: Vector, load: Vector, frame: str | None = None) -> Vector:
    """Return the torque that a load on a frame adds: ten inertial parameters about its origin, in its axes."""
    place = robot.frame(frame)
    carried = place.transform.inertia_to_parent(Inertia.from_parameters(tuple(load)))
    joints = [
        replace(joint, link=replace(joint.link, inertia=carried if i == place.body else NO_INERTIA))
        for i, joint in enumerate(robot.joints)
    ]
    massless = replace(robot, joints=tuple(joints))
    at = robot.at(q)
    return at.gather(newton_euler(massless, at.positions, at.rates(qd), at.accelerations(qd, qdd)))


QUESTIONS = (
    Question(
        "regressor",
        regressor,
        ("q", "qd", "qdd"),
        lambda robot: (robot.nv, 10 * len(robot.joints)),
        Quantity("Y", "regressor; Y pi are torques, pi = m mx my mz Ixx Ixy Iyy Ixz Iyz Izz of every link"),
        Space.LINK,
        aliases=("Y",),
        methods=(TEXTBOOK, Method("points", "reference points", "taut", {"columns": point_regressor})),
        on_loops=True,
    ),
    Question(
        "load_torque",
        load_torque,
        ("q", "qd", "qdd", "load"),
        per_joint,
        Quantity("tau", "joint torques that the load adds", TORQUE),
        Space.LINK,
        on_frame=True,
        on_loops=True,
    ),
)
