"""How far a body is from another: the log-det divergence of their pseudo-inertias.

.. math:: D(P \\| P_0) = \\mathrm{tr}(P_0^{-1} P) - \\log\\det(P_0^{-1} P) - 4, \\qquad
          2 D = \\mathrm{tr}(P_0^{-1} dP\\, P_0^{-1} dP) + O(dP^3), \\qquad
          P = \\begin{bmatrix} \\mathrm{tr}(I)/2\\,1 - I & h \\\\ h^T & m \\end{bmatrix}

It depends neither on units nor on the frame, and grows without bound towards bodies that cannot exist [Lee, Wensing,
Park 2020]. Near P_0, 2 D is the sum of squares of relative changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from taut.errors import InputError

LEAST = 1e-9
"""Least eigenvalue of P over its trace, lengths in units of the body's own, of a body that can exist."""


def pseudo_inertia(ten: Sequence[Any] | np.ndarray) -> list[list[Any]]:
    """Return P of the parameters m, h, I (xx, xy, yy, xz, yz, zz)."""
    m, x, y, z, xx, xy, yy, xz, yz, zz = ten
    return [
        [0.5 * (yy + zz - xx), -xy, -xz, x],
        [-xy, 0.5 * (xx + zz - yy), -yz, y],
        [-xz, -yz, 0.5 * (xx + yy - zz), z],
        [x, y, z, m],
    ]


def least_eigenvalue(ten: np.ndarray) -> float:
    """Return the least eigenvalue of P over its trace, lengths in units of the body's own; -1 without a mass."""
    m, second = ten[0], ten[4] + ten[6] + ten[9]
    length = np.sqrt(max(second, 1e-30) / max(2 * m, 1e-30)) if m > 0 else 1.0
    unit = np.array([length, length, length, 1.0])
    P = np.array(pseudo_inertia(ten)) / unit[:, None] / unit
    trace = float(np.trace(P))
    return float(np.linalg.eigvalsh(P)[0] / trace) if trace > 0 else -1.0


def whitener(ten: np.ndarray, link: str) -> np.ndarray:
    """Return W with W P_0 W^T = 1, so that D = tr(W P W^T) - log det(W P W^T) - 4."""
    if least_eigenvalue(ten) < LEAST:
        raise InputError(
            f"link '{link}' has no mass, or an inertia that no body has",
            "--prior cad",
            "give the link its mass, centre and inertia, or use another prior",
        )
    return np.asarray(np.linalg.inv(np.linalg.cholesky(np.array(pseudo_inertia(ten), float))))


def covariance(W: np.ndarray) -> np.ndarray:
    """Return the covariance of the ten parameters for which 2 D is the squared distance, to second order."""
    changes = np.stack([(W @ np.array(pseudo_inertia(unit)) @ W.T).ravel() for unit in np.eye(10)])
    found: np.ndarray = np.linalg.inv(changes @ changes.T)
    return found
