"""Terms of control laws: momentum observers, passivity-based and adaptive control, loads, friction ahead of motion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from taut.algorithms import drives, energy_regressors, generalized_momentum, passivity
from taut.questions.drives import friction
from taut.questions.fusion import entries
from taut.questions.machine import Matrix, Vector, plus, transposed
from taut.questions.quantity import TORQUE, Quantity
from taut.questions.question import Question, Space, Way, per_joint, symmetric_symbols
from taut.questions.recursions import Recursions
from taut.questions.regressors import load_torque
from taut.questions.rigid_body import gravity, inverse_dynamics
from taut.robot import Tree
from taut.spatial import ZERO, Scalar

REFERENCE = ("q", "qd", "qd_r", "qdd_r")


def momentum_of_joints(robot: Tree, q: Vector, qd: Vector) -> Vector:
    """Return p = M qd, the generalised momentum, rotor inertia included."""
    at = robot.at(q)
    Q, QD, rest = at.positions, at.rates(qd), at.rates([0] * robot.nv)
    p = generalized_momentum.generalized_momentum(robot, Q, QD)
    return at.gather(plus(p, drives.rotor_torque(robot, rest, QD)))


def coriolis_transpose(robot: Tree, q: Vector, qd: Vector) -> Vector:
    """Return C^T qd with the Christoffel C: dp/dt = tau + C^T qd - g, p = M qd."""
    at = robot.at(q)
    QD = at.rates(qd)
    beta = generalized_momentum.coriolis_transpose(robot, at.positions, QD)
    return at.gather(_plus_product(beta, transposed(drives.rotor_coriolis(robot, QD)), QD))


def passivity_torque(robot: Tree, q: Vector, qd: Vector, qd_r: Vector, qdd_r: Vector) -> Vector:
    """Return M qdd_r + C(q, qd) qd_r + g with the Christoffel C, rotor inertia included."""
    at = robot.at(q)
    QD, QD_R, QDD_R, rest = at.rates(qd), at.rates(qd_r), at.accelerations(qd_r, qdd_r, qd), at.rates([0] * robot.nv)
    tau = passivity.passivity_torque(robot, at.positions, QD, QD_R, QDD_R)
    with_rotors = plus(tau, drives.rotor_torque(robot, rest, QDD_R))
    return at.gather(_plus_product(with_rotors, drives.rotor_coriolis(robot, QD), QD_R))


def _plus_product(x: Sequence[Vector], A: Matrix, y: Sequence[Vector]) -> list[list[Scalar]]:
    """Return x + A y, vectors one list a joint."""
    flat = entries(y)
    product = iter([sum((a * b for a, b in zip(row, flat, strict=True)), 0) for row in A])
    return [[own + next(product) for own in part] for part in x]


def passivity_regressor(robot: Tree, q: Vector, qd: Vector, qd_r: Vector, qdd_r: Vector) -> Matrix:
    """Return Slotine and Li's Y(q, qd, qd_r, qdd_r): Y pi = M qdd_r + C qd_r + g, ten columns a link."""
    at = robot.at(q)
    found = passivity.passivity_regressor(
        robot, at.positions, at.rates(qd), at.rates(qd_r), at.accelerations(qd_r, qdd_r, qd)
    )
    return transposed([at.gather(column) for column in found])


def adaptation(robot: Tree, q: Vector, qd: Vector, qd_r: Vector, qdd_r: Vector) -> Vector:
    """Return Y(q, qd, qd_r, qdd_r)^T (qd - qd_r): minus this times a gain is the rate of the estimated parameters."""
    at = robot.at(q)
    s = [x - y for x, y in zip(qd, qd_r, strict=True)]
    return passivity.adaptation(
        robot, at.positions, at.rates(qd), at.rates(qd_r), at.accelerations(qd_r, qdd_r, qd), at.rates(s)
    )


def momentum_regressor(robot: Tree, q: Vector, qd: Vector) -> Matrix:
    """Return Y_p with M qd = Y_p pi: ten columns a link, rotor inertia apart."""
    at = robot.at(q)
    found = energy_regressors.momentum_regressor(robot, at.positions, at.rates(qd))
    return transposed([at.gather(column) for column in found])


def energy_regressor(robot: Tree, q: Vector, qd: Vector) -> Matrix:
    """Return the rows y_T, y_V with T = y_T pi and V = y_V pi of the rigid bodies: ten columns a link."""
    at = robot.at(q)
    return energy_regressors.energy_regressor(robot, at.positions, at.rates(qd))


def gravity_with_load(robot: Tree, q: Vector, load: Vector, frame: str | None = None) -> Vector:
    """Return the torque that holds the robot and a load on a frame still."""
    rest = [0] * robot.nv
    carried = load_torque(robot, q, rest, rest, load, frame)
    return [own + more for own, more in zip(gravity(robot, q), carried, strict=True)]


def friction_ahead(robot: Tree, qd_r: Vector) -> Vector:
    """Return the friction torque at the wanted rates, to be added ahead of the motion."""
    return friction(robot, qd_r)


# -- ways by the tight recursions ------------------------------------------------


def _difference_of_torques(r: Recursions, robot: Tree, q: Vector, qd: Vector, qd_r: Vector, qdd_r: Vector) -> Vector:
    """C(q, x) y is symmetric and bilinear in x and y: the difference of its values at (x + y)/2 and (x - y)/2."""
    mean = [0.5 * (x + y) for x, y in zip(qd, qd_r, strict=True)]
    apart = [0.5 * (x - y) for x, y in zip(qd, qd_r, strict=True)]
    first = inverse_dynamics(robot, q, mean, qdd_r, torque=r.torque)
    second = inverse_dynamics(robot, q, apart, [0] * robot.nv, torque=replace(r, gravity_acceleration=ZERO).torque)
    return [x - y for x, y in zip(first, second, strict=True)]


def _per_parameter(robot: Tree) -> tuple[int, ...]:
    return (10 * len(robot.joints),)


def _by_parameter(robot: Tree) -> tuple[int, ...]:
    return (robot.nv, 10 * len(robot.joints))


PARAMETERS = "pi = m mx my mz Ixx Ixy Iyy Ixz Iyz Izz of every link"

QUESTIONS = (
    Question(
        "generalized_momentum",
        momentum_of_joints,
        ("q", "qd"),
        per_joint,
        Quantity("p", "generalised momentum M qd", "kg m^2/s or kg m/s"),
        Space.JOINT,
        on_loops=True,
    ),
    Question(
        "coriolis_transpose",
        coriolis_transpose,
        ("q", "qd"),
        per_joint,
        Quantity("beta", "C^T qd: the rate of M qd without torque and gravity", TORQUE),
        Space.JOINT,
    ),
    Question(
        "passivity_torque",
        passivity_torque,
        REFERENCE,
        per_joint,
        Quantity("tau", "torques M qdd_r + C qd_r + g along the reference", TORQUE),
        Space.JOINT,
        aliases=("slotine_li_torque",),
        ways=(Way("difference of two torques", lambda r: partial(_difference_of_torques, r), symmetric_symbols),),
        on_loops=True,
    ),
    Question(
        "passivity_regressor",
        passivity_regressor,
        REFERENCE,
        _by_parameter,
        Quantity("Y", f"Slotine and Li's regressor; Y pi = M qdd_r + C qd_r + g, {PARAMETERS}"),
        Space.LINK,
        aliases=("slotine_li_regressor",),
        on_loops=True,
    ),
    Question(
        "adaptation",
        adaptation,
        REFERENCE,
        _per_parameter,
        Quantity("y", f"Y^T (qd - qd_r), one entry a parameter, {PARAMETERS}"),
        Space.LINK,
        on_loops=True,
    ),
    Question(
        "momentum_regressor",
        momentum_regressor,
        ("q", "qd"),
        _by_parameter,
        Quantity("Y", f"regressor of the generalised momentum; Y pi = M qd without rotors, {PARAMETERS}"),
        Space.LINK,
        on_loops=True,
    ),
    Question(
        "energy_regressor",
        energy_regressor,
        ("q", "qd"),
        lambda robot: (2, 10 * len(robot.joints)),
        Quantity("Y", f"rows of kinetic and potential energy; Y pi in J, {PARAMETERS}"),
        Space.LINK,
        on_loops=True,
    ),
    Question(
        "gravity_with_load",
        gravity_with_load,
        ("q", "load"),
        per_joint,
        Quantity("g", "torques that hold the robot and the load still", TORQUE),
        Space.LINK,
        on_frame=True,
        on_loops=True,
    ),
    Question(
        "friction_ahead",
        friction_ahead,
        ("qd_r",),
        per_joint,
        Quantity("tau", "torques of friction and drive offsets at the wanted rates", TORQUE),
        Space.JOINT,
        drive_numbers=True,
    ),
)
