"""Joint torques, inertia matrix, gravity and Coriolis terms."""

from __future__ import annotations

from functools import partial
from typing import Any

from taut.algorithms.compound_links import compound_mass_matrix, compound_torque
from taut.algorithms.extended_bodies import extended_body_mass_matrix, extended_body_torque
from taut.algorithms.kane import kane
from taut.algorithms.lagrange_euler import lagrange_euler
from taut.algorithms.newton_euler import newton_euler
from taut.questions.coefficients import carried_inward, carried_outward, torque_by_absolute_rates
from taut.questions.derivatives import inverse_dynamics_derivatives
from taut.questions.quantity import TORQUE, Quantity
from taut.questions.question import Method, Question, Space, Way, per_joint, single_axis, square, symmetric_symbols
from taut.questions.recursions import Recursions
from taut.questions.rigid_body import bias, christoffel, coriolis_matrix, gravity, inverse_dynamics, mass_matrix
from taut.recursions.second_moment_axes import Axes
from taut.recursions.stretched_axes import is_twisted
from taut.robot import Tree

TORQUE_METHODS = (
    Method("newton_euler", "Newton-Euler", "Luh, Walker, Paul", {"torque": newton_euler}),
    Method("kane", "Kane", "Angeles, Ma, Rojas", {"torque": kane}),
    Method("lagrange_euler", "Lagrange-Euler", "Li", {"torque": lagrange_euler}),
    Method("extended_bodies", "extended bodies", "Burdick", {"torque": extended_body_torque}),
    Method("compound_links", "compound links", "Izaguirre et al.", {"torque": compound_torque}),
)

MATRIX_METHODS = (
    Method("composite_bodies", "composite bodies", "Walker, Orin"),
    Method("extended_bodies", "extended bodies", "Burdick", {"matrix": extended_body_mass_matrix}),
    Method("compound_links", "compound links", "Izaguirre et al.", {"matrix": compound_mass_matrix}),
)

FEW_JOINTS = 4
"""Rates up to which torques from coefficients can be cheaper than by recursion: their number grows with the cube."""


# -- ways by the tight recursions ------------------------------------------------


def _has_few_joints(robot: Tree) -> bool:
    return symmetric_symbols(robot) and robot.nv <= FEW_JOINTS


def _has_constant_ratios(robot: Tree) -> bool:
    """Whether the derivatives of the torque are those of its tree, reduced by ratios that do not change."""
    return single_axis(robot) and not robot.at().bends


FROM_COEFFICIENTS = (
    Way(
        "coefficients of absolute rates",
        lambda r: partial(torque_by_absolute_rates, partial(carried_inward, r), r.bodies),
        _has_few_joints,
    ),
    Way(
        "axes carried outward, coefficients of absolute rates",
        lambda r: partial(torque_by_absolute_rates, partial(carried_outward, r), r.bodies),
        _has_few_joints,
        outward=True,
    ),
)
"""Torques of a few joints from the coefficients of the explicit equations."""


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


QUESTIONS = (
    Question(
        "inverse_dynamics",
        inverse_dynamics,
        ("q", "qd", "qdd"),
        per_joint,
        Quantity("tau", "joint torques", TORQUE),
        Space.JOINT,
        on_wrenches=True,
        aliases=("torque", "rnea"),
        methods=TORQUE_METHODS,
        ways=(Way("", lambda r: partial(inverse_dynamics, torque=r.torque)), *FROM_COEFFICIENTS),
        on_loops=True,
    ),
    Question(
        "mass_matrix",
        mass_matrix,
        ("q",),
        square,
        Quantity("M", "mass matrix", "kg m^2, kg m or kg"),
        Space.JOINT,
        aliases=("inertia_matrix", "crba", "M"),
        methods=MATRIX_METHODS,
        ways=(
            Way("", lambda r: partial(mass_matrix, matrix=r.matrix)),
            Way(
                "stretched axes",
                lambda r: partial(mass_matrix, matrix=r.matrix_on_stretched_axes),
                single_axis,
                pays=lambda bodies: any(map(is_twisted, bodies)),
            ),
        ),
        on_loops=True,
    ),
    Question(
        "gravity",
        gravity,
        ("q",),
        per_joint,
        Quantity("g", "torques that hold the robot still", TORQUE),
        Space.JOINT,
        aliases=("gravity_torque", "holding_torque", "g"),
        methods=TORQUE_METHODS,
        ways=(
            Way("", lambda r: partial(gravity, torque=r.torque)),
            Way("by first moments", lambda r: partial(gravity, torque=r.at_rest), single_axis),
        ),
        on_loops=True,
    ),
    Question(
        "bias",
        bias,
        ("q", "qd"),
        per_joint,
        Quantity("b", "torques at zero acceleration", TORQUE),
        Space.JOINT,
        on_wrenches=True,
        aliases=("nonlinear_effects",),
        methods=TORQUE_METHODS,
        ways=(Way("", lambda r: partial(bias, torque=r.torque)), *FROM_COEFFICIENTS),
        on_loops=True,
    ),
    Question(
        "coriolis_matrix",
        coriolis_matrix,
        ("q", "qd"),
        square,
        Quantity("C", "Coriolis matrix; C qd are torques", TORQUE),
        Space.JOINT,
        aliases=("coriolis", "C"),
        ways=(
            Way("", lambda r: partial(_symbols_times_rates, r), single_axis),
            Way("half of dtau/dqd", lambda r: partial(_half_of_slopes, r), _has_constant_ratios),
        ),
        as_printed=True,
        on_loops=True,
    ),
    Question(
        "christoffel",
        christoffel,
        ("q",),
        lambda robot: (robot.nv, robot.nv, robot.nv),
        Quantity("G", "Christoffel symbols; C_ij = sum_k G_ijk qd_k"),
        Space.JOINT,
        ways=(
            Way("", lambda r: partial(christoffel, symbols=r.symbols), single_axis),
            Way("axes carried outward", lambda r: partial(_symbols_on_axes, r), single_axis, outward=True),
        ),
        on_loops=True,
    ),
)
