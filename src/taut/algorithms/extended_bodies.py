"""Mass matrix, Christoffel symbols and gravity by the extended-body dyadics of Burdick's EMDEG.

.. math:: M_{ij} = {}^jz_i \\cdot I_{i,j} \\cdot z_j, \\qquad
          I_{i,j} = \\sum_{k \\ge j} -m_k \\hat L_{i,k} \\hat L_{j,k} + I^{k*}

L_{i,k} leads from the origin of frame i to the mass centre of link k; a hat makes a vector the
matrix of its cross product. A prismatic joint with axis z = x cross y enters with y in place of its
lever and x in place of its axis, eqs. (17), (18), so every element has the same form.

Source: J. W. Burdick, "An algorithm for generation of efficient manipulator dynamic equations", 1986.

Deviations. Eq. (12) means M(q) q'' + ..., eq. (15) derives by q, eq. (16) has the other sign, and
the prismatic diagonal of (17) needs a minus before y-hat y-hat. Of the paper's recursions the
diagonal one leads from link to link and the last line of (19) and (21) from row to row within a
column of M; these two serve every mixture of joints, the one across follows from them.

Serves revolute and prismatic joints; the paper's chain becomes a tree by summing over carried links.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from taut.algorithms.blocks import Blocks, symmetric_matrix
from taut.algorithms.composite_bodies import composite_inertias
from taut.algorithms.holding import holding_forces
from taut.algorithms.scope import single_axis_only
from taut.robot import Joint, PerJoint, Tree
from taut.spatial import X_AXIS, Y_AXIS, Z_AXIS, Inertia, Motion, Rotation, Scalar, Transform, Vec3, skew


def extended_bodies(robot: Tree, X: Sequence[Transform]) -> list[Inertia]:
    """Return M_j, U_j and I_{j,j} of every link with all it carries, by the diagonal recursion.

    With P_{j+1} the origin of the next frame and {a, b} = a-hat b-hat + b-hat a-hat, eqs. (19), (20) are

    .. math:: I_{j,j} = I_j - M_{j+1} \\hat P \\hat P - \\{P, R U_{j+1}\\} + R I_{j+1,j+1} R^T, \\qquad
              U_j = m_j r_j + M_{j+1} P + R U_{j+1}

    which is how composite inertias are moved to the parent.
    """
    return composite_inertias(robot, X)


@dataclass(frozen=True)
class _Hold:
    """How a joint takes hold of what it moves: its axis if it turns, x and y if it slides along x cross y."""

    turn: Vec3
    arm: Vec3 | None = None

    def seen(self, back: Rotation) -> _Hold:
        return _Hold(back @ self.turn, None if self.arm is None else back @ self.arm)


def extended_body_mass_matrix(robot: Tree, q: PerJoint) -> list[list[Scalar]]:
    """Return M of eqs. (17), (18), in joint order."""
    single_axis_only(robot, "extended_bodies")
    X = [robot.pose(i, q[i]) for i in range(len(robot.joints))]
    bodies = extended_bodies(robot, X)
    blocks: Blocks = {}
    seen: list[dict[int, tuple[_Hold, Vec3]]] = []  # by carrier i: hold and P_i, in the frame of joint j
    for j, joint in enumerate(robot.joints):
        back = X[j].R.T
        inboard = {} if joint.parent < 0 else seen[joint.parent]
        own, body = _hold(joint), bodies[j]
        seen.append({i: (hold.seen(back), back @ P) for i, (hold, P) in inboard.items()})
        seen[j][j] = (own, back @ X[j].p)
        U_hat = skew(body.h)
        if own.arm is None:
            lever, dyadic = U_hat, body.I.matrix
        else:
            y_hat = skew(own.arm)
            lever, dyadic = y_hat * body.m, -U_hat.times(y_hat)
        for i in robot.support(j):
            hold, P = seen[j][i]
            extended = dyadic if hold.arm is None else -skew(hold.arm).times(lever)  # (18)
            blocks[j, i] = [[hold.turn.dot(extended @ own.turn)]]  # (17), (18)
            dyadic = dyadic - skew(P).times(lever)  # last lines of (19) and (21)
    return symmetric_matrix(robot, blocks)


def _hold(joint: Joint) -> _Hold:
    axis = joint.motion.columns[0]
    if joint.motion.pure_turn:
        return _Hold(axis.w)
    z = axis.v
    least = min(zip((X_AXIS, Y_AXIS, Z_AXIS), z, strict=True), key=lambda pair: abs(pair[1]))[0]
    x = z.cross(least)
    return _Hold(x, z.cross(x) * (1 / x.dot(x)))


def extended_body_christoffel(robot: Tree, q: PerJoint) -> list[list[list[Scalar]]]:
    """Return the Christoffel symbols ``beta[i][j][k]`` of eq. (15).

    By eq. (14) the centripetal and Coriolis coefficients are c_ijj = beta_ijj and b_ijk = 2 beta_ijk.
    Only the derivatives that (26) leaves are formed, and nothing is computed that the rules (27)-(29)
    give from something else. A derivative is taken in the frame of the outermost joint involved:
    there the extended body rests, and moving joint p carries all that is inboard of it backwards, so
    that a partial velocity S_i changes by -S_p x S_i (Appendix I, extended to prismatic joints).
    """
    single_axis_only(robot, "extended_bodies")
    X = [robot.pose(i, q[i]) for i in range(len(robot.joints))]
    bodies = extended_bodies(robot, X)
    n = len(robot.joints)
    beta: list[list[list[Scalar]]] = [[[0] * n for _ in range(n)] for _ in range(n)]
    seen: list[dict[int, Motion]] = []  # by carrier: partial velocities (4), (5) of frame c, in that frame
    for c, joint in enumerate(robot.joints):
        inboard = {} if joint.parent < 0 else seen[joint.parent]
        S = {i: X[c].to_child(column) for i, column in inboard.items()} | {c: joint.motion.columns[0]}
        seen.append(S)
        momentum = {i: bodies[c] @ S[i] for i in S}  # M_ij, i and j inboard: S_i . momentum_j by (9)
        for b in robot.support(c):
            for a in robot.support(b):
                if a == c:
                    continue  # beta_ccc = 0 by (27)
                back_a = S[c].cross(S[a]).dot(momentum[b])
                if a == b:
                    beta[a][a][c] = beta[a][c][a] = -back_a  # half of dM_aa/dq_c: its two parts are equal
                    beta[c][a][a] = back_a  # (27), (28)
                elif b == c:
                    beta[a][c][c] = -back_a  # dM_ac/dq_c: (27); beta_cac = 0 by (28)
                else:
                    by_c = back_a + S[c].cross(S[b]).dot(momentum[a])  # -dM_ab/dq_c
                    by_b = S[b].cross(S[a]).dot(momentum[c])  # -dM_ac/dq_b
                    beta[a][b][c] = beta[a][c][b] = (by_c + by_b) * -0.5  # (29), i < j
                    beta[b][a][c] = beta[b][c][a] = (by_c - by_b) * -0.5  # (29), j < i < k
                    beta[c][a][b] = beta[c][b][a] = -beta[b][a][c]  # (28), i > k
    return beta


def extended_body_gravity(robot: Tree, q: PerJoint) -> list[list[Scalar]]:
    """Return the gravity vector of eq. (16), one list a joint."""
    single_axis_only(robot, "extended_bodies")
    X = [robot.pose(i, q[i]) for i in range(len(robot.joints))]
    bodies = extended_bodies(robot, X)
    return holding_forces(robot, X, [body.m for body in bodies], [body.h for body in bodies])


def extended_body_torque(robot: Tree, q: PerJoint, qd: PerJoint, qdd: PerJoint) -> list[list[Scalar]]:
    """Return the joint forces of eqs. (12), (13), one list a joint."""
    M = extended_body_mass_matrix(robot, q)
    beta = extended_body_christoffel(robot, q)
    g = extended_body_gravity(robot, q)
    rates = [rate for [rate] in qd]
    squares = [rate * rate for rate in rates]
    products = {(j, k): rates[j] * rates[k] for k in range(len(rates)) for j in range(k)}
    return [
        [
            sum(m * a for m, [a] in zip(M[i], qdd, strict=True))
            + sum(beta[i][j][j] * square for j, square in enumerate(squares))  # (13), c
            + sum(2 * beta[i][j][k] * product for (j, k), product in products.items())  # (13), b
            + g[i][0]
        ]
        for i in range(len(rates))
    ]
