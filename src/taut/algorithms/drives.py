"""What motors and gears add at the joints: reflected inertia, friction, offset, springs.

.. math:: \\tau_{drive} = K^T [\\, I_a K \\ddot q + f(K \\dot q) + f_0 \\,] + k\\,(q - q_0) + h(q) + u(q, \\dot q)
          + \\mu\\, \\mathrm{sgn}(\\dot q)\\, |L|

with the friction [Olsson et al. 1998; Hess, Soom 1990 for the fraction of Stribeck's]

.. math:: f(v) = \\left(f_c + \\frac{f_s}{1 + (v/v_s)^2} + f_r \\sqrt{|v|} + f_2 v^2\\right) \\mathrm{sgn}(v)
          + f_v v + f_a |v|, \\qquad \\mathrm{sgn}(v) = v / \\sqrt{v^2 + \\epsilon^2}

and h(q) harmonics of the joint's position and the moment of a counterbalance. K couples joints through the gears
(the identity where nothing is coupled). u is what a user states as a formula. mu is friction that grows with the load
L: the torque of links, rotors, springs and harmonics at the joint [Gautier et al. 2011 for gears]. What spinning rotors
add is in :mod:`taut.algorithms.rotors`.

The drive of a free joint acts as MuJoCo's: I_a is added to M for each of its six rates, as a mass I_a with moments I_a
at the body's origin would, but without weight; viscous friction is the same on all rates; dry friction acts along the
axes of the world and about those of the body, so that it depends on the position. It has no spring and no offset.
That of a ball joint acts likewise on its three rates; its spring turns it back along the rotation vector of q.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from taut.algorithms.blocks import matrix, unit_rates
from taut.algorithms.coriolis import B
from taut.errors import InputError
from taut.robot import Drive, PerJoint, Tree
from taut.robot.parameters import DRIVE
from taut.spatial import ZERO, Force, Inertia, Scalar, Sym3, Vec3, cos, is_exactly, sign, sin, sqrt


def rotor_torque(robot: Tree, qd: PerJoint, qdd: PerJoint) -> list[list[Scalar]]:
    """Return K^T I_a K qdd, one list a joint; of a free joint A a + v x* A v with A of a mass without weight."""
    rates = robot.drive_rates(qdd)
    torques = robot.drive_torques([j.drive.rotor_inertia * a for j, a in zip(robot.joints, rates, strict=True)])
    for i, A in free_rotors(robot):
        motion = robot.joints[i].motion
        v = motion.rate(qd[i])
        torques[i] = motion.project(A @ motion.rate(qdd[i]) + v.cross_force(A @ v))
    return torques


def free_rotors(robot: Tree) -> Iterator[tuple[int, Inertia]]:
    """Yield the joints with several rates whose drive has inertia, and the inertia that it adds at their origin."""
    for i, joint in enumerate(robot.joints):
        r = joint.drive.rotor_inertia
        if joint.motion.nv != 1 and not is_exactly(r, 0):
            yield i, Inertia(r, ZERO, Sym3(r, 0, r, 0, 0, r))


def rotor_matrix(robot: Tree) -> list[list[Scalar]]:
    """Return K^T I_a K over all rates of the tree."""
    units = unit_rates(robot)
    rest = [[0] * joint.motion.nv for joint in robot.joints]
    columns = [[x for part in rotor_torque(robot, rest, unit) for x in part] for unit in units]
    return [list(row) for row in zip(*columns, strict=True)]


def rotor_coriolis(robot: Tree, qd: PerJoint) -> list[list[Scalar]]:
    """Return what the drives of free joints add to the Coriolis matrix, over all rates of the tree."""
    blocks = {}
    for i, A in free_rotors(robot):
        motion = robot.joints[i].motion
        v = motion.rate(qd[i])
        blocks[i, i] = _columns(motion.project(B(A, v, x)) for x in motion.columns)
    return matrix(robot, blocks)


def rotor_derivative(robot: Tree, qd: PerJoint) -> list[list[Scalar]]:
    """Return the derivative of the rotors' torque by the rates, over all rates of the tree."""
    blocks = {}
    for i, A in free_rotors(robot):
        motion = robot.joints[i].motion
        v = motion.rate(qd[i])
        blocks[i, i] = _columns(motion.project(x.cross_force(A @ v) + v.cross_force(A @ x)) for x in motion.columns)
    return matrix(robot, blocks)


def _columns(columns: Iterable[Sequence[Scalar]]) -> list[list[Scalar]]:
    return [list(row) for row in zip(*columns, strict=True)]


def friction(robot: Tree, qd: PerJoint, q: PerJoint | None = None) -> list[list[Scalar]]:
    """Return K^T (f(K qd) + f_0) and the friction of the joints themselves, one list a joint.

    Args:
        robot: the tree.
        qd: rates, one list a joint.
        q: positions, needed where a free joint has dry friction.
    """
    torques: list[Scalar] = []
    for joint, rate in zip(robot.joints, robot.drive_rates(qd), strict=True):
        drive = joint.drive
        torques.append(_weighted(drive, rate_torques(drive, rate), drive.viscous * rate + drive.offset))
    through_gears = robot.drive_torques(torques)
    return [
        [joint_friction(joint.drive, part[0], torque[0])] if len(part) == 1 else _free_friction(robot, i, part, q)
        for i, (joint, part, torque) in enumerate(zip(robot.joints, qd, through_gears, strict=True))
    ]


def _free_friction(robot: Tree, i: int, qd: Sequence[Scalar], q: PerJoint | None) -> list[Scalar]:
    """Return the friction of a free or ball joint: dry friction along the world's axes and about the body's."""
    drive = robot.joints[i].drive
    viscous = [drive.viscous * rate for rate in qd]
    if is_exactly(drive.coulomb, 0):
        return viscous
    motion, pushed = robot.joints[i].motion, ZERO
    v = motion.rate(qd)
    if any(not is_exactly(x, 0) for x in v.v):
        if q is None:
            raise InputError(
                f"dry friction of the free joint '{robot.joints[i].name}' depends on its orientation",
                f"robot '{robot.name}'",
                "ask for joint_torque, or set its Coulomb friction to 0",
            )
        R = robot.pose(i, q[i]).R
        pushed = R.T @ Vec3(*(drive.coulomb * sign(x) for x in R @ v.v))
    dry = motion.project(Force(Vec3(*(drive.coulomb * sign(x) for x in v.w)), pushed))
    return [a + b for a, b in zip(viscous, dry, strict=True)]


def joint_friction(drive: Drive, v: Scalar, torque: Scalar = 0) -> Scalar:
    """Return a torque plus the friction of the joint itself at its own rate."""
    if not is_exactly(drive.joint_viscous, 0):
        torque = torque + drive.joint_viscous * v
    if not is_exactly(drive.joint_coulomb, 0):
        torque = torque + drive.joint_coulomb * rate_torques(drive, v)["coulomb"]()
    return torque


def spring_torque(robot: Tree, q: PerJoint) -> list[list[Scalar]]:
    """Return k (q - q_0) + h(q), one list a joint; free joints have no spring."""
    torques: list[list[Scalar]] = []
    for joint, part in zip(robot.joints, q, strict=True):
        drive = joint.drive
        if joint.motion.nv != 1:
            slack = is_exactly(drive.stiffness, 0)
            stretch = [0] * joint.motion.nv if slack else joint.motion.stretch(part, drive.rest)
            torques.append(stretch if slack else [drive.stiffness * x for x in stretch])
            continue
        [stretch] = joint.motion.stretch(part, drive.rest)
        torques.append([_weighted(drive, position_torques(drive, part[0]), drive.stiffness * stretch)])
    return torques


def formula_torque(robot: Tree, q: PerJoint, qd: PerJoint) -> list[list[Scalar]]:
    """Return the torques that are stated as formulas of a joint's position and rate, one list a joint."""
    torques: list[list[Scalar]] = []
    for joint, at, rate in zip(robot.joints, q, qd, strict=True):
        several = joint.motion.nv != 1
        torques.append([0] * joint.motion.nv if several else [sum(f(at[0], rate[0]) for f in joint.formulas)])
    return torques


def load_friction(robot: Tree, qd: PerJoint, load: Sequence[Scalar]) -> list[Scalar]:
    """Return ``mu sgn(qd) |L|``, one number a rate of the robot.

    Args:
        robot: the tree.
        qd: rates, one list a joint.
        load: the torque L that each joint carries, one number a rate of the robot.
    """
    found: list[Scalar] = [0] * len(load)
    for k, share in _load_shares(robot, qd):
        found[k] = share * (load[k] * sign(load[k]))
    return found


def carried(robot: Tree, qd: PerJoint, torque: Sequence[Scalar]) -> list[Scalar]:
    """Return the loads L that torques leave to the joints, one number a rate of the robot.

    With m = mu sgn(qd) of size below 1, ``x = L + m |L|`` has the sign of L, hence

    .. math:: L = \\frac{x}{1 + m\\, \\mathrm{sgn}(x)} = \\frac{x - m |x|}{1 - m^2}

    Args:
        robot: the tree.
        qd: rates, one list a joint.
        torque: x, the load and the friction that it causes.
    """
    found = list(torque)
    for k, share in _load_shares(robot, qd):
        x = found[k]
        found[k] = (x - share * (x * sign(x))) / (1 - share * share)
    return found


def _load_shares(robot: Tree, qd: PerJoint) -> Iterator[tuple[int, Scalar]]:
    """Yield mu sgn(qd) of the joints with friction by load, each with the number of its rate."""
    places, k = {}, 0
    for i in robot.independent:
        places[i] = k
        k += robot.joints[i].motion.nv
    for i, joint in enumerate(robot.joints):
        mu = joint.drive.load_friction
        if is_exactly(mu, 0):
            continue
        if i not in places or joint.motion.nv != 1 or robot.at().bends:
            raise InputError(
                f"load_friction of joint '{joint.name}', which follows others, is in a loop or has several rates",
                f"robot '{robot.name}'",
                "set it to 0, or use coulomb friction there",
            )
        yield places[i], mu * rate_torques(joint.drive, qd[i][0])["coulomb"]()


def has_load_friction(robot: Tree) -> bool:
    """Return whether the friction of some joint depends on its load."""
    return any(not is_exactly(joint.drive.load_friction, 0) for joint in robot.joints)


UnitTorques = dict[str, Callable[[], Scalar]]
"""{parameter of the drive: its torque per unit}; computed when asked for."""


def rate_torques(drive: Drive, v: Scalar) -> UnitTorques:
    """Return the torques of friction beyond the viscous, per unit of each parameter, at a rate of the drive."""
    smooth = not is_exactly(drive.smoothing, 0)

    def size() -> Scalar:
        return sqrt(v * v + drive.smoothing * drive.smoothing) if smooth else v * sign(v)

    def direction() -> Scalar:
        return v / size() if smooth else sign(v)

    def falling() -> Scalar:
        ratio = v / drive.stribeck_speed
        return direction() / (1 + ratio * ratio)

    return {
        "coulomb": direction,
        "stribeck": falling,
        "root": lambda: direction() * sqrt(size()),
        "square": lambda: direction() * (v * v),
        "asymmetry": lambda: direction() * v,
    }


def position_torques(drive: Drive, q: Scalar) -> UnitTorques:
    """Return the torques of harmonics and of a counterbalance, per unit of each parameter, at a position."""

    def length() -> Scalar:
        a, b = drive.spring_crank, drive.spring_ground
        return sqrt(a * a + b * b - 2 * (a * b) * cos(q + drive.spring_angle))

    def lever() -> Scalar:  # dl/dq
        return (drive.spring_crank * drive.spring_ground) * sin(q + drive.spring_angle) / length()

    def stretch() -> Scalar:
        return length() - drive.spring_length

    return {
        "cos1": lambda: cos(q),
        "sin1": lambda: sin(q),
        "cos2": lambda: cos(2 * q),
        "sin2": lambda: sin(2 * q),
        "spring_force": lever,
        "spring_rate": lambda: lever() * stretch(),
        "spring_curve": lambda: lever() * (stretch() * stretch()),
    }


def _weighted(drive: Drive, units: UnitTorques, torque: Scalar) -> Scalar:
    """Return a torque plus those of the drive's parameters that are not known to be zero."""
    for name, unit in units.items():
        if not is_exactly(parameter := getattr(drive, name), 0):
            torque = torque + parameter * unit()
    return torque


def drive_regressor(robot: Tree, qd: PerJoint, qdd: PerJoint) -> list[list[list[Scalar]]]:
    """Return the joint forces of a unit of each drive parameter: four columns a joint.

    Columns run over joints, and for each over rotor inertia, Coulomb, viscous, offset. Dry friction of a free joint,
    which depends on its orientation, is left out.
    """
    unit_rotors = replace(robot, joints=tuple(replace(joint, drive=Drive(rotor_inertia=1)) for joint in robot.joints))
    spun = dict(enumerate(rotor_torque(unit_rotors, qd, qdd)))
    columns = []
    rates, accelerations = robot.drive_rates(qd), robot.drive_rates(qdd)
    for i, joint in enumerate(robot.joints):
        for name, unit in zip(DRIVE, (accelerations[i], sign(rates[i]), rates[i], 1), strict=True):
            torques: list[Scalar] = [0] * len(robot.joints)
            torques[i] = unit
            column = robot.drive_torques(torques)
            if joint.motion.nv != 1 and name in ("viscous", "rotor_inertia"):
                column[i] = list(qd[i]) if name == "viscous" else spun[i]
            columns.append(column)
    return columns
