"""Loops of a derived function: those solved in closed form are proved to close, and what q holds is stated.

The formulas of a dyad are put into the conditions of its loop, on the symbols of the derivation. Every condition that
the loop's rates are found from must vanish at random points of the field at which the root exists, on both branches.
"""

from __future__ import annotations

import numpy as np

from taut.derive.naming.model import DerivedRobot
from taut.errors import TautError
from taut.graph import Node
from taut.graph.prove import disproof
from taut.robot import Tree
from taut.robot.mechanism import mechanism


def refuse_open(model: DerivedRobot) -> None:
    """Raise where the closed form of a loop does not close it."""
    loops = model.tree.loops
    if not loops.dyads:
        return
    solved = {loops.closures[dyad.closure].name for dyad in loops.dyads}
    pivots = {row for row, _ in loops.pivots or ()}
    gaps, row = [], 0
    for closing in model.tree.at(model.symbols("q")).conditions.closings:
        for gap in closing.gap:
            if row in pivots and closing.closure.name in solved:
                gaps.append(model.graph.lift(gap))
            row += 1
    nothing: list[Node] = [model.graph.constant(0) for _ in gaps]
    if (difference := disproof(gaps, nothing, seed=98, spheres=model.spheres)) is not None:
        raise TautError(f"'{model.tree.name}': the closed form leaves its loop open, {difference}; report this")


def positions_remarks(tree: Tree) -> tuple[str, ...]:
    """Return what a caller has to know of q of a robot with closures: a sentence each."""
    if not tree.loops.closures:
        return ()
    names = ", ".join(tree.joints[i].name for i in tree.placed)
    said = [f"Positions q: {names}" + ("; the loops must be closed there." if tree.must_close else ".")]
    home = mechanism(tree).home
    for dyad in tree.loops.dyads:
        given = " and ".join(tree.joints[i].name for i in dyad.joints)
        at = ", ".join(f"{tree.joints[i].name} {x:.4g}" for i, x in _first_positions(tree, home).items())
        loop = tree.loops.closures[dyad.closure].name
        said.append(f"Loop '{loop}': {given} in closed form, on the branch of {at}; NaN where it cannot close.")
    return tuple(said)


def _first_positions(tree: Tree, own: np.ndarray) -> dict[int, float]:
    """Return {joint: position} of the joints of one axis that follow none."""
    found, at = {}, 0
    for i in tree.own:
        if tree.joints[i].motion.nq == 1:
            found[i] = float(own[at])
        at += tree.joints[i].motion.nq
    return found
