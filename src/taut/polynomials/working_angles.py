"""Runs of parallel joints, and the names of the sums of their angles.

Along consecutive parallel revolute joints, with slides between them or not, only the cumulative angles turn
anything: q2, q2 + q3, q2 + q3 + q4. An antiparallel joint enters with a minus.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from taut.graph import Node
from taut.robot import Tree
from taut.spatial import Vec3, is_exactly


@dataclass(frozen=True)
class Angle:
    """A whole-number combination of joint angles.

    Attributes:
        symbol: the outermost joint's coordinate, which no other working angle before it has.
        parts: {coordinate: coefficient}; the first is positive.
        name: in the reader's notation, e.g. ``23``.
        run: the coordinate the run of parallel joints begins with.
    """

    symbol: Node
    parts: Mapping[Node, int]
    name: str
    run: Node


def working_angles(tree: Tree, q: Sequence[Node]) -> list[Angle]:
    """Return the cumulative angle of every independent revolute joint, in joint order."""
    own = dict(zip(tree.independent, q, strict=True))
    sums: list[dict[Node, int]] = []
    found = []
    for i, joint in enumerate(tree.joints):
        column = joint.motion.columns[0]
        axis = column.w if joint.motion.pure_turn else column.v
        sign = _parallel(tree, i, axis) if joint.parent >= 0 else 0
        inherited = {x: sign * e for x, e in sums[joint.parent].items()} if sign else {}
        if joint.motion.pure_turn and i in own:
            inherited = {**inherited, own[i]: 1}
            found.append((own[i], inherited))
        sums.append({} if i not in own else inherited)  # a run ends where a joint follows another one
    return [_angle(symbol, parts, q) for symbol, parts in found]


def _parallel(tree: Tree, i: int, axis: Vec3) -> int:
    """Return 1, -1 or 0: whether joint i's axis is parallel to its parent's."""
    parent = tree.joints[tree.joints[i].parent].motion
    before = parent.columns[0].w if parent.pure_turn else parent.columns[0].v
    seen = tree.rest_poses[i].R @ axis
    if all(is_exactly(a - b, 0) for a, b in zip(seen, before, strict=True)):
        return 1
    return -1 if all(is_exactly(a + b, 0) for a, b in zip(seen, before, strict=True)) else 0


def _angle(symbol: Node, parts: Mapping[Node, int], q: Sequence[Node]) -> Angle:
    ordered = {x: parts[x] for x in q if x in parts}
    first = next(iter(ordered.values()))
    ordered = {x: e * first for x, e in ordered.items()}  # first is 1 or -1
    return Angle(symbol, ordered, angle_name(ordered, q), next(iter(ordered)))


def angle_name(parts: Mapping[Node, int], q: Sequence[Node]) -> str:
    """Return the notation of a combination of joint angles, its first coefficient positive.

    ``23`` is q2 + q3, ``223`` is 2 q2 + q3, ``1m4`` is q1 - q4; beyond nine joints ``2_3``, so that ``23`` is q23.
    """
    pieces = []
    for symbol, coefficient in parts.items():
        pieces += [("m" if coefficient < 0 else "") + symbol.name[1:]] * abs(coefficient)
    return ("_" if len(q) > 9 else "").join(pieces)


def combined(a: Mapping[Node, int], b: Mapping[Node, int], sign: int, q: Sequence[Node]) -> dict[Node, int]:
    """Return the coefficients of ``a + sign * b``, in joint order, zeros left out."""
    total = {x: a.get(x, 0) + sign * b.get(x, 0) for x in q}
    return {x: e for x, e in total.items() if e}
