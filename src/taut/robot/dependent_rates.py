"""Which rates of a robot with loops depend on the others, and in which order they are eliminated.

Decided once, on the robot's numbers, at three assembled positions: as many rates are dependent as the conditions have
rank. Wanted joints, then joints with a motor, then the joints in their order become independent as long as the rest
determines the conditions well; rows that follow from others are left out.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import chain

import numpy as np

from taut.errors import InputError
from taut.robot.closures import Loops
from taut.robot.idle import idle_spins
from taut.robot.loop_rows import chains
from taut.robot.mechanism import RANK, Mechanism
from taut.robot.tree import Tree

SAMPLES = 3
"""Assembled positions at which the rank is taken."""

REACH = 0.35
"""How far from each other they are [rad or m]."""

MOST_JOINTS = 120
"""Joints of all loops, counted once a loop (a Stewart platform has 24): where these do not close, it costs seconds."""

WELL = 0.02
"""Smallest singular value of the dependent rates' columns, relative to the largest possible, that counts as good."""

STABLE = 0.1
"""Part of the largest candidate that a pivot must have; sparser ones are preferred above it."""


def settled(tree: Tree) -> Loops:
    """Return the loops of a tree with their dependent rates chosen."""
    from taut.robot.edit import numeric

    _refuse_many_joints(tree)
    mechanism = Mechanism(numeric(replace(tree, loops=replace(tree.loops, pivots=(), held=(), dyads=()))))
    positions = samples(mechanism)
    held = tuple(idle_spins(mechanism, positions))
    held_tree = replace(mechanism.tree, loops=replace(mechanism.tree.loops, held=held))
    jacobians = [Mechanism(held_tree).jacobian(q) for q in positions]
    closing = mechanism.gaps(positions[0]).size
    rolling = sum(row.active for row in tree.loops.rate_rows)
    turns = [np.delete(J, slice(closing, closing + rolling), axis=0) for J in jacobians]
    _refuse_cranks_without_length(held_tree, turns)
    chosen = pivots(held_tree, jacobians, {i for dyad in tree.loops.dyads for i in dyad.joints})
    if len(chosen) == jacobians[0].shape[1]:
        advice = "remove or open one of them"
        raise InputError("the loops leave no joint free to move", f"robot '{tree.name}'", advice)
    return replace(tree.loops, pivots=chosen, held=held)


def _refuse_many_joints(tree: Tree) -> None:
    """Raise an error where the loops run through so many joints that putting them together takes too long."""
    active = (closure for closure in tree.loops.closures if closure.active)
    rolling = (row for row in tree.loops.rate_rows if row.active)
    passed = 0
    for joints in chain((sum(map(len, chains(tree, c))) for c in active), (len(row.terms) for row in rolling)):
        passed += joints
        if passed > MOST_JOINTS:
            raise InputError(
                f"the loops run through more than {MOST_JOINTS} joints, each counted once a loop",
                f"robot '{tree.name}'",
                "remove or open some of them",
            )


def _refuse_cranks_without_length(tree: Tree, jacobians: Sequence[np.ndarray]) -> None:
    """Raise an error where a joint of a loop and the next turn about one axis.

    Args:
        tree: the numeric tree.
        jacobians: the conditions of closures and held spins on the rates at assembled positions.
    """
    single = {i for i in tree.own if tree.joints[i].motion.pure_turn}
    starts, at = {}, 0
    for i in tree.own:
        starts[i], at = at, at + tree.joints[i].motion.nv
    for i in sorted(single):
        parent = tree.joints[i].parent
        if parent not in single:
            continue
        pairs = [J[:, [starts[parent], starts[i]]] for J in jacobians]
        lengths = [np.linalg.norm(pair, axis=0) for pair in pairs]
        parallel = all(_smallest(pair, 2) <= RANK * size.max() for pair, size in zip(pairs, lengths, strict=True))
        if parallel and min(size.min() for size in lengths) > 0:
            raise InputError(
                f"joints '{tree.joints[parent].name}' and '{tree.joints[i].name}' of a loop turn about one axis",
                f"robot '{tree.name}'",
                "give the crank between them a length, or lock one of them",
            )


def samples(mechanism: Mechanism) -> list[np.ndarray]:
    """Return assembled positions: the one nearest to the start, and others that it can move to."""
    rng = np.random.default_rng(0)
    found = [mechanism.closed(mechanism.start)]
    for _ in range(20 * SAMPLES):
        if len(found) == SAMPLES:
            break
        try:
            found.append(mechanism.nearby(found[0], rng, REACH))
        except InputError:
            continue
    return found


def rank(J: np.ndarray) -> int:
    """Return the number of independent rows."""
    values = np.linalg.svd(J, compute_uv=False) if J.size else np.zeros(0)
    return int(np.sum(values > RANK * max(values[0], 1e-300))) if values.size else 0


def pivots(tree: Tree, jacobians: Sequence[np.ndarray], given: Collection[int] = ()) -> tuple[tuple[int, int], ...]:
    """Return (row, rate) of every elimination.

    Args:
        tree: the numeric tree.
        jacobians: the conditions on all rates at assembled positions.
        given: joints that a closed form gives; they are the last to become independent.
    """
    ranks = [rank(J) for J in jacobians]
    most = max(ranks)
    J = jacobians[ranks.index(most)]
    dependent = _dependent(tree, [J for J, r in zip(jacobians, ranks, strict=True) if r == most], most, given)
    return tuple(_eliminated(J, dependent))


def _dependent(tree: Tree, jacobians: Sequence[np.ndarray], most: int, given: Collection[int]) -> list[int]:
    """Return the dependent rates: every other one is independent in the order of preference."""
    owners = [i for i in tree.own for _ in range(tree.joints[i].motion.nv)]
    loops = tree.loops
    left = list(range(len(owners)))
    best = min(_smallest(J, most) for J in jacobians)
    wanted = [k for i in loops.wanted for k, owner in enumerate(owners) if owner == i]
    for k in wanted:
        rest = [x for x in left if x != k]
        if len(left) == most or min(_smallest(J[:, rest], most) for J in jacobians) <= RANK * best:
            joint = tree.joints[owners[k]].name
            raise InputError(
                f"joint '{joint}' cannot be independent besides the joints named before it",
                f"robot '{tree.name}'",
                f"the robot has {len(owners) - most} degrees of freedom; name joints that determine its motion",
            )
        left = rest
    others = sorted((k for k in left), key=lambda k: (owners[k] in given, owners[k] not in loops.actuated, k))
    for well in (WELL, RANK):
        for k in others:
            if len(left) == most:
                return left
            rest = [x for x in left if x != k]
            if k in left and min(_smallest(J[:, rest], most) for J in jacobians) > well * best:
                left = rest
    return left


def _smallest(J: np.ndarray, most: int) -> float:
    """Return the singular value that decides whether a matrix has a rank."""
    if most == 0:
        return 1.0
    values = np.linalg.svd(J, compute_uv=False) if J.size else np.zeros(0)
    return float(values[most - 1]) if len(values) >= most else 0.0


def _eliminated(J: np.ndarray, dependent: Sequence[int]) -> list[tuple[int, int]]:
    """Return pivots: of those large enough the one that fills in least."""
    A = J[:, list(dependent)].copy()
    rows, columns = set(range(len(A))), set(range(len(dependent)))
    tiny = RANK * max(np.max(np.abs(A), initial=0.0), 1e-300)
    found = []
    while columns:
        here = np.ix_(sorted(rows), sorted(columns))
        block = np.abs(A[here])
        filled = block > tiny
        fill = np.outer(filled.sum(1) - 1, filled.sum(0) - 1).astype(float)
        allowed = filled & (block >= STABLE * block.max(0, keepdims=True))
        scores = np.where(allowed, fill - 1e-3 * block / max(block.max(), 1e-300), np.inf)
        r, c = np.unravel_index(int(np.argmin(scores)), scores.shape)
        row, column = sorted(rows)[int(r)], sorted(columns)[int(c)]
        found.append((row, dependent[column]))
        rows.remove(row)
        columns.remove(column)
        for other in rows:
            A[other] -= A[other, column] / A[row, column] * A[row]
    return found
