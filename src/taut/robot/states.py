"""Positions of a whole robot as arrays with any leading axes: neutral, random, stepped, subtracted; its limits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from taut.errors import InputError
from taut.robot.coordinates import Spread
from taut.robot.mechanism import mechanism
from taut.robot.parts import Joint
from taut.robot.tree import Tree

RATE, ACCELERATION = 2.0, 5.0
"""Random rates and accelerations lie between these and their negatives [SI]."""


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
    """A joint and where its position and rate stand in q and qd."""

    joint: Joint
    q: slice
    v: slice


def _parts(tree: Tree) -> Iterator[_Part]:
    at_q = at_v = 0
    for i in tree.own:
        joint = tree.joints[i]
        yield _Part(joint, slice(at_q, at_q + joint.motion.nq), slice(at_v, at_v + joint.motion.nv))
        at_q, at_v = at_q + joint.motion.nq, at_v + joint.motion.nv


def neutral(tree: Tree) -> np.ndarray:
    """Return the position (nq) at which every joint is at rest: zeros, and the identity of quaternions.

    With loops it is the assembled position nearest to the start that the description gives.
    """
    if tree.loops:
        return mechanism(tree).home
    return np.array([x for part in _parts(tree) for x in part.joint.motion.neutral])


def bounds(tree: Tree) -> Bounds:
    """Return the limits that the description states for the independent joints."""
    found = _unbounded(tree)
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
    return found


def _unbounded(tree: Tree) -> Bounds:
    return Bounds(np.full(tree.nq, -np.inf), *(np.full(n, np.inf) for n in (tree.nq, tree.nv, tree.nv)))


def step(tree: Tree, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Return the position (..., nq) reached from ``q`` in unit time with constant rates ``v``.

    A free joint follows the screw motion of its constant twist, so its quaternion keeps its length.
    """
    if tree.loops:
        return _closed_step(tree, q, v)
    return np.concatenate([p.joint.motion.step(q[..., p.q], v[..., p.v]) for p in _parts(tree)], axis=-1)


def _closed_step(tree: Tree, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Return the assembled positions nearest to those reached at the rates of all joints."""
    flat_q, flat_v = q.reshape(-1, tree.nq), v.reshape(-1, tree.nv)
    found = mechanism(tree)
    moved, reached = found.projected(found.moved(flat_q, own_rates(tree, flat_q, flat_v)))
    if not reached.all():
        raise InputError("the loops do not close after the step", f"robot '{tree.name}'", "make the step shorter")
    return moved.reshape(q.shape)


def own_rates(tree: Tree, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Return the rates (N, ...) of all joints that follow none at positions (N, nq) and independent rates (N, nv)."""
    parts = Spread(tree, list(q.T)).rates(list(v.T))
    return np.stack([np.broadcast_to(x, len(q)) for i in tree.own for x in parts[i]], axis=-1)


def difference(tree: Tree, start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Return the rates (..., nv) that lead from one position to the other in unit time."""
    parts = [p.joint.motion.difference(start[..., p.q], end[..., p.q]) for p in _parts(tree)]
    return np.concatenate(parts, axis=-1)[..., list(tree.independent_rates)]


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
    limits = bounds(tree) if limited else _unbounded(tree)
    if tree.loops:
        return mechanism(tree).drawn(rng, shape, limits.lower, limits.upper)
    drawn = [p.joint.motion.random(rng, shape, limits.lower[p.q], limits.upper[p.q]) for p in _parts(tree)]
    return np.concatenate(drawn, axis=-1)


def random_states(
    tree: Tree, rng: np.random.Generator, shape: tuple[int, ...] = (), limited: bool = True
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return random positions, rates and accelerations; see :func:`random_positions`."""
    q = random_positions(tree, rng, shape, limited)
    size = (*shape, tree.nv)
    return q, rng.uniform(-RATE, RATE, size), rng.uniform(-ACCELERATION, ACCELERATION, size)
