"""What a motion excites, stated before anything is solved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from taut.errors import InputError
from taut.identify.estimate.columns import Model
from taut.identify.estimate.factors import Products
from taut.recordings.conditioning import Motion

STILL = 1e-3
"""Standard deviation of position [rad, m] below which a joint stands still."""

UNIFORM = 2.5
"""Effective number of quarter-octave bands of the motion below which it is one repeated motion."""

SLOW = 0.02
"""Part of the regressor below which what accelerations and speeds add leaves inertias open."""

TOGETHER = 0.999
"""Correlation of two joints' rates from which they move together."""

LOOKED_AT = 300
"""Samples of a motion that are looked at for that."""


@dataclass(frozen=True)
class Excitation:
    """What the recordings excite.

    Attributes:
        bands: effective number of frequency bands of the motion.
        uniform: whether all joints follow essentially one frequency, so that folds repeat each other.
        slow: whether accelerations hardly show, so that inertias are left open.
        still: joints that do not move.
        condition: of the base regressor, columns at unit norm, rows over the torques' RMS.
        weakest: the worst excited combination of base parameters, in words.
        unexcited: base parameters of which nothing is seen.
        warnings: sentences for a person.
    """

    bands: float
    uniform: bool
    slow: bool
    still: tuple[str, ...]
    condition: float
    weakest: str
    unexcited: tuple[str, ...]
    warnings: tuple[str, ...]


def examine(model: Model, motions: Sequence[Motion], products: Products, chosen: np.ndarray) -> Excitation:
    """Return what the fitted recordings excite; refuse those in which nothing moves."""
    still = tuple(model.joints[j] for j in sorted(still_joints(motions)))
    if len(still) == len(model.joints):
        raise InputError("no joint moves", motions[0].source, "record a motion, e.g. one that 'taut excite' writes")
    bands = spectral_bands(motions)
    condition, weakest, unexcited = _conditioning(model, products, chosen)
    warnings = []
    if still:
        verb = "stands" if len(still) == 1 else "stand"
        warnings.append(
            f"{', '.join(still)} {verb} still: friction and inertia there cannot be found; move every joint"
        )
    warnings += _together(model, motions)
    silent = [name for name, power in zip(model.joints, products.power, strict=True) if power <= 0]
    if silent:
        raise InputError(
            f"the torque of {', '.join(silent)} is zero throughout", motions[0].source, "check the torque columns"
        )
    uniform = bands < UNIFORM
    if uniform:
        warnings.append(
            f"all joints follow essentially one repeated motion ({bands:.1f} frequency bands): many parameters cannot "
            "be told apart, so a prior decides and other motions are predicted poorly; record several frequencies"
        )
    if unexcited:
        listed = ", ".join(unexcited[:8]) + (f" and {len(unexcited) - 8} more" if len(unexcited) > 8 else "")
        warnings.append(f"not excited by this motion: {listed}")
    slow = moving_part(model, motions) < SLOW
    if slow:
        warnings.append(
            "so slow that accelerations hardly show: gravity, friction and a payload are found, inertias are not; "
            "record faster motion for them"
        )
    seconds = sum(len(m.q) / m.rate for m in motions)
    if seconds < 5:
        warnings.append(f"only {seconds:.1f} s of motion: confidence is low; record 10 s or more")
    return Excitation(bands, uniform, slow, still, condition, weakest, unexcited, tuple(warnings))


def still_joints(motions: Sequence[Motion]) -> frozenset[int]:
    """Return the joints that do not move."""
    joints = range(motions[0].q.shape[1])
    return frozenset(j for j in joints if all(motion.q[:, j].std() < STILL for motion in motions))


def _together(model: Model, motions: Sequence[Motion]) -> list[str]:
    """Return warnings of joints that move in a fixed proportion, so that the regressor loses rank."""
    rates = np.concatenate([motion.qd for motion in motions])
    size = np.sqrt((rates**2).sum(0))
    cosine = np.abs(rates.T @ rates) / np.maximum(np.outer(size, size), 1e-300)
    pairs = np.argwhere(np.triu(cosine > TOGETHER, 1))
    return [
        f"{model.joints[i]} and {model.joints[j]} always move together: the regressor loses rank and the prior decides "
        "what it leaves open; move them independently"
        for i, j in pairs
    ]


def moving_part(model: Model, motions: Sequence[Motion]) -> float:
    """Return the part of the regressor that accelerations and speeds add to that of the positions alone."""
    added, whole = 0.0, 1e-300
    for motion in motions:
        thin = slice(None, None, max(1, len(motion.q) // LOOKED_AT))
        q, qd, qdd = motion.q[thin], motion.qd[thin], motion.qdd[thin]
        still = np.zeros_like(q)
        moving, resting = (
            model.regressor(Motion(motion.rate, q, *rates, q, "", 0.0))[:, :, : 10 * len(model.robot.joints)]
            for rates in ((qd, qdd), (still, still))
        )
        added, whole = added + float(((moving - resting) ** 2).sum()), whole + float((moving**2).sum())
    return float(np.sqrt(added / whole))


def spectral_bands(motions: Sequence[Motion]) -> float:
    """Return the effective number of quarter-octave bands that hold the joints' rates: 1 / sum of squared shares."""
    edges = 2.0 ** np.arange(-8, 9, 0.25)
    shares = np.zeros(len(edges) - 1)
    for motion in motions:
        window = np.hanning(len(motion.qd))[:, None]
        power = np.abs(np.fft.rfft(motion.qd * window, axis=0)) ** 2
        total = power.sum(0)
        power = power[:, total > 1e-6 * total.max()]
        frequencies = np.fft.rfftfreq(len(motion.qd), 1 / motion.rate)
        for column in power.T:
            shares += np.histogram(frequencies, edges, weights=column / column.sum())[0]
    shares /= shares.sum()
    return float(1 / (shares**2).sum())


def _conditioning(model: Model, products: Products, chosen: np.ndarray) -> tuple[float, str, tuple[str, ...]]:
    weights = products.count / np.where(products.power > 0, products.power, np.inf)
    H, _ = products.normal(chosen, weights, np.zeros((0, 0)))
    sizes = np.sqrt(np.diag(H))
    live = sizes > 1e-6 * sizes.max()
    names = [label(model, int(k)) for k in chosen]
    unexcited = tuple(name for name, alive in zip(names, live, strict=True) if not alive)
    scaled = H[np.ix_(live, live)] / sizes[live][:, None] / sizes[live]
    values, vectors = np.linalg.eigh(scaled)
    condition = float(np.sqrt(values[-1] / max(values[0], 1e-30)))
    worst = vectors[:, 0]
    listed = [name for name, alive in zip(names, live, strict=True) if alive]
    largest = [k for k in np.argsort(-np.abs(worst))[:4] if abs(worst[k]) > 0.2]
    weakest = "the motion hardly separates " + " from ".join(listed[k] for k in largest)
    return condition, weakest, unexcited


def label(model: Model, k: int) -> str:
    """Return the name of a column for a person: ``Ixx3``, ``coulomb of joint2``."""
    column = model.columns[k]
    return column.name if column.drive < 0 else f"{column.name} of {model.joints[column.drive]}"
