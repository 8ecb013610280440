"""The Coriolis matrix whose entries are Christoffel symbols, and the symbols themselves.

.. math:: C = \\sum_k J_k^T (I_k \\dot J_k + B_k J_k), \\qquad
          B_k x = \\tfrac12 [\\, v \\times^* I x + x \\times^* I v + I (v \\times x) \\,]

with J_k and its rate seen in body k. B_k is skew, hence Mdot - 2C is; and C is linear in the
rates with the Christoffel symbols of the first kind as coefficients
[Echeandia, Wensing 2021, in body coordinates]. Serves trees; with a free joint C belongs to
the body-frame rates and the skew property holds all the same.
"""

from __future__ import annotations

from collections.abc import Sequence

from taut.algorithms.blocks import Blocks, matrix, unit_rates
from taut.algorithms.kinematics import body_velocities
from taut.robot import PerJoint, Tree
from taut.spatial import Force, Inertia, Motion, Scalar


def coriolis_matrix(robot: Tree, q: PerJoint, qd: PerJoint) -> list[list[Scalar]]:
    """Return C over all rates of the tree, in joint order."""
    v = body_velocities(robot, q, qd)
    blocks: Blocks = {}
    for k in range(len(robot.joints)):
        I = robot.inertia(k)  # noqa: E741
        J, J_rate = _body_jacobian(robot, q, v, k)
        for j in J:
            F = [I @ rate + B(I, v[k], column) for column, rate in zip(J[j], J_rate[j], strict=True)]
            for i in J:
                block = [[column.dot(f) for f in F] for column in J[i]]
                blocks[i, j] = _added(blocks[i, j], block) if (i, j) in blocks else block
    return matrix(robot, blocks)


def _body_jacobian(
    robot: Tree, q: PerJoint, v: Sequence[Motion], k: int
) -> tuple[dict[int, list[Motion]], dict[int, list[Motion]]]:
    """Return the columns of J_k and their rates as seen in body k, for every joint that carries it."""
    J: dict[int, list[Motion]] = {}
    carried: dict[int, Motion] = {}  # velocity of each carrier, seen in body k
    for j in reversed(list(robot.support(k))):
        X = robot.pose(j, q[j])
        J = {i: [X.to_child(column) for column in columns] for i, columns in J.items()}
        carried = {i: X.to_child(velocity) for i, velocity in carried.items()}
        J[j], carried[j] = robot.joints[j].motion.columns, v[j]
    rates = {j: [(carried[j] - v[k]).cross(column) for column in J[j]] for j in J}
    return J, rates


def B(I: Inertia, v: Motion, x: Motion) -> Force:  # noqa: E741 - the equation's letters
    """Return B x of a body with inertia I and velocity v."""
    return (v.cross_force(I @ x) + x.cross_force(I @ v) + I @ v.cross(x)) * 0.5


def _added(a: list[list[Scalar]], b: list[list[Scalar]]) -> list[list[Scalar]]:
    return [[x + y for x, y in zip(*rows, strict=True)] for rows in zip(a, b, strict=True)]


def christoffel(robot: Tree, q: PerJoint) -> list[list[list[Scalar]]]:
    """Return the Christoffel symbols: ``C_ij = sum_k result[k][i][j] qd_k``.

    C is linear in the rates, so its value at a unit rate is a slice of the symbols.
    """
    return [coriolis_matrix(robot, q, unit) for unit in unit_rates(robot)]
