"""Loops that make joints follow others at whole ratios, as parallelograms do: recognised, proved and replaced by gears.

The ratios between joint rates are the same whole numbers at every assembled position tried. Put in place of the
closures, they must close them at any position, to 40 digits; then the closures are solved: their dependent joints
follow like mimicking ones and have no coordinates.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from taut.robot.closures import Closure, Loops
from taut.robot.coordinates import Spread
from taut.robot.dependent_rates import samples
from taut.robot.mechanism import mechanism
from taut.robot.parts import Mimic
from taut.robot.tree import Tree

WHOLE = 1e-9
"""How far a ratio may be from a whole number in double precision."""

IDENTICAL = 1e-40
"""Gap below which a closure holds identically."""

TRIED = 3
"""Positions at which the closures are tried."""


def with_linear_loops(tree: Tree) -> Tree:
    """Return the robot with the closures replaced that whole ratios satisfy; the same where there are none."""
    if not tree.loops.closures:
        return tree
    settled = replace(tree, loops=tree.settled_loops)
    found = _whole_ratios(settled)
    if not found:
        return settled
    geared = replace(settled, mimics=(*tree.mimics, *found), loops=Loops())
    solved = [c for c in tree.loops.closures if c.active and _holds(geared, c)]
    moved = {i for c in solved for body in (c.body, c.other) for i in tree.support(body)}
    followers = tuple(dict.fromkeys(m.joint for m in found if m.joint in moved))
    if not solved or not followers:
        return settled
    left = tuple(c for c in tree.loops.closures if c not in solved)
    if left:
        return settled  # loops that share joints with others stay as they are
    mimics = (*tree.mimics, *(m for m in found if m.joint in followers))
    loops = replace(tree.loops, closures=(), solved=tuple(solved), followers=followers, pivots=None, held=())
    return replace(tree, mimics=mimics, loops=loops)


def _whole_ratios(tree: Tree) -> list[Mimic]:
    """Return mimics of the dependent joints; none where some ratio is no whole number or changes."""
    found = mechanism(tree)
    slots = [i for i in tree.own for _ in range(tree.joints[i].motion.nv)]
    if any(tree.joints[i].motion.nv != 1 for i in slots) or tree.loops.rate_rows or tree.loops.held:
        return []
    ratios = []
    for q in samples(found):
        closing = Spread(tree, q.tolist()).closing
        ratios.append(np.array([[float(x) for x in closing.ratios[c]] for c in closing.dependent]))
    whole = np.round(ratios[0])
    if not all(np.max(np.abs(r - whole), initial=0.0) < WHOLE for r in ratios):
        return []
    mimics = []
    for c, row in zip(closing.dependent, whole, strict=True):
        leaders = [(closing.independent[k], int(r)) for k, r in enumerate(row) if r]
        offset = _offset(found.home[c] - sum(r * found.home[k] for k, r in leaders))
        if not leaders:
            return []
        for n, (k, r) in enumerate(leaders):
            mimics.append(Mimic(slots[c], slots[k], r, offset if n == 0 else 0))
    return mimics


def _offset(x: float) -> float:
    """Return an offset as the multiple of 15 degrees that it is, else as it is."""
    twelfths = round(x * 12 / math.pi)
    if abs(x - twelfths * math.pi / 12) < WHOLE:
        return twelfths * math.pi / 12 if twelfths else 0
    return x


def _holds(tree: Tree, closure: Closure) -> bool:
    """Whether a closure is closed at any position of a tree whose joints follow each other."""
    from flint import arb, ctx  # here, so that robots without loops are loaded quickly

    from taut.robot.mobility import BITS, written

    before, ctx.prec = ctx.prec, BITS
    try:
        exact = written(replace(tree, loops=Loops(closures=(closure,), pivots=())))
        rng = np.random.default_rng(1)
        positions = [[arb(x) for x in rng.uniform(-1, 1, exact.nq).tolist()] for _ in range(TRIED)]
        gaps = [gap for q in positions for gap in Spread(exact, q).conditions.gaps]
        return all(abs(float(arb(gap).mid())) < IDENTICAL for gap in gaps)
    finally:
        ctx.prec = before
