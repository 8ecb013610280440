"""Energy, momentum and centre of mass of a tree.

.. math:: T = \\tfrac12 \\sum_i v_i^T I_i v_i, \\qquad V = -\\sum_i m_i\\, g \\cdot c_i

Serves trees and free joints.
"""

from __future__ import annotations

from taut.algorithms.kinematics import body_poses, body_velocities
from taut.robot import PerJoint, Tree
from taut.spatial import NO_FORCE, ZERO, Force, Scalar, Vec3


def kinetic_energy(robot: Tree, q: PerJoint, qd: PerJoint) -> Scalar:
    """Return T of the rigid bodies [J]."""
    twice: Scalar = 0
    for i, v in enumerate(body_velocities(robot, q, qd)):
        twice = twice + v.dot(robot.inertia(i) @ v)
    return 0.5 * twice


def potential_energy(robot: Tree, q: PerJoint) -> Scalar:
    """Return V of the rigid bodies, zero with all mass at the world's origin [J]."""
    return -robot.gravity_acceleration.dot(first_moment(robot, q))


def first_moment(robot: Tree, q: PerJoint) -> Vec3:
    """Return the sum of m c over all bodies, in world axes [kg m]."""
    total = ZERO
    for i, X in enumerate(body_poses(robot, q)):
        body = robot.inertia(i)
        total = total + X.p * body.m + X.R @ body.h
    return total


def moving_mass(robot: Tree) -> Scalar:
    """Return the mass of all moving links [kg]."""
    total: Scalar = 0
    for i in range(len(robot.joints)):
        total = total + robot.inertia(i).m
    return total


def momentum(robot: Tree, q: PerJoint, qd: PerJoint) -> Force:
    """Return the momentum of all bodies about the world's origin, in world axes."""
    total = NO_FORCE
    X = body_poses(robot, q)
    for i, v in enumerate(body_velocities(robot, q, qd)):
        total = total + X[i].force_to_parent(robot.inertia(i) @ v)
    return total
