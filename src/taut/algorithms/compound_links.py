"""Mass matrix, gravity and velocity torques by the compound links of Izaguirre, Hashimoto, Paul, Hayward.

.. math:: D_{ij} = (z_i \\times p_{ij}) \\cdot (z_j \\times L_j) + z_i \\cdot I_j z_j

M_j, L_j and I_j are mass, first moment and inertia of the "compound link" j: link j with all it
carries, frozen. Configuration (D and gravity) and velocity torques are separate functions, because
the paper runs them as separate background tasks.

Source: A. Izaguirre, M. Hashimoto, R. P. Paul, V. Hayward, "A new computational structure for
real-time dynamics", Int. J. Robotics Research 1992.

Deviations. The paper has standard Denavit-Hartenberg frames, where a link's moments are constant in
the next frame, and shifts link j with compound link j+1; in taut a link's moments are constant in
its own joint frame, so only the carried links are shifted. Misprints repaired: M_j = M_{j+1} + m_j;
U = [w'] + [w][w] in eq. (20); link i's own first moment in eq. (24). The prismatic cases, which the
paper leaves to a report, follow from the same integrals.

Serves revolute and prismatic joints, chains and trees. Rotor inertia (I_a of eq. 1) is not included.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from taut.algorithms.blocks import Blocks, symmetric_matrix
from taut.algorithms.holding import holding_forces
from taut.algorithms.scope import single_axis_only
from taut.algorithms.turning import turning_tensor
from taut.robot import PerJoint, Tree
from taut.spatial import ZERO, Mat3, Scalar, Sym3, Transform, Vec3, shift


@dataclass(frozen=True)
class CompoundLink:
    """Mass M, first moment L and inertia I of a link with all it carries, in the link's frame."""

    M: Scalar
    L: Vec3
    I: Sym3  # noqa: E741 - the paper's letter


def compound_links(robot: Tree, X: Sequence[Transform]) -> list[CompoundLink]:
    """Return the compound link of every body, given every body's pose in its parent: (15)-(17)."""
    links = [CompoundLink(body.m, body.h, body.I) for body in (joint.link.inertia for joint in robot.joints)]
    for j, joint in reversed(list(enumerate(robot.joints))):
        if joint.parent >= 0:
            outer, inner, R, p = links[j], links[joint.parent], X[j].R, X[j].p
            L = R @ outer.L + p * outer.M  # (15)
            I = R.tensor(outer.I) - shift(p, p) * outer.M + shift(p, L) * 2  # noqa: E741 - (17)
            links[joint.parent] = CompoundLink(inner.M + outer.M, inner.L + L, inner.I + I)
    return links


def compound_mass_matrix(robot: Tree, q: PerJoint) -> list[list[Scalar]]:
    """Return D of eqs. (9) and (11), rigid bodies only, in joint order."""
    single_axis_only(robot, "compound_links")
    X = [robot.pose(i, q[i]) for i in range(len(robot.joints))]
    return _inertial_coefficients(robot, X, compound_links(robot, X))


def _inertial_coefficients(robot: Tree, X: Sequence[Transform], links: Sequence[CompoundLink]) -> list[list[Scalar]]:
    blocks: Blocks = {}
    for j, (joint, link) in enumerate(zip(robot.joints, links, strict=True)):
        z = joint.motion.columns[0]
        if joint.motion.pure_turn:
            a, b = link.I @ z.w, z.w.cross(link.L)
        else:
            a, b = link.L.cross(z.v), z.v * link.M
        p = ZERO
        for i in robot.support(j):
            e = robot.joints[i].motion.columns[0]
            if robot.joints[i].motion.pure_turn:
                blocks[j, i] = [[e.w.dot(a) + e.w.cross(p).dot(b)]]  # (11), the products taken from the right
            else:
                blocks[j, i] = [[e.v.dot(b)]]
            a, b, p = X[i].R @ a, X[i].R @ b, X[i].point(p)  # on to the next frame inwards
    return symmetric_matrix(robot, blocks)


def compound_gravity(robot: Tree, q: PerJoint) -> list[list[Scalar]]:
    """Return the gravity coefficients D_i of eq. (13), one list a joint."""
    single_axis_only(robot, "compound_links")
    X = [robot.pose(i, q[i]) for i in range(len(robot.joints))]
    return _gravity_coefficients(robot, X, compound_links(robot, X))


def _gravity_coefficients(robot: Tree, X: Sequence[Transform], links: Sequence[CompoundLink]) -> list[list[Scalar]]:
    return holding_forces(robot, X, [link.M for link in links], [link.L for link in links])


def velocity_torques(robot: Tree, q: PerJoint, qd: PerJoint) -> list[list[Scalar]]:
    """Return the joint forces due to the rates alone, without gravity, one list a joint: (18)-(24)."""
    single_axis_only(robot, "velocity_torques")
    X = [robot.pose(i, q[i]) for i in range(len(robot.joints))]
    w: list[Vec3] = []
    wd: list[Vec3] = []
    vd: list[Vec3] = []
    U: list[Mat3] = []
    f: list[Vec3] = []
    n: list[Vec3] = []
    for i, joint in enumerate(robot.joints):
        p, back, rate, body = joint.parent, X[i].R.T, joint.motion.rate(qd[i]), joint.link.inertia
        w_parent, wd_parent = (ZERO, ZERO) if p < 0 else (w[p], wd[p])
        w.append(back @ w_parent + rate.w)  # (18)
        wd.append(back @ wd_parent + w[i].cross(rate.w))  # (19)
        slide = w[i].cross(rate.v) * 2
        vd.append(slide if p < 0 else back @ (vd[p] + U[p] @ X[i].p) + slide)  # (20)
        U.append(turning_tensor(w[i], wd[i]))
        f.append(vd[i] * body.m + U[i] @ body.h)  # (21)
        n.append(body.I @ wd[i] + w[i].cross(body.I @ w[i]) + body.h.cross(vd[i]))  # (22), last term of (24)
    tau: list[list[Scalar]] = [[] for _ in robot.joints]
    for i, joint in reversed(list(enumerate(robot.joints))):
        e = joint.motion.columns[0]
        tau[i] = [e.w.dot(n[i]) if joint.motion.pure_turn else e.v.dot(f[i])]
        if joint.parent >= 0:
            force = X[i].R @ f[i]
            f[joint.parent] = f[joint.parent] + force  # (23)
            n[joint.parent] = n[joint.parent] + X[i].R @ n[i] + X[i].p.cross(force)  # (24)
    return tau


def compound_torque(robot: Tree, q: PerJoint, qd: PerJoint, qdd: PerJoint) -> list[list[Scalar]]:
    """Return the joint forces of eq. (1) without rotor inertia and friction, one list a joint."""
    single_axis_only(robot, "compound_links")
    X = [robot.pose(i, q[i]) for i in range(len(robot.joints))]
    links = compound_links(robot, X)
    D = _inertial_coefficients(robot, X, links)
    held = _gravity_coefficients(robot, X, links)
    moving = velocity_torques(robot, q, qd)
    return [
        [sum(d * a for d, [a] in zip(row, qdd, strict=True)) + by_rates + by_gravity]
        for row, [by_rates], [by_gravity] in zip(D, moving, held, strict=True)
    ]
