"""Idle spins: a link between two ball joints may turn about the line through them and nothing else moves.

Such a turn is no degree of freedom of the machine. It is found by rank: rates that satisfy all closures and move one
link alone, at every position tried. One rate of it is held at zero.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from taut.robot.mechanism import RANK, Mechanism
from taut.robot.tree import Tree
from taut.spatial import Motion, Transform

HELD = 0.1
"""Part of the largest rate of a spin that a held rate must have at every position."""


def idle_spins(mechanism: Mechanism, positions: Sequence[np.ndarray]) -> Iterator[tuple[int, int]]:
    """Yield (joint, which of its rates) of one rate of every idle spin."""
    tree = mechanism.open_tree
    closed = {body for c in tree.loops.closures if c.active for body in (c.body, c.other)}
    if not closed:
        return
    owners = [(i, k) for i in tree.own for k in range(tree.joints[i].motion.nv)]
    twists = [_twists(mechanism, q, len(owners)) for q in positions]
    jacobians = [mechanism.jacobian(q) for q in positions]
    weighed = [any(tree.inertia(i).parameters) for i in range(len(tree.joints))]
    for body in sorted(closed - {-1}):
        if tree.children[body] or not weighed[body]:
            continue
        others = [i for i in range(len(tree.joints)) if i != body and weighed[i]]
        spins = [_null(np.concatenate([J, *(T[i] for i in others)])) for J, T in zip(jacobians, twists, strict=True)]
        if not all(spin.shape[1] == 1 for spin in spins):
            continue
        sizes = np.min([np.abs(spin[:, 0]) / np.max(np.abs(spin)) for spin in spins], axis=0)
        best = int(np.argmax(sizes))
        if sizes[best] > HELD:
            yield owners[best]


def _twists(mechanism: Mechanism, q: np.ndarray, width: int) -> list[np.ndarray]:
    """Return the motion of every body in the world per rate of the own joints, 6 rows a body."""
    tree, at = mechanism.open_tree, mechanism.at(q)
    X = _poses(tree, at.positions)
    own: list[list[np.ndarray]] = [
        [_column(X[i].to_parent(s)) for s in joint.motion.columns] for i, joint in enumerate(tree.joints)
    ]
    found = []
    rates = [at.rates([float(j == k) for j in range(width)]) for k in range(width)]
    for i in range(len(tree.joints)):
        support = list(tree.support(i))
        columns = [sum((float(r[j][k]) * s for j in support for k, s in enumerate(own[j])), np.zeros(6)) for r in rates]
        found.append(np.stack(columns, axis=1))
    return found


def _poses(tree: Tree, Q: Sequence[Sequence[float]]) -> list[Transform]:
    X: list[Transform] = []
    for i, joint in enumerate(tree.joints):
        local = tree.pose(i, Q[i])
        X.append(local if joint.parent < 0 else X[joint.parent] @ local)
    return X


def _column(motion: Motion) -> np.ndarray:
    return np.array([float(x) for x in (*motion.w, *motion.v)])


def _null(A: np.ndarray) -> np.ndarray:
    """Return a basis of what a matrix takes to zero."""
    _, values, right = np.linalg.svd(A, full_matrices=True)
    rank = int(np.sum(values > RANK * max(values[0], 1e-300))) if len(values) else 0
    return right[rank:].T
