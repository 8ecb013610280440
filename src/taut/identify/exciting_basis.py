"""Functions of time that begin and end at rest, of which exciting trajectories are sums.

Fourier [Swevers et al. 1997]: sines and cosines of whole multiples of one frequency, combined so that position,
rate and acceleration vanish at the ends of a period. Polynomials [Izaguirre et al. 1992]: Chebyshev's times
s^3 (1 - s)^3, which pass through any points between the ends.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

FEW, MANY = 5, 8
"""Harmonics of a Fourier series: of those to begin with, and of the one that is improved at last."""

MORE_POLYNOMIALS = 2
"""A polynomial has so many functions more than a series has harmonics."""

Basis = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray, np.ndarray]]
"""Times -> values, first and second derivatives, each (times, functions)."""


def fourier(period: float, harmonics: int = FEW) -> Basis:
    """Return the Fourier functions of a period [s]."""
    w = 2 * np.pi / period * np.arange(1, harmonics + 1)
    # At t = 0: sum b = 0, sum w a = 0, sum w^2 b = 0, for coefficients (a, b) of sines and cosines.
    zero, one = np.zeros(harmonics), np.ones(harmonics)
    conditions = np.array([[*zero, *one], [*(w / w[0]), *zero], [*zero, *(w / w[0]) ** 2]])
    free = np.linalg.svd(conditions)[2][3:].T

    def values(t: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        s, c = np.sin(np.outer(t, w)), np.cos(np.outer(t, w))
        rows = (np.hstack([s, c]), np.hstack([c * w, -s * w]), np.hstack([-s * w * w, -c * w * w]))
        return rows[0] @ free, rows[1] @ free, rows[2] @ free

    return values


def polynomials(period: float, harmonics: int = FEW) -> Basis:
    """Return the polynomials over a time [s], as free as a series of so many harmonics."""
    from numpy.polynomial import Chebyshev, Polynomial

    s = Polynomial([0.0, 1.0])
    ends = 64 * (s * (1 - s)) ** 3
    functions = [
        ends * Chebyshev.basis(k, domain=[0, 1]).convert(kind=Polynomial, domain=[-1, 1], window=[-1, 1])
        for k in range(harmonics + MORE_POLYNOMIALS)
    ]

    def values(t: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        first, second, third = (
            np.stack([f.deriv(order)(t / period) if order else f(t / period) for f in functions], 1) / period**order
            for order in range(3)
        )
        return first, second, third

    return values


FORMS: dict[str, Callable[[float, int], Basis]] = {"fourier": fourier, "polynomial": polynomials}
