"""The mass matrix of a tree in screw form by composite second moments: the tightened recursion.

With the moments (m, h, J) of body i and all it carries, a unit acceleration about its z axis asks for

.. math:: F = (-h_y,\\; h_x,\\; 0), \\qquad N = (-J_{xz},\\; -J_{yz},\\; J_{xx} + J_{yy})

and one along z for F = m z, N = h x z. Carried back along the chain, the z components at each
joint are the column of M. After regrouping m = 0 outside prismatic joints, and moving h costs nothing.

Frames, lags and scope are those of :mod:`taut.recursions.second_moments`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from taut.recursions.second_moments import Lag, Step, brought_back, felt, turned_moments, way_out
from taut.robot import PerJoint
from taut.robot.screws import Screw
from taut.spatial import ZERO, Force, Mat3, PseudoInertia, Rotation, Scalar, Vec3, crossed, is_exactly


class Carrying(NamedTuple):
    """How forces get to the joints.

    Attributes:
        begin: a force as it is carried.
        back: carried along steps.
        felt: its share that does work on a body's joint.
    """

    begin: Callable[[Force], Any]
    back: Callable[[Any, Sequence[Step]], Any]
    felt: Callable[[Screw, Any], list[Scalar]]


def second_moment_matrix(
    bodies: Sequence[Screw], q: PerJoint, lagging: frozenset[int] = frozenset(), carrying: Carrying | None = None
) -> list[list[Scalar]]:
    """Return M over all rates, rows in joint order; drives are not included.

    Args:
        bodies: the robot in screw form, regrouped or not.
        q: one list a joint.
        lagging: bodies whose frame does not turn with their joint.
        carrying: how forces get to the joints; by default in frames with axes of length one.
    """
    begin, back, share = carrying or Carrying(lambda force: force, brought_back, felt)
    composite, ways = composites(bodies, q, lagging)
    starts = starts_of(bodies)
    size = starts[-1]
    M: list[list[Scalar]] = [[0] * size for _ in range(size)]
    for i, body in enumerate(bodies):
        for column, f in enumerate(answers(body, composite[i]), start=starts[i]):
            j, force = i, begin(f)
            while j >= 0:
                for row, value in enumerate(share(bodies[j], force), start=starts[j]):
                    M[row][column] = M[column][row] = value
                force = back(force, ways[j])
                j = bodies[j].parent
    return M


def composites(
    bodies: Sequence[Screw], q: PerJoint, lagging: frozenset[int] = frozenset()
) -> tuple[list[PseudoInertia], list[list[Step]]]:
    """Return the moments of each body with all it carries, and the steps from its parent's frame to its own."""
    ways: list[list[Step]] = []
    pending: list[Lag] = []
    composite: list[PseudoInertia] = []
    for i, body in enumerate(bodies):
        if body.floats:
            way: list[Step] = []
            lag = Lag()
        else:
            way, lag = way_out(body, q[i], Lag() if body.parent < 0 else pending[body.parent], i in lagging)
        ways.append(way)
        pending.append(lag)
        composite.append(body.moments if lag.settled else turned(body.moments, lag))
    for i in reversed(range(len(bodies))):
        if bodies[i].parent >= 0:
            parent = bodies[i].parent
            composite[parent] = composite[parent] + carried_back(composite[i], ways[i])
    return composite, ways


def starts_of(bodies: Sequence[Screw]) -> list[int]:
    """Return the number of each body's first rate, and the number of rates at the end."""
    starts = [0]
    for body in bodies:
        starts.append(starts[-1] + body.nv)
    return starts


def turned(body: PseudoInertia, lag: Lag) -> PseudoInertia:
    """Return moments turned by the rotation not yet applied to their frame."""
    return PseudoInertia(body.m, lag.turn @ body.h, turned_moments(body.J, lag.turn))


def carried_back(body: PseudoInertia, steps: Sequence[Step]) -> PseudoInertia:
    """Carry moments back along the steps."""
    for step in reversed(steps):
        if isinstance(step, Vec3):
            J = body.J + crossed(body.h, step)
            if not is_exactly(body.m, 0):
                J = J + crossed(step, step) * (0.5 * body.m)
            body = PseudoInertia(body.m, body.h + step * body.m, J)
        else:
            J = Rotation((step,)).tensor(body.J) if isinstance(step, Mat3) else turned_moments(body.J, step)
            body = PseudoInertia(body.m, step @ body.h, J)
    return body


def answers(body: Screw, composite: PseudoInertia) -> list[Force]:
    """Return the force that each unit acceleration of the joint needs."""
    m, h, J = composite.m, composite.h, composite.J
    turned = Force(Vec3(-J.xz, -J.yz, J.xx + J.yy), Vec3(-h.y, h.x, 0))
    if body.pure_turn:
        return [turned]
    slid = Force(Vec3(h.y, -h.x, 0), Vec3(0, 0, m))
    if body.pure_slide:
        return [slid]
    if body.turns:
        return [turned + slid * body.pitch]
    unit = (Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1))
    tensor = (
        Vec3(J.yy + J.zz, -J.xy, -J.xz),
        Vec3(-J.xy, J.xx + J.zz, -J.yz),
        Vec3(-J.xz, -J.yz, J.xx + J.yy),
    )
    angular = [Force(n, ZERO - h.cross(e)) for e, n in zip(unit, tensor, strict=True)]
    return angular if body.pivots else [Force(h.cross(e), e * m) for e in unit] + angular
