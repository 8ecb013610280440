"""The torque error of values that are older than the accelerations they meet: measured and bounded.

The synchronous task computes M(q_s) qdd + h(q_s, qd_s) with values of a time s that is up to an age A before its own:

.. math:: e = [M(q_t) - M(q_s)]\\,\\ddot q_t + h(q_t, \\dot q_t) - h(q_s, \\dot q_s)

.. math:: |e_i| \\le A \\Bigl(\\sum_j \\max|\\dot M_{ij}|\\,\\max|\\ddot q_j| + \\max|\\dot h_i|\\Bigr)

by the mean value theorem, with Mdot = sum_k dM/dq_k qd_k and hdot = dh/dq qd + dh/dqd qdd. Along a motion the greatest
values are its own; over ranges of motion they come from interval arithmetic and hold for every motion inside.
Friction is left out: it jumps where a joint turns back, by twice the Coulomb friction, whatever the age.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from taut.derive.function import Function
from taut.errors import InputError
from taut.graph import Graph
from taut.graph.derivative import tangent
from taut.graph.evaluate import Arithmetic
from taut.graph.lower import lower
from taut.graph.program import Program
from taut.graph.split import split
from taut.graph.stage import Stage
from taut.reduce.interval import Interval, boxes
from taut.reduce.scenario import Scenario
from taut.tasks.motion import Motion, States

SAMPLES = 600
"""Moments of a motion at which it is looked at."""

BOXES = 4096
"""Boxes that the joint ranges are cut into."""

INTERVALS = Arithmetic(
    lambda x: Interval.exactly(float(x)),
    lambda x, exponent: x**exponent,
    {"sin": lambda x: Interval.exactly(x).sin(), "cos": lambda x: Interval.exactly(x).cos()},
)


class Known(NamedTuple):
    """A program of a state alone, and the numbers in it that were computed before."""

    program: Program
    numbers: Mapping[str, float]

    @classmethod
    def of(cls, program: Program, values: Mapping[str, float]) -> Known:
        """Return a program with what waits for parameters alone computed from their values."""
        before, carried, after = split(program, Stage.PARAMETER)
        return cls(after, {one.name: float(x) for one, x in zip(carried, before.evaluate(values), strict=True)})


@dataclass(frozen=True)
class Stale:
    """M and h of a robot with how fast they change, as functions of q, qd and qdd.

    Attributes:
        joints: number n of rates.
        values: entries of M row by row, then h.
        rates: their time derivatives.
    """

    joints: int
    values: Known
    rates: Known

    @classmethod
    def of(cls, function: Function) -> Stale:
        """Return them from the derived ``mass_matrix+bias`` of a robot with joints of one axis each."""
        n = len(function.arguments["qd"])
        if len(function.arguments["q"]) != n:
            raise InputError("a free joint", "staleness", "give the base a fixed place")
        if function.run_time:
            raise InputError("parameters that are read at run time", "staleness", "give them values")
        graph = Graph()
        nodes = function.program.trace(graph)
        q, qd, qdd = (
            [graph.symbol(f"{name}{k + 1}", stage) for k in range(n)]
            for name, stage in (("q", Stage.CONFIGURATION), ("qd", Stage.VELOCITY), ("qdd", Stage.ACCELERATION))
        )
        changes = tangent(nodes, dict(zip([*q, *qd], [*qd, *qdd], strict=True)))
        return cls(n, Known.of(lower(nodes), function.values), Known.of(lower(changes), function.values))

    # -- measured -----------------------------------------------------------------

    def measured(self, motion: Motion, age: float) -> np.ndarray:
        """Return the largest torque error of every joint along a motion with values up to an age old [N m or N]."""
        t = np.linspace(0, motion.duration, SAMPLES)
        now = motion.at(t)
        fresh = self._torque(now, now.qdd)
        errors = [np.abs(self._torque(motion.at(t - part * age), now.qdd) - fresh) for part in (0.5, 1.0)]
        return np.max(errors, axis=(0, 1))

    def _torque(self, held: States, qdd: np.ndarray) -> np.ndarray:
        found = self._evaluated(self.values, held)
        n = self.joints
        return np.einsum("tij,tj->ti", found[:, : n * n].reshape(-1, n, n), qdd) + found[:, n * n :]

    def _evaluated(self, known: Known, states: States) -> np.ndarray:
        symbols: dict[str, object] = dict(known.numbers)
        for name, rows in zip(("q", "qd", "qdd"), states, strict=True):
            symbols.update({f"{name}{k + 1}": rows[:, k] for k in range(self.joints)})
        return np.stack([np.broadcast_to(x, len(states.q)) for x in known.program.evaluate(symbols)], axis=1).astype(
            float
        )

    # -- bounded ------------------------------------------------------------------

    def bound_along(self, motion: Motion, age: float) -> np.ndarray:
        """Return a bound of the error of every joint from the greatest values along a motion itself.

        Between two moments a rate is at most the greater of the two plus half of the largest step between neighbours.
        """
        states = motion.at(np.linspace(-age, motion.duration, SAMPLES))
        rates = np.abs(self._evaluated(self.rates, states))
        greatest = rates.max(axis=0) + np.abs(np.diff(rates, axis=0)).max(axis=0) / 2
        return self._bound(greatest, np.abs(states.qdd).max(axis=0), age)

    def bound_within(self, scenario: Scenario, age: float) -> np.ndarray:
        """Return a bound of the error of every joint for all motions within ranges."""
        greatest = self._greatest_within(scenario)
        return self._bound(greatest, np.abs(np.array(scenario.qdd)).max(axis=1), age)

    def _bound(self, greatest: np.ndarray, accelerations: np.ndarray, age: float) -> np.ndarray:
        n = self.joints
        return age * (greatest[: n * n].reshape(n, n) @ accelerations + greatest[n * n :])

    def _greatest_within(self, scenario: Scenario) -> np.ndarray:
        """Return the greatest size of every rate over boxes of the joint ranges, by interval arithmetic."""
        cut = boxes(scenario.q, [name in self._angles for name in (f"q{k + 1}" for k in range(self.joints))], BOXES)
        symbols: dict[str, object] = {name: Interval.exactly(x) for name, x in self.rates.numbers.items()}
        for k in range(self.joints):
            symbols[f"q{k + 1}"] = cut[k]
            symbols[f"qd{k + 1}"] = Interval(*scenario.qd[k])
            symbols[f"qdd{k + 1}"] = Interval(*scenario.qdd[k])
        found = self.rates.program.evaluate(symbols, INTERVALS)
        return np.array([float(np.max(Interval.exactly(x).size)) for x in found])

    @cached_property
    def _angles(self) -> set[str]:
        """Positions that the rates depend on."""
        return {
            line.data for line in self.rates.program.lines if line.op == "input" and line.stage is Stage.CONFIGURATION
        }
