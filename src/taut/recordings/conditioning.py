"""Zero-phase filtering, differences and decimation, the same for torques and for a model's columns.

Positions are low-passed at a cut-off of their own and differentiated centrally; torques and every column of the model
are low-passed at another [Gautier 1997, parallel filtering], so that friction that reverses is smoothed in the model
exactly as in the measurement. Both are chosen in :mod:`taut.recordings.cutoff`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from taut.recordings.recording import Piece

ORDER = 4
"""Of the Butterworth filter, applied forwards and backwards."""

MODEL_RATE = 20
"""Samples per period of the cut-off at which a model is evaluated, at least where the recording has them."""

KEPT_RATE = 6
"""The same for the rows that are kept."""

EDGE = 2.0
"""Periods of the cut-off that are dropped at both ends."""

CHUNK = 20_000
"""Samples evaluated at once."""


@dataclass(frozen=True)
class Filter:
    """How recordings are filtered.

    Attributes:
        cutoff: of torques and of the model's columns [Hz].
        position: cut-off of positions [Hz].
        edge: seconds dropped at both ends of a stretch.
        chosen: why this cut-off.
    """

    cutoff: float
    position: float
    edge: float
    chosen: str


@dataclass(frozen=True)
class Motion:
    """Positions and their derivatives on the clock of the model.

    Attributes:
        rate: samples a second.
        q, qd, qdd: shape (samples, joints).
        tau: measured torques, not yet filtered.
        source: the file.
        start: time of the first sample.
        span: times of the first and the last sample of the whole recording, where this is a window on it.
        own: times from which to which samples count; others are there for the filter.
    """

    rate: float
    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray
    tau: np.ndarray
    source: str
    start: float
    span: tuple[float, float] | None = None
    own: tuple[float, float] = (-np.inf, np.inf)

    def span_without(self, edge: float) -> tuple[float, float]:
        """Return from when to when samples are taken: without the ends, of the whole recording."""
        start, stop = self.span or (self.start, self.start + len(self.q) / self.rate)
        return start + edge, stop - edge


def motion_of(piece: Piece, filter_: Filter) -> Motion:
    """Return positions, rates and accelerations by central differences, thinned to the model's rate."""
    rate, fc = piece.rate, filter_.cutoff
    q = low_pass(piece.q, rate, min(filter_.position, 0.45 * rate))
    qd = np.gradient(q, 1 / rate, axis=0)
    qdd = np.gradient(qd, 1 / rate, axis=0)
    every = max(1, int(rate / (MODEL_RATE * fc)))
    tau = piece.tau if every == 1 else low_pass(piece.tau, rate, 0.4 * rate / every)
    thin = slice(None, None, every)
    return Motion(rate / every, q[thin], qd[thin], qdd[thin], tau[thin], piece.source, piece.start)


def low_pass(x: np.ndarray, rate: float, cutoff: float) -> np.ndarray:
    """Return a signal low-passed forwards and backwards along its first axis."""
    from scipy.signal import butter, sosfiltfilt

    if cutoff >= 0.5 * rate:
        return x
    sos = butter(ORDER, cutoff, fs=rate, output="sos")
    padding = min(3 * (2 * len(sos) + 1), len(x) - 1)
    filtered: np.ndarray = sosfiltfilt(sos, x, axis=0, padlen=padding)
    return filtered


def delayed(x: np.ndarray, steps: np.ndarray) -> np.ndarray:
    """Return signals later by so many steps, one number a column, by cubic splines."""
    from scipy.interpolate import CubicSpline

    if not steps.any():
        return x
    clock = np.arange(len(x))
    columns = [
        CubicSpline(clock, column)(np.clip(clock - d, 0, len(x) - 1)) if d else column
        for column, d in zip(x.T, steps, strict=True)
    ]
    return np.stack(columns, 1)


@dataclass(frozen=True)
class Rows:
    """Filtered, decimated samples of a stretch.

    Attributes:
        t: [s].
        columns: of the model, shape (samples, joints, columns).
        tau: measured torque, filtered.
        raw: measured torque, not filtered.
        slope: derivative of the filtered torque by time.
        qd: rates, for weights.
        rate: samples a second.
        source: the file.
    """

    t: np.ndarray
    columns: np.ndarray
    tau: np.ndarray
    raw: np.ndarray
    slope: np.ndarray
    qd: np.ndarray
    rate: float
    source: str

    def at(self, mask: np.ndarray) -> Rows:
        """Return some of the rows."""
        t, columns, tau, raw, slope, qd = (
            x[mask] for x in (self.t, self.columns, self.tau, self.raw, self.slope, self.qd)
        )
        return Rows(t, columns, tau, raw, slope, qd, self.rate, self.source)


def _filtered_columns(columns: np.ndarray, rate: float, cutoff: float, keep: slice) -> np.ndarray:
    """Return a model's columns low-passed, some samples kept; columns of zeros, as of links before a joint, stay."""
    flat = columns.reshape(len(columns), -1)
    live = flat.any(axis=0)
    filtered = np.zeros((len(range(*keep.indices(len(flat)))), flat.shape[1]))
    filtered[:, live] = low_pass(flat[:, live], rate, cutoff)[keep]
    return filtered.reshape(-1, *columns.shape[1:])


def rows_of(motion: Motion, filter_: Filter, model: Callable[[Motion], np.ndarray]) -> Iterator[Rows]:
    """Yield the filtered rows of a stretch in chunks that overlap by the filter's memory, so that none shows."""
    rate, fc = motion.rate, filter_.cutoff
    every = max(1, int(rate / (KEPT_RATE * fc)))
    edge = int(filter_.edge * rate)
    memory = int(3 * EDGE * rate / fc)
    tau = low_pass(motion.tau, rate, fc)
    slope = np.gradient(tau, 1 / rate, axis=0)
    first, last = edge, len(motion.q) - edge
    for start in range(first, last, CHUNK):
        stop = min(start + CHUNK, last)
        a, b = max(0, start - memory), min(len(motion.q), stop + memory)
        q, qd, qdd, near = (x[a:b] for x in (motion.q, motion.qd, motion.qdd, motion.tau))
        part = Motion(rate, q, qd, qdd, near, motion.source, motion.start)
        offset = (-(start - first)) % every  # keeps the thinned clock across chunks
        keep = slice(start - a + offset, stop - a, every)
        columns = _filtered_columns(model(part), rate, fc, keep)
        on_clock = slice(start + offset, stop, every)
        t = motion.start + np.arange(start + offset, stop, every) / rate
        filtered, raw, slopes, rates = (x[on_clock] for x in (tau, motion.tau, slope, motion.qd))
        yield Rows(t, columns, filtered, raw, slopes, rates, rate / every, motion.source)
