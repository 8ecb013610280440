"""Parameters of bodies that can exist: every link's pseudo-inertia positive definite.

.. math:: \\min_\\pi \\|R x - z\\|^2 + \\lambda \\|S^{-1}(\\pi - \\pi_0)\\|^2 \\quad\\text{with}\\quad
          x = (B \\pi, x_{drives}), \\qquad
          \\begin{bmatrix} \\mathrm{tr}(I)/2\\,1 - I & h \\\\ h^T & m \\end{bmatrix} \\succeq \\delta

[Wensing, Kim, Slotine 2018; Sousa, Cortesao 2014], a semidefinite program. Lengths are in units of L and masses in
units of m, so that the matrices are of order one. Where a model's bodies are the prior, the second term is twice their
log-det divergence instead (:mod:`taut.identify.estimate.log_det`), rotors excepted.

Rotor inertias are bounded by zero where the samples do not contradict: where the sum of squares, in units of the noise,
rises by no more than one parameter's standard error makes it. A drive whose torque lags may need a negative one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.errors import InputError, TautError
from taut.identify.estimate.log_det import least_eigenvalue, pseudo_inertia
from taut.identify.estimate.prior import Prior

MARGIN = 1e-6
"""Least eigenvalue of a scaled pseudo-inertia, above what rounding to 12 digits takes away."""

LEAST_INERTIA = 1e-4
"""Least eigenvalue of a mass matrix, in units of m L^2."""


ALLOWED_RISE = 1.0
"""Rise of the sum of squares by bounding rotor inertias, all together: that of one parameter by a standard error."""


@dataclass(frozen=True)
class Consistent:
    """A physically consistent solution.

    Attributes:
        pi: ten parameters a link, then rotor inertias.
        drives: the other parameters.
        eigenvalues: least eigenvalue of each link's pseudo-inertia, in units of its trace.
    """

    pi: np.ndarray
    drives: np.ndarray
    eigenvalues: np.ndarray


def consistent(
    H: np.ndarray,
    c: np.ndarray,
    B: np.ndarray,
    prior: Prior,
    strength: float,
    links: int,
    matrices: np.ndarray | None = None,
) -> Consistent:
    """Return the consistent solution of x^T H x - 2 c^T x, the links' base parameters first.

    Args:
        H: normal matrix without a prior.
        c: its right-hand side.
        B: map from pi to the base parameters.
        prior: scales and mean of pi.
        strength: weight of the prior.
        links: number of links.
        matrices: mass matrices per unit of each parameter of pi at some positions, (positions, n, n, parameters), which
            shall stay positive definite; without them rotor inertias that absorb a lag of the drive may be negative.
    """
    try:
        import cvxpy
    except ImportError:
        raise InputError("the consistent fit needs cvxpy", advice="install taut[identify]") from None
    cp: Any = cvxpy
    count = len(B)
    scale = np.sqrt(np.maximum(np.diag(H), 1e-300))
    values, vectors = np.linalg.eigh(H / scale[:, None] / scale)
    values = np.maximum(values, 1e-14 * values[-1])
    root = (np.sqrt(values)[:, None] * vectors.T) * scale  # root^T root = H
    target = (vectors.T @ (c / scale)) / np.sqrt(values)
    size = max(float(np.linalg.norm(target)), 1e-300)

    pi = cp.Variable(B.shape[1])  # in units of the prior's scales
    drives = cp.Variable(H.shape[0] - count)  # in units of the columns
    base = (B * prior.scales) @ pi
    residual = (root[:, :count] / size) @ base + (root[:, count:] / scale[count:]) @ drives - target / size
    unit = np.array([1.0, 1.0, 1.0, 1.0, *[0.5] * 6])  # the scales in units of m, m L, m L^2
    bodies = [cp.bmat(pseudo_inertia([pi[10 * i + k] * unit[k] for k in range(10)])) for i in range(links)]
    constraints = [J >> MARGIN * np.eye(4) for J in bodies]
    away = pi - prior.mean / prior.scales
    if prior.bodies:
        sizes = np.sqrt(prior.mass) * np.array([prior.length, prior.length, prior.length, 1.0])
        whitened = [(W * sizes) @ J @ (W * sizes).T for W, J in zip(prior.bodies, bodies, strict=True)]
        apart = sum(2 * (cp.trace(P) - cp.log_det(P) - 4) for P in whitened) + cp.sum_squares(away[10 * links :])
    else:
        apart = cp.sum_squares(away)
    objective = cp.sum_squares(residual) + (strength / size**2) * apart
    if matrices is not None:
        inertia = prior.mass * prior.length**2
        n = matrices.shape[1]
        for M in matrices:
            symmetric = 0.5 * (M + M.transpose(1, 0, 2))
            entries = (symmetric.reshape(n * n, -1) * prior.scales / inertia) @ pi
            constraints.append(cp.reshape(entries, (n, n), order="C") >> LEAST_INERTIA * np.eye(n))

    def solved(bounded: list[int]) -> tuple[float, np.ndarray, np.ndarray, np.ndarray]:
        """Return the sum of squares in units of the noise, pi, the drives and how hard each bound presses."""
        rotors = [pi[bounded] >= 0] if bounded else []
        problem = cp.Problem(cp.Minimize(objective), [*constraints, *rotors])
        try:
            problem.solve(solver=cp.CLARABEL)
        except cp.SolverError as error:
            raise TautError(f"the consistent fit failed: {error}") from None
        if pi.value is None:
            raise TautError(f"the consistent fit failed: {problem.status}")
        pressing = np.asarray(rotors[0].dual_value) if rotors else np.zeros(0)
        return float(problem.value) * size**2, pi.value, np.asarray(drives.value), pressing

    best = solved([])
    bounded = [k for k in range(10 * links, len(best[1])) if best[1][k] < 0]
    while bounded:
        trial = solved(bounded)
        if trial[0] - best[0] <= ALLOWED_RISE:
            best = trial
            best[1][bounded] = np.maximum(best[1][bounded], 0.0)
            break
        bounded.pop(int(np.argmax(trial[3])))
    found = best[1] * prior.scales
    return Consistent(found, best[2] * size / scale[count:], least_eigenvalues(found, links))


def least_eigenvalues(pi: np.ndarray, links: int) -> np.ndarray:
    """Return the least eigenvalue of each link's pseudo-inertia over its trace."""
    return np.array([least_eigenvalue(pi[10 * i : 10 * i + 10]) for i in range(links)])
