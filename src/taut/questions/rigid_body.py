"""Torque, inertia matrix, gravity and Coriolis terms of the machine, each by an algorithm on the whole tree.

Here the algorithms meet what is true of the machine: mimicking joints are reduced (``tau = G^T tau_full``), reflected
rotor inertia is added, wrenches on named frames become forces on bodies.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from taut.algorithms import coriolis as coriolis_terms
from taut.algorithms import drives
from taut.algorithms.blocks import unit_rates
from taut.algorithms.composite_bodies import composite_bodies
from taut.algorithms.newton_euler import newton_euler
from taut.questions.machine import Matrix, Vector, Wrenches, plus, product, pushed, transposed, units
from taut.robot import Spread, Tree
from taut.spatial import Scalar

TorqueAlgorithm = Callable[..., list[list[Scalar]]]
"""(robot, q, qd, qdd, external=...) -> joint forces, everything one list a joint."""

MatrixAlgorithm = Callable[[Tree, Sequence[Vector]], Matrix]
"""(robot, q) -> the mass matrix over all rates of the tree."""

SymbolAlgorithm = Callable[[Tree, Sequence[Vector]], list[Matrix]]
"""(robot, q) -> the Christoffel symbols over all rates of the tree, ``result[k][i][j]``."""


def inverse_dynamics(
    robot: Tree,
    q: Vector,
    qd: Vector,
    qdd: Vector,
    wrenches: Wrenches | None = None,
    torque: TorqueAlgorithm = newton_euler,
) -> Vector:
    """Return tau = M qdd + C qd + g: rigid bodies and reflected rotor inertia."""
    at = robot.at(q)
    Q, QD, QDD = at.positions, at.rates(qd), at.accelerations(qd, qdd)
    tau = torque(robot, Q, QD, QDD, **pushed(robot, Q, wrenches))
    return at.gather(plus(tau, drives.rotor_torque(robot, QD, QDD)))


def mass_matrix(robot: Tree, q: Vector, matrix: MatrixAlgorithm = composite_bodies) -> Matrix:
    """Return M, rotor inertia included."""
    at = robot.at(q)
    return at.reduced(plus(matrix(robot, at.positions), drives.rotor_matrix(robot)))


def gravity(robot: Tree, q: Vector, torque: TorqueAlgorithm = newton_euler) -> Vector:
    """Return g(q), the torque that holds the robot still."""
    at = robot.at(q)
    rest = at.rates([0] * robot.nv)
    return at.gather(torque(robot, at.positions, rest, rest))


def bias(
    robot: Tree, q: Vector, qd: Vector, wrenches: Wrenches | None = None, torque: TorqueAlgorithm = newton_euler
) -> Vector:
    """Return C qd + g, the torque at zero acceleration."""
    at = robot.at(q)
    Q, QD, drift = at.positions, at.rates(qd), at.accelerations(qd, [0] * robot.nv)
    tau = torque(robot, Q, QD, drift, **pushed(robot, Q, wrenches))
    return at.gather(plus(tau, drives.rotor_torque(robot, QD, drift)))


def coriolis_matrix(robot: Tree, q: Vector, qd: Vector) -> Matrix:
    """Return C with Mdot - 2C skew, its entries linear in qd by the Christoffel symbols."""
    at = robot.at(q)
    QD = at.rates(qd)
    C = at.reduced(plus(coriolis_terms.coriolis_matrix(robot, at.positions, QD), drives.rotor_coriolis(robot, QD)))
    return plus(C, _of_moving_ratios(robot, at, qd)) if at.bends else C


def _of_moving_ratios(robot: Tree, at: Spread, qd: Vector) -> Matrix:
    """Return G^T M dG/dt, which the Coriolis matrix has besides where the ratios G of joint rates change."""
    M = plus(composite_bodies(robot, at.positions), drives.rotor_matrix(robot))
    bent = [[x for part in at.ratio_rate(qd, unit) for x in part] for unit in units(robot)]
    return at.reduced_rows(product(M, transposed(bent)))


def christoffel(robot: Tree, q: Vector, symbols: SymbolAlgorithm = coriolis_terms.christoffel) -> list[Matrix]:
    """Return the Christoffel symbols G[i][j][k]: C_ij = sum_k G_ijk qd_k."""
    at = robot.at(q)
    of_rotors = (drives.rotor_coriolis(robot, unit) for unit in unit_rates(robot))
    whole = (plus(*both) for both in zip(symbols(robot, at.positions), of_rotors, strict=True))
    slices = at.reduced_rows([at.reduced(s) for s in whole])
    n = range(robot.nv)
    if at.bends:
        slices = [plus(s, _of_moving_ratios(robot, at, unit)) for s, unit in zip(slices, units(robot), strict=True)]
    return [[[slices[k][i][j] for k in n] for j in n] for i in n]
