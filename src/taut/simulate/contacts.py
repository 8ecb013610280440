"""Joint stops and dry friction: which rows hold, when that changes, and the jump of the rates at a stop.

Between events the set of rows that hold is constant: their accelerations are zero exactly, by forces lambda,

.. math:: M \\ddot q + b = \\tau - A_s^T f + A_h^T \\lambda, \\qquad A_h \\ddot q = 0

with the dry friction f of the rows that slide. An event ends it: a sliding row comes to rest, a holding force reaches
its bound, or a joint reaches a stop. Which rows hold from then on is one box-constrained problem over all rows at rest
[Moreau 1988, Unilateral contact and dry friction; Pfeiffer, Glocker 1996]. At a stop an impulse acts through the whole
mass matrix: the joint leaves with the restitution times its speed, all rates jump, and joints that rest on other stops
take their share. Impacts slower than ``rest_speed`` end at rest.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from taut.errors import InputError
from taut.simulate.box import box_problem, shared
from taut.simulate.integrators import Rates, State
from taut.simulate.plant import Plant
from taut.simulate.rows import DryRow
from taut.simulate.torques import refuse_infinite

MOST_EVENTS = 1000
"""Events at one time or in one step beyond which a motion is taken for one that cannot be continued."""

NO_RATE = 1e-12
"""Rate of a row over several joints that counts as rest [rad/s or m/s]."""

BOUND_SLACK = 1e-9
"""Part of a bound by which a holding force may exceed it before the row lets go."""

Step = Callable[[Callable[[float, State], Rates], float, State, Rates, float], State]
"""(field, t, state, its rates, step) -> the state after the step."""


class Event(NamedTuple):
    """Something that happened: when, what (``stop``, ``stick``, ``slip``, ``rest`` or a user's) and where."""

    t: float
    what: str
    joint: str


class Contacts:
    """The rows of a robot with what holds at the moment.

    Args:
        plant: the robot's smooth part.
        rows: where dry friction or stops act.
        restitution: of the stops, 0 to 1.
        rest_speed: of impacts that end at rest [rad/s or m/s].
    """

    def __init__(self, plant: Plant, rows: Sequence[DryRow], restitution: float, rest_speed: float) -> None:
        self.plant, self.rows, self.restitution, self.rest_speed = plant, rows, restitution, rest_speed
        self.A = np.array([row.along for row in rows]).reshape(len(rows), plant.tree.nv)
        self.level = np.array([max(row.level, 0.0) for row in rows])
        self.single = [-1 if plant.tied else row.single for row in rows]
        self.slack = np.array([0.0 if s >= 0 else NO_RATE for s in self.single])
        self.direction = np.ones(len(rows), dtype=int)
        """1 or -1 for a row that slides that way, 0 for one that holds."""
        self.touch = np.zeros(len(rows), dtype=int)
        """-1 or 1 for a row at its lower or upper stop."""
        self.events: list[Event] = []

    @property
    def names(self) -> list[str]:
        """What the guards belong to."""
        return [row.joint for row in self.rows]

    # -- the motion between events ------------------------------------------------

    def __call__(self, t: float, y: State) -> Rates:
        """Return the time derivatives with the rows that hold."""
        return self._forces(t, y)[0]

    def _forces(self, t: float, y: State) -> tuple[Rates, np.ndarray]:
        """Return the time derivatives and the forces (m) of the rows that hold, zero elsewhere."""
        plant = self.plant
        plant.evaluations += 1
        tau, net = plant.torques(t, y.q, y.qd)
        net = self._with_friction(net, y.qd)
        held = np.flatnonzero(self.direction == 0).tolist()
        X = plant.accelerations(y.q, y.qd, net, self.A[held].T)
        qdd, force = X[:, 0], np.zeros(len(self.rows))
        if len(held):
            force[held] = -shared(self.A[held] @ X[:, 1:], self.A[held] @ qdd)
            qdd = qdd + X[:, 1:] @ force[held]
            qdd[[self.single[i] for i in held if self.single[i] >= 0]] = 0.0
        refuse_infinite("simulate", "acceleration becomes", t, qdd, plant.names)
        return Rates(y.qd, qdd, tau, net), force

    def _with_friction(self, net: np.ndarray, qd: np.ndarray) -> np.ndarray:
        rates = self.A @ qd
        for i in np.flatnonzero((self.direction != 0) & (self.level > 0)).tolist():
            net = net - self.A[i] * self.rows[i].friction(rates[i], int(self.direction[i]))
        return net

    def held_still(self, y: State) -> State:
        """Return a state that satisfies the loops and in which joints that hold have no speed, to the last bit."""
        if self.plant.tied:
            return self.plant.projected(y, self.A[self.direction == 0])
        still = [self.single[i] for i in np.flatnonzero(self.direction == 0).tolist() if self.single[i] >= 0]
        if not np.any(y.qd[still]):
            return y
        qd = y.qd.copy()
        qd[still] = 0.0
        return State(y.q, qd, y.work)

    def slopes(self, q: np.ndarray, qd: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return dL/dqd and dL/dq of the Lagrangian."""
        return self.plant.slopes(q, qd)

    def solved(self, q: np.ndarray, p: np.ndarray) -> np.ndarray:
        """Return the rates of a momentum p, with the impulses that keep the rows that hold at rest."""
        held = np.flatnonzero(self.direction == 0).tolist()
        X = self.plant.responses(q, np.column_stack([p, self.A[held].T]))
        if not held:
            return np.asarray(X[:, 0])
        impulse = shared(self.A[held] @ X[:, 1:], self.A[held] @ X[:, 0])
        return self.held_still(State(q, X[:, 0] - X[:, 1:] @ impulse, np.zeros(()))).qd

    def bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the least and the largest force of each row: dry friction, and the stop it touches."""
        lower, upper = -self.level, self.level.copy()
        lower[self.touch > 0], upper[self.touch < 0] = -np.inf, np.inf
        return lower, upper

    def guards(self, t: float, y: State) -> np.ndarray:
        """Return numbers that are negative after an event: sliding rates, forces within bounds, distance to stops."""
        rates, values = self.A @ y.qd, []
        lower, upper = self.bounds()
        holding = (self.direction == 0).any()
        force = self._forces(t, y)[1] if holding else np.zeros(len(self.rows))
        for i, row in enumerate(self.rows):
            if self.direction[i] == 0:
                slack = BOUND_SLACK * (self.level[i] + 1e-3)
                values += [np.inf, min(force[i] - lower[i], upper[i] - force[i]) + slack]
            else:
                sliding = self.direction[i] * rates[i] + self.slack[i]
                values += [sliding if self.level[i] > 0 else np.inf, np.inf]
            near = row.place >= 0 and self.touch[i] == 0
            values.append(min(y.q[row.place] - row.lower, row.upper - y.q[row.place]) if near else np.inf)
        return np.array(values)

    # -- events -------------------------------------------------------------------

    def settle(self, t: float, y: State) -> State:
        """Decide which of the rows at rest hold; the others slide the way they start to move."""
        rates = self.A @ y.qd
        moving = np.abs(rates) > self.slack
        self.direction = np.where(moving, np.sign(rates), 1).astype(int)
        away = (self.touch * rates < 0) & moving
        self.touch[away] = 0
        resting = np.flatnonzero(~moving & ((self.level > 0) | (self.touch != 0)))
        if len(resting):
            sliding = self.direction.copy()
            self.direction[resting] = 0  # their friction is what is looked for
            net = self._with_friction(self.plant.torques(t, y.q, y.qd)[1], y.qd)
            X = self.plant.accelerations(y.q, y.qd, net, self.A[resting].T)
            lower, upper = self.bounds()
            W = self.A[resting] @ X[:, 1:]
            _, place = box_problem(W, self.A[resting] @ X[:, 0], lower[resting], upper[resting])
            sliding[resting] = -place  # at its lower bound a force opposes motion in the positive direction
            self.direction = sliding
            self.touch[(self.direction * self.touch < 0)] = 0
        return y

    def start(self, t: float, y: State) -> State:
        """Return the state at the beginning, with the joints at stops noticed; one that moves into its stop hits it."""
        for i, row in enumerate(self.rows):
            if row.place >= 0 and y.q[row.place] in (row.lower, row.upper):
                self.touch[i] = -1 if y.q[row.place] == row.lower else 1
        if self.touch.any():
            y = State(y.q, self._impact(y.q, y.qd), y.work)
        return self.settle(t, y)

    def handle(self, t: float, y: State, late: np.ndarray) -> State:
        """Return the state after the events whose guards are negative, with new sets of rows."""
        signs = late.reshape(-1, 3) < 0
        qd, q = y.qd.copy(), y.q.copy()
        for i in np.flatnonzero(signs[:, 0]).tolist():
            if self.single[i] >= 0:
                qd[self.single[i]] = 0.0
            else:
                qd = qd - self._push(q, [i]) @ (self.A[[i]] @ qd)
        hits = np.flatnonzero(signs[:, 2]).tolist()
        work = y.work
        if len(hits):
            for i in hits:
                row = self.rows[i]
                low = q[row.place] - row.lower < row.upper - q[row.place]
                self.touch[i] = -1 if low else 1
                q[row.place] = row.lower if low else row.upper
                self.events.append(Event(t, "stop", row.joint))
            after = self._impact(q, qd)
            M = self.plant.matrix(q)
            work = work + (after @ M @ after - qd @ M @ qd) / 2
            qd = after
        return self.renewed(t, State(q, qd, work))

    def renewed(self, t: float, y: State) -> State:
        """Decide anew which rows hold, after an event or where the torque jumps, and note what changes."""
        before = self.direction == 0
        y = self.settle(t, y)
        holds = self.direction == 0
        for i in np.flatnonzero(holds != before).tolist():
            kind = ("rest" if self.touch[i] else "stick") if holds[i] else "slip"
            self.events.append(Event(t, kind, self.rows[i].joint))
        return y

    def _push(self, q: np.ndarray, rows: list[int]) -> np.ndarray:
        """Return M^-1 A^T (A M^-1 A^T)^-1: the jump of all rates for a unit jump of the rows' rates."""
        X = self.plant.responses(q, self.A[rows].T)
        return np.asarray(X @ np.linalg.pinv(self.A[rows] @ X))

    def _impact(self, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        """Return the rates after the impulses of all stops that are touched."""
        at = np.flatnonzero(self.touch != 0)
        inward = -self.touch[at][:, None] * self.A[at]
        X = self.plant.responses(q, inward.T)
        speed = inward @ qd
        back = np.where(speed < -self.rest_speed, self.restitution, 0.0)
        impulse, _ = box_problem(inward @ X, (1 + back) * speed, np.zeros(len(at)), np.full(len(at), np.inf))
        after = qd + X @ impulse
        for i, e, p in zip(at, back, impulse, strict=True):
            if p > 0 and e == 0 and self.single[i] >= 0:
                after[self.single[i]] = 0.0
        tiny = np.abs(after) < 1e-14 * np.abs(after - qd).max(initial=0.0)
        after[tiny] = 0.0
        return np.asarray(after)

    def advance(self, step: Step, t: float, y: State, h: float) -> State:
        """Return the state after h, with every event on the way at its time."""
        end = t + h
        for count in itertools.count(1):
            one, left = self(t, y), end - t
            after = self.held_still(step(self, t, y, one, left))
            late = self.guards(end, after)
            if not (late < 0).any():
                return after

            def tried(s: float, y: State = y, one: Rates = one, t: float = t) -> tuple[State, np.ndarray]:
                there = self.held_still(step(self, t, y, one, s))
                return there, self.guards(t + s, there)

            s, after, late = first_event(tried, left, after, late)
            t += s
            y = self.handle(t, after, late)
            if end - t <= 1e-13 * max(abs(end), h):
                return y
            self.refuse_crowd(count, t, late)
        raise AssertionError("unreachable")

    def refuse_crowd(self, count: int, t: float, late: np.ndarray) -> None:
        """Raise an error where too many events come at once."""
        if count > MOST_EVENTS:
            name = self.names[int(np.argmin(late)) // 3]
            advice = "take a smaller step, or a larger rest_speed"
            raise InputError(f"more than {MOST_EVENTS} events of '{name}' at t = {t:.9g} s", "simulate", advice)


def first_event(
    tried: Callable[[float], tuple[State, np.ndarray]], h: float, after: State, late: np.ndarray
) -> tuple[float, State, np.ndarray]:
    """Return the first time at which a guard is negative, the state there and its guards, by bisection and secants."""
    low, high = 0.0, h
    value_low: float | None = None
    for k in range(60):
        if high - low <= 4e-16 * h + 1e-15:
            break
        worst = float(late[late < 0].min())
        middle = (low + high) / 2
        if value_low is not None and k % 3:  # a secant, kept off the ends
            ahead = low + (high - low) * value_low / (value_low - worst) * (1 + 1e-9)
            middle = min(max(ahead, low + 1e-3 * (high - low)), high - 1e-3 * (high - low))
        there, guards = tried(middle)
        if (guards < 0).any():
            high, after, late = middle, there, guards
        else:
            low = middle
            falling = late < 0
            value_low = float(guards[falling].min())
            value_low = value_low if np.isfinite(value_low) else None
        if np.all(late[late < 0] > -1e-14):
            break
    return high, after, late
