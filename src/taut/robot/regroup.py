"""Move mass along joint axes to where it costs nothing, leaving the dynamics as they are.

Mass on a revolute joint's own axis moves exactly as if it were fixed to the parent; the second
moments of a prismatic joint's link turn with the parent; the mass at the centre of a ball joint moves with the
parent. All can be given to the parent, and what reaches the base is gone.
Afterwards every revolute link has m = mz = 0 and no second moment along its
axis: three of its ten parameters are zero in the basis (m, h, J), J the pseudo-inertia
[Gautier, Khalil 1990, in the basis of second moments].
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from taut.robot.placement import QuarterTurns
from taut.robot.screws import Screw
from taut.spatial import PseudoInertia, Rotation, Sym3, Transform, Turn, Vec3, atan, is_exactly, sqrt


def regrouped(bodies: Sequence[Screw]) -> tuple[Screw, ...]:
    """Return bodies with the same joint torques and as few inertial parameters as joints allow.

    Forces on the base change; torques do not. A free root and helical joints keep all they are given.
    """
    moments = [body.moments for body in bodies]
    for i in reversed(range(len(bodies))):
        body = bodies[i]
        if body.kind not in _SHARED:
            continue
        kept, given, pose = _SHARED[body.kind](moments[i], body)
        moments[i] = kept
        if body.parent >= 0:
            moments[body.parent] = moments[body.parent] + given.seen_from_parent(pose)
    return tuple(replace(body, moments=new) for body, new in zip(bodies, moments, strict=True))


def slid_leaves(bodies: Sequence[Screw]) -> tuple[Screw, ...]:
    """Slide the frames of outermost links along their axes so that no offset d is left: nothing is placed on them."""
    carriers = {body.parent for body in bodies}
    return tuple(
        _without_offset(body) if i not in carriers and body.nv == 1 and not is_exactly(body.d, 0) else body
        for i, body in enumerate(bodies)
    )


def _without_offset(body: Screw) -> Screw:
    return replace(body, d=0, moments=body.moments.seen_from_parent(Transform(p=Vec3(0, 0, body.d))))


def turned_leaves(bodies: Sequence[Screw]) -> tuple[Screw, ...]:
    """Turn the frames of outermost revolute links so that their first moment lies along x.

    The turn is a constant added to the joint's angle, so it costs nothing; hy is zero afterwards.
    """
    carriers = {body.parent for body in bodies}
    return tuple(
        _first_moment_along_x(body) if body.pure_turn and i not in carriers else body for i, body in enumerate(bodies)
    )


def _first_moment_along_x(body: Screw) -> Screw:
    h, J = body.moments.h, body.moments.J
    if is_exactly(h.x, 0) or is_exactly(h.y, 0):
        return body
    tangent = h.y / h.x
    angle, length = atan(tangent), sqrt(1 + tangent * tangent)
    quarters = body.theta if isinstance(body.theta, QuarterTurns) else QuarterTurns(0)
    # A frame turned by the angle less the joint's own quarter turns: its joint angle is the rest alone.
    whole = Rotation((Turn(2, quarters.cos(), quarters.sin()), Turn(2, 1 / length, -(tangent / length))))
    along = Rotation((Turn(2, quarters.cos(), quarters.sin()),)) @ Vec3(h.x * length, 0, 0)
    moments = PseudoInertia(body.moments.m, Vec3(along.x, along.y, h.z), whole.tensor(J))
    own = angle if quarters.count % 4 or is_exactly(body.theta, 0) else body.theta + angle
    return replace(body, theta=own, moments=moments)


def _on_axis(body: PseudoInertia, screw: Screw) -> tuple[PseudoInertia, PseudoInertia, Transform]:
    """Split off the mass distribution that lies on the axis: m, m z and the second moment Jzz."""
    h, J = body.h, body.J
    kept = PseudoInertia(0, Vec3(h.x, h.y, 0), Sym3(J.xx, J.xy, J.yy, J.xz, J.yz, 0))
    return kept, PseudoInertia(body.m, Vec3(0, 0, h.z), Sym3(0, 0, 0, 0, 0, J.zz)), screw.rest_pose


def _turning(body: PseudoInertia, screw: Screw) -> tuple[PseudoInertia, PseudoInertia, Transform]:
    """Split off the second moments about the link's own origin: they turn with the parent wherever the link slides."""
    return PseudoInertia(body.m, body.h), PseudoInertia(J=body.J), Transform(screw.rest_pose.R)


def _at_centre(body: PseudoInertia, screw: Screw) -> tuple[PseudoInertia, PseudoInertia, Transform]:
    """Split off the mass, as a point at the joint's centre."""
    return PseudoInertia(0, body.h, body.J), PseudoInertia(body.m), screw.rest_pose


_SHARED = {"revolute": _on_axis, "prismatic": _turning, "ball": _at_centre}
"""{kind of joint: splits the moments of its link into what it keeps and what its parent can have}."""
