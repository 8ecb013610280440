"""Parameters from energy: over each window of time the drives' work is what energy gains and friction takes.

.. math:: \\int_a^b \\dot q^T \\tau\\, dt = \\Big[ T + V \\Big]_a^b + \\int_a^b \\dot q^T \\tau_{drives}\\, dt

One equation a window for all joints together, linear in the same parameters as the torque: what leaves all torques as
they are leaves the energy gained as it is. It needs no accelerations [Gautier, Khalil 1988], but says less than the
momentum, which has an equation for each joint.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from taut.batch import evaluate
from taut.identify.estimate.columns import Model
from taut.identify.estimate.momentum import Momentum
from taut.identify.estimate.reduced import spread
from taut.identify.estimate.selection import Selection
from taut.questions.table import QUESTIONS
from taut.recordings.conditioning import Motion


@dataclass(frozen=True)
class Energy(Momentum):
    """The fit from energy; what is fitted is as for the momentum."""

    name: ClassVar[str] = "energy"

    def balance(
        self, selection: Selection, motion: Motion, chosen: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return columns of the energy, of the power that the drives take, and the measured power: one row a sample."""
        model = selection.model
        links = chosen < model.count
        gained = np.zeros((len(motion.q), 1, len(chosen)))
        gained[:, 0, links] = energy_columns(model, motion)[:, chosen[links]]
        taken = np.einsum("tj,tjp->tp", motion.qd, spread(selection, model(motion), chosen))[:, None, :]
        taken[:, :, links] = 0.0
        return gained, taken, (motion.qd * motion.tau).sum(1, keepdims=True)

    def weights(self, rest: np.ndarray) -> np.ndarray:
        """Return the mean weight of the joints."""
        return rest.mean(1, keepdims=True)


def energy_columns(model: Model, motion: Motion) -> np.ndarray:
    """Return the energy of a unit of each base parameter of links and rotors, (samples, parameters)."""
    robot, question = model.robot, QUESTIONS["energy_regressor"]
    states = {"q": motion.q, "qd": motion.qd}
    bodies = evaluate(lambda **s: question.compute(robot, **s), states, question.shape(robot)).sum(1)
    still = np.zeros_like(motion.q)
    rotors = model.regressor(replace(motion, q=still, qd=still, qdd=motion.qd))[:, :, 10 * len(robot.joints) :]
    spun = 0.5 * np.einsum("tj,tjp->tp", motion.qd, rotors)
    kept: np.ndarray = np.concatenate([bodies, spun], 1)[:, list(model.base.kept)]
    return kept
