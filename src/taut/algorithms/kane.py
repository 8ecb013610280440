"""Inverse dynamics by Kane's equations, in the recursive form of Angeles, Ma and Rojas.

.. math:: \\tau_i = e_i \\cdot \\sum_{j \\ge i} (\\dot h_j + s_{ji} \\times m_j \\ddot p_j), \\qquad
          \\tau_i = e_i \\cdot \\sum_{j \\ge i} m_j \\ddot p_j

for revolute and prismatic joints, with p'' = c'' - g the acceleration of the mass centre less gravity.

Source: J. Angeles, O. Ma, A. Rojas, "An algorithm for the inverse dynamics of n-axis general
manipulators using Kane's equations", 1989. The three stages are the paper's, so that each can be
counted alone.

Deviations. Stage 1 prints the translation with the signs of b exchanged against eq. (8), and
stage 2 subtracts W (a - rho) where eq. (18) adds it: eqs. (8) and (18) are right. The paper's
prismatic coordinate b runs against the joint's axis (eqs. 8, 19, 20); here it runs along the axis,
and so does the force. Joint frames may stand anywhere on the parent and axes may point anywhere:
Q_i is the constant placement followed by the joint's turn, which on Denavit-Hartenberg rows is eq. (7).

Serves revolute and prismatic joints; the chain of the paper becomes a tree by summing over the
carried links. Needs mass centres: a link without mass must have no first moment.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from taut.algorithms.scope import single_axis_only
from taut.algorithms.turning import turning_tensor
from taut.errors import InputError
from taut.robot import PerJoint, Tree
from taut.spatial import ZERO, Mat3, Rotation, Scalar, Sym3, Vec3, is_exactly, shift


@dataclass(frozen=True)
class Step:
    """From the parent's frame to the body's: rotation Q and translation a, seen in the parent."""

    Q: Rotation
    a: Vec3


@dataclass(frozen=True)
class State:
    """Motion of one link in its own frame: omega, its rate, their tensor W (53), and p'' of the mass centre."""

    w: Vec3
    wd: Vec3
    W: Mat3
    pdd: Vec3


@dataclass(frozen=True)
class Load:
    """What one link carries, in its own frame: the intermediate vectors of stage 3, and the joint force.

    Attributes:
        hd: rate of the angular momentum about the mass centre.
        u: m p''.
        outer: v of each carried link, turned into this frame.
        k: moment of this link's own inertia and of the carried forces.
        w: moment of everything carried.
        v: force of everything carried.
        tau: the joint force.
    """

    hd: Vec3
    u: Vec3
    outer: tuple[Vec3, ...]
    k: Vec3
    w: Vec3
    v: Vec3
    tau: Scalar


@dataclass(frozen=True)
class Body:
    """Mass, mass centre rho from the joint's origin, tensor I about the mass centre."""

    m: Scalar
    rho: Vec3
    I: Sym3  # noqa: E741 - the paper's letter


def kane(robot: Tree, q: PerJoint, qd: PerJoint, qdd: PerJoint) -> list[list[Scalar]]:
    """Return the joint forces, one list a joint; arguments as in ``newton_euler``."""
    single_axis_only(robot, "kane")
    bodies = centroidal_bodies(robot)
    steps = stage1(robot, q)
    return [[load.tau] for load in stage3(robot, bodies, steps, stage2(robot, bodies, steps, qd, qdd))]


def centroidal_bodies(robot: Tree) -> list[Body]:
    """Return every link as the paper describes it: all of it computed once, off line."""
    bodies = []
    for i, joint in enumerate(robot.joints):
        link = robot.inertia(i)
        if not is_exactly(link.m, 0):
            rho = link.h * (1 / link.m)
            bodies.append(Body(link.m, rho, link.I - shift(rho, rho) * link.m))
        elif all(is_exactly(component, 0) for component in link.h):
            bodies.append(Body(link.m, ZERO, link.I))
        else:
            raise InputError(
                "the link has a first moment but no mass, so it has no mass centre",
                f"robot '{robot.name}': link '{joint.link.name}'",
                "use newton_euler, which needs none",
            )
    return bodies


def stage1(robot: Tree, q: PerJoint) -> list[Step]:
    """Return rotations and translations; only prismatic joints cost anything: (7), (8), (52)."""
    poses = [robot.pose(i, q[i]) for i in range(len(robot.joints))]
    return [Step(X.R, X.p) for X in poses]


def stage2(robot: Tree, bodies: Sequence[Body], steps: Sequence[Step], qd: PerJoint, qdd: PerJoint) -> list[State]:
    """Return the motion of every link, from the base outwards: (12), (13), (18), (20), (51), (53)."""
    states: list[State] = []
    for i, joint in enumerate(robot.joints):
        p, e, back, a = joint.parent, joint.motion.columns[0], steps[i].Q.T, steps[i].a
        if p < 0:  # (14), (21), (51)
            parent_w, parent_wd, carried = ZERO, ZERO, -robot.gravity_acceleration
        else:
            parent_w, parent_wd = states[p].w, states[p].wd
            carried = states[p].pdd + states[p].W @ (a - bodies[p].rho)  # (18)
        w = back @ parent_w + e.w * qd[i][0]  # (12)
        wd = back @ parent_wd + w.cross(e.w * qd[i][0]) + e.w * qdd[i][0]  # (13)
        W = turning_tensor(w, wd)  # (53)
        pdd = back @ carried + W @ bodies[i].rho  # (18)
        if joint.motion.pure_slide:
            twice = qd[i][0] + qd[i][0]
            pdd = pdd + (w.cross(e.v * twice) + e.v * qdd[i][0])  # (20), along +axis
        states.append(State(w, wd, W, pdd))
    return states


def stage3(robot: Tree, bodies: Sequence[Body], steps: Sequence[Step], states: Sequence[State]) -> list[Load]:
    """Return what every link carries, found from the outermost links inwards: (44)-(49)."""
    loads: dict[int, Load] = {}
    for i, joint in reversed(list(enumerate(robot.joints))):
        body, state = bodies[i], states[i]
        carried = [j for j in loads if robot.joints[j].parent == i]
        hd = body.I @ state.wd + state.w.cross(body.I @ state.w)  # (2)
        u = state.pdd * body.m
        outer = tuple(steps[j].Q @ loads[j].v for j in carried)
        k = hd + body.rho.cross(u)
        for j, v_j in zip(carried, outer, strict=True):
            k = k + steps[j].a.cross(v_j)  # (47)
        w, v = k, u
        for j, v_j in zip(carried, outer, strict=True):
            w, v = w + steps[j].Q @ loads[j].w, v + v_j  # (46), (49)
        e = joint.motion.columns[0]
        tau = e.w.dot(w) if joint.motion.pure_turn else e.v.dot(v)  # (44), (45)
        loads[i] = Load(hd, u, outer, k, w, v, tau)
    return [loads[i] for i in range(len(robot.joints))]
