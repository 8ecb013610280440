"""Christoffel symbols of a tree in screw form by composite second moments, without differentiating M.

A rate of joint k turns (or slides) body k and all it carries: their moments change by

.. math:: h' = z \\times h, \\quad J' = [z] J - J [z] \\qquad\\text{or}\\qquad h' = m z, \\quad J' = h z^T + z h^T

and these changes are carried inward like the moments of a body without mass. What they answer to a
unit acceleration of joint j is A = dM_j/dq_k, and the force W_k that makes column k of M, turned or
moved by joint j, is V = S_j x* W_k. For joints i <= j < k on one branch

.. math:: 2 G_{i,jk} = (A + V)_i, \\qquad 2 G_{j,ik} = (A - V)_i, \\qquad G_{i,kk} = (S_k \\times^* W_k)_i,
          \\qquad G_{k,ij} = -G_{j,ik}

A - V is a pure couple and A + V a pure force where j slides, so that neither moves for nothing.
The sum A + V is z_i . (B_k z_j) + v_i . (z_j x g_k) with B_k = -[z_k] J_k and g_k = h'_k, written with
a symmetric tensor and the force that M needs anyhow.

Frames and lags are those of :mod:`taut.recursions.second_moments`; no free joint. Source: the operators
of [Burdick 1986] and the symmetry of [Armstrong, Khatib, Burdick 1986]; the split into A and V is taut's.
"""

from __future__ import annotations

from collections.abc import Sequence

from taut.recursions.second_moment_matrix import answers, carried_back, composites
from taut.recursions.second_moments import Step, brought_back, felt
from taut.robot import PerJoint
from taut.robot.screws import Screw
from taut.spatial import ZERO, Force, PseudoInertia, Scalar, Sym3, Vec3, crossed


def second_moment_christoffel(
    bodies: Sequence[Screw], q: PerJoint, lagging: frozenset[int] = frozenset()
) -> list[list[list[Scalar]]]:
    """Return the symbols as slices ``result[k][i][j]``, symmetric in k and j.

    Args:
        bodies: the robot in screw form, regrouped or not; revolute and prismatic joints only.
        q: one list a joint.
        lagging: bodies whose frame does not turn with their joint.
    """
    n = range(len(bodies))
    G: list[list[list[Scalar]]] = [[[0] * len(bodies) for _ in n] for _ in n]

    def tell(i: int, j: int, k: int, value: Scalar) -> None:
        G[k][i][j] = G[j][i][k] = value

    composite, ways = composites(bodies, q, lagging)
    for k in n:
        [W] = answers(bodies[k], composite[k])
        change = _change(bodies[k], composite[k])
        for i, value in _along(bodies, ways, k, _driven(bodies[k], W)):
            tell(i, k, k, value)
        j = bodies[k].parent
        below = k
        while j >= 0:
            change, W = carried_back(change, ways[below]), brought_back(W, ways[below])
            [A] = answers(bodies[j], change)
            V = _driven(bodies[j], W)
            own = felt(bodies[j], A)[0] * 0.5
            tell(j, j, k, own)
            tell(k, j, j, -own)
            # h' and the force of W are one vector: what cancels is left out by structure.
            force = ZERO if bodies[j].pure_slide else V.f * 2
            moment = ZERO if bodies[j].pure_slide else A.n + V.n
            for i, value in _along(bodies, ways, j, Force(moment, force)):
                tell(i, j, k, value * 0.5)
            couple = A.n - V.n if bodies[j].pure_turn else A.n * 2
            for i, value in _along(bodies, ways, j, Force(couple, ZERO)):
                tell(j, i, k, value * 0.5)
                tell(k, i, j, value * -0.5)
            below, j = j, bodies[j].parent
    return G


def _along(bodies: Sequence[Screw], ways: Sequence[Sequence[Step]], j: int, f: Force) -> list[tuple[int, Scalar]]:
    """Return the carriers of body j with what each feels of a force on it."""
    found = []
    while bodies[j].parent >= 0:
        f = brought_back(f, ways[j])
        j = bodies[j].parent
        found.append((j, felt(bodies[j], f)[0]))
    return found


def _change(body: Screw, composite: PseudoInertia) -> PseudoInertia:
    """Return how the moments change with the joint's coordinate, in axes that stand still."""
    m, h, J = composite.m, composite.h, composite.J
    if body.pure_slide:
        return PseudoInertia(0, Vec3(0, 0, m), crossed(h, Vec3(0, 0, 1)))
    twice = 2 * J.xy
    return PseudoInertia(0, Vec3(-h.y, h.x, 0), Sym3(-twice, J.xx - J.yy, twice, -J.yz, J.xz, 0))


def _driven(body: Screw, W: Force) -> Force:
    """Return S x* W, the change of a force that goes along with a unit rate of the joint."""
    if body.pure_slide:
        return Force(Vec3(-W.f.y, W.f.x, 0), ZERO)
    return Force(Vec3(-W.n.y, W.n.x, 0), Vec3(-W.f.y, W.f.x, 0))
