"""The functions a user can ask of a robot, each in terms of q, qd, qdd, tau.

Here the algorithms on the whole tree meet what is true of the machine: mimicking joints are
reduced (``tau = G^T tau_full``), reflected rotor inertia is added, wrenches on named frames become
forces on bodies. One :class:`Question` each: its arguments, the shape of its answer and how
it is computed. The numeric API, derivation and code generation all read this table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from taut.algorithms import coriolis as coriolis_terms
from taut.algorithms import drives, energy, kinematics, operational_space
from taut.algorithms.articulated_bodies import articulated_bodies
from taut.algorithms.coefficients import Coefficients, explicit_terms
from taut.algorithms.composite_bodies import composite_bodies
from taut.algorithms.linear_solve import inverse_symmetric, solve_symmetric
from taut.algorithms.newton_euler import newton_euler
from taut.algorithms.regressor import regressor as rigid_regressor
from taut.algorithms.torque_derivatives import torque_derivatives
from taut.robot import Tree
from taut.spatial import NO_INERTIA, Force, Inertia, Motion, Scalar, Vec3

Vector = Sequence[Scalar]
Matrix = list[list[Scalar]]
Wrenches = Mapping[str, Vector]
"""{frame name: [force; moment] the world exerts, in world axes at the frame's origin}: they take J^T F off a torque."""

TorqueAlgorithm = Callable[..., list[list[Scalar]]]
"""(robot, q, qd, qdd, external=...) -> joint forces, everything one list a joint."""

MatrixAlgorithm = Callable[[Tree, Sequence[Vector]], Matrix]
"""(robot, q) -> the mass matrix over all rates of the tree."""

SymbolAlgorithm = Callable[[Tree, Sequence[Vector]], list[Matrix]]
"""(robot, q) -> the Christoffel symbols over all rates of the tree, ``result[k][i][j]``."""

RegressorAlgorithm = Callable[..., list[list[list[Scalar]]]]
"""(robot, q, qd, qdd) -> the columns of the regressor, each the joint forces, one list a joint."""

DerivativeAlgorithm = Callable[..., tuple[Matrix, Matrix, Matrix]]
"""(robot, q, qd, qdd) -> the derivatives of the joint forces by q, qd and qdd over all rates of the tree."""


def inverse_dynamics(
    robot: Tree,
    q: Vector,
    qd: Vector,
    qdd: Vector,
    wrenches: Wrenches | None = None,
    torque: TorqueAlgorithm = newton_euler,
) -> Vector:
    """Return tau = M qdd + C qd + g: rigid bodies and reflected rotor inertia."""
    Q, QD, QDD = robot.positions(q), robot.rates(qd), robot.rates(qdd)
    tau = torque(robot, Q, QD, QDD, **_pushed(robot, Q, wrenches))
    return robot.gather(_plus(tau, drives.rotor_torque(robot, QDD)))


def mass_matrix(robot: Tree, q: Vector, matrix: MatrixAlgorithm = composite_bodies) -> Matrix:
    """Return M, rotor inertia included."""
    return _reduced(robot, _plus(matrix(robot, robot.positions(q)), drives.rotor_matrix(robot)))


def gravity(robot: Tree, q: Vector, torque: TorqueAlgorithm = newton_euler) -> Vector:
    """Return g(q), the torque that holds the robot still."""
    rest = robot.rates([0] * robot.nv)
    return robot.gather(torque(robot, robot.positions(q), rest, rest))


def bias(
    robot: Tree, q: Vector, qd: Vector, wrenches: Wrenches | None = None, torque: TorqueAlgorithm = newton_euler
) -> Vector:
    """Return C qd + g, the torque at zero acceleration."""
    Q, rest = robot.positions(q), robot.rates([0] * robot.nv)
    return robot.gather(torque(robot, Q, robot.rates(qd), rest, **_pushed(robot, Q, wrenches)))


def coriolis_matrix(robot: Tree, q: Vector, qd: Vector) -> Matrix:
    """Return C with Mdot - 2C skew, its entries linear in qd by the Christoffel symbols."""
    return _reduced(robot, coriolis_terms.coriolis_matrix(robot, robot.positions(q), robot.rates(qd)))


def christoffel(robot: Tree, q: Vector, symbols: SymbolAlgorithm = coriolis_terms.christoffel) -> list[Matrix]:
    """Return the Christoffel symbols G[i][j][k]: C_ij = sum_k G_ijk qd_k."""
    slices = [_reduced(robot, s) for s in symbols(robot, robot.positions(q))]
    slices = _reduced_rows(robot, slices)
    n = range(robot.nv)
    return [[[slices[k][i][j] for k in n] for j in n] for i in n]


def explicit(robot: Tree, q: Vector, torque: TorqueAlgorithm = newton_euler) -> Vector:
    """Return the coefficients M_ij, b_ijk, c_ij, g_i of the torque, in the order of ``explicit_terms``."""
    return coefficients(robot, q, torque).flat


def explicit_torque(robot: Tree, q: Vector, qd: Vector, qdd: Vector, torque: TorqueAlgorithm = newton_euler) -> Vector:
    """Return the coefficients of ``explicit`` and, after them, the torque tau."""
    return [*explicit(robot, q, torque), *inverse_dynamics(robot, q, qd, qdd, torque=torque)]


def coefficients(robot: Tree, q: Vector, torque: TorqueAlgorithm = newton_euler) -> Coefficients:
    """Return the coefficients of qdd_j, qd_j qd_k and 1 in the torque, rotor inertia included."""
    weightless = replace(robot, gravity_acceleration=Vec3(0, 0, 0))
    rigid = partial(inverse_dynamics, weightless, q, torque=torque)
    return Coefficients.of(rigid, gravity(robot, q, torque))


def forward_dynamics(robot: Tree, q: Vector, qd: Vector, tau: Vector, wrenches: Wrenches | None = None) -> Vector:
    """Return qdd = M^-1 (tau - C qd - g)."""
    if robot.mimics or robot.coupling:
        rest = [t - b for t, b in zip(tau, bias(robot, q, qd, wrenches), strict=True)]
        return solve_symmetric(mass_matrix(robot, q), rest)
    Q = robot.positions(q)
    qdd = articulated_bodies(robot, Q, robot.rates(qd), robot.rates(tau), **_pushed(robot, Q, wrenches))
    return [x for part in qdd for x in part]


def inverse_dynamics_derivatives(
    robot: Tree, q: Vector, qd: Vector, qdd: Vector, derivatives: DerivativeAlgorithm = torque_derivatives
) -> Matrix:
    """Return [dtau/dq, dtau/dqd, dtau/dqdd = M] of inverse dynamics, side by side."""
    by_q, by_qd, M = _derivatives(robot, q, qd, qdd, derivatives)
    return [[*a, *b, *c] for a, b, c in zip(by_q, by_qd, M, strict=True)]


def forward_dynamics_derivatives(
    robot: Tree,
    q: Vector,
    qd: Vector,
    tau: Vector,
    derivatives: DerivativeAlgorithm = torque_derivatives,
    acceleration: Callable[..., Vector] = forward_dynamics,
) -> Matrix:
    """Return [dqdd/dq, dqdd/dqd, dqdd/dtau = M^-1] of forward dynamics, side by side: -M^-1 dtau/dq at that qdd."""
    qdd = acceleration(robot, q, qd, tau)
    by_q, by_qd, M = _derivatives(robot, q, qd, qdd, derivatives)
    columns = [[-x for x in solve_symmetric(M, column)] for part in (by_q, by_qd) for column in zip(*part, strict=True)]
    return _transposed([*columns, *inverse_symmetric(M)])


def _derivatives(
    robot: Tree, q: Vector, qd: Vector, qdd: Vector, derivatives: DerivativeAlgorithm
) -> tuple[Matrix, Matrix, Matrix]:
    by_q, by_qd, M = derivatives(robot, robot.positions(q), robot.rates(qd), robot.rates(qdd))
    M = _plus(M, drives.rotor_matrix(robot))
    return _reduced(robot, by_q), _reduced(robot, by_qd), _reduced(robot, M)


def friction(robot: Tree, qd: Vector) -> Vector:
    """Return the torque of Coulomb and viscous friction and drive offsets, through the gear coupling."""
    return robot.gather(drives.friction(robot, robot.rates(qd)))


def joint_torque(
    robot: Tree,
    q: Vector,
    qd: Vector,
    qdd: Vector,
    wrenches: Wrenches | None = None,
    torque: TorqueAlgorithm = newton_euler,
) -> Vector:
    """Return what the drives must supply: inverse dynamics, friction, offsets, springs."""
    rigid = inverse_dynamics(robot, q, qd, qdd, wrenches, torque)
    springs = robot.gather(drives.spring_torque(robot, robot.positions(q)))
    return [a + b + c for a, b, c in zip(rigid, friction(robot, qd), springs, strict=True)]


def regressor(robot: Tree, q: Vector, qd: Vector, qdd: Vector, columns: RegressorAlgorithm = rigid_regressor) -> Matrix:
    """Return Y with tau = Y pi: ten columns a link, in taut's parameter order."""
    found = columns(robot, robot.positions(q), robot.rates(qd), robot.rates(qdd))
    return _transposed([robot.gather(column) for column in found])


def load_torque(robot: Tree, q: Vector, qd: Vector, qdd: Vector, load: Vector, frame: str | None = None) -> Vector:
    """Return the torque that a load on a frame adds: ten inertial parameters about its origin, in its axes."""
    place = robot.frame(frame)
    carried = place.transform.inertia_to_parent(Inertia.from_parameters(tuple(load)))
    joints = [
        replace(joint, link=replace(joint.link, inertia=carried if i == place.body else NO_INERTIA))
        for i, joint in enumerate(robot.joints)
    ]
    massless = replace(robot, joints=tuple(joints))
    return robot.gather(newton_euler(massless, robot.positions(q), robot.rates(qd), robot.rates(qdd)))


def drive_regressor(robot: Tree, qd: Vector, qdd: Vector) -> Matrix:
    """Return the columns of the drives: rotor inertia, Coulomb, viscous, offset for each joint."""
    columns = drives.drive_regressor(robot, robot.rates(qd), robot.rates(qdd))
    return _transposed([robot.gather(column) for column in columns])


def forward_kinematics(robot: Tree, q: Vector, frame: str | None = None) -> Matrix:
    """Return the 4x4 pose of a frame in the world."""
    X = kinematics.frame_pose(robot, robot.positions(q), robot.frame(frame))
    rows = [[*row, p] for row, p in zip(X.R.matrix.rows, X.p, strict=True)]
    return [*rows, [0, 0, 0, 1]]


def jacobian(robot: Tree, q: Vector, frame: str | None = None) -> Matrix:
    """Return J, 6 x nv, [linear; angular] in world axes at the frame's origin."""
    return _columns(robot, kinematics.jacobian(robot, robot.positions(q), robot.frame(frame)))


def jacobian_derivative(robot: Tree, q: Vector, qd: Vector, frame: str | None = None) -> Matrix:
    """Return dJ/dt, 6 x nv."""
    place = robot.frame(frame)
    return _columns(robot, kinematics.jacobian_rate(robot, robot.positions(q), robot.rates(qd), place))


def jacobian_derivative_times_velocity(robot: Tree, q: Vector, qd: Vector, frame: str | None = None) -> Vector:
    """Return Jdot qd, [linear; angular]: the frame's acceleration at qdd = 0."""
    place = robot.frame(frame)
    a = kinematics.velocity_product_acceleration(robot, robot.positions(q), robot.rates(qd), place)
    return [*a.v, *a.w]


def energy_terms(robot: Tree, q: Vector, qd: Vector) -> Vector:
    """Return [kinetic, potential] energy, rotors and springs included."""
    Q, QD = robot.positions(q), robot.rates(qd)
    kinetic = energy.kinetic_energy(robot, Q, QD)
    potential = energy.potential_energy(robot, Q)
    for joint, rate, part in zip(robot.joints, robot.drive_rates(QD), Q, strict=True):
        kinetic = kinetic + 0.5 * joint.drive.rotor_inertia * (rate * rate)
        if joint.motion.nv == 1:
            stretch = part[0] - joint.drive.rest
            potential = potential + 0.5 * joint.drive.stiffness * (stretch * stretch)
    return [kinetic, potential]


def momentum(robot: Tree, q: Vector, qd: Vector) -> Vector:
    """Return the momentum [linear; angular] of all links, in world axes about the world's origin."""
    h = energy.momentum(robot, robot.positions(q), robot.rates(qd))
    return [*h.f, *h.n]


def center_of_mass(robot: Tree, q: Vector) -> Vector:
    """Return the centre of mass of the moving links, in the world."""
    moment = energy.first_moment(robot, robot.positions(q))
    mass = energy.moving_mass(robot)
    return [x / mass for x in moment]


def operational_inertia(robot: Tree, q: Vector, frame: str | None = None) -> Matrix:
    """Return Lambda = (J M^-1 J^T)^-1 at a frame, [linear; angular]."""
    return operational_space.operational_inertia(mass_matrix(robot, q), jacobian(robot, q, frame))


def operational_bias(robot: Tree, q: Vector, qd: Vector, frame: str | None = None) -> Vector:
    """Return mu with F = Lambda a + mu at a frame, [linear; angular]."""
    M, J = mass_matrix(robot, q), jacobian(robot, q, frame)
    Jd_qd = jacobian_derivative_times_velocity(robot, q, qd, frame)
    return operational_space.operational_bias(M, J, bias(robot, q, qd), Jd_qd)


# -- the table ------------------------------------------------------------------


@dataclass(frozen=True)
class Question:
    """A question: what it takes, what shape its answer has, how it is computed."""

    name: str
    compute: Callable[..., Any]
    arguments: tuple[str, ...]
    shape: Callable[[Tree], tuple[int, ...]]
    on_frame: bool = False

    @property
    def summary(self) -> str:
        """The first line of the definition."""
        return (self.compute.__doc__ or "").partition("\n")[0]


def _n(robot: Tree) -> tuple[int, ...]:
    return (robot.nv,)


def _nn(robot: Tree) -> tuple[int, ...]:
    return (robot.nv, robot.nv)


def _n3n(robot: Tree) -> tuple[int, ...]:
    return (robot.nv, 3 * robot.nv)


def _explicit(robot: Tree) -> tuple[int, ...]:
    return (len(explicit_terms(robot.nv)),)


FUNCTIONS: dict[str, Question] = {
    f.name: f
    for f in (
        Question("inverse_dynamics", inverse_dynamics, ("q", "qd", "qdd"), _n),
        Question("mass_matrix", mass_matrix, ("q",), _nn),
        Question("gravity", gravity, ("q",), _n),
        Question("bias", bias, ("q", "qd"), _n),
        Question("coriolis_matrix", coriolis_matrix, ("q", "qd"), _nn),
        Question("christoffel", christoffel, ("q",), lambda r: (r.nv, r.nv, r.nv)),
        Question("explicit", explicit, ("q",), _explicit),
        Question("explicit_torque", explicit_torque, ("q", "qd", "qdd"), lambda r: (_explicit(r)[0] + r.nv,)),
        Question("forward_dynamics", forward_dynamics, ("q", "qd", "tau"), _n),
        Question("inverse_dynamics_derivatives", inverse_dynamics_derivatives, ("q", "qd", "qdd"), _n3n),
        Question("forward_dynamics_derivatives", forward_dynamics_derivatives, ("q", "qd", "tau"), _n3n),
        Question("friction", friction, ("qd",), _n),
        Question("joint_torque", joint_torque, ("q", "qd", "qdd"), _n),
        Question("regressor", regressor, ("q", "qd", "qdd"), lambda r: (r.nv, 10 * len(r.joints))),
        Question("drive_regressor", drive_regressor, ("qd", "qdd"), lambda r: (r.nv, 4 * len(r.joints))),
        Question("load_torque", load_torque, ("q", "qd", "qdd", "load"), _n, on_frame=True),
        Question("forward_kinematics", forward_kinematics, ("q",), lambda r: (4, 4), on_frame=True),
        Question("jacobian", jacobian, ("q",), lambda r: (6, r.nv), on_frame=True),
        Question("jacobian_derivative", jacobian_derivative, ("q", "qd"), lambda r: (6, r.nv), on_frame=True),
        Question(
            "jacobian_derivative_times_velocity",
            jacobian_derivative_times_velocity,
            ("q", "qd"),
            lambda r: (6,),
            on_frame=True,
        ),
        Question("energy", energy_terms, ("q", "qd"), lambda r: (2,)),
        Question("momentum", momentum, ("q", "qd"), lambda r: (6,)),
        Question("center_of_mass", center_of_mass, ("q",), lambda r: (3,)),
        Question("operational_inertia", operational_inertia, ("q",), lambda r: (6, 6), on_frame=True),
        Question("operational_bias", operational_bias, ("q", "qd"), lambda r: (6,), on_frame=True),
    )
}


# -- from the whole tree to the machine -------------------------------------------


def _pushed(robot: Tree, Q: Sequence[Vector], wrenches: Wrenches | None) -> dict[str, Any]:
    """Return the algorithms' argument ``external``: the wrenches as forces on bodies, each in its body's frame."""
    if not wrenches:
        return {}
    forces: dict[int, Force] = {}
    for name, wrench in wrenches.items():
        frame = robot.frame(name)
        if frame.body < 0:
            continue  # the base holds it
        X_WF = kinematics.frame_pose(robot, Q, frame)
        back = X_WF.R.T
        in_frame = Force(back @ Vec3(*wrench[3:]), back @ Vec3(*wrench[:3]))
        force = frame.transform.force_to_parent(in_frame)
        forces[frame.body] = forces[frame.body] + force if frame.body in forces else force
    return {"external": forces}


def _plus(a: Sequence[Vector], b: Sequence[Vector]) -> list[list[Scalar]]:
    return [[x + y for x, y in zip(p, r, strict=True)] for p, r in zip(a, b, strict=True)]


def _transposed(rows: Sequence[Vector]) -> Matrix:
    return [list(column) for column in zip(*rows, strict=True)]


def _reduced(robot: Tree, full: Matrix) -> Matrix:
    """Return G^T A G: rows and columns of mimicking joints act on their leaders."""
    if not robot.mimics:
        return full
    return _transposed(_reduced_rows(robot, _transposed(_reduced_rows(robot, full))))


def _reduced_rows(robot: Tree, rows: list[Any]) -> list[Any]:
    """Return G^T A for rows of scalars or of matrices."""
    if not robot.mimics:
        return rows
    start, parts = 0, []
    for joint in robot.joints:
        parts.append([_Row(row) for row in rows[start : start + joint.motion.nv]])
        start += joint.motion.nv
    return [row.entries for row in robot.gather(parts)]


class _Row:
    """Nested lists of scalars that add and scale entry by entry."""

    def __init__(self, entries: Any) -> None:
        self.entries = entries

    def __add__(self, other: _Row) -> _Row:
        return _Row(_entrywise(lambda x, y: x + y, self.entries, other.entries))

    def __rmul__(self, factor: Scalar) -> _Row:
        return _Row(_entrywise(lambda x, _: factor * x, self.entries, self.entries))


def _entrywise(operation: Callable[[Any, Any], Any], a: Any, b: Any) -> Any:
    if isinstance(a, list):
        return [_entrywise(operation, x, y) for x, y in zip(a, b, strict=True)]
    return operation(a, b)


def _columns(robot: Tree, J: Sequence[Sequence[Motion]]) -> Matrix:
    rows = [[_Row([*column.v, *column.w]) for column in part] for part in J]
    return _transposed([row.entries for row in robot.gather(rows)])
