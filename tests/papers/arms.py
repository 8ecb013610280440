"""Arms from Denavit-Hartenberg rows, as the papers give them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from taut.robot import DescribedJoint, Link, Placement, Prismatic, Revolute, Tree, assemble
from taut.spatial import Inertia, Vec3

Row = tuple[str, float, float, float]
"""Kind (R or P), alpha [rad], a [m], and the constant one of d [m] and theta [rad]."""

DOWN = Vec3(0.0, 0.0, -9.81)


def modified_arm(name: str, rows: Sequence[Row], bodies: Sequence[Inertia], gravity: Vec3 = DOWN) -> Tree:
    """Return the arm of Craig's rows: Rx(alpha) Tx(a) Rz(theta) Tz(d); bodies in the joint frames."""
    placements = []
    for kind, alpha, a, constant in rows:
        d, theta = (constant, 0.0) if kind == "R" else (0.0, constant)
        placements.append(Placement(Vec3(a, 0, 0), _turn(0, alpha)).then(Placement(Vec3(0, 0, d), _turn(2, theta))))
    return _arm(name, [row[0] for row in rows], placements, bodies, gravity)


def standard_arm(name: str, rows: Sequence[Row], bodies: Sequence[Inertia], gravity: Vec3 = DOWN) -> Tree:
    """Return the arm of Paul's rows: Rz(theta) Tz(d) Tx(a) Rx(alpha); bodies in the distal frames."""
    placements, moved, distal = [], [], Placement()
    for (kind, alpha, a, constant), body in zip(rows, bodies, strict=True):
        d, theta = (constant, 0.0) if kind == "R" else (0.0, constant)
        placements.append(distal.then(Placement(turns=_turn(2, theta))))
        distal = Placement(Vec3(a, 0, d), _turn(0, alpha))
        moved.append(distal.transform.inertia_to_parent(body))
    return _arm(name, [row[0] for row in rows], placements, moved, gravity)


def _turn(axis: int, angle: float) -> tuple[tuple[int, float], ...]:
    return ((axis, angle),) if angle else ()


def _arm(
    name: str, kinds: Sequence[str], placements: Sequence[Placement], bodies: Sequence[Inertia], gravity: Vec3
) -> Tree:
    links = [Link("link0"), *(Link(f"link{i}", body) for i, body in enumerate(bodies, 1))]
    joints = [
        DescribedJoint(f"joint{i}", f"link{i - 1}", f"link{i}", placement, Revolute() if kind == "R" else Prismatic())
        for i, (kind, placement) in enumerate(zip(kinds, placements, strict=True), 1)
    ]
    return assemble(name, links, joints, gravity_acceleration=gravity)


def puma560(p: dict[str, float], bodies: Sequence[Inertia]) -> Tree:
    """Return the PUMA 560 in the frames of Armstrong and of Burdick."""
    right = math.pi / 2
    rows: list[Row] = [
        ("R", 0.0, 0.0, 0.0),
        ("R", -right, 0.0, p["d2"]),
        ("R", 0.0, p["a2"], p["d3"]),
        ("R", right, p["a3"], p["d4"]),
        ("R", -right, 0.0, 0.0),
        ("R", right, 0.0, 0.0),
    ]
    return modified_arm("puma560", rows, bodies, Vec3(0.0, 0.0, -p["g"]))


def columns(q: Sequence[float]) -> list[list[float]]:
    """Return one list a joint."""
    return [[float(x)] for x in q]
