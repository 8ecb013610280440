"""Loops of a derived function: those solved in closed form are proved to close, and what q holds is stated.

The formulas of a dyad are put into the conditions of its loop, on the symbols of the derivation. Every condition that
the loop's rates are found from must vanish at random points of the field at which the root exists, on both branches.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from taut.errors import TautError
from taut.graph import Graph, Node
from taut.graph.prove import Spheres, disproof
from taut.robot import Tree
from taut.robot.mechanism import mechanism


def refuse_open(tree: Tree, graph: Graph, q: Sequence[Node], spheres: Spheres) -> None:
    """Raise where the closed form of a loop does not close it.

    Args:
        tree: the robot, its numbers symbols.
        graph: owner of all symbols.
        q: symbols of the positions.
        spheres: names of those that are quaternions.
    """
    loops = tree.loops
    if not loops.dyads:
        return
    solved = {loops.closures[dyad.closure].name for dyad in loops.dyads}
    pivots = {row for row, _ in loops.pivots or ()}
    gaps, row = [], 0
    for closing in tree.at(q).conditions.closings:
        for gap in closing.gap:
            if row in pivots and closing.closure.name in solved:
                gaps.append(graph.lift(gap))
            row += 1
    nothing = [graph.constant(0) for _ in gaps]
    if (difference := disproof(gaps, nothing, seed=98, spheres=spheres)) is not None:
        raise TautError(f"'{tree.name}': the closed form leaves its loop open, {difference}; report this")


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
