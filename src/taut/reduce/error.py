"""The torque error of a shorter model, and whether its mass matrix is still positive definite.

The difference to the full model is the torque of the terms left out, exactly. Over the boxes of the scenario interval
arithmetic bounds it; on samples it is measured. The mass matrix of every box is its middle plus something no larger
than its half width, so it is positive definite where the least eigenvalue of the middle exceeds the greatest of the
half widths (both scaled to a diagonal of ones); else samples have to do.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from taut.explicit.model import ExplicitModel, element_name
from taut.reduce.interval import Interval
from taut.reduce.term_values import Terms, TermValues


@dataclass(frozen=True)
class JointError:
    """The torque error of one joint [N m or N].

    Attributes:
        joint: its name.
        bound: no state of the scenario exceeds it.
        worst: greatest of the samples.
        rms: of the samples.
        largest: greatest torque of the full model among the samples.
    """

    joint: str
    bound: float
    worst: float
    rms: float
    largest: float

    @property
    def share(self) -> float:
        """The worst error as a part of the greatest torque; 0 for a joint that is never loaded."""
        return self.worst / self.largest if self.largest else 0.0


@dataclass(frozen=True)
class Definiteness:
    """Whether M is still positive definite.

    Attributes:
        least: least eigenvalue of M among the samples [kg m^2, slides kg].
        full: the same of the full model.
        proved: whether intervals prove it for the whole scenario.
    """

    least: float
    full: float
    proved: bool

    @property
    def holds(self) -> bool:
        """Whether all conditions hold."""
        return self.proved or self.least > 0


def joint_errors(
    model: ExplicitModel, dropped: Terms, samples: TermValues, boxes: TermValues
) -> tuple[JointError, ...]:
    """Return the torque error of every joint.

    Args:
        model: the full model.
        dropped: what is left out of its elements.
        samples: states to measure at.
        boxes: the scenario.
    """
    measured = [np.broadcast_to(x, samples.count) for x in samples.torques(model, dropped)]
    bounds = [float(np.max(Interval.exactly(x).size)) for x in boxes.torques(model, dropped)]
    names = model.robot.joint_names
    return tuple(
        JointError(
            names[i],
            bounds[i],
            float(np.abs(measured[i]).max()),
            float(np.sqrt(np.mean(measured[i] ** 2))),
            float(largest),
        )
        for i, largest in enumerate(largest_torques(model, samples))
    )


def largest_torques(model: ExplicitModel, samples: TermValues) -> np.ndarray:
    """Return the greatest torque of every joint among samples of the full model."""
    tau = samples.torques(model, {name: element.terms for name, element in model.elements.items()})
    return np.array([float(np.max(np.abs(x))) for x in tau])


def definiteness(full: ExplicitModel, short: ExplicitModel, samples: TermValues, boxes: TermValues) -> Definiteness:
    """Return whether the mass matrix of the shorter model is positive definite."""
    least = [float(np.linalg.eigvalsh(_mass(model, samples)).min()) for model in (short, full)]
    return Definiteness(least[0], least[1], _proved(short, boxes))


def _mass(model: ExplicitModel, samples: TermValues) -> np.ndarray:
    rows = np.empty((samples.count, model.n, model.n))
    for i in range(model.n):
        for j in range(i, model.n):
            value = samples.sum(model.elements[element_name("M", (i, j))].terms)
            rows[:, i, j] = rows[:, j, i] = value
    return rows


def _proved(model: ExplicitModel, boxes: TermValues) -> bool:
    low, high = (np.empty((boxes.count, model.n, model.n)) for _ in range(2))
    for i in range(model.n):
        for j in range(i, model.n):
            value = Interval.exactly(boxes.sum(model.elements[element_name("M", (i, j))].terms))
            low[:, i, j] = low[:, j, i] = value.low
            high[:, i, j] = high[:, j, i] = value.high
    diagonal = np.diagonal(low, axis1=1, axis2=2)
    if not (diagonal > 0).all():
        return False
    scale = 1 / np.sqrt(diagonal)
    scaled = scale[:, :, None] * scale[:, None, :]
    middle, half = (low + high) / 2 * scaled, (high - low) / 2 * scaled
    slack = 1e-9  # far more than what rounding does to eigenvalues near one
    return bool((np.linalg.eigvalsh(middle)[:, 0] > np.linalg.eigvalsh(half)[:, -1] + slack).all())
