"""The box-constrained linear complementarity problem of contact and dry friction.

.. math:: a = a_0 + W \\lambda, \\qquad
    \\lambda_i = l_i \\Rightarrow a_i \\ge 0, \\quad l_i < \\lambda_i < u_i \\Rightarrow a_i = 0, \\quad
    \\lambda_i = u_i \\Rightarrow a_i \\le 0

with W symmetric and positive definite: it has one solution, the least of a strictly convex quadratic function on a box.
Where loops tie rows W is semidefinite; the accelerations are unique, and rows share the forces by least norm.
Solved by principal pivoting: all violated rows change their sets at once as long as their number falls, the last of
them alone otherwise, which ends [Judice, Pires 1994, A block principal pivoting algorithm for large-scale strictly
monotone linear complementarity problems].
"""

from __future__ import annotations

import numpy as np

PATIENCE = 5
"""Exchanges of all violated rows at once without progress before they change one by one."""


ALONE = 1e-12
"""Singular value of W, relative to the largest, below which a combination of rows takes no load of its own."""


def box_problem(W: np.ndarray, a0: np.ndarray, lower: np.ndarray, upper: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the forces lambda (m), and for each row -1 (at its lower bound), 0 (between) or 1 (at its upper bound).

    Args:
        W: (m, m), symmetric, positive definite.
        a0: accelerations (m) without the forces.
        lower: bounds (m), may be -inf.
        upper: bounds (m), may be inf, at least ``lower``.
    """
    m = len(a0)
    place = np.zeros(m, dtype=int)
    fewest, patience = m + 1, PATIENCE
    scale = max(float(np.abs(a0).max(initial=0.0)), 1e-300)
    force = np.zeros(m)
    for _ in range(50 * (m + 1)):
        force = np.where(place < 0, lower, np.where(place > 0, upper, 0.0))
        held, fixed = place == 0, place != 0
        if held.any():
            rest = a0[held] + W[np.ix_(held, fixed)] @ force[fixed]
            force[held] = -shared(W[np.ix_(held, held)], rest)
        a = a0 + W @ force
        slack = 1e-12 * scale
        wanted = place.copy()
        wanted[held & (force < lower)] = -1
        wanted[held & (force > upper)] = 1
        wanted[(place < 0) & (a < -slack)] = 0
        wanted[(place > 0) & (a > slack)] = 0
        wrong = np.flatnonzero(wanted != place)
        if len(wrong) == 0:
            break
        if len(wrong) < fewest:
            fewest, patience = len(wrong), PATIENCE
        elif patience > 0:
            patience -= 1
        else:
            wrong = wrong[-1:]
        place[wrong] = wanted[wrong]
    return force, place


def shared(W: np.ndarray, a: np.ndarray) -> np.ndarray:
    """Return forces lambda with W lambda = a, those of least norm where rows that loops tie share a load."""
    return np.asarray(np.linalg.lstsq(W, a, rcond=ALONE)[0])
