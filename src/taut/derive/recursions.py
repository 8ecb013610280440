"""Which tight recursions answer a question, and in which combinations?

The second-moment algorithms on one arrangement of a robot: its bodies, and which of them lag. Each is in
the form :mod:`taut.functions` takes, so that rotor inertias and mimicking joints are treated in one place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from taut.algorithms.absolute_rates import AbsoluteRates
from taut.algorithms.coefficients import Coefficients
from taut.algorithms.linear_solve import solve_symmetric
from taut.algorithms.second_moment_axes import Axes
from taut.algorithms.second_moment_christoffel import second_moment_christoffel
from taut.algorithms.second_moment_derivatives import second_moment_derivatives
from taut.algorithms.second_moment_gravity import second_moment_gravity
from taut.algorithms.second_moment_matrix import Carrying, second_moment_matrix
from taut.algorithms.second_moments import second_moment_torque
from taut.algorithms.stretched_axes import stretched, stretched_back, stretched_felt
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

Read = Callable[[Tree, Any], Coefficients]
"""(tree, q) -> the coefficients of the explicit equations."""


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

    def matrix_on_stretched_axes(self, _: Tree, Q: Any) -> Any:
        """The mass matrix, forces carried over frames whose axes have other lengths."""
        return second_moment_matrix(self.bodies, Q, self.lags, Carrying(stretched, stretched_back, stretched_felt))

    def symbols(self, _: Tree, Q: Any) -> Any:
        """Christoffel symbols."""
        return second_moment_christoffel(self.bodies, Q, self.lags)

    def derivatives(self, _: Tree, Q: Any, QD: Any, QDD: Any) -> Any:
        """Derivatives of the joint forces by q, qd and qdd."""
        return second_moment_derivatives(self.bodies, self.gravity_acceleration, Q, QD, QDD, self.lags)

    def coefficients(self, robot: Tree, q: Any) -> Coefficients:
        """All coefficients of the explicit equations, forces carried inward."""
        return Coefficients(
            mass_matrix(robot, q, self.matrix),
            christoffel(robot, q, self.symbols),
            gravity(robot, q, self.at_rest),
        )

    def coefficients_on_axes(self, robot: Tree, q: Any) -> Coefficients:
        """All coefficients of the explicit equations, axes carried outward."""
        axes = Axes(self.bodies, robot.positions(q), self.lags)
        return Coefficients(
            mass_matrix(robot, q, lambda *_: axes.matrix()),
            christoffel(robot, q, lambda *_: axes.symbols()),
            gravity(robot, q, lambda *_: axes.gravity(self.gravity_acceleration)),
        )


def ways(function: str, robot: Tree) -> Mapping[str, Callable[[Recursions], Compute]]:
    """Return the ways to answer a question by these recursions, by name; none where they do not serve it.

    Christoffel symbols and gravity by first moments are for single-axis joints. Torques from coefficients pay for
    few joints only, since their number grows with the cube.
    """
    found = dict(ANYWHERE.get(function, {}))
    if not robot.has_free_joint:
        found |= SINGLE_AXIS.get(function, {})
        if robot.nv <= FEW_JOINTS:
            found |= OF_FEW_JOINTS.get(function, {})
    return found


def _explicit(read: Read, robot: Tree, q: Any) -> Any:
    return read(robot, q).flat


def _explicit_and_sums(read: Read, robot: Tree, q: Any, qd: Any, qdd: Any) -> Any:
    found = read(robot, q)
    return [*found.flat, *found.torque(qd, qdd)]


def _explicit_and_absolute_rates(read: Read, bodies: Sequence[Screw], robot: Tree, q: Any, qd: Any, qdd: Any) -> Any:
    found = read(robot, q)
    runs = AbsoluteRates({} if robot.mimics else parallel_runs(bodies), robot.nv)
    return [*found.flat, *runs.torque(found, qd, qdd)]


def _by_absolute_rates(read: Read, bodies: Sequence[Screw], robot: Tree, q: Any, qd: Any, qdd: Any = None) -> Any:
    still = [0] * robot.nv if qdd is None else qdd
    return _explicit_and_absolute_rates(read, bodies, robot, q, qd, still)[-robot.nv :]


def parallel_runs(bodies: Sequence[Screw]) -> dict[int, tuple[int, int]]:
    """Return {revolute joint: (the parallel revolute joint before it, -1 where antiparallel, else 1)}.

    Prismatic joints between the two do not turn anything and are passed over.
    """
    runs = {}
    for j, body in enumerate(bodies):
        sign, before = body.parallel, body.parent
        while sign and before >= 0 and bodies[before].kind == "prismatic":
            sign, before = sign * bodies[before].parallel, bodies[before].parent
        if sign and before >= 0 and body.kind == bodies[before].kind == "revolute":
            runs[j] = (before, sign)
    return runs


def _explicit_and_recursion(r: Recursions, robot: Tree, q: Any, qd: Any, qdd: Any) -> Any:
    return [*r.coefficients(robot, q).flat, *inverse_dynamics(robot, q, qd, qdd, torque=r.torque)]


def _symbols_on_axes(r: Recursions, robot: Tree, q: Any) -> Any:
    return christoffel(robot, q, lambda _, Q: Axes(r.bodies, Q, r.lags).symbols())


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


def _solved_for_absolute_rates(r: Recursions, robot: Tree, q: Any, qd: Any, tau: Any) -> Any:
    """The same with the angular accelerations of links on parallel joints as unknowns: their M is shorter."""
    runs = AbsoluteRates({} if robot.mimics else parallel_runs(r.bodies), robot.nv)
    rest = [t - b for t, b in zip(tau, bias(robot, q, qd, torque=r.torque), strict=True)]
    M = runs.quadratic(mass_matrix(robot, q, r.matrix))
    return runs.to_joints(solve_symmetric(M, runs.forces(rest)))


OUTWARD = "axes carried outward"
"""How ways begin that carry joint axes outward instead of forces inward."""

STRETCHED = "stretched axes"
"""The way for bodies that are twisted by other than right angles."""

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
    "christoffel": {
        "": lambda r: partial(christoffel, symbols=r.symbols),
        OUTWARD: lambda r: partial(_symbols_on_axes, r),
    },
    "coriolis_matrix": {
        "": lambda r: partial(_symbols_times_rates, r),
        "half of dtau/dqd": lambda r: partial(_half_of_slopes, r),
    },
    "mass_matrix": {STRETCHED: lambda r: partial(mass_matrix, matrix=r.matrix_on_stretched_axes)},
    "forward_dynamics": {"absolute rates": lambda r: partial(_solved_for_absolute_rates, r)},
    "explicit": {
        "": lambda r: partial(_explicit, r.coefficients),
        OUTWARD: lambda r: partial(_explicit, r.coefficients_on_axes),
    },
    "explicit_torque": {
        "torque from coefficients": lambda r: partial(_explicit_and_sums, r.coefficients),
        "torque from coefficients of absolute rates": lambda r: partial(
            _explicit_and_absolute_rates, r.coefficients, r.bodies
        ),
        f"{OUTWARD}, torque from coefficients": lambda r: partial(_explicit_and_sums, r.coefficients_on_axes),
        "torque beside": lambda r: partial(_explicit_and_recursion, r),
    },
}

FEW_JOINTS = 4
"""Rates up to which torques from coefficients can be cheaper than by recursion."""

OF_FEW_JOINTS: Ways = {
    function: {
        "coefficients of absolute rates": lambda r: partial(_by_absolute_rates, r.coefficients, r.bodies),
        f"{OUTWARD}, coefficients of absolute rates": lambda r: partial(
            _by_absolute_rates, r.coefficients_on_axes, r.bodies
        ),
    }
    for function in ("inverse_dynamics", "bias")
}
