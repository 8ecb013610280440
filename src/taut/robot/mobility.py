"""Degrees of freedom of a robot with loops by rank, at assembled positions refined to 40 digits.

Lengths are taken as the decimal numbers that are written, angles as what they mean (:mod:`taut.robot.meaning`), so that
the planes of an overconstrained loop are parallel to all digits. Where loops do not close to 40 digits with these, as
where a file's angles are rounded or were put together in double precision, the file's digits are taken, and pivots as
small as the gap that is left do not count. The conditions are eliminated with full pivoting; the
rank is where the pivots fall by the largest factor, and that fall is stated.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from flint import arb, ctx

from taut.errors import InputError
from taut.robot.coordinates import Spread
from taut.robot.dependent_rates import samples
from taut.robot.loop_rows import condition_names
from taut.robot.meaning import decided
from taut.robot.mechanism import Mechanism, mechanism
from taut.robot.placement import QuarterTurns, right_angle
from taut.robot.tree import Tree
from taut.spatial import Scalar

BITS = 200
"""Precision of the refined positions: more than 40 decimal digits."""

REFINED = 1e-42
"""Gap, relative to the robot's size, of a refined position."""

ABOVE = 1e3
"""Times the gap that is left: a pivot below it is none."""

LEAST_FALL = 1e6
"""Factor by which pivots must fall where the rank is."""


@dataclass(frozen=True)
class Mobility:
    """What closes and what moves.

    Attributes:
        dof: degrees of freedom.
        rates: rates of the joints that follow none.
        rows: conditions on them.
        rank: independent conditions; the others are redundant.
        ranks: rank at every position tried; a smaller one is singular.
        smallest: smallest pivot that counts.
        largest_dropped: largest that does not; zero to the digits of the position.
        independent: names of the joints whose rates are qd.
        redundant: names of rows that follow from the others.
        idle: links whose spin moves nothing else; it is held.
    """

    dof: int
    rates: int
    rows: int
    rank: int
    ranks: tuple[int, ...]
    smallest: float
    largest_dropped: float
    independent: tuple[str, ...]
    redundant: tuple[str, ...]
    idle: tuple[str, ...]

    @property
    def singular(self) -> bool:
        """Whether some position tried has a smaller rank than another."""
        return len(set(self.ranks)) > 1

    def __str__(self) -> str:
        lines = [
            f"{self.dof} degrees of freedom: {self.rates} joint rates, {self.rows} conditions of rank {self.rank}"
            f" (pivots {self.smallest:.1e} and, left out, {self.largest_dropped:.1e})",
            f"independent: {', '.join(self.independent)}",
        ]
        if self.redundant:
            lines.append(f"redundant conditions: {', '.join(self.redundant)}")
        if self.idle:
            lines.append(f"idle spins, held: {', '.join(self.idle)}")
        if self.singular:
            lines.append(f"singular positions among those tried: ranks {', '.join(map(str, self.ranks))}")
        return "\n".join(lines)


def mobility(tree: Tree) -> Mobility:
    """Return the mobility of a robot."""
    loops = tree.settled_loops
    tree = replace(tree, loops=loops)
    rates = sum(tree.joints[i].motion.nv for i in tree.own)
    if not loops:
        return Mobility(tree.nv, rates, 0, 0, (), math.inf, 0.0, tree.joint_names, (), ())
    numbers = mechanism(tree)
    names = condition_names(tree)
    before, ctx.prec = ctx.prec, BITS
    try:
        for meant in (decided(numbers.tree).tree, numbers.tree):
            exact = written(replace(meant, loops=loops))
            refined = [_refined(numbers, exact, q) for q in samples(numbers)]
            left = max(_gap(at) for at in refined)
            if left < REFINED * numbers.size:
                break
        found = [_pivots(at.own_rows) for at in refined]
    finally:
        ctx.prec = before
    ranks = tuple(min(_rank(pivots), sum(x > ABOVE * left for x in pivots)) for pivots in found)
    rank = max(ranks)
    at = ranks.index(rank)
    assert loops.pivots is not None
    used = {row for row, _ in loops.pivots}
    if rank != len(used):
        raise InputError(
            f"rank {rank} at 40 digits and {len(used)} in double precision",
            f"robot '{tree.name}'",
            "a loop is nearly singular at its start; give another start",
        )
    return Mobility(
        rates - rank,
        rates,
        len(names),
        rank,
        ranks,
        float(min(found[at][:rank], default=math.inf)),
        float(max(found[at][rank:], default=0.0)),
        tree.joint_names,
        tuple(name for k, name in enumerate(names) if k not in used),
        tuple(tree.joints[i].link.name for i, _ in loops.held),
    )


def written(tree: Tree) -> Tree:
    """Return the robot with numbers of many digits: lengths as their decimals, angles as multiples of 15 degrees."""

    def angle(x: Scalar) -> Scalar:
        if isinstance(right_angle(x), QuarterTurns) or x == 0:
            return x
        twelfths = round(float(x) * 12 / math.pi)
        if abs(float(x) - twelfths * math.pi / 12) < 1e-14:
            return arb(twelfths) * arb.pi() / 12
        return arb(repr(float(x)))

    before, ctx.prec = ctx.prec, BITS
    try:
        return tree.map(lambda x: arb(repr(float(x))) if x else x, angle=angle)
    finally:
        ctx.prec = before


def _refined(numbers: Mechanism, tree: Tree, q: np.ndarray) -> Spread:
    """Return the joints at an assembled position of many digits near one of few, by Newton steps."""
    position = [arb(float(x)) for x in q]
    for _ in range(12):
        at = Spread(tree, position)
        gaps = at.conditions.gaps
        rows = len(at.own_rows)
        if _gap(at) < REFINED * numbers.size:
            break
        change = at.closing.solve([-gap for gap in gaps] + [arb(0)] * (rows - len(gaps)))
        for place, step in _positions(numbers, q, change):
            position[place] = (position[place] + step).mid()
        for start in tree.quaternions:
            length = sum((x * x for x in position[start : start + 4]), arb(0)).sqrt()
            position[start : start + 4] = [(x / length).mid() for x in position[start : start + 4]]
    return Spread(tree, position)


def _gap(at: Spread) -> float:
    """Return how far the closures are from holding."""
    return max((abs(float(gap.mid())) for gap in at.conditions.gaps if isinstance(gap, arb)), default=0.0)


def _positions(numbers: Mechanism, q: np.ndarray, change: dict[int, arb]) -> Iterator[tuple[int, arb]]:
    """Yield (place in q, change) of changes along rates; of a quaternion by the derivative of its step."""
    at_q = at_v = 0
    for i in numbers.tree.own:
        motion = numbers.tree.joints[i].motion
        for k in range(motion.nv):
            if at_v + k not in change:
                continue
            if motion.nq == motion.nv:
                yield at_q + k, change[at_v + k]
                continue
            unit = 1e-6 * np.eye(motion.nv)[k]
            here = q[at_q : at_q + motion.nq]
            slope = (motion.step(here, unit) - motion.step(here, -unit)) / 2e-6
            yield from ((at_q + j, change[at_v + k] * float(x)) for j, x in enumerate(slope))
        at_q, at_v = at_q + motion.nq, at_v + motion.nv


def _pivots(rows: list[list[Scalar]]) -> list[float]:
    """Return the pivots of an elimination with full pivoting, the largest first."""
    A = [[arb(x).mid() for x in row] for row in rows]
    found: list[float] = []
    columns = list(range(len(A[0]))) if A else []
    while A and columns:
        size, r, c = max((abs(float(row[c])), r, c) for r, row in enumerate(A) for c in columns)
        found.append(size)
        if size == 0:
            break
        pivot = A.pop(r)
        columns.remove(c)
        for row in A:
            factor = row[c] / pivot[c]
            for k in columns:
                row[k] = (row[k] - factor * pivot[k]).mid()
    return found


def _rank(pivots: list[float]) -> int:
    """Return where the pivots fall by the largest factor; all of them count where none is large."""
    falls = [a / max(b, 1e-300) for a, b in pairwise(pivots)]
    if pivots and pivots[-1] == 0:
        falls = falls or [math.inf]
    if not falls or max(falls) < LEAST_FALL:
        return sum(x > 0 for x in pivots)
    return falls.index(max(falls)) + 1
