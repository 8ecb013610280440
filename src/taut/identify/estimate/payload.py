"""The load that a fitted robot carries: what its model leaves of the torque, explained by ten parameters.

.. math:: \\tau - \\hat\\tau(q, \\dot q, \\ddot q) = Y_{load}(q, \\dot q, \\ddot q)\\, \\pi_{load}

Weighted least squares on filtered signals gives the standard errors; the parameters themselves are those of a body that
can exist (pseudo-inertia positive definite) [Atkeson, An, Hollerbach 1986].
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.batch import evaluate
from taut.errors import InputError
from taut.identify.estimate.columns import check_joints
from taut.identify.estimate.consistent import consistent
from taut.identify.estimate.instrumental import instrumental
from taut.identify.estimate.predicted import predicted_torque
from taut.identify.estimate.prior import Prior
from taut.questions.table import QUESTIONS
from taut.recordings.conditioning import EDGE, KEPT_RATE, low_pass, motion_of
from taut.recordings.cutoff import choose_filter
from taut.recordings.recording import Recording
from taut.recordings.stamps import regular
from taut.robot import PARAMETER_NAMES, Tree
from taut.robot.edit import numeric

LENGTH = 0.2
"""Size of a load, for the scales of its moments [m]."""

WEAK_PRIOR = 1e-3
"""Weight of those scales."""


@dataclass(frozen=True)
class Payload:
    """A load, its moments about the origin of the frame that carries it, in its axes.

    Attributes:
        frame: that carries it.
        mass: [kg].
        com: its centre [m].
        parameters: {name: (value, standard error)} of the ten.
        before: mean torque error in % of the RMS torque without the load.
        after: the same with it.
    """

    frame: str
    mass: float
    com: tuple[float, float, float]
    parameters: dict[str, tuple[float, float]]
    before: float
    after: float

    @property
    def data(self) -> dict[str, Any]:
        """Everything as plain data for JSON."""
        return {
            "frame": self.frame,
            "mass": self.mass,
            "com": list(self.com),
            "parameters": {n: {"value": v, "standard_error": e} for n, (v, e) in self.parameters.items()},
            "error_without": self.before,
            "error_with": self.after,
        }


def payload(robot: Tree, recordings: Sequence[Recording], frame: str | None = None) -> Payload:
    """Return the load on a frame that explains recordings of a robot whose own parameters are fitted."""
    check_joints(robot, [r.q.shape[1] for r in recordings])
    tree = numeric(robot)
    place = tree.frame(frame).name
    pieces = [piece for recording in recordings for piece in regular(recording)[0]]
    filter_ = choose_filter(pieces)
    question = QUESTIONS["load_torque"]
    W, left, torque = [], [], []
    for piece in pieces:
        motion = motion_of(piece, filter_)
        states = {"q": motion.q, "qd": motion.qd, "qdd": motion.qdd}
        units = []
        for unit in np.eye(10):
            load = {"load": np.broadcast_to(unit, (len(motion.q), 10))}
            units.append(
                evaluate(lambda **s: question.compute(tree, **s, frame=place), states | load, question.shape(tree))
            )
        edge = int(EDGE / filter_.cutoff * motion.rate)
        every = max(1, int(motion.rate / (KEPT_RATE * filter_.cutoff)))
        kept = slice(edge, len(motion.q) - edge, every)
        columns = low_pass(np.stack(units, 2), motion.rate, filter_.cutoff)
        rest = low_pass(motion.tau - predicted_torque(robot, motion), motion.rate, filter_.cutoff)
        W.append(columns[kept])
        left.append(rest[kept])
        torque.append(low_pass(motion.tau, motion.rate, filter_.cutoff)[kept])
    if sum(len(w) for w in W) < 20 or not any(np.ptp(w, axis=0).any() for w in W):
        raise InputError("too little motion to find a load", recordings[0].source, "record a motion of several joints")
    found = instrumental(W, left, precision=np.zeros((10, 10)))
    weights = 1 / found.noise**2
    H = sum(np.einsum("tjp,j,tjq->pq", w, weights, w, optimize=True) for w in W)
    c = sum(np.einsum("tjp,j,tj->p", w, weights, r, optimize=True) for w, r in zip(W, left, strict=True))
    mass = max(abs(float(found.x[0])), 0.1)
    scales = np.array([mass, *[mass * LENGTH] * 3, *[mass * LENGTH**2 / 2] * 6])
    prior = Prior(mass, LENGTH, scales, np.zeros(10), np.diag(1 / scales**2))
    x = consistent(H, c, np.eye(10), prior, WEAK_PRIOR, 1).pi
    left_open = np.linalg.inv(H + WEAK_PRIOR * prior.precision)  # large for what the motion does not show
    errors = np.maximum(found.errors, np.sqrt(np.diag(left_open)))
    both = dict(zip(PARAMETER_NAMES, zip(x.tolist(), errors.tolist(), strict=True), strict=True))
    before, after = (
        _mean_error([r - (w @ x if carried else 0.0) for r, w in zip(left, W, strict=True)], torque)
        for carried in (False, True)
    )
    com = x[1:4] / x[0]
    return Payload(place, float(x[0]), (float(com[0]), float(com[1]), float(com[2])), both, before, after)


def _mean_error(rest: Sequence[np.ndarray], torque: Sequence[np.ndarray]) -> float:
    squares, power = (sum((x**2).sum(0) for x in parts) for parts in (rest, torque))
    return float(100 * np.mean(np.sqrt(squares / np.where(power > 0, power, np.inf))))
