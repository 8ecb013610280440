"""The geometric errors that fit measured poses best, with standard errors, outliers and held-out error.

.. math:: \\min_e \\sum_i \\rho(\\| W\\,(y_i - h(q_i, e)) \\|)

by Gauss-Newton steps on iteratively reweighted squares: Huber's loss to find the outliers, which are named and
removed, then plain least squares. W holds the noise of metres and of radians, both estimated from the residuals.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from taut.calibration.chain import Chain
from taut.calibration.identifiable import Identifiable
from taut.calibration.parameters import Parameter
from taut.calibration.poses import Poses
from taut.calibration.residual import Instrument, residuals
from taut.errors import InputError

STEPS = 30
"""Gauss-Newton steps after which a fit that still moves is given up."""

SETTLED = 1e-5
"""Step of every parameter, in standard deviations of the residual it makes, at which a fit has converged."""

ROUGHLY = 0.03
"""The same for the robust fit, which only has to find the outliers."""

HUBER = 1.345
"""Residual in standard deviations from which Huber's loss grows linearly: 95 % efficient for normal noise."""

OUTLIER = 5.0
"""Residual in standard deviations beyond which a pose is an outlier."""

QUIET = 1e-9
"""Least noise of metres and radians; poses without any come from a computer."""

FOLDS = 5
"""Parts of the poses, each held out once."""

START = (1e-3, 1e-3)
"""Noise of metres and radians a fit begins with."""


@dataclass(frozen=True)
class Fit:
    """Errors fitted to poses.

    Attributes:
        errors: {parameter: value}.
        covariance: of the parameters, in their order.
        noise: standard deviation of metres and radians.
        residuals: (N, rows), measured minus computed.
    """

    errors: dict[str, float]
    covariance: np.ndarray
    noise: tuple[float, float]
    residuals: np.ndarray


def fit(
    chain: Chain,
    poses: Poses,
    wanted: Sequence[Parameter],
    torques: np.ndarray | None = None,
    robust: bool = False,
    start: Mapping[str, float] | None = None,
) -> Fit:
    """Return the errors that explain the poses best."""
    instrument = Instrument.of(poses)
    errors = {p.name: 0.0 for p in wanted} | dict(start or {})
    noise, weight = START, np.ones(len(poses))
    r, A = residuals(chain, poses, errors, wanted, torques)
    for _ in range(STEPS):
        scale = _row_scale(instrument, r.shape[1], noise) * np.sqrt(weight)[:, None]
        columns = (A * scale[:, :, None]).reshape(-1, len(wanted))
        size = np.linalg.norm(columns, axis=0).clip(1e-300)
        step = np.linalg.lstsq(columns / size, (r * scale).ravel(), rcond=1e-13)[0] / size
        errors |= {p.name: errors[p.name] + float(x) for p, x in zip(wanted, step, strict=True)}
        r, A = residuals(chain, poses, errors, wanted, torques)
        noise = _noise(instrument, r, len(wanted), robust)
        if robust:
            weight = _huber(_distances(instrument, r, noise))
        if np.abs(step * size).max() < (ROUGHLY if robust else SETTLED):
            break
    else:
        if not robust:
            raise InputError(f"the fit does not converge in {STEPS} steps", "calibrate", "check robot, frame and units")
    scale = _row_scale(instrument, r.shape[1], noise)
    columns = (A * scale[None, :, None]).reshape(-1, len(wanted))
    size = np.linalg.norm(columns, axis=0).clip(1e-300)
    covariance = np.linalg.pinv((columns / size).T @ (columns / size), rcond=1e-14) / np.outer(size, size)
    return Fit(errors, covariance, noise, r)


def outliers(chain: Chain, poses: Poses, wanted: Sequence[Parameter], torques: np.ndarray | None) -> np.ndarray:
    """Return the numbers of poses that contradict the others."""
    instrument = Instrument.of(poses)
    found = fit(chain, poses, wanted, torques, robust=True)
    distance = _distances(instrument, found.residuals, found.noise)
    return np.flatnonzero(distance > OUTLIER)


def held_out(chain: Chain, poses: Poses, wanted: Sequence[Parameter], torques: np.ndarray | None) -> dict[str, float]:
    """Return the root mean square error of poses that the fit has not seen, each fifth of them left out in turn."""
    instrument = Instrument.of(poses)
    order = np.arange(len(poses)) % FOLDS
    rows = []
    for k in range(FOLDS):
        train, test = order != k, order == k
        given = (None, None) if torques is None else (torques[train], torques[test])
        found = fit(chain, poses.chosen(train), wanted, given[0])
        rows.append(residuals(chain, poses.chosen(test), found.errors, [], given[1])[0])
    return error_size(instrument, np.vstack(rows))


def error_size(instrument: Instrument, r: np.ndarray) -> dict[str, float]:
    """Return the root mean square distance [m], and angle [rad] where orientations were measured."""
    found = {"position": float(np.sqrt(np.mean(np.sum(r[:, : instrument.lengths] ** 2, axis=1))))}
    if r.shape[1] > instrument.lengths:
        found["orientation"] = float(np.sqrt(np.mean(np.sum(r[:, instrument.lengths :] ** 2, axis=1))))
    return found


def excited(chain: Chain, poses: Poses, found: Identifiable, torques: np.ndarray | None) -> list[Parameter]:
    """Return the identifiable parameters that the given poses determine."""
    _, A = residuals(chain, poses, {}, found.kept, torques)
    columns = A.reshape(-1, len(found.kept))
    size = np.linalg.norm(columns, axis=0)
    unit = columns / size.clip(1e-300)
    kept: list[int] = []
    basis = np.zeros((len(unit), 0))
    for k in range(len(found.kept)):
        rest = unit[:, k] - basis @ (basis.T @ unit[:, k])
        length = float(np.linalg.norm(rest))
        if size[k] > 1e-12 and length > 1e-6:
            kept.append(k)
            basis = np.column_stack([basis, rest / length])
    return [found.kept[k] for k in kept]


def _row_scale(instrument: Instrument, rows: int, noise: tuple[float, float]) -> np.ndarray:
    return np.array([1 / noise[0]] * instrument.lengths + [1 / noise[1]] * (rows - instrument.lengths))


def _noise(instrument: Instrument, r: np.ndarray, parameters: int, robust: bool) -> tuple[float, float]:
    """Return the standard deviation of a metre row and of a radian row."""
    free = max(1 - parameters / r.size, 0.05)
    sizes = []
    for part in (r[:, : instrument.lengths], r[:, instrument.lengths :]):
        if part.size == 0:
            sizes.append(START[1])
        elif robust:
            sizes.append(float(np.median(np.abs(part))) / 0.6745)
        else:
            sizes.append(float(np.sqrt(np.mean(part**2) / free)))
    return max(sizes[0], QUIET), max(sizes[1], QUIET)


def _distances(instrument: Instrument, r: np.ndarray, noise: tuple[float, float]) -> np.ndarray:
    """Return the residual of each pose in standard deviations of a single row."""
    scaled = r * _row_scale(instrument, r.shape[1], noise)
    return np.sqrt(np.mean(scaled**2, axis=1))


def _huber(distance: np.ndarray) -> np.ndarray:
    return np.minimum(1.0, HUBER / np.maximum(distance, 1e-12))
