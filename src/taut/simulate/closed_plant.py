"""The plant of a robot with loops or cams: the opened tree, its accelerations those that the conditions allow.

.. math:: M \\dot u + h = f + J^T \\lambda, \\qquad J \\dot u + d = 0

over the rates u of :class:`taut.robot.opened.Opened`. The columns of N span what J takes to zero, so J^T drops out,

.. math:: \\dot u = a + K (f - h - M a), \\qquad J a = -d, \\qquad K = N (N^T M N)^{-1} N^T

which is the KKT system solved exactly [RBDA 8.2], with rates scaled to a unit diagonal of M and rows of J to unit
length. After every step positions are brought back onto g(q) = 0 by Newton steps, and rates onto J u = 0 by K M u, the
nearest ones in the metric of M; where a loop closes, the same jump is the impulse without rebound.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from taut.errors import InputError
from taut.robot import Tree, states
from taut.robot.opened import Opened
from taut.simulate.integrators import State
from taut.simulate.parts import conditions
from taut.simulate.plant import Acting, Plant

RANK = 1e-9
"""Singular value of the scaled conditions, relative to the largest, below which a combination of rows is redundant."""

NEAR = 1e-14
"""Gap [m or rad] at which Newton steps of the projection end."""

STEPS = 8
"""Newton steps of the projection; a step of an integrator leaves gaps that one or two of them close."""

LOST = 1e-10
"""Gap [m or rad] that the projection must reach."""

TURNED = 1e-6
"""Gap of a turning row [rad] with which a loop may be closed."""


class _Split(NamedTuple):
    """The rates that the conditions allow: columns of N; J for its transpose; a particular acceleration."""

    N: np.ndarray
    M: np.ndarray
    a: np.ndarray
    rank: int

    def allowed(self, columns: np.ndarray) -> np.ndarray:
        """Return K times columns."""
        return np.asarray(self.N @ np.linalg.solve(self.N.T @ self.M @ self.N, self.N.T @ columns))


@dataclass(frozen=True)
class _Scaled:
    """J with rates and rows scaled, decomposed."""

    left: np.ndarray
    values: np.ndarray
    right: np.ndarray
    rates: np.ndarray
    rows: np.ndarray

    @property
    def rank(self) -> int:
        return int(np.sum(self.values > RANK * max(float(self.values[0]), 1e-300))) if len(self.values) else 0

    def least(self, wanted: np.ndarray, rank: int) -> np.ndarray:
        """Return the shortest scaled rates u with J u = wanted."""
        inside = (self.left[:, :rank].T @ (wanted * self.rows)) / self.values[:rank]
        return np.asarray(self.rates * (self.right[:rank].T @ inside))


class ClosedPlant(Plant):
    """Time derivatives of the opened tree's state.

    Args:
        robot: the robot with loops or cams, without symbols.
        acting: torques, losses and wrenches.
    """

    tied = True

    def __init__(self, robot: Tree, acting: Acting) -> None:
        self.opened = Opened(robot)
        super().__init__(self.opened.tree, acting)
        self._conditions = conditions(robot).compile()
        self._owners = np.array(self.opened.owners)
        self._aim = np.zeros(int(self.opened.closing.sum()))
        self._idle = np.eye(self.tree.nv)[self.opened.held]
        self._rank: int | None = None
        self._shut = {closure.name for closure in robot.loops.closures if closure.active}
        self._shut |= {row.name for row in robot.loops.rate_rows if row.active}
        self._shut |= {robot.joints[mimic.joint].name for mimic in self.opened.cams}
        self._active = self._marked()

    # -- what the robot's user sees ---------------------------------------------------

    @property
    def independent(self) -> list[int]:
        """Which of the rates that move are the robot's qd."""
        return self.opened.independent

    def seen(self, y: State) -> tuple[np.ndarray, np.ndarray]:
        """Return the robot's q and qd."""
        return y.q[self.opened.kept], y.qd[self.opened.independent]

    def start(self, q: np.ndarray, qd: np.ndarray) -> State:
        """Return the state of the opened tree at the robot's q and qd."""
        return self.projected(State(*self.opened.wide(q, qd), np.zeros(())))

    def torques(self, t: float, q: np.ndarray, qd: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the torques over the rates u, and what is left of them with losses and wrenches."""
        tau = np.zeros(self.tree.nv)
        asked = self.torque(t, q[self.opened.kept], qd[self.opened.independent]) if self.held is None else self.held
        tau[self.opened.independent] = self.convert(asked) if self.held is None else asked
        return tau, self.left_of(tau, t, q, qd)

    # -- accelerations ------------------------------------------------------------------

    def forward(self, q: np.ndarray, qd: np.ndarray, net: np.ndarray) -> np.ndarray:
        """Return the accelerations that the conditions allow."""
        return self.accelerations(q, qd, net, np.zeros((len(net), 0)))[:, 0]

    def accelerations(self, q: np.ndarray, qd: np.ndarray, net: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """Return accelerations under forces, and per unit of further forces, as columns."""
        split = self._split(q, qd)
        rest = net - self.bias(q, qd) - split.M @ split.a
        found = split.allowed(np.column_stack([rest, columns]))
        found[:, 0] += split.a
        return found

    def responses(self, q: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """Return the rates K p of momenta, as columns."""
        return self._split(q, np.zeros(self.tree.nv)).allowed(columns)

    def forces(self, y: State, qdd: np.ndarray, net: np.ndarray) -> dict[str, np.ndarray]:
        """Return the multipliers of least norm of every loop that holds, a number a row."""
        _, J, _ = self._rows(y.q, y.qd)
        M = self.matrix(y.q)
        scaled = _scaled(J, M)
        force = (M @ qdd + self.bias(y.q, y.qd) - net) * scaled.rates
        rank = scaled.rank
        found = scaled.rows * (scaled.left[:, :rank] @ ((scaled.right[:rank] @ force) / scaled.values[:rank]))
        owners = [*self._owners[self._active], *([""] * len(self._idle))]
        return {name: found[[k for k, owner in enumerate(owners) if owner == name]] for name in dict.fromkeys(owners)}

    def _marked(self) -> np.ndarray:
        """Return which rows hold."""
        return np.array([owner in self._shut for owner in self._owners], dtype=bool)

    def _rows(self, q: np.ndarray, u: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return g, J and d of the conditions that hold, idle spins among them."""
        found, n, m, g = self._conditions(q, u), self.tree.nv, len(self._owners), len(self._aim)
        active = self._active
        J, drift = found[g : g + m * n].reshape(m, n)[active], found[g + m * n :][active]
        gaps = (found[:g] - self._aim)[active[self.opened.closing]]
        return gaps, np.concatenate([J, self._idle]), np.concatenate([drift, np.zeros(len(self._idle))])

    def _split(self, q: np.ndarray, u: np.ndarray) -> _Split:
        _, J, drift = self._rows(q, u)
        M = self.matrix(q)
        scaled = _scaled(J, M)
        rank = scaled.rank if self._rank is None else min(self._rank, len(scaled.values))
        N = scaled.rates[:, None] * scaled.right[rank:].T
        return _Split(N, M, scaled.least(-drift, rank), rank)

    # -- onto the conditions --------------------------------------------------------------

    def projected(self, y: State, still: np.ndarray | None = None) -> State:
        """Return the nearest state that satisfies the conditions.

        Args:
            y: a state near them.
            still: further rows of rates that are at rest.
        """
        q = y.q
        for _ in range(STEPS):
            gaps, J, _ = self._rows(q, y.qd)
            if np.max(np.abs(gaps), initial=0.0) <= NEAR:
                break
            closing = np.concatenate([self.opened.closing[self._active], np.zeros(len(self._idle), bool)])
            scaled = _scaled(J[closing], self.matrix(q))
            q = self._moved(q, scaled.least(-gaps, scaled.rank))
        gaps, J, _ = self._rows(q, y.qd)
        worst = float(np.max(np.abs(gaps), initial=0.0))
        if not worst <= LOST:
            owners = self._owners[self._active & self.opened.closing]
            name = owners[int(np.argmax(np.abs(gaps)))]
            raise InputError(f"loop '{name}' cannot be kept closed", "simulate", "take a smaller step")
        if still is not None:
            J = np.concatenate([J, still])
        M = self.matrix(q)
        scaled = _scaled(J, M)
        if still is None or not len(still):
            self._refuse_singular(scaled.rank)
        N = scaled.rates[:, None] * scaled.right[scaled.rank :].T
        u = N @ np.linalg.solve(N.T @ M @ N, N.T @ (M @ y.qd))
        return State(q, u, y.work)

    def _moved(self, q: np.ndarray, change: np.ndarray) -> np.ndarray:
        return states.step(self.tree, q, change) if self.tree.quaternions else q + change

    def _refuse_singular(self, rank: int) -> None:
        """Raise an error where the conditions have a smaller rank than before: the motion is not determined."""
        if self._rank is not None and rank < self._rank:
            raise InputError(
                f"the loops are singular: {self._rank - rank} of their conditions vanish and the motion branches",
                "simulate",
                "start away from this position, or add a joint stop before it",
            )
        self._rank = rank

    # -- loops that open and close ---------------------------------------------------------

    def shut(self, name: str) -> bool:
        """Whether a loop holds."""
        return name in self._shut

    def switched(self, t: float, y: State, loops: Iterable[str]) -> State:
        """Return the state after loops open or close; one that closes stops its rates by an impulse without rebound."""
        for name in loops:
            if name in self._shut:
                self._shut.discard(name)
            else:
                self._close(name, t, y)
        self._active, self._rank = self._marked(), None
        after = self.projected(y)
        M = self.matrix(after.q)
        return State(after.q, after.qd, y.work + (after.qd @ M @ after.qd - y.qd @ M @ y.qd) / 2)

    def _close(self, name: str, t: float, y: State) -> None:
        """Note where a loop closes: a foot stays where it lands; axes must have turned to each other before."""
        self._shut.add(name)
        mine = self._owners[self.opened.closing] == name
        closures = {c.name: c for c in self.opened.robot.loops.closures}
        if name not in closures:
            return
        gaps = self._conditions(y.q, y.qd)[: len(self._aim)][mine]
        slides = closures[name].slides
        turned = float(np.max(np.abs(gaps[slides:]), initial=0.0))
        if turned > TURNED:
            raise InputError(
                f"loop '{name}' closes at t = {t:.9g} s with its axes {turned:.3g} rad apart",
                "simulate",
                "close it where they are parallel, or use a ball",
            )
        self._aim[mine] = np.concatenate([gaps[:slides], np.zeros(len(gaps) - slides)])


def _scaled(J: np.ndarray, M: np.ndarray) -> _Scaled:
    diagonal = np.diag(M)
    rates = 1 / np.sqrt(np.where(diagonal > 0, diagonal, 1.0))
    scaled = J * rates
    lengths = np.linalg.norm(scaled, axis=1)
    rows = np.where(lengths > 0, 1 / np.where(lengths > 0, lengths, 1.0), 0.0)
    left, values, right = np.linalg.svd(scaled * rows[:, None], full_matrices=True)
    return _Scaled(left, values, right, rates, rows)
