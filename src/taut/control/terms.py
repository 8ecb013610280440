"""What control laws ask a robot for: derived functions, compiled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from taut.derive.function import Function
from taut.errors import InputError


class Robot(Protocol):
    """The part of :class:`taut.Robot` that control laws use."""

    @property
    def nv(self) -> int:
        """Rates."""

    def derive(self, function: str, *options: Any, **more: Any) -> Function:
        """Return a function as an exact program."""


def gains(name: str, value: float | Sequence[float], size: int) -> np.ndarray:
    """Return one positive number for each of ``size`` entries, from one for all or one each."""
    found = np.asarray(value, float)
    if found.ndim > 1 or (found.ndim == 1 and len(found) != size):
        raise InputError(f"{name} has shape {found.shape}", "control", f"give one number, or {size}")
    if not (np.isfinite(found).all() and (found > 0).all()):
        raise InputError(f"{name} is {value}", "control", "give numbers above 0")
    return np.broadcast_to(found, size).copy()


def time_step(value: float) -> float:
    """Return the sampling time [s], refused where it is none."""
    if not (np.isfinite(value) and value > 0):
        raise InputError(f"a step of {value} s", "control", "give the sampling time in seconds, above 0")
    return float(value)
