"""Which bodies lag: whose equations are written in a frame that has not turned with the joint.

What a lag saves depends on the bodies next to it, so that in a long robot it is judged on a window: the bodies that
lag, a few that carry them and a few that they carry, as a robot of their own. Windows that look alike are judged once,
and the time grows with the number of bodies.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from taut.derive.naming.model import DerivedRobot, tree_of
from taut.robot.placement import QuarterTurns
from taut.robot.screws import Screw
from taut.spatial import is_exactly

Lags = frozenset[int]

LONG = 24
"""Bodies from which lags are judged on windows."""

CARRIERS, CARRIED = 2, 1
"""Generations of bodies before and behind those that lag that are part of a window."""

Cost = Callable[[DerivedRobot, Sequence[Screw], Lags], int]
"""(robot, its bodies, those that lag) -> operations of a question."""


def may_lag(bodies: Sequence[Screw]) -> list[Lags]:
    """Return the bodies for which lagging can save operations, together or alone.

    Runs of parallel joints, with and without their last one, go first: what one of them gains, all of them share.
    Then each outermost body and each that carries nothing but parallel joints.
    """
    children = _children(bodies)
    runs = []
    for i, body in enumerate(bodies):
        if body.nv > 1 or (body.parent >= 0 and body.parallel and bodies[body.parent].nv == 1):
            continue  # not the first of a run
        run = [i]
        while following := [k for k in children.get(run[-1], []) if bodies[k].parallel]:
            run.append(following[0])
        if len(run) > 2:
            runs += [frozenset(run[:-1]), frozenset(run)]
    alone = [
        frozenset([i])
        for i, body in reversed(list(enumerate(bodies)))
        if body.pure_turn and all(bodies[k].parallel for k in children.get(i, []))
    ]
    return runs + alone


class Windows:
    """Judges the lags of a long robot on parts of it.

    Args:
        model: the robot; no joint of it follows another.
        cost: of a part.
    """

    def __init__(self, model: DerivedRobot, cost: Cost) -> None:
        self._model, self._cost = model, cost
        self._known: dict[Any, int] = {}

    def lags(self, bodies: Sequence[Screw]) -> Lags:
        """Return the lags that cost least, found greedily."""
        children = _children(bodies)
        lags = Lags()
        for some in may_lag(bodies):
            window = _window(bodies, children, some)
            if self._operations(bodies, window, lags ^ some) < self._operations(bodies, window, lags):
                lags ^= some
        return lags

    def _operations(self, bodies: Sequence[Screw], window: Sequence[int], lags: Lags) -> int:
        place = {i: k for k, i in enumerate(window)}
        part = [replace(bodies[i], parent=place.get(bodies[i].parent, -1)) for i in window]
        inside = frozenset(place[i] for i in lags if i in place)
        key = (inside, *map(_looks, part))
        if key not in self._known:
            self._known[key] = self._cost(self._robot(window, place, part), part, inside)
        return self._known[key]

    def _robot(self, window: Sequence[int], place: Mapping[int, int], part: Sequence[Screw]) -> DerivedRobot:
        tree = self._model.tree
        joints = (replace(tree.joints[i], parent=place.get(tree.joints[i].parent, -1)) for i in window)
        tree = tree_of(replace(tree, joints=tuple(joints), frames=()), part)
        return replace(self._model, tree=tree, screws=tuple(part))


def _window(bodies: Sequence[Screw], children: Mapping[int, Sequence[int]], some: Lags) -> list[int]:
    """Return the bodies around those that may lag, parents first."""
    found = set(some)
    at = min(some)
    for _ in range(CARRIERS):
        at = bodies[at].parent if at >= 0 else at
        found |= {at} if at >= 0 else set()
    edge = set(some)
    for _ in range(CARRIED):
        edge = {k for i in edge for k in children.get(i, ())}
        found |= edge
    return sorted(found)


def _looks(body: Screw) -> tuple[Any, ...]:
    """Return what decides the operations of a body: its joint, its right angles, which of its numbers are zero."""
    angles = (
        x.count % 4 if isinstance(x, QuarterTurns) else is_exactly(x, 0) for x in (body.phi, body.alpha, body.theta)
    )
    lengths = (is_exactly(x, 0) for x in (body.r, body.a, body.d, body.drive.rotor_inertia))
    return body.parent, body.kind, *angles, *lengths, *(is_exactly(x, 0) for x in body.moments.moments)


def _children(bodies: Sequence[Screw]) -> dict[int, list[int]]:
    children: dict[int, list[int]] = {}
    for i, body in enumerate(bodies):
        children.setdefault(body.parent, []).append(i)
    return children
