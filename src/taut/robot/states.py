"""Positions of a whole robot as arrays with any leading axes: neutral, random, stepped, subtracted; its limits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from taut.errors import InputError
from taut.robot.coordinates import Spread
from taut.robot.edit import numeric
from taut.robot.mechanism import mechanism
from taut.robot.parts import Joint
from taut.robot.tree import Tree

RATE, ACCELERATION = 2.0, 5.0
"""Random rates and accelerations lie between these and their negatives [SI]."""

SAME_BRANCH = 1e-6
"""Largest difference of positions [rad or m] that a closed form and Newton's method find on one branch."""


@dataclass(frozen=True)
class Bounds:
    """The limits of a robot's independent coordinates; infinite where its description gives none.

    Attributes:
        lower: smallest positions (nq).
        upper: largest positions (nq).
        velocity: largest magnitudes of rates (nv).
        effort: largest magnitudes of torques (nv).
    """

    lower: np.ndarray
    upper: np.ndarray
    velocity: np.ndarray
    effort: np.ndarray


@dataclass(frozen=True)
class _Part:
    """A joint and where its position stands in q, its rate among those of all joints with positions in q."""

    joint: Joint
    q: slice
    v: slice


def _parts(tree: Tree) -> Iterator[_Part]:
    at_q = at_v = 0
    for i in tree.placed:
        joint = tree.joints[i]
        yield _Part(joint, slice(at_q, at_q + joint.motion.nq), slice(at_v, at_v + joint.motion.nv))
        at_q, at_v = at_q + joint.motion.nq, at_v + joint.motion.nv


def _independent(tree: Tree) -> list[int]:
    """Return where the independent rates stand among those of all joints with positions in q."""
    owners = [i for i in tree.own for _ in range(tree.joints[i].motion.nv)]
    placed = [k for k, i in enumerate(owners) if i in set(tree.placed)]
    return [placed.index(k) for k in tree.independent_rates]


def neutral(tree: Tree) -> np.ndarray:
    """Return the position (nq) at which every joint is at rest: zeros, and the identity of quaternions.

    With loops it is the assembled position nearest to the start that the description gives.
    """
    if tree.loops:
        return placed_positions(tree, mechanism(tree).home)
    return np.array([x for part in _parts(tree) for x in part.joint.motion.neutral])


def bounds(tree: Tree) -> Bounds:
    """Return the limits that the description states for the independent joints."""
    nv = sum(tree.joints[i].motion.nv for i in tree.placed)
    found = _unbounded(tree.nq, nv)
    for part in _parts(tree):
        limits = part.joint.limits
        for array, place, limit in (
            (found.lower, part.q, limits.lower),
            (found.upper, part.q, limits.upper),
            (found.velocity, part.v, limits.velocity),
            (found.effort, part.v, limits.effort),
        ):
            if limit is not None:
                array[place] = limit
    rates = _independent(tree)
    return replace(found, velocity=found.velocity[rates], effort=found.effort[rates])


def _unbounded(nq: int, nv: int) -> Bounds:
    return Bounds(np.full(nq, -np.inf), *(np.full(n, np.inf) for n in (nq, nv, nv)))


def step(tree: Tree, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Return the position (..., nq) reached from ``q`` in unit time with constant rates ``v``.

    A free joint follows the screw motion of its constant twist, so its quaternion keeps its length.
    """
    if tree.must_close:
        return _closed_step(tree, q, v)
    return np.concatenate([p.joint.motion.step(q[..., p.q], v[..., p.v]) for p in _parts(tree)], axis=-1)


def _closed_step(tree: Tree, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Return the assembled positions nearest to those reached at the rates of all joints."""
    flat_q, flat_v = q.reshape(-1, tree.nq), v.reshape(-1, tree.nv)
    found = mechanism(tree)
    moved, reached = found.projected(found.moved(own_positions(tree, flat_q), own_rates(tree, flat_q, flat_v)))
    if not reached.all():
        raise InputError("the loops do not close after the step", f"robot '{tree.name}'", "make the step shorter")
    return placed_positions(tree, moved).reshape(q.shape)


def own_positions(tree: Tree, q: np.ndarray) -> np.ndarray:
    """Return the positions (..., all) of all joints that follow none; NaN where a loop cannot close."""
    if tree.placed == tree.own:
        return q
    flat = q.reshape(-1, tree.nq)
    with np.errstate(invalid="ignore"):
        parts = Spread(numeric(tree), list(flat.T)).positions
    own = np.stack([np.broadcast_to(x, len(flat)) for i in tree.own for x in parts[i]], axis=-1)
    return own.reshape(*q.shape[:-1], -1)


def placed_positions(tree: Tree, own: np.ndarray) -> np.ndarray:
    """Return q (..., nq) of positions (..., all) of all joints that follow none."""
    kept = [i in set(tree.placed) for i in tree.own for _ in range(tree.joints[i].motion.nq)]
    return own[..., kept]


def own_rates(tree: Tree, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Return the rates (N, ...) of all joints that follow none at positions (N, nq) and independent rates (N, nv)."""
    parts = Spread(tree, list(q.T)).rates(list(v.T))
    return np.stack([np.broadcast_to(x, len(q)) for i in tree.own for x in parts[i]], axis=-1)


def difference(tree: Tree, start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Return the rates (..., nv) that lead from one position to the other in unit time."""
    parts = [p.joint.motion.difference(start[..., p.q], end[..., p.q]) for p in _parts(tree)]
    return np.concatenate(parts, axis=-1)[..., _independent(tree)]


def chart_rate(tree: Tree, x: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Return the rate of x (..., nv) where ``step(start, x)`` moves with the rates ``v`` and ``start`` rests."""
    return np.concatenate([p.joint.motion.chart_rate(x[..., p.v], v[..., p.v]) for p in _parts(tree)], axis=-1)


def random_positions(
    tree: Tree, rng: np.random.Generator, shape: tuple[int, ...] = (), limited: bool = True
) -> np.ndarray:
    """Return positions (\\*shape, nq), uniform within the limits; an angle without limits is between -pi and pi.

    Args:
        tree: the robot.
        rng: where the numbers come from.
        shape: leading axes.
        limited: whether the limits are kept; some files write 0 for both where they know none.
    """
    if tree.loops:
        return _closed_positions(tree, rng, shape, limited)
    limits = bounds(tree) if limited else _unbounded(tree.nq, tree.nv)
    drawn = [p.joint.motion.random(rng, shape, limits.lower[p.q], limits.upper[p.q]) for p in _parts(tree)]
    return np.concatenate(drawn, axis=-1)


def _closed_positions(tree: Tree, rng: np.random.Generator, shape: tuple[int, ...], limited: bool) -> np.ndarray:
    """Return assembled positions; of loops with a closed form those on its branch."""
    found = mechanism(tree)
    limits = bounds(found.tree) if limited else _unbounded(found.tree.nq, found.tree.nv)
    if tree.placed == tree.own:
        return found.drawn(rng, shape, limits.lower, limits.upper)
    count = int(np.prod(shape))
    own = found.drawn(rng, (2 * count + 8,), limits.lower, limits.upper)
    q = placed_positions(tree, own)
    apart = np.abs(np.sin((own_positions(tree, q) - own) / 2)).max(axis=-1, initial=0.0)
    usable = q[apart < SAME_BRANCH]
    if not len(usable):
        usable = neutral(tree)[None]
    return usable[np.arange(count) % len(usable)].reshape(*shape, -1)


def random_states(
    tree: Tree, rng: np.random.Generator, shape: tuple[int, ...] = (), limited: bool = True
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return random positions, rates and accelerations; see :func:`random_positions`."""
    q = random_positions(tree, rng, shape, limited)
    size = (*shape, tree.nv)
    return q, rng.uniform(-RATE, RATE, size), rng.uniform(-ACCELERATION, ACCELERATION, size)
