"""The conditions of closures and rolling: how far they are from holding, and how they restrict rates.

.. math:: J(q)\\,\\dot q = 0, \\qquad J \\ddot q + \\dot J(\\dot q)\\,\\dot q = 0

A closure is seen from its second frame: the pose of the first frame there and its rate. Only the joints between the
two frames count, so everything is computed in the frame of the last body that carries both. Runs on any scalars.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from taut.robot.closures import STOPPED, Closure, RateRow
from taut.spatial import HERE, REST, X_AXIS, Z_AXIS, Motion, Scalar, Transform, Vec3, is_exactly

if TYPE_CHECKING:
    from taut.robot.tree import Tree

PerJoint = Sequence[Sequence[Scalar]]
Row = dict[tuple[int, int], Scalar]
"""{(joint, which of its rates): coefficient}; rates that are not there have coefficient zero."""


class Conditions:
    """The active conditions of a tree at positions of its joints.

    Args:
        tree: the tree.
        Q: positions, one list a joint.
    """

    def __init__(self, tree: Tree, Q: PerJoint) -> None:
        carrier = tree.loops.skeleton or tree
        self.closings = [_Closing(carrier, c, Q) for c in tree.loops.closures if c.active]
        rollings = [_Rolling(carrier, row, Q) for row in tree.loops.rate_rows if row.active]
        held = [_Held(*pair) for pair in tree.loops.held]
        self._parts: list[_Closing | _Rolling | _Held] = [*self.closings, *rollings, *held]

    @property
    def gaps(self) -> list[Scalar]:
        """How far closures are from holding: lengths [m] and sines of angles, a number a row; rolling has no gap."""
        return [x for closing in self.closings for x in closing.gap]

    @cached_property
    def rows(self) -> list[Row]:
        """J by rows over the rates of all joints."""
        return [row for part in self._parts for row in part.rows]

    def drift(self, a: PerJoint, b: PerJoint) -> list[Scalar]:
        """Return dJ/dt b where the joints move at the rates a."""
        return [x for part in self._parts for x in part.drift(a, b)]


def condition_names(tree: Tree) -> list[str]:
    """Return a name of every row of :class:`Conditions`."""
    names = []
    for c in tree.loops.closures:
        if c.active:
            slides, turns = STOPPED[c.kind]
            names += [f"{c.name}: along {x}" for x in slides] + [f"{c.name}: about {x}" for x in turns]
    names += [row.name for row in tree.loops.rate_rows if row.active]
    return names + [f"spin of {tree.joints[i].link.name}" for i, _ in tree.loops.held]


def chains(tree: Tree, closure: Closure) -> tuple[list[int], list[int]]:
    """Return the joints from the last common body out to a closure's first frame, and to its second."""
    first, second = (list(tree.support(b))[::-1] for b in (closure.body, closure.other))
    while first and second and first[0] == second[0]:
        first, second = first[1:], second[1:]
    return first, second


def chained(tree: Tree, chain: Sequence[int], Q: PerJoint) -> Transform:
    """Return the pose of the last link of a chain where the first joint's parent is."""
    X = HERE
    for i in chain:
        joint = tree.joints[i]
        X = X @ (joint.placement.transform @ joint.motion.transform(Q[i]))
    return X


@dataclass(frozen=True, eq=False)
class _Closing:
    tree: Tree
    closure: Closure
    Q: PerJoint

    @cached_property
    def _chains(self) -> tuple[list[int], list[int]]:
        return chains(self.tree, self.closure)

    def _poses(self, chain: Sequence[int]) -> list[Transform]:
        X, poses = HERE, []
        for i in chain:
            joint = self.tree.joints[i]
            X = X @ (joint.placement.transform @ joint.motion.transform(self.Q[i]))
            poses.append(X)
        return poses

    @cached_property
    def _placed(self) -> tuple[list[Transform], list[Transform]]:
        first, second = self._chains
        return self._poses(first), self._poses(second)

    @cached_property
    def second(self) -> Transform:
        """The second frame as the last common body sees it."""
        poses = self._placed[1]
        return (poses[-1] if poses else HERE) @ self.closure.other_placement.transform

    @cached_property
    def relative(self) -> Transform:
        """The first frame as the second sees it."""
        poses = self._placed[0]
        return self.second.inverse @ ((poses[-1] if poses else HERE) @ self.closure.placement.transform)

    @property
    def gap(self) -> list[Scalar]:
        slides, turns = STOPPED[self.closure.kind]
        p = dict(zip("xyz", self.relative.p, strict=True))
        x, z = self.relative.R @ X_AXIS, self.relative.R @ Z_AXIS
        # R = 1 + w x for small w; of a pin the first two make the z axes one.
        turned = {"x": -z.y, "y": z.x, "z": x.y}
        return [p[axis] for axis in slides] + [turned[axis] for axis in turns]

    @property
    def faces(self) -> Scalar:
        """The least cosine between axes that the closure makes parallel; negative where they are opposite."""
        turns = STOPPED[self.closure.kind][1]
        x, z = (self.relative.R @ X_AXIS).x, (self.relative.R @ Z_AXIS).z
        return np.minimum(z if turns else 1.0, x if "z" in turns else 1.0)

    @cached_property
    def _columns(self) -> list[tuple[int, int, Motion]]:
        """(joint, rate, motion per rate at the origin and in the axes of the last common body)."""
        columns = []
        for chain, poses in zip(self._chains, self._placed, strict=True):
            for i, X in zip(chain, poses, strict=True):
                columns += [(i, k, X.to_parent(s)) for k, s in enumerate(self.tree.joints[i].motion.columns)]
        return columns

    def _chosen(self, linear: Vec3, angular: Vec3) -> list[Scalar]:
        slides, turns = STOPPED[self.closure.kind]
        v, w = dict(zip("xyz", linear, strict=True)), dict(zip("xyz", angular, strict=True))
        return [v[axis] for axis in slides] + [w[axis] for axis in turns]

    def _seen(self, motion: Motion) -> list[Scalar]:
        seen = self.second.to_child(motion)
        return self._chosen(seen.v + seen.w.cross(self.relative.p), seen.w)

    @cached_property
    def rows(self) -> list[Row]:
        rows: list[Row] = [{} for _ in range(self.closure.rows)]
        outward = set(self._chains[0])
        for i, k, column in self._columns:
            for row, x in zip(rows, self._seen(column), strict=True):
                if not is_exactly(x, 0):
                    row[i, k] = x if i in outward else -x
        return rows

    def drift(self, a: PerJoint, b: PerJoint) -> list[Scalar]:
        """Return dJ/dt b: an axis moves with its body, and the second frame turns and moves."""
        (v1a, v1b, acc1), (v2a, v2b, acc2) = (self._swept(chain, a, b) for chain in self._chains)
        relative_a, relative_b = self.second.to_child(v1a - v2a), self.second.to_child(v1b - v2b)
        acceleration = self.second.to_child(acc1 - acc2 - v2a.cross(v1b - v2b))
        p = self.relative.p
        moved = relative_a.v + relative_a.w.cross(p)
        linear = acceleration.v + acceleration.w.cross(p) + relative_b.w.cross(moved)
        return self._chosen(linear, acceleration.w)

    def _swept(self, chain: Sequence[int], a: PerJoint, b: PerJoint) -> tuple[Motion, Motion, Motion]:
        """Return the motion of the last body of a chain at rates a and at rates b, and d/dt of the second along a."""
        va = vb = rate = REST
        by_joint: dict[int, list[tuple[int, Motion]]] = {}
        for i, k, column in self._columns:
            by_joint.setdefault(i, []).append((k, column))
        for i in chain:
            own_a, own_b = (_combined(by_joint[i], rates[i]) for rates in (a, b))
            va, vb = va + own_a, vb + own_b
            rate = rate + va.cross(own_b)
        return va, vb, rate


def _combined(columns: Sequence[tuple[int, Motion]], rates: Sequence[Scalar]) -> Motion:
    total = REST
    for k, column in columns:
        total = total + column * rates[k]
    return total


@dataclass(frozen=True, eq=False)
class _Rolling:
    tree: Tree
    row: RateRow
    Q: PerJoint

    def _positions(self, names: Sequence[str]) -> dict[str, Scalar]:
        return {name: self.Q[_index(self.tree, name)][0] for name in names}

    @cached_property
    def rows(self) -> list[Row]:
        return [{(i, 0): law.at(self._positions(law.positions)) for i, law in self.row.terms}]

    def drift(self, a: PerJoint, b: PerJoint) -> list[Scalar]:
        total: Scalar = 0
        for i, law in self.row.terms:
            for name in law.positions:
                slope = law.slope(name)
                total = total + slope.at(self._positions(slope.positions)) * a[_index(self.tree, name)][0] * b[i][0]
        return [total]


@dataclass(frozen=True)
class _Held:
    joint: int
    rate: int

    @property
    def rows(self) -> list[Row]:
        return [{(self.joint, self.rate): 1}]

    def drift(self, a: PerJoint, b: PerJoint) -> list[Scalar]:
        return [0]


def _index(tree: Tree, name: str) -> int:
    return next(i for i, joint in enumerate(tree.joints) if joint.name == name)
