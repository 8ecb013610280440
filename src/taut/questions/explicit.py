"""The explicit equations: M, b, c and g element by element, alone and with the torque."""

from __future__ import annotations

from functools import partial
from typing import Any

from taut.algorithms.coefficients import Coefficients, explicit_terms
from taut.algorithms.newton_euler import newton_euler
from taut.questions.coefficients import Read, absolute_rates, carried_inward, carried_outward, coefficients
from taut.questions.machine import Vector
from taut.questions.quantity import Quantity
from taut.questions.question import Composition, Parts, Question, Space, Way, single_axis
from taut.questions.recursions import Recursions
from taut.questions.rigid_body import TorqueAlgorithm, inverse_dynamics
from taut.recursions.absolute_rates import AbsoluteRates
from taut.robot import Tree


def explicit(robot: Tree, q: Vector, torque: TorqueAlgorithm = newton_euler) -> Vector:
    """Return the coefficients M_ij, b_ijk, c_ij, g_i of the torque, in the order of ``explicit_terms``."""
    return coefficients(robot, q, torque).flat


def explicit_torque(robot: Tree, q: Vector, qd: Vector, qdd: Vector, torque: TorqueAlgorithm = newton_euler) -> Vector:
    """Return the coefficients of ``explicit`` and, after them, the torque tau."""
    return [*explicit(robot, q, torque), *inverse_dynamics(robot, q, qd, qdd, torque=torque)]


def _elements(read: Read, robot: Tree, q: Any) -> Any:
    return read(robot, q).flat


def _with_sums(read: Read, robot: Tree, q: Any, qd: Any, qdd: Any) -> Any:
    found = read(robot, q)
    return [*found.flat, *found.torque(qd, qdd)]


def _with_absolute_rates(r: Recursions, robot: Tree, q: Any, qd: Any, qdd: Any) -> Any:
    found = carried_inward(r, robot, q)
    return [*found.flat, *absolute_rates(r.bodies, robot).torque(found, qd, qdd)]


def _with_recursion(r: Recursions, robot: Tree, q: Any, qd: Any, qdd: Any) -> Any:
    return [*carried_inward(r, robot, q).flat, *inverse_dynamics(robot, q, qd, qdd, torque=r.torque)]


def _joined(robot: Tree, parts: Parts, rates: AbsoluteRates, q: Vector, qd: Vector, qdd: Vector) -> Vector:
    found = Coefficients.listed(parts["explicit"], robot.nv)
    return [*parts["explicit"], *rates.torque(found, qd, qdd)]


def _size(robot: Tree) -> int:
    return len(explicit_terms(robot.nv))


QUESTIONS = (
    Question(
        "explicit",
        explicit,
        ("q",),
        lambda robot: (_size(robot),),
        Quantity("coefficients", "M_ij, b_ijk, c_ij and g_i of the torque"),
        Space.JOINT,
        ways=(
            Way("", lambda r: partial(_elements, partial(carried_inward, r)), single_axis),
            Way(
                "axes carried outward",
                lambda r: partial(_elements, partial(carried_outward, r)),
                single_axis,
                outward=True,
            ),
        ),
    ),
    Question(
        "explicit_torque",
        explicit_torque,
        ("q", "qd", "qdd"),
        lambda robot: (_size(robot) + robot.nv,),
        Quantity("coefficients", "M_ij, b_ijk, c_ij and g_i of the torque, then the torque tau [N m or N]"),
        Space.JOINT,
        ways=(
            Way("torque from coefficients", lambda r: partial(_with_sums, partial(carried_inward, r)), single_axis),
            Way("torque from coefficients of absolute rates", lambda r: partial(_with_absolute_rates, r), single_axis),
            Way(
                "axes carried outward, torque from coefficients",
                lambda r: partial(_with_sums, partial(carried_outward, r)),
                single_axis,
                outward=True,
            ),
            Way("torque beside", lambda r: partial(_with_recursion, r), single_axis),
        ),
        composition=Composition(("explicit",), _joined),
    ),
)
