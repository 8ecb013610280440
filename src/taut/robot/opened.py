"""A robot with loops and cams seen as a tree whose joints all move, and conditions that tie them.

The rates u of the opened tree are those of all joints that follow none at a constant ratio: dependent joints of
closures and followers of cams have rates of their own. Conditions tie them,

.. math:: g(q) = 0, \\qquad J(q)\\,u = 0, \\qquad J \\dot u + d(q, u) = 0

in this order: closures, rolling, cams. No coordinates are chosen, so no position is singular because of the choice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from taut.robot.closures import Loops
from taut.robot.coordinates import Spread
from taut.robot.parts import Mimic
from taut.robot.tree import Tree
from taut.spatial import Scalar


@dataclass(frozen=True)
class Opened:
    """A robot and its opened tree.

    Attributes:
        robot: the robot.
    """

    robot: Tree

    @cached_property
    def cams(self) -> tuple[Mimic, ...]:
        """The joints that follow others by a law."""
        return tuple(mimic for mimic in self.robot.mimics if mimic.law is not None)

    @cached_property
    def tree(self) -> Tree:
        """The tree without closures, rolling and cams."""
        return replace(self.robot, loops=Loops(), mimics=tuple(m for m in self.robot.mimics if m.law is None))

    @cached_property
    def _tied(self) -> Tree:
        """The opened tree with all closures and rolling, active or not, and every rate independent."""
        loops = self.robot.settled_loops
        closures = tuple(replace(c, active=True) for c in loops.closures)
        rows = tuple(replace(row, active=True) for row in loops.rate_rows)
        return replace(self.tree, loops=replace(loops, closures=closures, rate_rows=rows, pivots=(), held=()))

    # -- conditions -------------------------------------------------------------------

    @cached_property
    def owners(self) -> tuple[str, ...]:
        """The loop that every row of J belongs to; of cams the follower's name."""
        loops = self.robot.loops
        closing = [c.name for c in loops.closures for _ in range(c.rows)]
        return (*closing, *(row.name for row in loops.rate_rows), *(self._name(m.joint) for m in self.cams))

    @cached_property
    def closing(self) -> np.ndarray:
        """Which rows have a gap: those of closures and cams; rolling has none."""
        rolling = {row.name for row in self.robot.loops.rate_rows}
        return np.array([owner not in rolling for owner in self.owners], dtype=bool)

    def conditions(
        self, q: Sequence[Scalar], u: Sequence[Scalar]
    ) -> tuple[list[Scalar], list[list[Scalar]], list[Scalar]]:
        """Return g of the rows that have a gap, J by rows, and d, on any scalars."""
        at = Spread(self._tied, q)
        rates = at.rates(u)
        gaps, rows = list(at.conditions.gaps), list(at.own_rows)
        drift = at.conditions.drift(rates, rates)
        for mimic in self.cams:
            [x], [y], [v] = at.positions[mimic.leader], at.positions[mimic.joint], rates[mimic.leader]
            row: list[Scalar] = [0] * self.tree.nv
            row[self._rate[mimic.joint]], row[self._rate[mimic.leader]] = 1, -mimic.ratio(x)
            gaps.append(y - mimic.position(x))
            rows.append(row)
            drift.append(-mimic.curvature(x) * v * v)
        return gaps, rows, drift

    @cached_property
    def _rate(self) -> dict[int, int]:
        """{joint of the opened tree: its first rate}."""
        starts, at = {}, 0
        for i in self.tree.own:
            starts[i], at = at, at + self.tree.joints[i].motion.nv
        return starts

    def _name(self, joint: int) -> str:
        return self.robot.joints[joint].name

    # -- coordinates --------------------------------------------------------------------

    @cached_property
    def independent(self) -> list[int]:
        """Which of the rates u are the robot's qd."""
        own = [self._rate[i] + k for i in self.robot.own for k in range(self.robot.joints[i].motion.nv)]
        return [own[k] for k in self.robot.independent_rates]

    @cached_property
    def kept(self) -> list[int]:
        """Which positions of the opened tree are the robot's q."""
        found: list[int] = []
        at = 0
        for i in self.tree.own:
            width = self.tree.joints[i].motion.nq
            found += range(at, at + width) if i in self.robot.own else ()
            at += width
        return found

    @cached_property
    def held(self) -> list[int]:
        """Rates u of idle spins, which stay at zero."""
        return [self._rate[i] + k for i, k in self.robot.settled_loops.held]

    def wide(self, q: np.ndarray, qd: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return positions and rates of the opened tree at one state (nq), (nv) of the robot."""
        at = Spread(self.robot, q.tolist())
        positions, rates = at.positions, at.rates(qd.tolist())
        flat = ([float(x) for i in self.tree.own for x in parts[i]] for parts in (positions, rates))
        return np.array(next(flat)), np.array(next(flat))
