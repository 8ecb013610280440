"""States with answers that generated code is compared with by its self-test."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Samples:
    """Answers by an algorithm that shares nothing with the program, at a few states.

    Attributes:
        states: {argument: (n, width)}, exact in the precision of the code.
        parameters: values of the parameters that are read at run time.
        decided: (n, outputs), of the robot that the file's digits mean; the program equals it up to rounding.
        written: (n, outputs), of the file's digits; None where they are equal.
        scale: (outputs), the size on which the difference from the file's digits is stated.
        stated: that difference.
    """

    states: Mapping[str, np.ndarray]
    parameters: Mapping[str, float]
    decided: np.ndarray
    written: np.ndarray | None
    scale: np.ndarray
    stated: float

    @property
    def largest_scale(self) -> float:
        """The largest scale of any output."""
        return float(self.scale.max(initial=0.0))
