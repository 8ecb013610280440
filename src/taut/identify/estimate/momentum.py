"""Parameters from momentum: over each window of time the drives' impulse is what momentum gains and gravity takes.

.. math:: \\int_a^b \\tau\\, dt = \\Big[ M \\dot q \\Big]_a^b + \\int_a^b \\Big( g - \\tfrac{\\partial T}{\\partial q}
          + \\tau_{drives} \\Big)\\, dt, \\qquad \\tfrac{\\partial T}{\\partial q} = C^T \\dot q

is linear in the same parameters as the torque and needs positions and rates, but no accelerations [Slotine, Li 1989].
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from taut.algorithms.energy_regressors import coriolis_transpose_regressor
from taut.batch import evaluate
from taut.errors import UnsupportedError
from taut.identify.estimate.columns import Model
from taut.identify.estimate.correlation import correlation_time
from taut.identify.estimate.factors import HELD_OUT
from taut.identify.estimate.instrumental import instrumental
from taut.identify.estimate.parts import Part, rest_weights
from taut.identify.estimate.reduced import spread
from taut.identify.estimate.selection import Selection
from taut.identify.estimate.simulated import Refined, existing
from taut.identify.estimate.split import Split
from taut.recordings.conditioning import CHUNK, Filter, Motion, delayed
from taut.robot import Tree

WINDOW = 1.0
"""Length of a window in periods of the cut-off."""


@dataclass(frozen=True)
class Momentum:
    """What is fitted.

    Attributes:
        parts: of the recordings, torques as recorded.
        filter: of the signals.
        split: which samples are held out.
    """

    parts: Sequence[Part]
    filter: Filter
    split: Split

    name: ClassVar[str] = "momentum"

    def __call__(self, robot: Tree, selection: Selection, matrices: np.ndarray) -> Refined:
        """Return the estimate over all windows that are fitted.

        Args:
            robot: that is identified.
            selection: its terms, prior and lags.
            matrices: mass matrices per unit of pi that stay positive definite.
        """
        if any(mimic.law is not None for mimic in robot.mimics):
            raise UnsupportedError("a joint that follows a law", f"--estimator {self.name}", "use least squares")
        chosen, model = selection.chosen(), selection.model
        found = [windows for part in self.parts if not part.held_out for windows in self._windows(part, selection)]
        W, impulses, use = ([windows[k] for windows in found] for k in range(3))
        precision = np.zeros((len(chosen), len(chosen)))
        precision[: model.count, : model.count] = selection.precision()
        together = 1.0
        for _ in range(2):
            estimate = instrumental(W, impulses, None, use, together * precision, selection.mean)
            times = correlation_time([y - w @ estimate.x for w, y in zip(W, impulses, strict=True)])
            together = float(np.exp(np.log(times).mean()))
        pi, x = existing(estimate, W, use, together, selection, matrices)
        count = sum(len(y) for y in impulses)
        return Refined(estimate, pi, x, f"{self.name} over {count} windows: no accelerations are used")

    def balance(
        self, selection: Selection, motion: Motion, chosen: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return what is gained between two samples, and what is integrated between them, measured and modelled.

        Args:
            selection: the model.
            motion: some samples.
            chosen: columns.

        Returns:
            Columns (samples, rows, chosen) of what is gained and of what is integrated; the measured integrand
            (samples, rows).
        """
        gained, forces = momentum_columns(selection.model, motion)
        return spread(selection, gained, chosen), spread(selection, forces, chosen), motion.tau

    def weights(self, rest: np.ndarray) -> np.ndarray:
        """Return the weights of windows (windows, rows) from the mean weights of their samples (windows, joints)."""
        return rest

    def _windows(self, part: Part, selection: Selection) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Yield the chosen columns, impulses and weights of windows, some thousand samples at a time."""
        chosen = selection.chosen()
        for motion in part.motions(self.filter):
            tau = delayed(motion.tau, -selection.lags * motion.rate)
            length = max(1, round(WINDOW * motion.rate / self.filter.cutoff))
            step = length * max(1, CHUNK // length)
            edge = int(self.filter.edge * motion.rate)
            last = edge + (len(tau) - 2 * edge - 1) // length * length
            for start in range(edge, last, step):
                at = slice(start, min(start + step, last) + 1)
                q, qd = motion.q[at], motion.qd[at]
                here = replace(motion, q=q, qd=qd, qdd=motion.qdd[at], tau=tau[at])
                t = motion.start + np.arange(at.start, at.stop) / motion.rate
                fold = self.split.folds(t, *motion.span_without(self.filter.edge), 0, 1)
                counts = (fold != HELD_OUT) & (t >= motion.own[0]) & (t < motion.own[1])
                kept = counts[:-1].reshape(-1, length).all(1) & counts[length::length]
                gained, forces, measured = self.balance(selection, here, chosen)
                W = gained[length::length] - gained[:-1:length] + _integral(forces, length, motion.rate)
                rest = rest_weights(qd, selection.model.speeds)[:-1].reshape(-1, length, q.shape[1]).mean(1)
                if kept.any():
                    yield W[kept], _integral(measured, length, motion.rate)[kept], self.weights(rest)[kept]


def momentum_columns(model: Model, motion: Motion) -> tuple[np.ndarray, np.ndarray]:
    """Return the active columns of the momentum M qd, and of the forces that are not its rate."""
    still = np.zeros_like(motion.q)
    gravity = model.regressor(replace(motion, qd=still, qdd=still))
    momentum = model.regressor(replace(motion, qd=still, qdd=motion.qd)) - gravity
    links = 10 * len(model.robot.joints)

    def transposed(q: list[np.ndarray], qd: list[np.ndarray]) -> list[list[object]]:
        at = model.robot.at(q)
        columns = coriolis_transpose_regressor(model.robot, at.positions, at.rates(qd))
        return [list(row) for row in zip(*(at.gather(column) for column in columns), strict=True)]

    shape = (len(model.joints), links)
    gravity[:, :, :links] -= evaluate(transposed, {"q": motion.q, "qd": motion.qd}, shape)
    kept = list(model.base.kept)
    forces = model(motion)  # of the drives: friction by load alone needs the acceleration
    gained = np.zeros_like(forces)
    gained[:, :, : model.count], forces[:, :, : model.count] = momentum[:, :, kept], gravity[:, :, kept]
    return gained, forces


def _integral(x: np.ndarray, length: int, rate: float) -> np.ndarray:
    """Return the integrals over windows of so many steps, by trapezoids."""
    middle = 0.5 * (x[1:] + x[:-1])
    total: np.ndarray = middle.reshape(-1, length, *x.shape[1:]).sum(1) / rate
    return total
