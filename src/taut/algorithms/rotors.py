"""What spinning rotors add to the torque: they are gyroscopes on the links that carry the motors.

A rotor of inertia J about its axis a, geared N : 1 and mounted on the link before its joint, turns at N times the rate
u of its drive. Its mass, and its inertia as if it were locked, belong to that link, and J N^2 to the drive. What is
left of its kinetic energy couples the two:

.. math:: T = s \\cdot \\omega_p \\, u, \\quad s = J N a: \\qquad
          n_p = s\\,\\dot u + \\omega_p \\times s\\,u, \\quad \\tau_{drive} = s \\cdot \\dot\\omega_p

n_p is the moment that the link needs besides, seen in its frame. Source: L. Sciavicco, B. Siciliano, L. Villani,
"Lagrange and Newton-Euler dynamic modeling of a gear-driven robot manipulator with inclusion of motor inertia effects",
Advanced Robotics 1996. A rotor on a fixed base adds nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from taut.robot import PerJoint, Tree
from taut.spatial import REST, ZERO, Force, Motion, Scalar, Transform, Vec3, is_exactly

AXES = ("x", "y", "z")


def spin(robot: Tree, i: int) -> Vec3:
    """Return s of a drive: J N along the rotor's axis, in the frame of the link that carries the joint."""
    drive = robot.joints[i].drive
    return _seen_from_the_carrier(robot, i, Vec3(drive.spin_x, drive.spin_y, drive.spin_z))


def _seen_from_the_carrier(robot: Tree, i: int, s: Vec3) -> Vec3:
    """Return a vector of the joint's frame at rest in the frame of the link that carries it."""
    return robot.joints[i].placement.transform.R @ s


def spinning(robot: Tree) -> dict[int, Vec3]:
    """Return {joint: s} of the rotors that are known to spin on a moving link."""
    moved = [i for i, joint in enumerate(robot.joints) if joint.parent >= 0]
    parts = {i: [getattr(robot.joints[i].drive, f"spin_{axis}") for axis in AXES] for i in moved}
    return {i: spin(robot, i) for i, s in parts.items() if not all(is_exactly(x, 0) for x in s)}


def spinning_torque(robot: Tree, q: PerJoint, qd: PerJoint, qdd: PerJoint) -> list[list[Scalar]]:
    """Return the joint forces that the rotors add, one list a joint."""
    return _torque(robot, _Turning(robot, q, qd, qdd), spinning(robot), qd, qdd)


def spin_regressor(robot: Tree, q: PerJoint, qd: PerJoint, qdd: PerJoint) -> list[list[list[Scalar]]]:
    """Return the joint forces of a unit of s of each drive: columns run over joints, and for each over x, y, z."""
    turning = _Turning(robot, q, qd, qdd)
    columns = []
    for i, joint in enumerate(robot.joints):
        for k in range(len(AXES)):
            unit = _seen_from_the_carrier(robot, i, Vec3(*(int(k == j) for j in range(3))))
            columns.append(_torque(robot, turning, {i: unit} if joint.parent >= 0 else {}, qd, qdd))
    return columns


class _Turning:
    """Poses, angular velocities and accelerations of all links, each in its own frame."""

    def __init__(self, robot: Tree, q: PerJoint, qd: PerJoint, qdd: PerJoint) -> None:
        self.X: list[Transform] = []
        self.w: list[Vec3] = []
        self.wd: list[Vec3] = []
        v: list[Motion] = []
        a: list[Motion] = []
        for i, joint in enumerate(robot.joints):
            self.X.append(robot.pose(i, q[i]))
            vJ, aJ = joint.motion.rate(qd[i]), joint.motion.rate(qdd[i])
            v_parent, a_parent = (REST, REST) if joint.parent < 0 else (v[joint.parent], a[joint.parent])
            v.append(self.X[i].to_child(v_parent) + vJ)
            a.append(self.X[i].to_child(a_parent) + aJ + v[i].cross(vJ))
            self.w.append(v[i].w)
            self.wd.append(a[i].w)


def _torque(
    robot: Tree, turning: _Turning, spins: Mapping[int, Vec3], qd: PerJoint, qdd: PerJoint
) -> list[list[Scalar]]:
    rates, accelerations = robot.drive_rates(qd), robot.drive_rates(qdd)
    moments = [ZERO for _ in robot.joints]
    on_drives: list[Scalar] = [0 for _ in robot.joints]
    for i, s in spins.items():
        p = robot.joints[i].parent
        moments[p] = moments[p] + s * accelerations[i] + turning.w[p].cross(s) * rates[i]
        on_drives[i] = s.dot(turning.wd[p])
    through_gears = robot.drive_torques(on_drives)
    held = _held(robot, turning, moments)
    return [[a + b for a, b in zip(x, y, strict=True)] for x, y in zip(held, through_gears, strict=True)]


def _held(robot: Tree, turning: _Turning, moments: Sequence[Vec3]) -> list[list[Scalar]]:
    """Return the joint forces that give links moments, each in its link's frame."""
    carried = list(moments)
    tau: list[list[Scalar]] = [[] for _ in carried]
    for i, joint in reversed(list(enumerate(robot.joints))):
        tau[i] = joint.motion.project(Force(carried[i], ZERO))
        if joint.parent >= 0:
            carried[joint.parent] = carried[joint.parent] + turning.X[i].R @ carried[i]
    return tau
