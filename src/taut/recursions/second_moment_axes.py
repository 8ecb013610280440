"""Mass matrix, Christoffel symbols and gravity of a tree in screw form, on joint axes carried outward.

Instead of carrying the forces of body k inward to each joint, each joint's screw S_i = (w_i, v_i) is carried
outward to body k, once for all that is asked there. With the composite moments of body k

.. math:: M_{ik} = S_i \\cdot W_k, \\quad G_{i,jk} = w_i \\cdot B_k w_j + v_i \\cdot (w_j \\times g_k) \\;(i, j \\le k),
          \\quad G_{k,ij} = -G_{j,ik} \\; (i \\le j < k)

where W_k is the force that a unit acceleration of joint k asks for, g_k the change of the first moment with q_k,
and B_k = -[z] J for a revolute joint, (h . z) 1 - z h^T for a prismatic one. Gravity is a base that
accelerates upward, one more sliding joint before all others. A joint between two of a branch costs one
transport for each pair, not one for each triple: cheaper than carrying tensors where no angle is a right one.

Frames and lags are those of :mod:`taut.recursions.second_moments`; no free joint. Source: as
:mod:`taut.recursions.second_moment_christoffel`.
"""

from __future__ import annotations

from collections.abc import Sequence

from taut.recursions.second_moment_matrix import answers, composites
from taut.recursions.second_moments import Step
from taut.robot import PerJoint
from taut.robot.screws import Screw
from taut.spatial import ZERO, Force, Motion, PseudoInertia, Scalar, Vec3

Z = Vec3(0, 0, 1)


class Axes:
    """A robot at one configuration: composite moments, and the joints' screws as each body sees them.

    Args:
        bodies: the robot in screw form, regrouped or not; revolute and prismatic joints only.
        q: one list a joint.
        lagging: bodies whose frame does not turn with their joint.
    """

    def __init__(self, bodies: Sequence[Screw], q: PerJoint, lagging: frozenset[int] = frozenset()) -> None:
        self._bodies = bodies
        self._composite, self._ways = composites(bodies, q, lagging)
        self._forces = [answers(body, moments)[0] for body, moments in zip(bodies, self._composite, strict=True)]
        self._seen: list[dict[int, Motion]] = []
        for k, body in enumerate(bodies):
            carried = self._seen[body.parent] if body.parent >= 0 else {}
            seen = {i: _outward(screw, self._ways[k]) for i, screw in carried.items()}
            seen[k] = Motion(Z, ZERO) if body.pure_turn else Motion(ZERO, Z)
            self._seen.append(seen)

    def matrix(self) -> list[list[Scalar]]:
        """Return M, drives not included."""
        n = range(len(self._bodies))
        M: list[list[Scalar]] = [[0] * len(n) for _ in n]
        for k in n:
            for i, screw in self._seen[k].items():
                M[i][k] = M[k][i] = _work(screw, self._forces[k])
        return M

    def gravity(self, acceleration: Vec3) -> list[list[Scalar]]:
        """Return the torques at rest, one list a joint."""
        rise: list[Vec3] = []
        torques: list[list[Scalar]] = []
        for k, body in enumerate(self._bodies):
            up = rise[body.parent] if body.parent >= 0 else -acceleration
            rise.append(_outward(Motion(ZERO, up), self._ways[k]).v)
            torques.append([rise[k].dot(self._forces[k].f)])
        return torques

    def symbols(self) -> list[list[list[Scalar]]]:
        """Return the Christoffel symbols as slices ``result[k][i][j]``, symmetric in k and j."""
        n = range(len(self._bodies))
        G: list[list[list[Scalar]]] = [[[0] * len(n) for _ in n] for _ in n]

        def tell(i: int, j: int, k: int, value: Scalar) -> None:
            G[k][i][j] = G[j][i][k] = value

        for k in n:
            seen = self._seen[k]
            own = _answer(self._bodies[k], self._composite[k], seen[k].w)
            moments = self._composite[k]
            doubled = PseudoInertia(moments.m * 2, moments.h * 2, moments.J * 2)
            for j in seen:
                if j == k:
                    for i in seen:
                        if i != k:
                            tell(i, k, k, _work(seen[i], own))
                    continue
                force = _answer(self._bodies[k], doubled, seen[j].w)
                for i in seen:
                    if i != k:
                        value = _work(seen[i], force) * 0.5
                        tell(i, j, k, value)
                        if j <= i:
                            tell(k, i, j, -value)
        return G


def _outward(screw: Motion, steps: Sequence[Step]) -> Motion:
    """Carry a screw along the steps."""
    for step in steps:
        if isinstance(step, Vec3):
            screw = Motion(screw.w, screw.v + screw.w.cross(step))
        else:
            screw = Motion(step.T @ screw.w, step.T @ screw.v)
    return screw


def _work(screw: Motion, f: Force) -> Scalar:
    return screw.w.dot(f.n) + screw.v.dot(f.f)


def _answer(body: Screw, composite: PseudoInertia, w: Vec3) -> Force:
    """Return the force (B w, w x g) that unit rates of joint k and of a joint with axis w need together."""
    h, J = composite.h, composite.J
    if body.pure_slide:
        return Force(w * h.z - Z * h.dot(w), w.cross(Vec3(0, 0, composite.m)))
    turning = Vec3(
        J.xy * w.x + J.yy * w.y + J.yz * w.z,
        -(J.xx * w.x + J.xy * w.y + J.xz * w.z),
        0,
    )
    return Force(turning, w.cross(Vec3(-h.y, h.x, 0)))
