"""Pose and motion of a frame."""

from __future__ import annotations

from collections.abc import Sequence

from taut.algorithms import cofactors, kinematics
from taut.errors import InputError
from taut.questions.machine import Matrix, Vector, columns, plus, transposed, units
from taut.questions.quantity import Quantity
from taut.questions.question import Question, of_size
from taut.robot import Tree
from taut.spatial import REST, Motion


def forward_kinematics(robot: Tree, q: Vector, frame: str | None = None) -> Matrix:
    """Return the 4x4 pose of a frame in the world."""
    X = kinematics.frame_pose(robot, robot.at(q).positions, robot.frame(frame))
    rows = [[*row, p] for row, p in zip(X.R.matrix.rows, X.p, strict=True)]
    return [*rows, [0, 0, 0, 1]]


def jacobian(robot: Tree, q: Vector, frame: str | None = None) -> Matrix:
    """Return J, 6 x nv, [linear; angular] in world axes at the frame's origin."""
    at = robot.at(q)
    return columns(at, kinematics.jacobian(robot, at.positions, robot.frame(frame)))


def jacobian_derivative(robot: Tree, q: Vector, qd: Vector, frame: str | None = None) -> Matrix:
    """Return dJ/dt, 6 x nv."""
    at, place = robot.at(q), robot.frame(frame)
    rate = columns(at, kinematics.jacobian_rate(robot, at.positions, at.rates(qd), place))
    if not at.bends:
        return rate
    J = kinematics.jacobian(robot, at.positions, place)
    return plus(rate, transposed([_moved(J, at.ratio_rate(qd, unit)) for unit in units(robot)]))


def _moved(J: Sequence[Sequence[Motion]], rates: Sequence[Vector]) -> Vector:
    """Return the motion [linear; angular] of a frame at rates of all joints."""
    total = REST
    for columns_of, part in zip(J, rates, strict=True):
        for column, rate in zip(columns_of, part, strict=True):
            total = total + column * rate
    return [*total.v, *total.w]


def jacobian_derivative_times_velocity(robot: Tree, q: Vector, qd: Vector, frame: str | None = None) -> Vector:
    """Return Jdot qd, [linear; angular]: the frame's acceleration at qdd = 0."""
    at, place = robot.at(q), robot.frame(frame)
    a = kinematics.velocity_product_acceleration(robot, at.positions, at.rates(qd), place)
    found = [*a.v, *a.w]
    if not at.bends:
        return found
    bent = _moved(kinematics.jacobian(robot, at.positions, place), at.ratio_rate(qd, qd))
    return [x + y for x, y in zip(found, bent, strict=True)]


def inverse_jacobian(robot: Tree, q: Vector, frame: str | None = None) -> Matrix:
    """Return J^-1, 6 x 6: joint rates from the velocity [linear; angular] of the frame in world axes at its origin."""
    return cofactors.inverse(_square_jacobian(robot, q, frame, "inverse_jacobian"))


def jacobian_determinant(robot: Tree, q: Vector, frame: str | None = None) -> Vector:
    """Return [det J] of the frame: zero where the arm is singular."""
    return [cofactors.determinant(_square_jacobian(robot, q, frame, "jacobian_determinant"))]


def _square_jacobian(robot: Tree, q: Vector, frame: str | None, name: str) -> Matrix:
    if robot.nv != 6:
        raise InputError(
            f"the Jacobian of '{robot.frame(frame).name}' is 6 x {robot.nv}, not square",
            f"{name} of '{robot.name}'",
            "hold joints with lock, or take robot.kinematics().inverse_function() for the rows and joints there are",
        )
    moved = _joints_below(robot, robot.frame(frame).body)
    if moved != len(robot.joints):
        tip = next(
            (j.link.name for i, j in enumerate(robot.joints) if _joints_below(robot, i) == len(robot.joints)), ""
        )
        raise InputError(
            f"{moved} of {len(robot.joints)} joints move the frame '{robot.frame(frame).name}'",
            f"{name} of '{robot.name}'",
            f"name one that all of them move, as in {name}:{tip}" if tip else "take an arm without branches",
        )
    return jacobian(robot, q, frame)


def _joints_below(robot: Tree, body: int) -> int:
    """Return how many joints lie between the base and a body, its own among them."""
    return 0 if body < 0 else 1 + _joints_below(robot, robot.joints[body].parent)


def _six_rows(robot: Tree) -> tuple[int, ...]:
    return (6, robot.nv)


QUESTIONS = (
    Question(
        "forward_kinematics",
        forward_kinematics,
        ("q",),
        of_size(4, 4),
        Quantity("X", "pose of the frame in the world: rotation, position [m], last row 0 0 0 1"),
        on_frame=True,
        aliases=("pose",),
        on_loops=True,
    ),
    Question(
        "jacobian",
        jacobian,
        ("q",),
        _six_rows,
        Quantity("J", "Jacobian [linear; angular] in world axes at the frame's origin"),
        on_frame=True,
        aliases=("J",),
        on_loops=True,
    ),
    Question(
        "inverse_jacobian",
        inverse_jacobian,
        ("q",),
        of_size(6, 6),
        Quantity("G", "joint rates per velocity [linear; angular] of the frame in world axes at its origin"),
        on_frame=True,
        aliases=("J_inv",),
    ),
    Question(
        "jacobian_determinant",
        jacobian_determinant,
        ("q",),
        of_size(1),
        Quantity("det", "determinant of the frame's Jacobian; 0 where the arm is singular"),
        on_frame=True,
    ),
    Question(
        "jacobian_derivative",
        jacobian_derivative,
        ("q", "qd"),
        _six_rows,
        Quantity("Jd", "time derivative of the Jacobian"),
        on_frame=True,
        on_loops=True,
    ),
    Question(
        "jacobian_derivative_times_velocity",
        jacobian_derivative_times_velocity,
        ("q", "qd"),
        of_size(6),
        Quantity("a", "acceleration [linear; angular] at qdd = 0", "m/s^2, rad/s^2"),
        on_frame=True,
        on_loops=True,
    ),
)
