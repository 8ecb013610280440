"""Estimates along a simulated motion, which noise on the measured positions cannot bias.

.. math:: \\text{output error:}\\quad x = \\arg\\min \\|\\tau - W(q_s, \\dot q_s, \\ddot q_s)\\, x\\|, \\qquad
          \\text{instrumental variables:}\\quad Z = W(q_s, \\dot q_s, \\ddot q_s)

q_s is the motion of the robot with the present parameters under the same control law and references as the real one,
by taut's generated forward dynamics; with the new parameters it is simulated again until they stay [Gautier, Janot,
Vandanjon 2013, DIDIM; Janot, Vandanjon, Gautier 2014, IDIM-IV]. Where no control law is given the robot is taken to
follow its references, and nothing needs to be simulated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from taut.control.feed_forward import FeedForward
from taut.control.law import Following, Law
from taut.errors import InputError
from taut.identify.estimate.consistent import consistent
from taut.identify.estimate.factors import HELD_OUT
from taut.identify.estimate.fitted import fitted_robot
from taut.identify.estimate.instrumental import Estimate, instrumental
from taut.identify.estimate.parts import rest_weights
from taut.identify.estimate.reduced import spread
from taut.identify.estimate.selection import Selection
from taut.identify.estimate.split import Split
from taut.recordings.conditioning import Filter, delayed, motion_of, rows_of
from taut.recordings.recording import Piece, Recording
from taut.recordings.stamps import regular
from taut.recordings.windows import Window
from taut.robot import Tree
from taut.simulate.simulation import simulate

ESTIMATORS = ("squares", "momentum", "energy", "instrumental", "output_error")

ROUNDS = 6
CONVERGED = 0.1
"""Change of every parameter, in standard errors, at which simulating again changes nothing."""

STEP = 1e-3
"""Of the simulation [s], at most that of the recording."""


@dataclass(frozen=True)
class Refined:
    """An estimate that takes the place of least squares.

    Attributes:
        estimate: unconstrained parameters with their covariance.
        pi: ten parameters a link and rotor inertias of bodies that can exist.
        x: base parameters of these, and of the drives.
        sentence: how it was found, for the report.
    """

    estimate: Estimate
    pi: np.ndarray
    x: np.ndarray
    sentence: str


def existing(
    found: Estimate,
    W: Sequence[np.ndarray],
    use: Sequence[np.ndarray],
    together: float,
    selection: Selection,
    matrices: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Return pi and x of bodies that can exist, nearest to an estimate in the metric of its rows.

    Args:
        found: the estimate.
        W: its regressors, (samples, joints, parameters) each.
        use: weights of their rows.
        together: rows that count as one.
        selection: with model and prior.
        matrices: mass matrices per unit of pi that stay positive definite.
    """
    H = sum(
        np.einsum("tjp,tj,tjq->pq", w, u / found.noise**2 / together, w, optimize=True)
        for w, u in zip(W, use, strict=True)
    )
    B, links = selection.model.base.matrix, len(selection.model.robot.joints)
    body = consistent(H, H @ found.x, B, selection.prior, selection.choice.strength, links, matrices)
    return body.pi, np.concatenate([B @ body.pi, body.drives])


@dataclass(frozen=True)
class Refinement:
    """What is refined.

    Attributes:
        kind: ``instrumental`` or ``output_error``.
        law: of the controller, None where the robot follows its references.
        recordings: fitted ones, with references.
        filter: of the signals.
        split: which samples are held out.
    """

    kind: str
    law: Law | None
    recordings: Sequence[Recording | Window]
    filter: Filter
    split: Split

    def __post_init__(self) -> None:
        if self.kind not in ESTIMATORS[3:]:
            advice = f"choose one of {', '.join(ESTIMATORS)}"
            raise InputError(f"unknown estimator '{self.kind}'", "--estimator", advice)

    def __call__(self, robot: Tree, selection: Selection, matrices: np.ndarray) -> Refined:
        """Return the estimate; the first round takes the motion along the references.

        Args:
            robot: that is identified.
            selection: its terms, prior and weights.
            matrices: mass matrices per unit of pi that stay positive definite.
        """
        chosen, model = selection.chosen(), selection.model
        pairs = [pair for recording in self.recordings for pair in _with_references(recording)]
        W, tau, use = self._rows([piece for piece, _ in pairs], pairs, selection, chosen)
        together = float(np.exp(np.log(selection.times).mean()))
        precision = np.zeros((len(chosen), len(chosen)))
        precision[: model.count, : model.count] = together * selection.precision()
        moved = [reference for _, reference in pairs]
        x, change, rounds = np.zeros(len(chosen)), np.inf, 0
        while True:
            Z, _, _ = self._rows(moved, pairs, selection, chosen)
            found = instrumental(Z if self.kind == "output_error" else W, tau, Z, use, precision, selection.mean)
            before = x
            pi, x = existing(found, Z, use, together, selection, matrices)
            change = float(np.max(np.abs(x - before) / found.errors))
            if self.law is None or change <= CONVERGED or rounds == ROUNDS:
                return Refined(found, pi, x, self._sentence(rounds, change))
            rounds += 1
            tree = fitted_robot(robot, model, selection.choice, chosen, pi, x)
            moved = [self._moved(tree, self.law, *pair) for pair in pairs]

    def _sentence(self, rounds: int, change: float) -> str:
        name = {"instrumental": "instrumental variables", "output_error": "output error"}[self.kind]
        if self.law is None:
            return f"{name} along the references: the robot is taken to follow them; give kp and kd to simulate it"
        ended = "" if change <= CONVERGED else ", still changing: the gains may not be those of the controller"
        last = f"the last changed {change:.2g} standard errors"
        return f"{name} along the simulated motion: {rounds} simulations, {last}{ended}"

    def _rows(
        self, moved: Sequence[Piece], pairs: Sequence[tuple[Piece, Piece]], selection: Selection, chosen: np.ndarray
    ) -> tuple[list[np.ndarray], list[np.ndarray], list[np.ndarray]]:
        """Return the chosen columns along motions, torques and weights at the fitted samples of each stretch."""
        model, lags = selection.model, selection.products.lags
        columns, torques, weights = [], [], []
        for piece, (measured, _) in zip(moved, pairs, strict=True):
            tau = delayed(measured.tau, -selection.advance * piece.rate)
            motion = motion_of(replace(piece, tau=tau), self.filter)
            start, stop = motion.span_without(self.filter.edge)
            rows = list(rows_of(motion, self.filter, model))
            W = np.concatenate([spread(selection, r.columns, chosen) for r in rows])
            t, tau, slope, qd = (np.concatenate([getattr(r, n) for r in rows]) for n in ("t", "tau", "slope", "qd"))
            fitted = self.split.folds(t, start, stop, 0, 1) != HELD_OUT
            columns.append(W[fitted])
            torques.append((tau + lags * slope)[fitted])
            weights.append(rest_weights(qd, model.speeds)[fitted])
        return columns, torques, weights

    def _moved(self, tree: Tree, law: Law, piece: Piece, reference: Piece) -> Piece:
        """Return the motion of a robot under the law, at the times of a stretch."""
        from scipy.interpolate import make_interp_spline

        clock = np.arange(len(reference.q)) / reference.rate
        curve = make_interp_spline(clock, reference.q, k=5)
        orders = range(len(law.references))
        following = Following(law, lambda t: tuple(curve(np.clip(t, 0, clock[-1]), nu) for nu in orders))
        start = motion_of(piece, self.filter)
        step = min(STEP, 1 / piece.rate)
        run = simulate(tree, start.q[0], start.qd[0], following, clock, drives=True, step=step)
        return replace(piece, q=run.q)


def feed_forward(kp: np.ndarray | None, kd: np.ndarray | None) -> Any:
    """Return the control law with the gains of a mapping: inverse dynamics along the reference, and PD feedback."""
    return None if kp is None or kd is None else FeedForward(kp, kd)


def _with_references(recording: Recording | Window) -> list[tuple[Piece, Piece]]:
    """Return the stretches of a recording on a regular clock, and of its references on the same."""
    if isinstance(recording, Window):
        raise InputError("read in windows", recording.path, "estimators with references need it in memory: shorten it")
    if recording.reference is None:
        raise InputError(
            "no references, which this estimator needs",
            recording.source,
            "add columns q_ref1, q_ref2, ... with the positions that the controller followed, or use least squares",
        )
    n = recording.q.shape[1]
    both = replace(
        recording,
        q=np.hstack([recording.q, recording.reference]),
        tau=np.hstack([recording.tau, recording.tau]),
    )
    return [
        (replace(p, q=p.q[:, :n], tau=p.tau[:, :n]), replace(p, q=p.q[:, n:], tau=p.tau[:, n:]))
        for p in regular(both)[0]
    ]
