"""Real numbers in C: ``double`` or ``float``."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from taut.emit.infix import number
from taut.errors import InputError, refuse_unknown


@dataclass(frozen=True)
class Precision:
    """A floating-point type of C.

    Attributes:
        real: its name.
        suffix: of literals and of functions of math.h.
        word: the unsigned integer of the same size.
        bits: of that integer.
        group: how many make 32 bytes.
        tolerance: relative error allowed between two ways to round the same program.
    """

    real: str
    suffix: str
    word: str
    bits: int
    group: int
    tolerance: float

    def literal(self, value: float) -> str:
        """Return a constant of this type, rounded to nearest."""
        if self.suffix == "":
            return number(value)
        with np.errstate(over="ignore"):
            single = np.float32(value)
        if not math.isfinite(single):
            raise InputError(f"{value!r} is too large for float", "precision", "choose double")
        text = f"{single!s}{self.suffix}"
        return f"({text})" if text.startswith("-") else text


PRECISIONS = {
    "double": Precision("double", "", "unsigned long long", 64, 4, 1e-12),
    "float": Precision("float", "f", "unsigned int", 32, 8, 1e-4),
}


def precision(name: str) -> Precision:
    """Return a precision by name."""
    refuse_unknown("precision", name, PRECISIONS, "generate")
    return PRECISIONS[name]
