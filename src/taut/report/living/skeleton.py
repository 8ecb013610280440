"""The robot as the page draws it: bodies, axes, centres of mass, inertia ellipsoids, frames and joint ranges."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import numpy as np

from taut.algorithms.kinematics import body_poses
from taut.emit.routine import Routine
from taut.graph import Graph, Stage
from taut.graph.lower import lower
from taut.robot import Frame, Tree
from taut.robot.states import bounds, neutral
from taut.spatial import Inertia, Transform

POSES, RATES = "body_poses", "position_rates"
MOST_FRAMES = 60
"""Named frames that the page draws; the last ones, where tools are."""

FORCES = {"m": "N", "rad": "N m"}
"""Unit of the force that works on a coordinate, by the coordinate's own."""


def poses_routine(tree: Tree) -> Routine:
    """Return the poses of all bodies as a function of q: twelve numbers a body, rotation by rows with the place."""
    graph = Graph()
    q = [graph.symbol(f"q{k + 1}", Stage.CONFIGURATION) for k in range(tree.nq)]
    rows = [x for pose in body_poses(tree, tree.at(q).positions) for x in _rows(pose)]
    return Routine(
        POSES,
        lower([graph.lift(x) for x in rows]),
        {"q": tuple(symbol.name for symbol in q)},
        (len(tree.joints), 12),
    )


def rates_routine(tree: Tree) -> Routine:
    """Return how positions change with the rates, dq/dt = f(q, qd), of a robot whose loops need no closing."""
    graph = Graph()
    q = [graph.symbol(f"q{k + 1}", Stage.CONFIGURATION) for k in range(tree.nq)]
    v = [graph.symbol(f"v{k + 1}", Stage.VELOCITY) for k in range(tree.nv)]
    slopes, at_q, at_v = [], 0, 0
    for i in tree.independent:
        motion = tree.joints[i].motion
        slopes += motion.slopes(q[at_q : at_q + motion.nq], v[at_v : at_v + motion.nv])
        at_q, at_v = at_q + motion.nq, at_v + motion.nv
    names = {"q": tuple(x.name for x in q), "qd": tuple(x.name for x in v)}
    return Routine(RATES, lower([graph.lift(x) for x in slopes]), names, (tree.nq,))


def skeleton_data(tree: Tree) -> dict[str, Any]:
    """Return what is drawn, in the frames of the bodies; :func:`poses_routine` places them."""
    frames = [frame for frame in tree.frames if frame.body >= 0][-MOST_FRAMES:]
    return {
        "base": _numbers(_rows(tree.base.transform)),
        "bodies": [_body(tree, i) for i in range(len(tree.joints))],
        "frames": [{"name": f.name, "body": f.body, "pose": _numbers(_rows(f.transform))} for f in frames],
        "ends": [{"body": body, "place": _numbers(place)} for body, place in _ends(tree, frames)],
        "coordinates": _coordinates(tree),
        "neutral": neutral(tree).tolist(),
        "floats": tree.joints[0].motion.kind == "free" and 0 in tree.independent,
        "quaternions": list(tree.quaternions),
    }


def _ends(tree: Tree, frames: Sequence[Frame]) -> list[tuple[int, Any]]:
    """Return the places that links reach to besides the next joint: pins of loops, and where a chain ends.

    A last link without a frame reaches as far behind its centre of mass as before it.
    """
    sides = [(c.body, c.placement) for c in tree.loops.closures] + [
        (c.other, c.other_placement) for c in tree.loops.closures
    ]
    found: list[tuple[int, Any]] = [(body, placement.p) for body, placement in sides if body >= 0]
    last = set(range(len(tree.joints))) - {joint.parent for joint in tree.joints}
    found += [(frame.body, frame.transform.p) for frame in frames if frame.body in last]
    for i in sorted(last - {body for body, _ in found}):
        inertia = tree.joints[i].link.inertia
        if float(inertia.m) > 0:
            found.append((i, [2 * float(x) / float(inertia.m) for x in inertia.h]))
    return found


def _body(tree: Tree, i: int) -> dict[str, Any]:
    joint = tree.joints[i]
    return {
        "link": joint.link.name,
        "joint": joint.name,
        "kind": joint.motion.kind,
        "parent": joint.parent,
        "axes": [{"turn": _numbers(c.w), "slide": _numbers(c.v)} for c in joint.motion.columns],
        **_mass(joint.link.inertia),
    }


def _mass(inertia: Inertia) -> dict[str, Any]:
    """Return mass, centre and the ellipsoid of even density that has this inertia; none where it cannot exist."""
    mass = float(inertia.m)
    if mass <= 0:
        return {"mass": mass, "com": None, "ellipsoid": None}
    com = np.array([float(x) for x in inertia.h]) / mass
    xx, xy, yy, xz, yz, zz = (float(x) for x in inertia.I)
    about_origin = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    about_com = about_origin - mass * (com @ com * np.eye(3) - np.outer(com, com))
    moments, axes = np.linalg.eigh(about_com)
    squares = 2.5 / mass * (moments.sum() - 2 * moments)
    if np.linalg.det(axes) < 0:
        axes[:, 0] = -axes[:, 0]
    ellipsoid = None
    if squares.max() > 0:
        sizes = np.sqrt(np.maximum(squares, 0))
        ellipsoid = {"axes": _numbers(sizes), "rotation": _numbers(axes.ravel())}
    return {"mass": mass, "com": _numbers(com), "ellipsoid": ellipsoid}


def _coordinates(tree: Tree) -> list[dict[str, Any]]:
    """Return the coordinates that a slider moves: those of joints with one each."""
    limits, found = bounds(tree), []
    places = accumulate((tree.joints[i].motion.nq for i in tree.placed), initial=0)
    rates = accumulate((tree.joints[i].motion.nv for i in tree.own), initial=0)
    first_q, first_v = dict(zip(tree.placed, places, strict=False)), dict(zip(tree.own, rates, strict=False))
    for i in tree.independent:
        joint = tree.joints[i]
        if joint.motion.nq == 1:
            at_q, at_v = first_q[i], tree.independent_rates.index(first_v[i])
            found.append(
                {
                    "joint": joint.name,
                    "body": i,
                    "q": at_q,
                    "v": at_v,
                    "unit": joint.motion.unit,
                    "force": FORCES[joint.motion.unit],
                    "lower": _finite(limits.lower[at_q]),
                    "upper": _finite(limits.upper[at_q]),
                    "velocity": _finite(limits.velocity[at_v]),
                    "effort": _finite(limits.effort[at_v]),
                }
            )
    return found


def _finite(x: Any) -> float | None:
    return float(x) if np.isfinite(x) else None


def _rows(pose: Transform) -> list[Any]:
    matrix = pose.R.matrix
    return [x for row, place in zip((matrix.a, matrix.b, matrix.c), pose.p, strict=True) for x in (*row, place)]


def _numbers(values: Any) -> list[float]:
    return [round(float(x), 12) for x in values]
