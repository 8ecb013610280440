"""How the torque of a tree changes with q, qd and qdd, by spatial vectors.

With S the motion of a unit rate of joint j, the velocity v and acceleration a of the body that carries it
(p) and of the body itself,

.. math:: \\psi = v_p \\times S, \\quad \\dot\\psi = a_p \\times S + v_p \\times (v_j \\times S)

every body k outside of j feels, in its own axes,

.. math:: \\partial_{q} f_k = I_k \\dot\\psi + B_k \\psi, \\quad
          \\partial_{\\dot q} f_k = I_k (\\psi + v_j \\times S) + B_k S, \\quad
          \\partial_{\\ddot q} f_k = I_k S

.. math:: B x = v \\times^* I x + x \\times^* I v - I (v \\times x)

Forces add up inward; where they pass joint j, its own turn adds :math:`S \\times^* f_j`.
Source: Carpentier, Mansard 2018 and Singh, Russell, Wensing 2022. Serves trees; the derivative by the
position of a free joint is along its six rates, in its own axes.
"""

from __future__ import annotations

from taut.algorithms.blocks import Blocks, matrix
from taut.algorithms.kinematics import gravity_at_rest
from taut.robot import PerJoint, Tree
from taut.spatial import REST, Force, Inertia, Motion, Scalar

Matrix = list[list[Scalar]]
Changes = dict[int, list[Force]]
"""{joint: how a force changes with each of its coordinates}."""


def torque_derivatives(robot: Tree, q: PerJoint, qd: PerJoint, qdd: PerJoint) -> tuple[Matrix, Matrix, Matrix]:
    """Return the derivatives of the joint forces by q, by qd and by qdd, over all rates of the tree."""
    v: list[Motion] = []
    a: list[Motion] = []
    X, f = [], []
    by_q: list[Changes] = []
    by_qd: list[Changes] = []
    by_qdd: list[Changes] = []
    columns: list[dict[int, list[_Column]]] = []
    for i, joint in enumerate(robot.joints):
        X.append(robot.pose(i, q[i]))
        vJ, aJ = joint.motion.rate(qd[i]), joint.motion.rate(qdd[i])
        v_parent, a_parent = (REST, gravity_at_rest(robot)) if joint.parent < 0 else (v[joint.parent], a[joint.parent])
        v_parent, a_parent = X[i].to_child(v_parent), X[i].to_child(a_parent)
        v.append(v_parent + vJ)
        a.append(a_parent + aJ + v[i].cross(vJ))
        I = robot.inertia(i)  # noqa: E741
        f.append(I @ a[i] + v[i].cross_force(I @ v[i]))
        carried = {} if joint.parent < 0 else columns[joint.parent]
        seen = {j: [column.moved(X[i].to_child) for column in those] for j, those in carried.items()}
        seen[i] = [_column(S, v_parent, a_parent, v[i]) for S in joint.motion.columns]
        columns.append(seen)
        by_q.append({j: [I @ c.psi_rate + _B(I, v[i], c.psi) for c in those] for j, those in seen.items()})
        by_qd.append({j: [I @ c.swept + _B(I, v[i], c.S) for c in those] for j, those in seen.items()})
        by_qdd.append({j: [I @ c.S for c in those] for j, those in seen.items()})
    results: list[Blocks] = [{}, {}, {}]
    for i, joint in reversed(list(enumerate(robot.joints))):
        for blocks, changes in zip(results, (by_q, by_qd, by_qdd), strict=True):
            for j, those in changes[i].items():
                rows = [joint.motion.project(force) for force in those]
                blocks[i, j] = [list(row) for row in zip(*rows, strict=True)]
        if joint.parent >= 0:
            by_q[i][i] = [d + S.cross_force(f[i]) for d, S in zip(by_q[i][i], joint.motion.columns, strict=True)]
            f[joint.parent] = f[joint.parent] + X[i].force_to_parent(f[i])
            for changes in (by_q, by_qd, by_qdd):
                _add(changes[joint.parent], {j: [X[i].force_to_parent(d) for d in c] for j, c in changes[i].items()})
    dq, dqd, dqdd = (matrix(robot, blocks) for blocks in results)
    return dq, dqd, dqdd


class _Column:
    """The motion S of a unit rate, psi, the rate of psi, and psi + v x S, as seen in one body."""

    __slots__ = ("S", "psi", "psi_rate", "swept")

    def __init__(self, S: Motion, psi: Motion, psi_rate: Motion, swept: Motion) -> None:
        self.S, self.psi, self.psi_rate, self.swept = S, psi, psi_rate, swept

    def moved(self, to_child: object) -> _Column:
        return _Column(*(to_child(x) for x in (self.S, self.psi, self.psi_rate, self.swept)))  # type: ignore[operator]


def _column(S: Motion, v_parent: Motion, a_parent: Motion, v: Motion) -> _Column:
    psi, S_rate = v_parent.cross(S), v.cross(S)
    return _Column(S, psi, a_parent.cross(S) + v_parent.cross(S_rate), psi + S_rate)


def _B(I: Inertia, v: Motion, x: Motion) -> Force:  # noqa: E741 - the equation's letters
    return v.cross_force(I @ x) + x.cross_force(I @ v) - I @ v.cross(x)


def _add(total: Changes, part: Changes) -> None:
    for j, those in part.items():
        total[j] = [a + b for a, b in zip(total[j], those, strict=True)] if j in total else those
