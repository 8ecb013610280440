"""A recording: positions and torques of all joints over time, in SI units at the joints."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np


@dataclass(frozen=True)
class Recording:
    """What was measured, one column a joint, as it stands in the file.

    Attributes:
        source: the file, for messages.
        t: stamps [s], shape (samples,).
        q: positions [rad or m], shape (samples, joints).
        tau: joint torques [N m or N], shape (samples, joints).
        qd: rates, where the file has them.
        reference: positions that the controller followed, where the file has them.
        notes: what was guessed, converted or left out.
    """

    source: str
    t: np.ndarray
    q: np.ndarray
    tau: np.ndarray
    qd: np.ndarray | None = None
    notes: tuple[str, ...] = ()
    reference: np.ndarray | None = None

    def __repr__(self) -> str:
        span = f"{self.t[0]:g} to {self.t[-1]:g} s" if len(self.t) else "no time"
        return f"<Recording {self.source}: {self.q.shape[-1]} joints, {len(self.t)} samples, {span}>"


@dataclass(frozen=True)
class Piece:
    """A stretch of a recording on a regular clock.

    Attributes:
        source: the file.
        start: time of its first sample [s].
        rate: samples a second.
        q: positions, shape (samples, joints).
        tau: joint torques, shape (samples, joints).
    """

    source: str
    start: float
    rate: float
    q: np.ndarray = field(repr=False)
    tau: np.ndarray = field(repr=False)

    @property
    def seconds(self) -> float:
        """How long it is."""
        return len(self.q) / self.rate
