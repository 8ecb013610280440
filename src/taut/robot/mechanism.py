"""Assembled positions of a robot with loops, on numbers: Newton's method from a guess."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from taut.errors import InputError
from taut.robot.coordinates import Spread
from taut.robot.tree import Tree
from taut.spatial import Scalar

CLOSED = 1e-12
"""Gap, relative to the robot's size, below which a loop is closed."""

STEPS = 100
PATIENCE = 25
"""Newton steps before a loop is said not to close."""

LONGEST_STEP = 0.5
"""Largest change of a position in one Newton step [rad or m]: longer ones may change the branch."""

REACHES = (1.0, 0.5, 0.2, 0.05)
"""How far from home random positions are looked for [rad or m]."""

AROUND = 64
"""Positions about a guess that are tried where Newton's method does not close the loops from it."""

PROJECTIONS = 30
"""Newton steps of a projection."""

RANK = 1e-9
"""Singular value, relative to the largest, below which a direction is free."""


@dataclass(frozen=True)
class Mechanism:
    """A numeric tree with loops, its dependent rates not chosen.

    Attributes:
        tree: the tree; every number is a float.
    """

    tree: Tree

    @cached_property
    def open_tree(self) -> Tree:
        """The tree in which every rate counts as independent."""
        return replace(self.tree, loops=replace(self.tree.loops, pivots=()))

    @cached_property
    def size(self) -> float:
        """A length of the robot [m]: the largest offset in it."""
        placements = [joint.placement for joint in self.tree.joints]
        placements += [p for c in self.tree.loops.closures for p in (c.placement, c.other_placement)]
        return max((abs(float(x)) for placement in placements for x in placement.p), default=0.0) or 1.0

    @cached_property
    def start(self) -> np.ndarray:
        """The position that the description gives for putting the robot together."""
        given = dict(self.tree.loops.start)
        parts = [given.get(i, self.tree.joints[i].motion.neutral) for i in self.tree.own]
        return np.array([float(x) for part in parts for x in part])

    def at(self, q: np.ndarray) -> Spread:
        """Return the joints at positions (..., nq)."""
        return Spread(self.open_tree, [float(x) for x in q] if q.ndim == 1 else list(np.moveaxis(q, -1, 0)))

    def gaps(self, q: np.ndarray) -> np.ndarray:
        """Return how far the closures are from holding at positions (..., nq), a number a row."""
        return _stacked(self.at(q).conditions.gaps, q.shape[:-1])

    def jacobian(self, q: np.ndarray) -> np.ndarray:
        """Return the conditions on the rates of all joints that follow none at positions (..., nq)."""
        rows = self.at(q).own_rows
        entries = _stacked([x for row in rows for x in row], q.shape[:-1])
        return entries.reshape(*q.shape[:-1], len(rows), self.open_tree.nv)

    def moved(self, q: np.ndarray, change: np.ndarray) -> np.ndarray:
        """Return the positions (..., nq) after changes (..., rates) of all joints that follow none."""
        parts, at_q, at_v = [], 0, 0
        for i in self.tree.own:
            motion = self.tree.joints[i].motion
            parts.append(motion.step(q[..., at_q : at_q + motion.nq], change[..., at_v : at_v + motion.nv]))
            at_q, at_v = at_q + motion.nq, at_v + motion.nv
        return np.concatenate(parts, axis=-1)

    def projected(self, q: np.ndarray, free: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Return the assembled positions nearest to many positions (N, nq), and which of them were reached.

        Args:
            q: the positions.
            free: which rates may change; all by default.
        """
        may = np.ones(self.open_tree.nv, bool) if free is None else free
        for _ in range(PROJECTIONS):
            gaps = self.gaps(q)
            left = np.max(np.abs(gaps), axis=-1, initial=0.0) > CLOSED * 0.01 * self.size
            if not left.any():
                break
            J = self.jacobian(q[left])[:, : gaps.shape[-1]] * may
            change = -(np.linalg.pinv(J, rcond=RANK) @ gaps[left][..., None])[..., 0]
            longest = np.max(np.abs(change), axis=-1, keepdims=True, initial=1e-300)
            q = q.copy()
            q[left] = self.moved(q[left], change * np.minimum(1.0, LONGEST_STEP / longest))
        conditions = self.at(q).conditions
        facing = [np.broadcast_to(closing.faces, q.shape[:-1]) > 0 for closing in conditions.closings]
        shut = np.max(np.abs(self.gaps(q)), axis=-1, initial=0.0) <= CLOSED * self.size
        return q, np.all([shut, *facing], axis=0)

    def closed(self, guess: np.ndarray, held: Sequence[int] = ()) -> np.ndarray:
        """Return the assembled position near a guess, found by Newton's method with shortest steps.

        Args:
            guess: positions of all joints that follow none; decides the branch.
            held: rates that keep their positions.
        """
        q = np.array(guess, dtype=float)
        free = np.array([k not in set(held) for k in range(self.open_tree.nv)])
        gaps = self.gaps(q)
        best, best_q, idle = _norm(gaps), q, 0
        for _ in range(STEPS):
            if _norm(gaps) <= CLOSED * 0.01 * self.size or idle == PATIENCE:
                break
            change = self._change(q, gaps, free)
            moved, smaller = self._backtracked(q, change, _norm(gaps))
            if not smaller and _norm(gaps) <= CLOSED * self.size:
                break
            q, gaps, idle = moved, self.gaps(moved), idle + 1
            if _norm(gaps) < best:
                best, best_q, idle = _norm(gaps), q, 0
        if best <= CLOSED * self.size and self._faces(best_q):
            return best_q
        around, reached = self.projected(self._around(np.asarray(guess, float), free), free)
        if reached.any():
            far = np.linalg.norm(around[reached] - guess, axis=-1)
            return around[reached][int(np.argmin(far))]
        left = np.max(np.abs(self.gaps(around)), axis=-1)
        raise self._open(around[int(np.argmin(left))] if left.min() < best else best_q)

    def _around(self, guess: np.ndarray, free: np.ndarray) -> np.ndarray:
        """Return positions about a guess that is singular or too far: Newton's method may stop there."""
        rng = np.random.default_rng(0)
        reach = np.linspace(0.05, np.pi, AROUND)[:, None]
        changes = rng.uniform(-reach, reach, (AROUND, len(free))) * free
        return self.moved(np.tile(guess, (AROUND, 1)), changes)

    def _change(self, q: np.ndarray, gaps: np.ndarray, free: np.ndarray) -> np.ndarray:
        J = self.jacobian(q)[: len(gaps), free]
        change = np.zeros(len(free))
        if J.size:
            change[free] = -np.linalg.lstsq(J, gaps, rcond=RANK)[0]
        largest = np.max(np.abs(change), initial=0.0)
        return change * min(1.0, LONGEST_STEP / largest) if largest > 0 else change

    def _backtracked(self, q: np.ndarray, change: np.ndarray, before: float) -> tuple[np.ndarray, bool]:
        for k in range(6):
            moved = self.moved(q, change * 0.5**k)
            if _norm(self.gaps(moved)) < before:
                return moved, True
        return self.moved(q, change), False

    def _open(self, q: np.ndarray) -> InputError:
        conditions = self.at(q).conditions
        name, worst = max(
            ((closing.closure.name, float(np.max(np.abs(closing.gap)))) for closing in conditions.closings),
            key=lambda pair: pair[1],
        )
        if worst <= CLOSED * self.size:
            advice = "turn one of its two frames by 180 degrees, or give a guess nearer to an assembled position"
            return InputError(f"loop '{name}' closes with opposite axes only", advice=advice)
        advice = "correct the lengths, or give a guess nearer to an assembled position"
        return InputError(f"loop '{name}' does not close: a gap of {worst:.3g} m or rad is left", advice=advice)

    def _faces(self, q: np.ndarray) -> bool:
        """Whether axes that closures make parallel point the same way."""
        return all(float(closing.faces) > 0 for closing in self.at(q).conditions.closings)

    @cached_property
    def home(self) -> np.ndarray:
        """The assembled position nearest to the start."""
        return self.closed(self.start)

    def drawn(
        self, rng: np.random.Generator, shape: tuple[int, ...], lower: np.ndarray, upper: np.ndarray
    ) -> np.ndarray:
        """Return assembled positions (\\*shape, nq) near :attr:`home` and between bounds as far as they are found."""
        count = int(np.prod(shape))
        found = np.zeros((0, len(self.home)))
        J = self.jacobian(self.home)
        allowed = np.eye(J.shape[1]) - np.linalg.pinv(J, rcond=RANK) @ J
        for reach in REACHES:
            changes = rng.uniform(-reach, reach, (2 * count + 8, J.shape[1])) @ allowed.T
            q, reached = self.projected(self.moved(np.tile(self.home, (len(changes), 1)), changes))
            inside = np.all((q >= lower - 1e-9) & (q <= upper + 1e-9), axis=-1)
            found = np.concatenate([found, q[reached & inside]])
            if len(found) >= count:
                break
        if not len(found):
            found = self.home[None]
        return found[np.arange(count) % len(found)].reshape(*shape, -1)

    def nearby(self, q: np.ndarray, rng: np.random.Generator, reach: float) -> np.ndarray:
        """Return an assembled position reached from another by a random motion that the closures allow."""
        J = self.jacobian(q)
        change = rng.uniform(-reach, reach, self.open_tree.nv)
        if J.size:
            change -= np.linalg.lstsq(J, J @ change, rcond=RANK)[0]
        return self.closed(self.moved(q, change))


def mechanism(tree: Tree) -> Mechanism:
    """Return the mechanism of a robot, symbols replaced by their values; one for each robot.

    Its positions are those of all joints that follow none, also of those that a closed form gives.
    """
    from taut.robot.edit import numeric

    if tree not in _KNOWN:
        if len(_KNOWN) > MOST_KNOWN:
            _KNOWN.clear()
        _KNOWN[tree] = Mechanism(numeric(replace(tree, loops=replace(tree.settled_loops, dyads=()))))
    return _KNOWN[tree]


_KNOWN: dict[Tree, Mechanism] = {}
MOST_KNOWN = 8
"""Mechanisms kept for use again."""


def _stacked(entries: Sequence[Scalar], shape: tuple[int, ...]) -> np.ndarray:
    """Return numbers and batches as one array, the entries last."""
    columns = [np.broadcast_to(x, shape) for x in entries]
    return np.stack(columns, -1).astype(float) if columns else np.zeros((*shape, 0))


def _norm(gaps: np.ndarray) -> float:
    return float(np.max(np.abs(gaps), initial=0.0))
