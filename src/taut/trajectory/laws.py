"""Motion laws: how a normalised position s goes from 0 to 1 while the normalised time x does.

Each returns s, ds/dx and d2s/dx2. The polynomials and the cycloid are those of J. Angeles, *Fundamentals of Robotic
Mechanical Systems*, chapter 6: zero speed and acceleration at both ends, for 4-5-6-7 also zero jerk.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.polynomial import Polynomial

Law = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray, np.ndarray]]
"""x (N) -> s, s', s''."""


def _polynomial(*coefficients: float) -> Law:
    s = Polynomial(coefficients)
    return lambda x: (s(x), s.deriv(1)(x), s.deriv(2)(x))


def cycloid(x: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return s = x - sin(2 pi x) / (2 pi) and its derivatives."""
    angle = 2 * np.pi * x
    return x - np.sin(angle) / (2 * np.pi), 1 - np.cos(angle), 2 * np.pi * np.sin(angle)


def trapezoid(blend: float = 1 / 3) -> Law:
    """Return the law with constant acceleration, constant speed and constant deceleration.

    Args:
        blend: part of the time that the acceleration takes, above 0 and at most 1/2; the deceleration takes as much.
    """
    speed = 1 / (1 - blend)
    rate = speed / blend

    def law(x: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        rising, falling = x < blend, x > 1 - blend
        s = np.where(rising, rate * x**2 / 2, np.where(falling, 1 - rate * (1 - x) ** 2 / 2, speed * (x - blend / 2)))
        ds = np.where(rising, rate * x, np.where(falling, rate * (1 - x), speed))
        return s, ds, np.where(rising, rate, np.where(falling, -rate, 0.0))

    return law


LAWS: dict[str, Law] = {
    "3-4-5": _polynomial(0, 0, 0, 10, -15, 6),
    "4-5-6-7": _polynomial(0, 0, 0, 0, 35, -84, 70, -20),
    "cycloidal": cycloid,
    "trapezoid": trapezoid(),
}
"""Motion laws by name."""
