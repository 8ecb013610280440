"""What is asked of an identification, and what it answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any, Generic, Protocol, TypeVar

import numpy as np

from taut.control.law import Law
from taut.identify.estimate.excitation import Excitation
from taut.identify.estimate.selection import Selection
from taut.identify.estimate.split import Split
from taut.recordings.conditioning import Filter


class Named(Protocol):
    """Something with a name: a tree here, a robot with verbs in the public interface."""

    @property
    def name(self) -> str:
        """The robot's name."""


T = TypeVar("T", bound=Named)
"""The type of the fitted robot."""


@dataclass(frozen=True)
class Settings:
    """What a user may set; the defaults serve every robot.

    Attributes:
        split: which samples are held out.
        cutoff: of the filter [Hz]; chosen from the motion where None.
        edge: seconds dropped at the ends of stretches; two periods of the cut-off where None.
        force: {joint: terms} taken in any case; ``*`` is every joint.
        forbid: {joint: terms} never taken.
        consistent: whether the estimate is physically consistent.
        simulated: whether mass matrices shall be positive definite at random positions, too, as simulation needs.
        prior: ``scale``, or to draw towards the robot's own numbers ``model`` (differences in units of the scale) or
            ``cad`` (log-det divergence of every link's pseudo-inertia, so that small links are kept as well as large).
        gravity: ``file``, or ``estimate`` where the mounting of the robot is not known.
        engine: ``local``, or ``dask`` to factor parts on a Dask cluster.
        estimator: ``squares``, ``momentum``, or with recorded references ``instrumental`` or ``output_error``.
        law: of the controller, which these simulate; None where the robot is taken to follow its references.
        loss: ``squares``, or ``huber`` or ``tukey``: samples with large residuals weigh less, found by iteration.
    """

    split: Split = field(default_factory=Split)
    cutoff: float | None = None
    edge: float | None = None
    force: Mapping[str, set[str]] = field(default_factory=dict)
    forbid: Mapping[str, set[str]] = field(default_factory=dict)
    consistent: bool = True
    simulated: bool = False
    prior: str = "scale"
    estimator: str = "squares"
    law: Law | None = None
    loss: str = "squares"
    engine: str = "local"
    gravity: str = "file"


@dataclass(frozen=True)
class Identification(Generic[T]):
    """A fitted robot and how far it can be trusted.

    Attributes:
        robot: the fitted robot.
        train: {joint: 100 RMSE / RMS of the fitted torque}.
        held_out: the same on samples that were not fitted, of the prediction delayed by the lag, against the torque
            as recorded; empty where there are none.
        held_out_prompt: the same of the prediction without a delay.
        held_out_raw: of the delayed prediction, against the unfiltered torque.
        unconstrained: held-out errors without physical consistency.
        validated: cross-validated errors.
        parameters: {base parameter or term: (value, standard error)}.
        groups: {base parameter: its regrouping}.
        terms: {joint: terms}.
        reasons: {joint: why these}.
        excitation: what the motion excites.
        consistent: whether every link can exist.
        condition: before (columns as they are) and after the prior.
        filter: of the signals.
        prior_strength: weight of the prior.
        lags: {joint: seconds by which its torque was recorded late}; taken off before fitting.
        correlation: samples of the residual that count as one, by joint.
        poor: joints whose signal is poor, with the reason.
        notes: of reading and conditioning.
        warnings: what cannot be trusted, and what to do.
        samples: fitted and held out.
        selection: the normal equations and choices, for further questions.
        shown: times, measured and predicted torques and half the width of the prediction's 95 % band, of a stretch: the
            held-out one where there is one.
        friction: {joint: part of its torque that is friction}.
        verdict: what the robot can be trusted with, in sentences.
    """

    robot: T
    train: dict[str, float]
    held_out: dict[str, float]
    held_out_prompt: dict[str, float]
    held_out_raw: dict[str, float]
    unconstrained: dict[str, float]
    validated: dict[str, float]
    parameters: dict[str, tuple[float, float]]
    groups: dict[str, str]
    terms: dict[str, list[str]]
    reasons: dict[str, list[str]]
    excitation: Excitation
    consistent: bool
    condition: tuple[float, float]
    filter: Filter
    prior_strength: float
    lags: dict[str, float]
    correlation: dict[str, float]
    poor: dict[str, str]
    notes: tuple[str, ...]
    warnings: tuple[str, ...]
    samples: tuple[int, int]
    selection: Selection = field(repr=False)
    shown: tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray] = field(repr=False)
    friction: dict[str, float] = field(default_factory=dict)
    verdict: tuple[str, ...] = ()

    def _repr_html_(self) -> str:
        """Return the errors of every joint, for a notebook."""
        head = "<tr><th>joint</th><th>fitted, %</th><th>held out, %</th></tr>"
        rows = [
            f"<tr><td>{escape(joint)}</td><td>{error:.3g}</td><td>{self.held_out.get(joint, np.nan):.3g}</td></tr>"
            for joint, error in self.train.items()
        ]
        return f"<p>{escape(repr(self)[1:-1])}</p><table>{head}{''.join(rows)}</table>"

    def __repr__(self) -> str:
        errors = self.held_out or self.train
        kind = "held-out" if self.held_out else "fitted"
        worst = max(errors.values(), default=0.0)
        return (
            f"<Identification of {self.robot.name}: {len(self.parameters)} parameters, worst {kind} error "
            f"{worst:.3g} % of the RMS torque, {len(self.warnings)} warnings>"
        )

    @property
    def data(self) -> dict[str, Any]:
        """Everything as plain data for JSON."""
        mean = {name: float(np.mean(list(e.values()))) for name, e in self._errors.items() if e}
        return {
            "robot": self.robot.name,
            **self._errors,
            "mean": mean,
            "base_parameters": {
                name: {"value": value, "standard_error": error, "group": self.groups.get(name, name)}
                for name, (value, error) in self.parameters.items()
            },
            "condition": self.condition[0],
            "condition_with_prior": self.condition[1],
            "terms": self.terms,
            "reasons": self.reasons,
            "consistent": self.consistent,
            "cutoff_hz": self.filter.cutoff,
            "cutoff_reason": self.filter.chosen,
            "prior_strength": self.prior_strength,
            "lag_s": self.lags,
            "correlation_samples": self.correlation,
            "poor": self.poor,
            "excitation": {
                "bands": self.excitation.bands,
                "uniform": self.excitation.uniform,
                "still": list(self.excitation.still),
                "weakest": self.excitation.weakest,
                "unexcited": list(self.excitation.unexcited),
            },
            "friction_share": self.friction,
            "torque_band": self.band,
            "verdict": list(self.verdict),
            "warnings": list(self.warnings),
            "notes": list(self.notes),
            "samples": {"fitted": self.samples[0], "held_out": self.samples[1]},
        }

    @property
    def band(self) -> dict[str, float]:
        """{joint: mean half width of the torque's 95 % band, from uncertain parameters, in % of the RMS torque}."""
        _, measured, _, width = self.shown
        rms = np.sqrt((measured**2).mean(0))
        return {
            name: float(100 * w / r) if r > 0 else 0.0
            for name, w, r in zip(self.train, width.mean(0), rms, strict=True)
        }

    @property
    def _errors(self) -> dict[str, dict[str, float]]:
        return {
            "held_out": self.held_out,
            "train": self.train,
            "held_out_without_delay": self.held_out_prompt,
            "held_out_raw": self.held_out_raw,
            "held_out_unconstrained": self.unconstrained,
            "cross_validated": self.validated,
        }
