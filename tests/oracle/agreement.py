"""Whether two sets of dynamics agree, and how the verdict on a file is printed.

Relative error is max |x - y| over the outputs of one state, divided by max |y| of that state. A torque
may be zero by cancellation (gravity on a vertical axis); what rounding leaves of it is then judged
against the sum of the magnitudes it is made of, |Y| |pi|, at a few units in the last place per addend.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from taut.api import Robot

TOLERANCE = 1e-9
MESH_TOLERANCE = 1e-6
"""Of robots whose masses are those of meshes: their vertices are single precision, and so are MuJoCo's axes of them."""

ROUNDING = 100 * np.finfo(float).eps
"""Of the sum of magnitudes: up to about a hundred additions along a chain of bodies."""


@dataclass
class Verdict:
    """What became of one file."""

    file: str
    oracle: str
    result: str
    dof: int = 0
    worst: float = 0.0
    where: str = ""
    reason: str = ""
    refusal: str = ""
    tolerance: float = TOLERANCE
    disagreements: list[str] = field(default_factory=list)

    @property
    def told(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def retold(cls, text: str) -> Verdict:
        return cls(**json.loads(text))

    def concluded(self) -> Verdict:
        """Return this verdict after all comparisons."""
        if self.disagreements:
            self.result, self.reason = "DISAGREES", "; ".join(self.disagreements)
        return self

    def compare(self, what: str, ours: np.ndarray, theirs: np.ndarray, magnitude: float = 0.0) -> None:
        """Note how far two results of one state are apart.

        Args:
            what: the quantity.
            ours: taut's.
            theirs: the oracle's.
            magnitude: of the addends, where they may cancel.
        """
        ours, theirs = np.asarray(ours, dtype=float), np.asarray(theirs, dtype=float)
        assert ours.shape == theirs.shape, f"{what}: {ours.shape} against {theirs.shape}"
        if not ours.size:
            return
        apart, scale = float(np.abs(ours - theirs).max()), float(np.abs(theirs).max())
        if not apart <= self.tolerance * scale + ROUNDING * magnitude:
            self.disagreements.append(f"{what}: {apart:.3g} apart, at most {scale:.3g}")
        if apart > ROUNDING * magnitude and scale > 0 and apart / scale > self.worst:
            self.worst, self.where = apart / scale, what


@dataclass
class State:
    """One random state of a robot."""

    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray
    tau: np.ndarray
    wrench: np.ndarray


def random_state(robot: Robot, seed: int) -> State:
    """Return a state in no special position; angles and lengths need not respect limits."""
    rng = np.random.default_rng(seed)
    q: list[float] = []
    for i in robot.tree.independent:
        kind = robot.tree.joints[i].motion.kind
        if kind in ("free", "ball"):
            quaternion = rng.normal(size=4)
            place = rng.uniform(-1, 1, 3) if kind == "free" else ()
            q += [*place, *quaternion / np.linalg.norm(quaternion)]
        else:
            q.append(rng.uniform(-3, 3) if kind == "revolute" else rng.uniform(-1, 1))
    n = robot.nv
    return State(np.array(q), rng.normal(size=n), rng.normal(size=n), 10 * rng.normal(size=n), rng.normal(size=6))
