"""A controller as a computer runs it: at a period of its own, on measured values, its torque held in between."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.errors import InputError
from taut.robot import Tree


@dataclass(frozen=True)
class Sampled:
    """A sampled controller; integration restarts at each sample.

    At each sample positions are measured: ``noise`` is added, then they are rounded to ``encoder`` steps. The torque
    computed from them is cut off at the limits and rounded to the converter's steps, acts from ``delay`` later on,
    and is held until the next one arrives. Before the first arrives, the torque is zero.

    Attributes:
        torque: whatever ``simulate`` takes as torque: a control law or a function (t, q, qd) -> tau, or a table.
        period: between two samples [s].
        delay: from a sample to the moment its torque acts, of any length [s].
        encoder: steps of the measured positions [rad or m], one number or one a joint; 0 for none.
        noise: standard deviation of the measured positions [rad or m].
        rates: ``true``, or ``difference``: of the last two measured positions over the period, zero at the first.
        seed: of the noise.
    """

    torque: Any
    period: float
    delay: float = 0.0
    encoder: Any = 0.0
    noise: Any = 0.0
    rates: str = "true"
    seed: int = 0

    def __post_init__(self) -> None:
        if not (isinstance(self.period, int | float) and math.isfinite(self.period) and self.period > 0):
            raise InputError(f"the period is {self.period!r}", "Sampled", "give a number above 0 s")
        if not (isinstance(self.delay, int | float) and math.isfinite(self.delay) and self.delay >= 0):
            raise InputError(f"the delay is {self.delay!r}", "Sampled", "give a number of at least 0 s")
        if self.rates not in ("true", "difference"):
            raise InputError(f"rates {self.rates!r}", "Sampled", "use 'true' or 'difference'")
        for name in ("encoder", "noise"):
            values = np.asarray(getattr(self, name), dtype=float)
            if not (np.isfinite(values).all() and (values >= 0).all()):
                raise InputError(f"{name} is {getattr(self, name)!r}", "Sampled", "give numbers of at least 0")

    @property
    def queue(self) -> int:
        """Samples that wait for their time at most."""
        return math.ceil(self.delay / self.period * (1 - 1e-12)) + 1


class Sensors:
    """What a sampled controller measures of a motion, sample after sample.

    Args:
        sampled: the controller.
        tree: the robot.
        q0: where the motion starts (..., nq).
    """

    def __init__(self, sampled: Sampled, tree: Tree, q0: np.ndarray) -> None:
        if tree.quaternions and (np.any(sampled.encoder) or np.any(sampled.noise) or sampled.rates != "true"):
            raise InputError("encoders on a free base", "Sampled", "leave encoder, noise and rates out")
        for name in ("encoder", "noise"):
            if np.shape(getattr(sampled, name)) not in ((), (tree.nq,)):
                raise InputError(
                    f"{name} has shape {np.shape(getattr(sampled, name))}", "Sampled", f"give one or {tree.nq}"
                )
        self.sampled = sampled
        self.encoder = np.broadcast_to(np.asarray(sampled.encoder, dtype=float), (tree.nq,)).copy()
        self.noise = np.broadcast_to(np.asarray(sampled.noise, dtype=float), (tree.nq,))
        self._rng = np.random.default_rng(sampled.seed)
        self._before: np.ndarray | None = None
        self._shape = q0.shape

    def errors(self, samples: int) -> np.ndarray | None:
        """Return the noise of the next samples (samples, ..., nq), None where there is none."""
        if not self.noise.any():
            return None
        return np.asarray(self._rng.normal(size=(samples, *self._shape)) * self.noise)

    def rounded(self, q: np.ndarray) -> np.ndarray:
        """Return positions as the encoders count them."""
        steps = np.where(self.encoder > 0, self.encoder, 1.0)
        return np.where(self.encoder > 0, steps * np.rint(q / steps), q)

    def measured(self, q: np.ndarray, qd: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the position and rates that the controller gets to know."""
        error = self.errors(1)
        seen = self.rounded(q if error is None else q + error[0])
        if self.sampled.rates == "difference":
            qd = np.zeros_like(qd) if self._before is None else (seen - self._before) / self.sampled.period
        self._before = seen
        return seen, qd
