"""The configuration-space equation by Lagrange and Euler, in the form ROBMAT generates.

.. math:: F = M(q) \\, \\ddot q + 2 B(q) \\, [\\dot q \\dot q] + C(q) \\, [\\dot q^2] + G(q)

With T_k the 4x4 pose of link k, J_k its pseudo-inertia and D_j the 4x4 operator of joint j
(dT_k/dq_j = D_j T_k for every link k that joint j carries), Lagrange's equations give

.. math:: M_{ij} = \\mathrm{tr}(D_i N D_j^T), \\qquad
          \\beta_{ijk} = \\mathrm{tr}(D_i N (D_j D_k)^T), \\; j \\le k, \\qquad
          G_i = -g^T D_i N e_4

where N is the sum of T J T^T over the links carried by the outermost joint of the term.

Source: G. Horn, S. Linge, "Analytical generation of the dynamical equations for mechanical
manipulators", 1994, who use the recursion of C. J. Li, "A new method of dynamics for robot
manipulators", IEEE Trans. SMC 18, 1988. Horn and Linge print the result, not the recursion; here
each N is accumulated once, from the outermost links inwards, in its own link's frame, and what
is left of a term is carried on inwards from joint to joint.

Deviations. Misprints repaired: the pseudo-inertia has (Ixx - Iyy + Izz)/2 and (Ixx + Iyy - Izz)/2
as second and third diagonal entry. Frames stand at the joint, not at the distal end.

Serves revolute and prismatic joints; the paper's chain becomes a tree by summing over carried links.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from taut.algorithms.blocks import Blocks, symmetric_matrix
from taut.algorithms.holding import holding_forces
from taut.algorithms.scope import single_axis_only
from taut.robot import Joint, PerJoint, Tree
from taut.spatial import ZERO, Force, Inertia, Mat3, Scalar, Sym3, Transform, Vec3, outer


class ConfigurationSpace(NamedTuple):
    """The coefficients of the configuration-space equation.

    Attributes:
        M: mass matrix.
        B: {(j, k), j < k: the column of B that multiplies qd_j qd_k}; the torque carries 2 B.
        C: matrix of the squared rates.
        G: gravity vector.
    """

    M: list[list[Scalar]]
    B: dict[tuple[int, int], list[Scalar]]
    C: list[list[Scalar]]
    G: list[Scalar]


@dataclass(frozen=True)
class PseudoInertia:
    """The 4x4 matrix [[S, h], [h^T, m]] of second moments, first moments and mass."""

    m: Scalar
    h: Vec3
    S: Sym3

    @classmethod
    def of(cls, body: Inertia) -> PseudoInertia:
        """Return J of a link: S = tr(I)/2 1 - I."""
        half = 0.5 * body.I.trace
        return cls(body.m, body.h, Sym3(half, 0, half, 0, 0, half) - body.I)

    def __add__(self, other: PseudoInertia) -> PseudoInertia:
        return PseudoInertia(self.m + other.m, self.h + other.h, self.S + other.S)

    def to_parent(self, X: Transform) -> PseudoInertia:
        """Return T J T^T."""
        h, p = X.R @ self.h, X.p
        mixed = outer(p, h + p * (0.5 * self.m))
        return PseudoInertia(self.m, h + p * self.m, X.R.tensor(self.S) + Sym3.from_matrix(mixed + mixed.T))

    def times_operator(self, joint: Joint) -> Product:
        """Return N D^T for the joint in whose frame this is expressed."""
        e = joint.motion.columns[0]
        if joint.motion.pure_turn:
            return Product(Mat3(*(e.w.cross(row) for row in self.S.matrix.rows)), e.w.cross(self.h))
        return Product(outer(self.h, e.v), e.v * self.m)


@dataclass(frozen=True)
class Product:
    """Y = N D^T: three rows A above one row b; the fourth column is zero.

    tr(D_a Y) sees of A only the vector of its skew part, which with b transforms like a force.
    """

    A: Mat3
    b: Vec3

    def to_parent(self, X: Transform) -> Product:
        """Return T Y R^T."""
        b = X.R @ self.b
        half = Mat3(*(X.R @ column for column in self.A.T.rows)).T
        return Product(Mat3(*(X.R @ row for row in half.rows)) + outer(X.p, b), b)

    @property
    def force(self) -> Force:
        """What tr(D_a Y) sees."""
        A = self.A
        return Force(Vec3(A.b.z - A.c.y, A.c.x - A.a.z, A.a.y - A.b.x), self.b)

    def after(self, joint: Joint) -> Force:
        """Return what tr(D_a Y D_b^T) sees of Y D_b^T, b being the joint whose frame this is in."""
        e = joint.motion.columns[0].w
        return Force(e * self.A.trace - self.A.T @ e, e.cross(self.b))

    def before(self, joint: Joint) -> Force:
        """Return what tr(D_b Y D_a^T) sees of D_b Y: a moment about any point."""
        e = joint.motion.columns[0]
        if joint.motion.pure_turn:
            return Force(e.w * self.A.trace - self.A @ e.w, ZERO)
        return Force(self.b.cross(e.v), ZERO)


def _accumulated(robot: Tree, X: Sequence[Transform]) -> list[PseudoInertia]:
    """Return N of every joint: the pseudo-inertia of all it carries, in its link's frame."""
    N = [PseudoInertia.of(joint.link.inertia) for joint in robot.joints]
    for i, joint in reversed(list(enumerate(robot.joints))):
        if joint.parent >= 0:
            N[joint.parent] = N[joint.parent] + N[i].to_parent(X[i])
    return N


def configuration_space(robot: Tree, q: PerJoint) -> ConfigurationSpace:
    """Return M, B, C and G at a position; q has one list a joint."""
    single_axis_only(robot, "lagrange_euler")
    joints, n = robot.joints, len(robot.joints)
    X = [robot.pose(i, q[i]) for i in range(n)]
    N = _accumulated(robot, X)
    blocks: Blocks = {}
    B: dict[tuple[int, int], list[Scalar]] = {(j, k): [0] * n for k in range(n) for j in range(k)}
    C: list[list[Scalar]] = [[0] * n for _ in range(n)]
    for k in range(n):
        Y = N[k].times_operator(joints[k])
        for b in robot.support(k):
            blocks[k, b] = [joints[b].motion.project(Y.force)]
            after, before = Y.after(joints[b]), Y.before(joints[b])
            for a in robot.support(b):
                [ab] = joints[a].motion.project(after)  # beta_abk
                [ba] = joints[a].motion.project(before)  # beta_bak
                if a == b != k:
                    B[b, k][b], C[k][b] = ab, -ab
                elif a != b == k:
                    C[a][k] = ab
                elif a != b:
                    B[b, k][a], B[a, k][b], B[a, b][k] = ab, ba, -ba  # B_a is skew below row a
                after, before = X[a].force_to_parent(after), X[a].force_to_parent(before)
            Y = Y.to_parent(X[b])
    held = holding_forces(robot, X, [link.m for link in N], [link.h for link in N])
    return ConfigurationSpace(symmetric_matrix(robot, blocks), B, C, [g for [g] in held])


def lagrange_euler(robot: Tree, q: PerJoint, qd: PerJoint, qdd: PerJoint) -> list[list[Scalar]]:
    """Return the joint forces, one list a joint; arguments as in ``newton_euler``."""
    M, B, C, G = configuration_space(robot, q)
    rates = [rate for [rate] in qd]
    squares = [rate * rate for rate in rates]
    products = {(j, k): rates[j] * rates[k] for j, k in B}
    return [
        [
            sum(m * a for m, [a] in zip(M[i], qdd, strict=True))
            + 2 * sum(B[jk][i] * product for jk, product in products.items())
            + sum(c * square for c, square in zip(C[i], squares, strict=True))
            + G[i]
        ]
        for i in range(len(rates))
    ]
