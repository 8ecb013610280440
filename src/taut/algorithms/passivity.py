"""Torque along reference rates, with the Christoffel C, and its regressor: what passivity-based control is made of.

.. math:: \\tau = M(q)\\, \\ddot q_r + C(q, \\dot q)\\, \\dot q_r + g(q) = Y(q, \\dot q, \\dot q_r, \\ddot q_r)\\, \\pi

by one recursion with two velocities, v of the rates and u of the reference rates:

.. math:: a_i = {}^iX_p a_p + S_i \\ddot q_{r,i} + v_i \\times S_i \\dot q_{r,i}, \\qquad
          f_i = I_i a_i + \\tfrac12 [\\, v_i \\times^* I_i u_i + u_i \\times^* I_i v_i - I_i (v_i \\times u_i) \\,]

The law is Slotine and Li's (1987); the recursion follows from ``C = sum_k J_k^T (I_k dJ_k/dt + B_k J_k)`` of
:mod:`taut.algorithms.coriolis`, which makes Mdot - 2C skew, with a free base, too. For ``qd_r = qd`` it is the
Newton-Euler recursion. Serves trees and free joints.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from taut.algorithms.kinematics import body_velocities, gravity_at_rest
from taut.robot import Tree
from taut.spatial import REST, Force, Inertia, Motion, Scalar

Parts = Sequence[Sequence[Scalar]]
"""One list a joint."""


class Moving(NamedTuple):
    """A body's velocity, reference velocity and reference acceleration, gravity included, in its own frame."""

    v: Motion
    u: Motion
    a: Motion

    def force(self, I: Inertia) -> Force:  # noqa: E741 - the equation's letter
        """Return the force that moves an inertia so; linear in the inertia."""
        v, u = self.v, self.u
        return I @ self.a + (v.cross_force(I @ u) + u.cross_force(I @ v) - I @ v.cross(u)) * 0.5


def passivity_torque(robot: Tree, q: Parts, qd: Parts, qd_r: Parts, qdd_r: Parts) -> list[list[Scalar]]:
    """Return M qdd_r + C qd_r + g of the rigid bodies, one list a joint."""
    f = [body.force(robot.inertia(i)) for i, body in enumerate(_moving(robot, q, qd, qd_r, qdd_r))]
    tau: list[list[Scalar]] = [[] for _ in robot.joints]
    for i, joint in reversed(list(enumerate(robot.joints))):
        tau[i] = joint.motion.project(f[i])
        if joint.parent >= 0:
            f[joint.parent] = f[joint.parent] + robot.pose(i, q[i]).force_to_parent(f[i])
    return tau


def passivity_regressor(robot: Tree, q: Parts, qd: Parts, qd_r: Parts, qdd_r: Parts) -> list[list[list[Scalar]]]:
    """Return Y by columns: for each of the ten parameters of each link, the joint forces, one list a joint."""
    X = [robot.pose(i, q[i]) for i in range(len(robot.joints))]
    columns: list[list[list[Scalar]]] = []
    for i, body in enumerate(_moving(robot, q, qd, qd_r, qdd_r)):
        for unit in UNITS:
            f = body.force(unit)
            tau: list[list[Scalar]] = [[0] * joint.motion.nv for joint in robot.joints]
            for k in robot.support(i):
                tau[k] = robot.joints[k].motion.project(f)
                f = X[k].force_to_parent(f)
            columns.append(tau)
    return columns


def adaptation(robot: Tree, q: Parts, qd: Parts, qd_r: Parts, qdd_r: Parts, s: Parts) -> list[Scalar]:
    """Return Y^T s without forming Y: the power of each parameter's force along the motion of the rates s."""
    along = body_velocities(robot, q, s)
    return [
        along[i].dot(body.force(unit)) for i, body in enumerate(_moving(robot, q, qd, qd_r, qdd_r)) for unit in UNITS
    ]


UNITS = tuple(Inertia.from_parameters(tuple(int(k == j) for j in range(10))) for k in range(10))
"""Inertias with one parameter 1 and the others 0, in taut's order."""


def _moving(robot: Tree, q: Parts, qd: Parts, qd_r: Parts, qdd_r: Parts) -> Iterator[Moving]:
    """Yield how every body moves, from the base outward."""
    found: list[Moving] = []
    for i, joint in enumerate(robot.joints):
        X, motion = robot.pose(i, q[i]), joint.motion
        v, u, a = (REST, REST, gravity_at_rest(robot)) if joint.parent < 0 else found[joint.parent]
        v, uJ = X.to_child(v) + motion.rate(qd[i]), motion.rate(qd_r[i])
        found.append(Moving(v, X.to_child(u) + uJ, X.to_child(a) + motion.rate(qdd_r[i]) + v.cross(uJ)))
        yield found[-1]
