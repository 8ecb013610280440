"""The coefficients M_ij, b_ijk, c_ij, g_i of the torque, by an algorithm for torques or by taut's recursions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from taut.algorithms.coefficients import Coefficients
from taut.algorithms.newton_euler import newton_euler
from taut.questions.machine import Vector
from taut.questions.recursions import Recursions
from taut.questions.rigid_body import TorqueAlgorithm, christoffel, gravity, inverse_dynamics, mass_matrix
from taut.recursions.absolute_rates import AbsoluteRates
from taut.recursions.second_moment_axes import Axes
from taut.robot import Tree
from taut.robot.parallel import parallel_before
from taut.robot.screws import Screw
from taut.spatial import Vec3

Read = Callable[[Tree, Any], Coefficients]
"""(robot, q) -> the coefficients of the explicit equations."""


def coefficients(robot: Tree, q: Vector, torque: TorqueAlgorithm = newton_euler) -> Coefficients:
    """Return the coefficients of qdd_j, qd_j qd_k and 1 in the torque, rotor inertia included."""
    weightless = replace(robot, gravity_acceleration=Vec3(0, 0, 0))
    rigid = partial(inverse_dynamics, weightless, q, torque=torque)
    return Coefficients.of(rigid, gravity(robot, q, torque))


def carried_inward(r: Recursions, robot: Tree, q: Any) -> Coefficients:
    """Return the coefficients by taut's recursions, forces carried inward."""
    return Coefficients(
        mass_matrix(robot, q, r.matrix),
        christoffel(robot, q, r.symbols),
        gravity(robot, q, r.at_rest),
    )


def carried_outward(r: Recursions, robot: Tree, q: Any) -> Coefficients:
    """Return the coefficients by taut's recursions, joint axes carried outward."""
    axes = Axes(r.bodies, robot.at(q).positions, r.lags)
    return Coefficients(
        mass_matrix(robot, q, lambda *_: axes.matrix()),
        christoffel(robot, q, lambda *_: axes.symbols()),
        gravity(robot, q, lambda *_: axes.gravity(r.gravity_acceleration)),
    )


def absolute_rates(bodies: Sequence[Screw], robot: Tree) -> AbsoluteRates:
    """Return the rates of links on parallel joints as sums of joint rates."""
    return AbsoluteRates({} if robot.tied else parallel_before(bodies), robot.nv)


def torque_by_absolute_rates(read: Read, bodies: Sequence[Screw], robot: Tree, q: Any, qd: Any, qdd: Any = None) -> Any:
    """Return the torque from coefficients of the absolute rates; at zero acceleration where none is given."""
    still = [0] * robot.nv if qdd is None else qdd
    return absolute_rates(bodies, robot).torque(read(robot, q), qd, still)
