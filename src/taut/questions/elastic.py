"""Motors that drive elastic joints: what they must give along a motion of the links, up to its fourth derivative.

With the link torque tau(q, qd, qdd), the stiffness K between motor and joint and the rotor inertia B, both at the
joint, the motor stands at theta = q + tau / K [Spong 1987, Modeling and control of elastic joint robots], so that

.. math:: \\tau_m = \\tau + B \\ddot\\theta = \\tau + B\\,(\\ddot q + \\ddot\\tau / K)

The second derivative of tau by time is exact, by dual numbers of dual numbers. Gravity of the rotors belongs to the
links that carry them, and their gyroscopic terms are neglected. Friction is left out, as in inverse dynamics.
"""

from __future__ import annotations

from functools import partial

from taut.algorithms.newton_euler import newton_euler
from taut.algorithms.regressor import regressor
from taut.questions.machine import Matrix, Vector
from taut.questions.quantity import TORQUE, Quantity
from taut.questions.question import Question, Space, Way, per_joint, single_axis
from taut.questions.rigid_body import TorqueAlgorithm
from taut.robot import Tree
from taut.robot.elastic import check_elastic, is_elastic
from taut.spatial import Scalar
from taut.spatial.dual import Dual, level_of, slope_of, value_of


def elastic_torque(
    robot: Tree, q: Vector, qd: Vector, qdd: Vector, qddd: Vector, qdddd: Vector, torque: TorqueAlgorithm = newton_euler
) -> Vector:
    """Return the torques of the motors, at the joints."""
    check_elastic(robot)
    level, Q, QD, QDD = _along_time(q, qd, qdd, qddd, qdddd)
    moving = [part[0] for part in torque(robot, Q, QD, QDD)]
    return [_driven(robot, j, _value(tau, level), _second(tau, level), qdd[j]) for j, tau in enumerate(moving)]


def elastic_regressor(robot: Tree, q: Vector, qd: Vector, qdd: Vector, qddd: Vector, qdddd: Vector) -> Matrix:
    """Return Y with tau_m = Y pi plus B qdd: what the ten parameters of every link ask of every motor."""
    check_elastic(robot)
    level, Q, QD, QDD = _along_time(q, qd, qdd, qddd, qdddd)
    columns = regressor(robot, Q, QD, QDD)
    rows = range(len(robot.joints))
    return [[_driven(robot, j, _value(c[j][0], level), _second(c[j][0], level), 0) for c in columns] for j in rows]


def _driven(robot: Tree, j: int, tau: Scalar, second: Scalar, qdd: Scalar) -> Scalar:
    """Return tau + B (qdd + tau'' / K), of a rigid drive tau + B qdd."""
    drive = robot.joints[j].drive
    turned = qdd + second / drive.gear_stiffness if is_elastic(drive) else qdd
    return tau + drive.rotor_inertia * turned


def _along_time(*x: Vector) -> tuple[int, list[list[Scalar]], list[list[Scalar]], list[list[Scalar]]]:
    """Return positions, rates and accelerations as numbers that know their first two derivatives by time."""
    level = 1 + max((level_of(entry) for vector in x for entry in vector), default=0)

    def moving(k: int) -> list[list[Scalar]]:
        first = [Dual(a, b, level) for a, b in zip(x[k], x[k + 1], strict=True)]
        second = [Dual(b, c, level) for b, c in zip(x[k + 1], x[k + 2], strict=True)]
        return [[Dual(a, b, level + 1)] for a, b in zip(first, second, strict=True)]

    return level, moving(0), moving(1), moving(2)


def _value(x: Scalar, level: int) -> Scalar:
    return value_of(value_of(x, level + 1), level)


def _second(x: Scalar, level: int) -> Scalar:
    return slope_of(slope_of(x, level + 1), level)


ALONG = ("q", "qd", "qdd", "qddd", "qdddd")

NAMED_ONLY = (
    Question(
        "elastic_torque",
        elastic_torque,
        ALONG,
        per_joint,
        Quantity("tau", "torques of motors behind elastic joints", TORQUE),
        Space.JOINT,
        drive_numbers=True,
        ways=(Way("", lambda r: partial(elastic_torque, torque=r.torque), single_axis),),
    ),
    Question(
        "elastic_regressor",
        elastic_regressor,
        ALONG,
        lambda robot: (robot.nv, 10 * len(robot.joints)),
        Quantity("Y", "regressor of elastic joints; Y pi and rotor inertia times qdd are the motors' torques"),
        Space.LINK,
        drive_numbers=True,
    ),
)
