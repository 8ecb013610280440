"""What motors and gears add at the joints: reflected inertia, friction, offset, springs.

.. math:: \\tau_{drive} = K^T [\\, I_a K \\ddot q + f_c\\,\\mathrm{sign}(K \\dot q) + f_v K \\dot q + f_0 \\,]
          + k\\,(q - q_0)

K couples joints through the gears (the identity where nothing is coupled). Gyroscopic effects of
spinning rotors are neglected.
"""

from __future__ import annotations

from collections.abc import Sequence

from taut.algorithms.blocks import unit_rates
from taut.robot import Tree
from taut.spatial import Scalar, is_exactly, sign


def rotor_torque(robot: Tree, qdd: Sequence[Sequence[Scalar]]) -> list[list[Scalar]]:
    """Return K^T I_a K qdd, one list a joint."""
    rates = robot.drive_rates(qdd)
    return robot.drive_torques([j.drive.rotor_inertia * a for j, a in zip(robot.joints, rates, strict=True)])


def rotor_matrix(robot: Tree) -> list[list[Scalar]]:
    """Return K^T I_a K over all rates of the tree."""
    columns = [[x for part in rotor_torque(robot, unit) for x in part] for unit in unit_rates(robot)]
    return [list(row) for row in zip(*columns, strict=True)]


def friction(robot: Tree, qd: Sequence[Sequence[Scalar]]) -> list[list[Scalar]]:
    """Return K^T (f_c sign(K qd) + f_v K qd + f_0), one list a joint."""
    torques: list[Scalar] = []
    for joint, rate in zip(robot.joints, robot.drive_rates(qd), strict=True):
        drive = joint.drive
        viscous = drive.viscous * rate + drive.offset
        torques.append(viscous if is_exactly(drive.coulomb, 0) else viscous + drive.coulomb * sign(rate))
    return robot.drive_torques(torques)


def spring_torque(robot: Tree, q: Sequence[Sequence[Scalar]]) -> list[list[Scalar]]:
    """Return k (q - q_0), one list a joint; free joints have no spring."""
    return [
        [j.drive.stiffness * (part[0] - j.drive.rest)] if j.motion.nv == 1 else [0] * j.motion.nv
        for j, part in zip(robot.joints, q, strict=True)
    ]


def drive_regressor(
    robot: Tree, qd: Sequence[Sequence[Scalar]], qdd: Sequence[Sequence[Scalar]]
) -> list[list[list[Scalar]]]:
    """Return the joint forces of a unit of each drive parameter: four columns a joint.

    Columns run over joints, and for each over rotor inertia, Coulomb, viscous, offset.
    """
    columns = []
    rates, accelerations = robot.drive_rates(qd), robot.drive_rates(qdd)
    for i in range(len(robot.joints)):
        for unit in (accelerations[i], sign(rates[i]), rates[i], 1):
            torques: list[Scalar] = [0] * len(robot.joints)
            torques[i] = unit
            columns.append(robot.drive_torques(torques))
    return columns
