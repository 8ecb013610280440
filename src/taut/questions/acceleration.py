"""Joint accelerations that torques cause: forward dynamics."""

from __future__ import annotations

from functools import partial
from typing import Any

from taut.algorithms.articulated_bodies import articulated_bodies
from taut.algorithms.linear_solve import solve_symmetric
from taut.questions.coefficients import absolute_rates
from taut.questions.machine import Vector, Wrenches, pushed
from taut.questions.quantity import Quantity
from taut.questions.question import Composition, Method, Parts, Question, Space, Way, per_joint, single_axis
from taut.questions.recursions import Recursions
from taut.questions.rigid_body import bias, mass_matrix
from taut.recursions.absolute_rates import AbsoluteRates
from taut.robot import Tree


def forward_dynamics(robot: Tree, q: Vector, qd: Vector, tau: Vector, wrenches: Wrenches | None = None) -> Vector:
    """Return qdd = M^-1 (tau - C qd - g)."""
    if robot.tied or robot.coupling:
        rest = [t - b for t, b in zip(tau, bias(robot, q, qd, wrenches), strict=True)]
        return solve_symmetric(mass_matrix(robot, q), rest)
    at = robot.at(q)
    qdd = articulated_bodies(robot, at.positions, at.rates(qd), at.rates(tau), **pushed(robot, at.positions, wrenches))
    return [x for part in qdd for x in part]


def solved(r: Recursions, robot: Tree, q: Any, qd: Any, tau: Any) -> Any:
    """Return forward dynamics as M^-1 (tau - bias), the last joint eliminated first."""
    return _solution(AbsoluteRates({}, robot.nv), r, robot, q, qd, tau)


def _solved_for_absolute_rates(r: Recursions, robot: Tree, q: Any, qd: Any, tau: Any) -> Any:
    """The same with the angular accelerations of links on parallel joints as unknowns: their M is shorter."""
    return _solution(absolute_rates(r.bodies, robot), r, robot, q, qd, tau)


def _solution(rates: AbsoluteRates, r: Recursions, robot: Tree, q: Any, qd: Any, tau: Any) -> Any:
    rest = [t - b for t, b in zip(tau, bias(robot, q, qd, torque=r.torque), strict=True)]
    M = rates.quadratic(mass_matrix(robot, q, r.matrix))
    return rates.to_joints(solve_symmetric(M, rates.forces(rest)))


def _joined(robot: Tree, parts: Parts, rates: AbsoluteRates, q: Vector, qd: Vector, tau: Vector) -> Vector:
    n = robot.nv
    M = [list(parts["mass_matrix"][i * n : (i + 1) * n]) for i in range(n)]
    rest = [t - b for t, b in zip(tau, parts["bias"], strict=True)]
    return rates.to_joints(solve_symmetric(rates.quadratic(M), rates.forces(rest)))


QUESTIONS = (
    Question(
        "forward_dynamics",
        forward_dynamics,
        ("q", "qd", "tau"),
        per_joint,
        Quantity("qdd", "joint accelerations", "rad/s^2 or m/s^2"),
        Space.JOINT,
        on_wrenches=True,
        aliases=("acceleration", "aba"),
        methods=(Method("articulated_bodies", "articulated bodies", "Featherstone"),),
        ways=(
            Way("", lambda r: partial(solved, r)),
            Way("absolute rates", lambda r: partial(_solved_for_absolute_rates, r), single_axis),
        ),
        as_printed=True,
        composition=Composition(("mass_matrix", "bias"), _joined),
        on_loops=True,
    ),
)
