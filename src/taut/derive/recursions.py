"""Which tight recursions answer a question, and in which combinations?

The second-moment algorithms on one arrangement of a robot: its bodies, and which of them lag. Each is in
the form :mod:`taut.functions` takes, so that rotor inertias and mimicking joints are treated in one place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from taut.algorithms.coefficients import Coefficients
from taut.algorithms.linear_solve import solve_symmetric
from taut.algorithms.second_moment_christoffel import second_moment_christoffel
from taut.algorithms.second_moment_derivatives import second_moment_derivatives
from taut.algorithms.second_moment_gravity import second_moment_gravity
from taut.algorithms.second_moment_matrix import second_moment_matrix
from taut.algorithms.second_moments import second_moment_torque
from taut.functions import (
    bias,
    christoffel,
    forward_dynamics_derivatives,
    gravity,
    inverse_dynamics,
    inverse_dynamics_derivatives,
    joint_torque,
    mass_matrix,
)
from taut.robot import Tree
from taut.robot.screws import Screw
from taut.spatial import Vec3

Compute = Callable[..., Any]
"""(tree, q, ...) -> the answer, as a question of :data:`taut.functions.FUNCTIONS` computes it."""


@dataclass(frozen=True)
class Recursions:
    """The second-moment algorithms for one arrangement.

    Attributes:
        bodies: the robot in screw form.
        gravity_acceleration: in the frame the first joints are placed in.
        lags: bodies whose frame does not turn with their joint.
    """

    bodies: Sequence[Screw]
    gravity_acceleration: Vec3
    lags: frozenset[int]

    def torque(self, _: Tree, Q: Any, QD: Any, QDD: Any) -> Any:
        """Joint forces, by the recursion."""
        return second_moment_torque(self.bodies, self.gravity_acceleration, Q, QD, QDD, self.lags)

    def at_rest(self, _: Tree, Q: Any, QD: Any, QDD: Any) -> Any:
        """Joint forces without motion, by composite first moments."""
        return second_moment_gravity(self.bodies, self.gravity_acceleration, Q, self.lags)

    def matrix(self, _: Tree, Q: Any) -> Any:
        """The mass matrix."""
        return second_moment_matrix(self.bodies, Q, self.lags)

    def symbols(self, _: Tree, Q: Any) -> Any:
        """Christoffel symbols."""
        return second_moment_christoffel(self.bodies, Q, self.lags)

    def derivatives(self, _: Tree, Q: Any, QD: Any, QDD: Any) -> Any:
        """Derivatives of the joint forces by q, qd and qdd."""
        return second_moment_derivatives(self.bodies, self.gravity_acceleration, Q, QD, QDD, self.lags)

    def coefficients(self, robot: Tree, q: Any) -> Coefficients:
        """All coefficients of the explicit equations."""
        return Coefficients(
            mass_matrix(robot, q, self.matrix),
            christoffel(robot, q, self.symbols),
            gravity(robot, q, self.at_rest),
        )


def ways(function: str, has_free_joint: bool) -> Mapping[str, Callable[[Recursions], Compute]]:
    """Return the ways to answer a question by these recursions, by name; none where they do not serve it.

    Christoffel symbols and gravity by first moments are for single-axis joints.
    """
    found = dict(ANYWHERE.get(function, {}))
    if not has_free_joint:
        found |= SINGLE_AXIS.get(function, {})
    return found


def _explicit(r: Recursions, robot: Tree, q: Any) -> Any:
    return r.coefficients(robot, q).flat


def _explicit_and_sums(r: Recursions, robot: Tree, q: Any, qd: Any, qdd: Any) -> Any:
    found = r.coefficients(robot, q)
    return [*found.flat, *found.torque(qd, qdd)]


def _explicit_and_recursion(r: Recursions, robot: Tree, q: Any, qd: Any, qdd: Any) -> Any:
    return [*r.coefficients(robot, q).flat, *inverse_dynamics(robot, q, qd, qdd, torque=r.torque)]


def _symbols_times_rates(r: Recursions, robot: Tree, q: Any, qd: Any) -> Any:
    G = christoffel(robot, q, r.symbols)
    return [[sum((g * rate for g, rate in zip(row, qd, strict=True)), 0) for row in rows] for rows in G]


def _half_of_slopes(r: Recursions, robot: Tree, q: Any, qd: Any) -> Any:
    """C = 1/2 dtau/dqd, since tau is quadratic in qd with the symmetric Christoffel symbols as coefficients."""
    n = robot.nv
    slopes = inverse_dynamics_derivatives(robot, q, qd, [0] * n, r.derivatives)
    return [[0.5 * x for x in row[n : 2 * n]] for row in slopes]


def _solved(r: Recursions, robot: Tree, q: Any, qd: Any, tau: Any) -> Any:
    """Forward dynamics as M^-1 (tau - bias), the last joint eliminated first."""
    rest = [t - b for t, b in zip(tau, bias(robot, q, qd, torque=r.torque), strict=True)]
    return solve_symmetric(mass_matrix(robot, q, r.matrix), rest)


Ways = Mapping[str, Mapping[str, Callable[[Recursions], Compute]]]

ANYWHERE: Ways = {
    "inverse_dynamics": {"": lambda r: partial(inverse_dynamics, torque=r.torque)},
    "gravity": {"": lambda r: partial(gravity, torque=r.torque)},
    "bias": {"": lambda r: partial(bias, torque=r.torque)},
    "joint_torque": {"": lambda r: partial(joint_torque, torque=r.torque)},
    "mass_matrix": {"": lambda r: partial(mass_matrix, matrix=r.matrix)},
    "forward_dynamics": {"": lambda r: partial(_solved, r)},
    "inverse_dynamics_derivatives": {
        "": lambda r: partial(inverse_dynamics_derivatives, derivatives=r.derivatives),
    },
    "forward_dynamics_derivatives": {
        "": lambda r: partial(
            forward_dynamics_derivatives, derivatives=r.derivatives, acceleration=partial(_solved, r)
        ),
    },
}

SINGLE_AXIS: Ways = {
    "gravity": {"by first moments": lambda r: partial(gravity, torque=r.at_rest)},
    "christoffel": {"": lambda r: partial(christoffel, symbols=r.symbols)},
    "coriolis_matrix": {
        "": lambda r: partial(_symbols_times_rates, r),
        "half of dtau/dqd": lambda r: partial(_half_of_slopes, r),
    },
    "explicit": {"": lambda r: partial(_explicit, r)},
    "explicit_torque": {
        "torque from coefficients": lambda r: partial(_explicit_and_sums, r),
        "torque beside": lambda r: partial(_explicit_and_recursion, r),
    },
}
