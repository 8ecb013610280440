"""The answer of inverse kinematics."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field

import numpy as np


@dataclass(frozen=True)
class InverseKinematics:
    """The positions found for poses of a frame; leading axes are those of the poses.

    Attributes:
        q: positions within the limits (..., nq) whose pose is the wanted one, or the nearest that was found.
        reached: whether the pose is the wanted one within the tolerance (...).
        pose: of the frame at q (..., 4, 4).
        place_error: distance of the frame from the wanted place (...) [m].
        turn_error: angle from the wanted orientation (...) [rad]; zero where only a place was wanted.
        starts: starts used for each pose (...); 0 where the closed form answered.
        singular: whether there is a direction in which the frame cannot move at q (...).
        weight: metres that count as much as a radian in "nearest".
        branches: of closed forms, (..., branches, nq): every solution as near to the start as whole turns within the
            limits bring it, NaN where there is none; None of numeric solutions.
        limits: lower and upper limits (2, nq), for :meth:`equivalents`.
        turning: which coordinates are angles in which a whole turn changes nothing (nq).
    """

    q: np.ndarray
    reached: np.ndarray
    pose: np.ndarray
    place_error: np.ndarray
    turn_error: np.ndarray
    starts: np.ndarray
    singular: np.ndarray
    weight: float
    branches: np.ndarray | None = None
    limits: np.ndarray = field(default_factory=lambda: np.zeros((2, 0)))
    turning: np.ndarray = field(default_factory=lambda: np.zeros(0, bool))

    def equivalents(self, *index: int) -> np.ndarray:
        """Return all solutions of one pose within the limits (solutions, nq), whole turns included.

        Args:
            index: of the pose, one number for each leading axis.

        A joint without limits has one angle, between -pi and pi from the start.
        """
        branches = self.q[index][None] if self.branches is None else self.branches[index]
        found: list[np.ndarray] = []
        for branch in branches[~np.isnan(branches).any(axis=-1)]:
            choices = [self._turns(k, x) for k, x in enumerate(branch)]
            for one in itertools.product(*choices):
                if not any(np.abs(np.asarray(one) - other).max() < 1e-9 for other in found):
                    found.append(np.array(one))
        return np.array(found).reshape(-1, self.q.shape[-1])

    def _turns(self, k: int, x: float) -> list[float]:
        if not len(self.turning) or not self.turning[k] or not np.isfinite(self.limits[:, k]).all():
            return [x]
        lower, upper = self.limits[:, k]
        turn = 2 * np.pi
        whole = range(int(np.ceil((lower - x) / turn - 1e-12)), int(np.floor((upper - x) / turn + 1e-12)) + 1)
        return [float(np.clip(x + turn * n, lower, upper)) for n in whole]

    def __repr__(self) -> str:
        return f"<InverseKinematics: {self}>"

    def __str__(self) -> str:
        missed = np.flatnonzero(~self.reached.ravel())
        many = np.count_nonzero(self.singular & self.reached)
        said = f"; {many} at a singular position" if many else ""
        if not len(missed):
            return f"all {self.reached.size} poses are reached{said}"
        worst = missed[int(np.argmax(self.place_error.ravel()[missed]))]
        return (
            f"{len(missed)} of {self.reached.size} poses are not reached within the joint limits from "
            f"{self.starts.ravel()[worst]} starts; the nearest to number {worst + 1} is "
            f"{self.place_error.ravel()[worst]:.4g} m and {self.turn_error.ravel()[worst]:.4g} rad away, "
            f"a radian counted as {self.weight:g} m{said}"
        )
