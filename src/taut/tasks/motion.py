"""Motions along which tasks are tried: Fourier series drawn within a robot's limits, and tables of files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from taut.errors import InputError
from taut.reduce.scenario import Scenario
from taut.trajectory.trajectory import Trajectory

HARMONICS = 5
DRAWS = 400
"""Times that a series is drawn anew before the accelerations of a scenario are given up."""


class States(NamedTuple):
    """Positions, rates and accelerations, each (..., joints)."""

    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray


class Motion(Protocol):
    """A motion of all joints."""

    @property
    def duration(self) -> float:
        """How long it takes [s]."""

    @property
    def period(self) -> float:
        """After which :meth:`repeated` begins again [s]."""

    def repeated(self, t: np.ndarray) -> States:
        """Return the state at times (N) of the motion over and over, for its spectrum."""

    def at(self, t: np.ndarray) -> States:
        """Return the state at times (N), also a little before the beginning."""


@dataclass(frozen=True)
class Fourier:
    """A periodic motion q_j = q0_j + sum_k a_jk sin(k w t) + b_jk cos(k w t).

    Attributes:
        middle: q0 (joints).
        a: sines (joints, harmonics).
        b: cosines (joints, harmonics).
        frequency: w [rad/s].
    """

    middle: np.ndarray
    a: np.ndarray
    b: np.ndarray
    frequency: float

    @property
    def duration(self) -> float:
        """One period [s]."""
        return float(2 * np.pi / self.frequency)

    @property
    def period(self) -> float:
        """Its period [s]."""
        return self.duration

    def repeated(self, t: np.ndarray) -> States:
        """Return the state at times (N)."""
        return self.at(t)

    def at(self, t: np.ndarray) -> States:
        """Return the state at times (N)."""
        k = self.frequency * np.arange(1, self.a.shape[1] + 1)
        s, c = np.sin(np.outer(t, k)), np.cos(np.outer(t, k))
        q = self.middle + s @ self.a.T + c @ self.b.T
        qd = (c * k) @ self.a.T - (s * k) @ self.b.T
        qdd = -(s * k * k) @ self.a.T - (c * k * k) @ self.b.T
        return States(q, qd, qdd)


@dataclass(frozen=True)
class Table:
    """A motion of a file, between its samples by cubic polynomials through positions and rates."""

    samples: Trajectory

    @property
    def duration(self) -> float:
        """From the first sample to the last [s]."""
        return float(self.samples.t[-1] - self.samples.t[0])

    @property
    def period(self) -> float:
        """There and back [s]."""
        return 2 * self.duration

    def repeated(self, t: np.ndarray) -> States:
        """Return the state at times (N) of the motion there and back, over and over."""
        there = t % self.period
        back = there > self.duration
        q, qd, qdd = self.at(np.where(back, self.period - there, there))
        return States(q, np.where(back[:, None], -qd, qd), qdd)

    def at(self, t: np.ndarray) -> States:
        """Return the state at times (N) after the first sample; before it the robot stands there."""
        known = self.samples
        t = np.clip(t + known.t[0], known.t[0], known.t[-1])
        k = np.clip(np.searchsorted(known.t, t, side="right") - 1, 0, len(known.t) - 2)
        h = (known.t[k + 1] - known.t[k])[:, None]
        x = (t - known.t[k])[:, None] / h
        q0, q1, v0, v1 = known.q[k], known.q[k + 1], h * known.qd[k], h * known.qd[k + 1]
        c2, c3 = 3 * (q1 - q0) - 2 * v0 - v1, 2 * (q0 - q1) + v0 + v1
        q = q0 + x * (v0 + x * (c2 + x * c3))
        qd = (v0 + x * (2 * c2 + 3 * x * c3)) / h
        qdd = known.qdd[k] * (1 - x) + known.qdd[k + 1] * x
        return States(q, qd, qdd)


def random_fourier(scenario: Scenario, rng: np.random.Generator) -> Fourier:
    """Return a Fourier series within ranges of motion; one joint just reaches the limit of its rate.

    Args:
        scenario: ranges of positions, rates and accelerations.
        rng: draws amplitudes and phases.
    """
    low, high = np.array(scenario.q, dtype=float).T
    fastest = np.abs(np.array(scenario.qd, dtype=float)).max(axis=1)
    most = np.abs(np.array(scenario.qdd, dtype=float)).max(axis=1)
    grid = np.linspace(0, 2 * np.pi, 1500, endpoint=False)
    for _ in range(DRAWS):
        a, b = rng.normal(size=(2, len(low), HARMONICS)) / np.arange(1, HARMONICS + 1) ** 2
        shape = Fourier(np.zeros(len(low)), a, b, 1.0)
        q = shape.at(grid).q
        span = q.max(axis=0) - q.min(axis=0)
        size = rng.uniform(0.2, 0.98, len(low)) * (high - low) / span
        room = (high - low) - size * span
        middle = low + rng.uniform(0, 1, len(low)) * room - size * q.min(axis=0)
        unit = Fourier(middle, a * size[:, None], b * size[:, None], 1.0)
        states = unit.at(grid)
        frequency = float((fastest / np.abs(states.qd).max(axis=0)).min())
        if np.all(np.abs(states.qdd).max(axis=0) * frequency**2 <= most):
            return Fourier(middle, unit.a, unit.b, frequency)
    raise InputError("no motion reaches a limit of the rates", "scenario", "allow larger accelerations")
