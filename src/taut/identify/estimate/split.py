"""Which samples are fitted and which are held out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from taut.errors import InputError
from taut.identify.estimate.factors import HELD_OUT
from taut.recordings.conditioning import Motion

FOLDS = 8
"""Of cross-validation, over all recordings together."""

BLOCKS = 14
"""Blocks a recording is cut into where their length is not given."""


@dataclass(frozen=True)
class Split:
    """How samples of the fitted recordings are divided.

    Attributes:
        holdout: the last part of every recording that is held out, 0 for none.
        blocks: seconds of a block, of which every third is held out; 0 for a fourteenth of the recording.
    """

    holdout: float = 0.3
    blocks: float | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.holdout < 0.9:
            raise InputError(f"{self.holdout:g} of each recording", "--holdout", "give a part between 0 and 0.9")
        if self.blocks is not None and self.blocks < 0:
            raise InputError(f"blocks of {self.blocks:g} s", "--blocks", "give their length in seconds")

    def held(self, motion: Motion, edge: float) -> np.ndarray:
        """Return which samples of a motion are held out."""
        t = motion.start + np.arange(len(motion.q)) / motion.rate
        held: np.ndarray = self.folds(t, *motion.span_without(edge), 0, 1) == HELD_OUT
        return held & (t >= motion.own[0]) & (t < motion.own[1])

    def folds(self, t: np.ndarray, start: float, stop: float, first: int, count: int) -> np.ndarray:
        """Return the fold of each sample.

        Args:
            t: times of the samples.
            start: of the stretch.
            stop: its end.
            first: number of the stretch's first fold.
            count: folds of the stretch.
        """
        place = np.clip((t - start) / (stop - start), 0, 1 - 1e-12)
        if self.blocks is not None:
            length = self.blocks or (stop - start) / BLOCKS
            held = np.floor((t - start) / length + 1e-9).astype(int) % 3 == 2
            kept = place
        else:
            held = place >= 1 - self.holdout
            kept = np.clip(place / (1 - self.holdout), 0, 1 - 1e-12)
        return np.where(held, HELD_OUT, first + np.floor(kept * count).astype(int))
