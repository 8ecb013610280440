"""Runs of parallel joints, and the names of the sums of their angles.

Along consecutive parallel revolute joints, with slides between them or not, only the cumulative angles turn
anything: q2, q2 + q3, q2 + q3 + q4. An antiparallel joint enters with a minus.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from taut.graph import Node
from taut.robot import Tree
from taut.robot.parallel import independent_axes, parallel_before


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
    axes = independent_axes(tree)
    before = parallel_before(axes)
    sums: dict[int, dict[Node, int]] = {}
    for i, x in own.items():
        if axes[i].pure_turn:
            j, sign = before.get(i, (-1, 0))
            sums[i] = {**({y: sign * e for y, e in sums[j].items()} if sign else {}), x: 1}
    return [_angle(own[i], parts, q) for i, parts in sums.items()]


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
