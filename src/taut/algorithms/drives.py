"""What motors and gears add at the joints: reflected inertia, friction, offset, springs.

.. math:: \\tau_{drive} = K^T [\\, I_a K \\ddot q + f(K \\dot q) + f_0 \\,] + k\\,(q - q_0) + h(q)

with the friction [Olsson et al. 1998; Hess, Soom 1990 for the fraction of Stribeck's]

.. math:: f(v) = \\left(f_c + \\frac{f_s}{1 + (v/v_s)^2} + f_r \\sqrt{|v|} + f_2 v^2\\right) \\mathrm{sgn}(v)
          + f_v v + f_a |v|, \\qquad \\mathrm{sgn}(v) = v / \\sqrt{v^2 + \\epsilon^2}

and h(q) harmonics of the joint's position and the moment of a counterbalance. K couples joints through the gears
(the identity where nothing is coupled). Gyroscopic effects of spinning rotors are neglected. Of the drive of a free
joint only the viscous friction acts: the same on all six rates, so that it does not depend on the axes of the rates.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from taut.algorithms.blocks import unit_rates
from taut.robot import Drive, Tree
from taut.robot.parameters import DRIVE
from taut.spatial import Scalar, cos, is_exactly, sign, sin, sqrt


def rotor_torque(robot: Tree, qdd: Sequence[Sequence[Scalar]]) -> list[list[Scalar]]:
    """Return K^T I_a K qdd, one list a joint."""
    rates = robot.drive_rates(qdd)
    return robot.drive_torques([j.drive.rotor_inertia * a for j, a in zip(robot.joints, rates, strict=True)])


def rotor_matrix(robot: Tree) -> list[list[Scalar]]:
    """Return K^T I_a K over all rates of the tree."""
    columns = [[x for part in rotor_torque(robot, unit) for x in part] for unit in unit_rates(robot)]
    return [list(row) for row in zip(*columns, strict=True)]


def friction(robot: Tree, qd: Sequence[Sequence[Scalar]]) -> list[list[Scalar]]:
    """Return K^T (f(K qd) + f_0) and the friction of the joints themselves, one list a joint."""
    torques: list[Scalar] = []
    for joint, rate in zip(robot.joints, robot.drive_rates(qd), strict=True):
        drive = joint.drive
        torques.append(_weighted(drive, rate_torques(drive, rate), drive.viscous * rate + drive.offset))
    through_gears = robot.drive_torques(torques)
    return [
        [joint_friction(joint.drive, part[0], torque[0])]
        if len(part) == 1
        else [joint.drive.viscous * rate for rate in part]
        for joint, part, torque in zip(robot.joints, qd, through_gears, strict=True)
    ]


def joint_friction(drive: Drive, v: Scalar, torque: Scalar = 0) -> Scalar:
    """Return a torque plus the friction of the joint itself at its own rate."""
    if not is_exactly(drive.joint_viscous, 0):
        torque = torque + drive.joint_viscous * v
    if not is_exactly(drive.joint_coulomb, 0):
        torque = torque + drive.joint_coulomb * rate_torques(drive, v)["coulomb"]()
    return torque


def spring_torque(robot: Tree, q: Sequence[Sequence[Scalar]]) -> list[list[Scalar]]:
    """Return k (q - q_0) + h(q), one list a joint; free joints have no spring."""
    torques: list[list[Scalar]] = []
    for joint, part in zip(robot.joints, q, strict=True):
        drive = joint.drive
        if joint.motion.nv != 1:
            torques.append([0] * joint.motion.nv)
            continue
        spring = drive.stiffness * (part[0] - drive.rest)
        torques.append([_weighted(drive, position_torques(drive, part[0]), spring)])
    return torques


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


def drive_regressor(
    robot: Tree, qd: Sequence[Sequence[Scalar]], qdd: Sequence[Sequence[Scalar]]
) -> list[list[list[Scalar]]]:
    """Return the joint forces of a unit of each drive parameter: four columns a joint.

    Columns run over joints, and for each over rotor inertia, Coulomb, viscous, offset.
    """
    columns = []
    rates, accelerations = robot.drive_rates(qd), robot.drive_rates(qdd)
    for i, joint in enumerate(robot.joints):
        for name, unit in zip(DRIVE, (accelerations[i], sign(rates[i]), rates[i], 1), strict=True):
            torques: list[Scalar] = [0] * len(robot.joints)
            torques[i] = unit
            column = robot.drive_torques(torques)
            if joint.motion.nv != 1 and name == "viscous":
                column[i] = list(qd[i])
            columns.append(column)
    return columns
