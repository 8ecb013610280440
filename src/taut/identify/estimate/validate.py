"""Validation: torque errors of one or two robots on a recording, and their parameters compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.errors import InputError
from taut.identify.base_parameters import BaseParameters, base_parameters
from taut.identify.estimate.columns import as_recorded, check_joints
from taut.identify.estimate.lag import LONGEST
from taut.identify.estimate.predicted import Compared, Errors, compared
from taut.identify.parameters import parameter_values
from taut.recordings.conditioning import motion_of
from taut.recordings.cutoff import choose_filter
from taut.recordings.recording import Recording
from taut.recordings.stamps import regular
from taut.robot import Drive, Tree
from taut.robot.edit import numeric

LAG_ROUNDS = 3
DRIVE_PARAMETERS = tuple(name for name in Drive.__dataclass_fields__ if name not in ("rotor_inertia", "gear_ratio"))


@dataclass(frozen=True)
class Validation:
    """How a robot predicts recordings.

    Attributes:
        robot: its name.
        error: {joint: 100 RMSE / RMS of the torque as recorded, filtered}.
        raw: the same against the unfiltered torque.
        delayed: the same as error, the prediction delayed by the lag that suits it best.
        lags: {joint: that lag, in seconds}.
        cutoff: of the filter [Hz].
        samples: compared.
        notes: of reading.
        parts: the torques.
    """

    robot: str
    error: dict[str, float]
    raw: dict[str, float]
    delayed: dict[str, float]
    lags: dict[str, float]
    cutoff: float
    samples: int
    notes: tuple[str, ...]
    parts: tuple[Compared, ...]

    def __repr__(self) -> str:
        worst = max(self.error.values(), default=0.0)
        return f"<Validation of {self.robot}: {self.samples} samples, worst error {worst:.3g} % of the RMS torque>"

    @property
    def data(self) -> dict[str, Any]:
        """Everything but the torques as plain data for JSON."""
        return {
            "robot": self.robot,
            "error": self.error,
            "error_raw": self.raw,
            "error_delayed": self.delayed,
            "mean": float(np.mean(list(self.error.values()))),
            "lag_s": self.lags,
            "cutoff_hz": self.cutoff,
            "samples": self.samples,
            "notes": list(self.notes),
        }


def validate(
    robot: Tree, recordings: Sequence[Recording], cutoff: float | None = None, edge: float | None = None
) -> Validation:
    """Return how a robot with its own numbers predicts the torques of recordings; nothing is fitted but the lags."""
    check_joints(robot, [r.q.shape[1] for r in recordings])
    robot = as_recorded(robot)
    pieces, notes = [], []
    for recording in recordings:
        found, said = regular(recording)
        pieces += found
        notes += [f"{recording.source}: {text}" for text in (*recording.notes, *said)]
    filter_ = choose_filter(pieces, cutoff, edge)
    motions = [motion_of(p, filter_) for p in pieces]
    lags = np.zeros(len(robot.joint_names))
    plain = [compared(robot, motion, filter_, lags) for motion in motions]
    for _ in range(LAG_ROUNDS):
        lags = np.clip(lags + _lag_step([compared(robot, m, filter_, lags) for m in motions]), -LONGEST, LONGEST)
    parts = [compared(robot, motion, filter_, lags) for motion in motions]
    before, after = Errors(), Errors()
    for one, other in zip(plain, parts, strict=True):
        at = np.ones(len(one.t), bool)
        before.add(one, at)
        after.add(other, at)
    better = after.relative("delayed") < before.relative("delayed")
    delayed = np.where(better, after.relative("delayed"), before.relative("delayed"))
    names = robot.joint_names

    def by_joint(values: np.ndarray) -> dict[str, float]:
        return {name: float(v) for name, v in zip(names, values, strict=True)}

    return Validation(
        robot.name,
        by_joint(before.relative("delayed")),
        by_joint(before.relative("raw")),
        by_joint(delayed),
        by_joint(np.where(better, lags, 0.0)),
        filter_.cutoff,
        sum(len(p.t) for p in parts),
        tuple(notes),
        tuple(plain),
    )


def _lag_step(parts: Sequence[Compared]) -> np.ndarray:
    """Return by how many more seconds the prediction should be delayed: least squares along its slope."""
    along, squared = 0.0, 1e-300
    for part in parts:
        slope = np.gradient(part.predicted, part.t, axis=0)
        along = along - ((part.measured - part.predicted) * slope).sum(0)
        squared = squared + (slope * slope).sum(0)
    return np.asarray(along / squared)


def parameters_beside(robot: Tree, other: Tree) -> dict[str, tuple[float, float]]:
    """Return {parameter: values of both robots}: base parameters of links and rotors, then terms of the drives."""
    if robot.joint_names != other.joint_names:
        raise InputError(
            f"joints {', '.join(other.joint_names)} instead of {', '.join(robot.joint_names)}",
            other.name,
            "compare robots with the same joints",
        )
    base: BaseParameters = base_parameters(numeric(robot), drives=True, prove=False)
    one, two = (base.matrix @ parameter_values(r, base.columns) for r in (robot, other))
    table = {name: (float(a), float(b)) for name, a, b in zip(base.names, one, two, strict=True)}
    mine, theirs = numeric(robot), numeric(other)
    for i in mine.independent:
        for key in DRIVE_PARAMETERS:
            a, b = (float(getattr(tree.joints[i].drive, key)) for tree in (mine, theirs))
            default = float(getattr(Drive(), key))
            if a != default or b != default:
                table[f"{key} of {mine.joints[i].name}"] = (a, b)
    return table
