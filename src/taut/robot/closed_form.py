"""Which loops of a robot are planar dyads, and on which branch: decided on numbers, checked to 40 digits.

A closure that leaves two joints of its loop to be found, while all others are independent, follow others or are found
before, is solved as a dyad. Whether the loop is planar is not asked: the solution must close it, all rows of it, at
assembled positions, to 40 digits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from taut.robot.closures import Dyad, Loops
from taut.robot.coordinates import Spread
from taut.robot.dependent_rates import samples
from taut.robot.dyads import POINTS, solution
from taut.robot.loop_rows import chains
from taut.robot.meaning import decided
from taut.robot.mechanism import Mechanism, mechanism
from taut.robot.tree import Tree

CLEAR = 1e-6
"""Part of the largest product of sides below which a position does not decide on which branch a dyad is."""

IDENTICAL = 1e-40
"""Gap, relative to the robot's size, below which a closure holds identically."""


def with_closed_form(tree: Tree) -> Tree:
    """Return the robot with its planar dyads solved; the same where there are none."""
    if not tree.loops.closures:
        return tree
    found = mechanism(tree)
    plain, positions = found.tree, samples(found)
    loops = plain.loops
    for dyad in _candidates(plain):
        if not _solvable(plain, loops, dyad):
            continue
        settled = _on_branch(found, dyad)
        if settled is None:
            continue
        longer = replace(loops, dyads=(*loops.dyads, settled))
        if _closes(replace(plain, loops=longer), settled, positions):
            loops = longer
    return replace(tree, loops=replace(tree.settled_loops, dyads=loops.dyads))


def _candidates(tree: Tree) -> Iterator[Dyad]:
    """Yield dyads in an order of solution; one that turns out not to be is followed by others nonetheless."""
    rates = [i for i in tree.own for _ in range(tree.joints[i].motion.nv)]
    dependent = {rates[k] for k in range(len(rates)) if k not in set(tree.independent_rates)}
    known = set(tree.own) - dependent
    waiting = [k for k, c in enumerate(tree.loops.closures) if c.active and c.kind in POINTS]
    while True:
        _add_followers(tree, known)
        for k in waiting:
            loop = [i for chain in chains(tree, tree.loops.closures[k]) for i in chain]
            unknown = [i for i in loop if i not in known]
            kinds = {tree.joints[i].motion.kind for i in unknown}
            if len(unknown) == 2 and kinds <= {"revolute", "prismatic"} and set(unknown) <= set(tree.own):
                a, b = sorted(unknown)
                yield Dyad(k, (a, b))
                known |= {a, b}
                waiting.remove(k)
                break
        else:
            return


def _add_followers(tree: Tree, known: set[int]) -> None:
    """Add the joints that follow known ones alone."""
    followers = {mimic.joint for mimic in tree.mimics}
    for i in followers:
        if all(mimic.leader in known for mimic in tree.mimics if mimic.joint == i):
            known.add(i)


def _solvable(tree: Tree, loops: Loops, dyad: Dyad) -> bool:
    """Whether all other joints of a dyad's loop have positions: an earlier dyad may not have become one."""
    given = {i for one in loops.dyads for i in one.joints}
    rates = [i for i in tree.own for _ in range(tree.joints[i].motion.nv)]
    known = {rates[k] for k in tree.independent_rates} | given
    _add_followers(tree, known)
    loop = {i for chain in chains(tree, loops.closures[dyad.closure]) for i in chain}
    return loop - known == set(dyad.joints)


def _on_branch(found: Mechanism, dyad: Dyad) -> Dyad | None:
    """Return the dyad with the signs of its root at the assembled position, None where they are not clear."""
    tree = found.tree
    Q = Spread(tree, found.home.tolist()).positions
    turned = {
        i: (np.cos(Q[i][0]), np.sin(Q[i][0])) if tree.joints[i].motion.pure_turn else (Q[i][0], 0.0)
        for i in dyad.joints
    }
    values = solution(tree, tree.loops.closures[dyad.closure], dyad.joints, Q).branch_values(turned)
    if any(abs(x) < CLEAR * found.size * min(1.0, found.size) for x in values):
        return None
    return replace(dyad, branch=tuple(1 if x > 0 else -1 for x in values))


def _closes(tree: Tree, dyad: Dyad, positions: Sequence[np.ndarray]) -> bool:
    """Whether the formulas close a dyad's loop at assembled positions, to 40 digits."""
    from flint import arb, ctx  # here, so that robots without loops are loaded quickly

    from taut.robot.mobility import BITS, written

    before, ctx.prec = ctx.prec, BITS
    try:
        exact, size = written(replace(decided(tree).tree, loops=tree.loops)), mechanism(tree).size
        name = tree.loops.closures[dyad.closure].name
        kept = [i in set(tree.placed) for i in tree.own for _ in range(tree.joints[i].motion.nq)]
        for q in positions:
            at = Spread(exact, [arb(float(x)) for x in q[kept]])
            [closing] = [one for one in at.conditions.closings if one.closure.name == name]
            if not all(abs(float(arb(gap).mid())) < IDENTICAL * size for gap in closing.gap):
                return False
        return True
    finally:
        ctx.prec = before
